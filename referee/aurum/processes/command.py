"""How a bot is launched."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BotCommand:
    """A bot as it is launched."""

    name: str
    command: tuple[str, ...]
    """Empty: somebody else starts it, and it dials in."""
    folder: str
    """The working folder it is started in."""
    env: tuple[tuple[str, str], ...] = ()
    benched: str = ""
    """If not empty, it is never launched and forfeits; the sentence says why."""
