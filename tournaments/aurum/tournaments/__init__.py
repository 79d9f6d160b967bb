"""Tournaments: what is to be played (spec, schedule), playing it (runner, store), and what came of it (standings)."""
