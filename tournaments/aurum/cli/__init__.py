"""The command `arena`: the only place where click is used, one file a command."""
