"""Bots as processes: started with limits, with their output read, and ended with all that they started."""
