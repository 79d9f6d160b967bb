"""Bots as processes: started with limits, heard, and ended with all that they started."""
