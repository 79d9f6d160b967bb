"""What an organiser wants of sandboxes, as values."""

from dataclasses import dataclass
from enum import StrEnum


class SandboxMode(StrEnum):
    """Whether bots and their builds run in a sandbox."""

    AUTO = "auto"
    """If it works on this machine."""
    ON = "on"
    """Yes: nothing is played without it."""
    OFF = "off"
    """No: they run as the user who runs the arena, and can do what that user can."""


@dataclass(frozen=True, slots=True)
class Sandbox:
    """How a program is to be kept in a sandbox."""

    required: bool = False
    """It must not run without one."""
    reads: tuple[str, ...] = ()
    """Files and folders, absolute, that it may read besides its own folder and the programs it runs by."""
    hidden: tuple[str, ...] = ()
    """Files and folders, absolute, that it must not see, even where they lie in what it may read."""


def sandbox_of(mode: SandboxMode, reads: tuple[str, ...] = (), hidden: tuple[str, ...] = ()) -> Sandbox | None:
    """The sandbox that a mode asks for; None: none."""
    return None if mode is SandboxMode.OFF else Sandbox(mode is SandboxMode.ON, reads, hidden)
