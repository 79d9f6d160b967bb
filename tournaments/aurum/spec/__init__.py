"""The spec: what a tournament is, as its organiser writes it."""
