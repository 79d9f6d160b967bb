"""Who meets whom: pairings as pure functions of names, ranks and lots. Nothing here knows of games."""
