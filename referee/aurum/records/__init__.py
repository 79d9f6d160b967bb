"""Records of games: writing them, running them again, walking through them, and their form as JSON."""
