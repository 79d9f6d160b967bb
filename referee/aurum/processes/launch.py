"""Says how the processes of a bot are started."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Launch:
    """How the processes of a bot are started: its command, folder, environment and limit of memory."""

    command: tuple[str, ...]
    """Program and arguments."""
    folder: str
    """The working folder it is started in."""
    env: tuple[tuple[str, str], ...] = ()
    """Variables that are added to its environment."""
