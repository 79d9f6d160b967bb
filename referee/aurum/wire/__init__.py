"""The one mapping between the values of `aurum.rules` and the messages of `aurum.v1`."""
