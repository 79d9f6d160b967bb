"""Worker processes, which play units: of this machine, or of a cluster."""
