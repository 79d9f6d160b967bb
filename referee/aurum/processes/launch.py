"""Says how the processes of a bot are started, and within which limits."""

from dataclasses import dataclass

from aurum.sandbox.sandbox import Sandbox


@dataclass(frozen=True, slots=True)
class Launch:
    """How the processes of a bot are started: its command, folder and environment."""

    command: tuple[str, ...]
    """Program and arguments."""
    folder: str
    """The working folder it is started in."""
    env: tuple[tuple[str, str], ...] = ()
    """Variables that are added to its environment."""
    sandbox: Sandbox | None = None
    """What it is kept in; None: nothing."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What an instance may use, together with all that it has started; 0 is no limit."""

    memory_mb: int = 4096
    """Memory of its own, and shared memory, in MiB. Linux only."""
    disk_mb: int = 4096
    """Files in its private folder, HOME and TMPDIR, in MiB."""
