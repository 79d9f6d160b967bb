"""Tournament formats: who meets whom, and what a match counts for."""
