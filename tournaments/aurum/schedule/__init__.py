"""The schedule: which games are to be played, in which units, and how long that takes."""
