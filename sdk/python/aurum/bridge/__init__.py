"""Connects the referee's gRPC with a command that reads and writes JSON lines (docs/bridge.md)."""

from aurum.bot.errors import UsageError
from aurum.bridge.main import end_as, run

__all__ = ["UsageError", "end_as", "run"]
