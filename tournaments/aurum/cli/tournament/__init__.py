"""The commands of `arena tournament`, a module each."""
