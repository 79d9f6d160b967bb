"""The standings: ratings, ranks and their presentation, computed from the stored games."""
