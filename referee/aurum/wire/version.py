"""The version of the protocol that this code speaks (docs/protocol.md)."""

PROTOCOL_VERSION = 1
