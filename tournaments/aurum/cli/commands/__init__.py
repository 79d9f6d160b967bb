"""The commands of `arena`, a module each."""
