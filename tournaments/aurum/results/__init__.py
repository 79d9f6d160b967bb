"""Results: what is read and kept of the games that a referee has played."""
