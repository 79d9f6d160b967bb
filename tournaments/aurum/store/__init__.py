"""The store: everything that a tournament keeps, in one SQLite file."""
