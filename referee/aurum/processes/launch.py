"""How a bot's processes are started."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Launch:
    """How a bot's processes are started."""

    command: tuple[str, ...]
    """Program and arguments."""
    folder: str
    """The working folder it is started in."""
    env: tuple[tuple[str, str], ...] = ()
    """Variables that are added to its environment."""
