"""A scripted referee: it launches the bot under check and sends it what a script says."""
