"""A bot that tries what a sandbox is to prevent, and writes on its standard error what it got, as one line of JSON.

It plays at random beside that, and does no harm where there is no sandbox: it looks and asks, and takes nothing.
"""

import ctypes
import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from aurum.bot import Bot, Move, Turn, run

KNOWN = json.loads(os.environ["KNOWN"])
"""What somebody has found out: `mark`, `port`, `abstract`, `spec`, `store`, `secret` and `key`."""
SEAT = int(os.environ["AURUM_SEAT"])
OTHERS = [seat for seat in range(4) if seat != SEAT]
LIBC = ctypes.CDLL(None, use_errno=True)
SHARED = [Path("/tmp"), Path("/var/tmp"), Path("/dev/shm"), Path.cwd(), Path.home()]
NEW_USER = 0x10000000
IPC_CREAT = 0o1000


def mark(seat: int) -> str:
    return f"{KNOWN['mark']}-{seat}"


def leave_marks() -> list[socket.socket]:
    """For the other instances to find, wherever they might look."""
    for folder in SHARED:
        with suppress(OSError):
            (folder / mark(SEAT)).touch()
    LIBC.shmget(KNOWN["key"] + SEAT, 4096, IPC_CREAT | 0o600)
    abstract = socket.socket(socket.AF_UNIX)
    with suppress(OSError):  # the trial start has both bots at seat 0
        abstract.bind("\0" + mark(SEAT))
        abstract.listen()
    # A daemon: in a session of its own, and its parent ends at once.
    daemon = "import os, sys, time; os.fork() and sys.exit(); os.setsid(); time.sleep(1000)"
    subprocess.run([sys.executable, "-c", daemon, KNOWN["mark"]], stdout=subprocess.DEVNULL, check=True)
    return [abstract]


def processes() -> Iterator[Path]:
    """All but those that a sandbox has by itself, and this one's."""
    own = {1, os.getpid()}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if int(folder.name) not in own and KNOWN["mark"].encode() not in (folder / "cmdline").read_bytes():
                yield folder


def network() -> Iterator[str]:
    with suppress(OSError):
        socket.create_connection(("127.0.0.1", KNOWN["port"]), 5).close()
        yield "the loopback of the machine"
    with suppress(OSError), socket.socket(socket.AF_UNIX) as dialled:
        dialled.connect("\0" + KNOWN["abstract"])
        yield "an abstract socket"


def interfaces() -> Iterator[str]:
    yield from (name for _, name in socket.if_nameindex() if name != "lo")


def names() -> Iterator[str]:
    with suppress(OSError):
        yield str(socket.getaddrinfo("example.com", 80))


def tokens() -> Iterator[str]:
    for process in processes():
        with suppress(OSError):
            if f"AURUM_SEAT={OTHERS[0]}".encode() in (process / "environ").read_bytes():
                yield process.name


def signals() -> Iterator[str]:
    for number in {os.getppid(), *(int(process.name) for process in processes()), *range(2, 20_000)}:
        if number in {1, os.getpid()} or Path(f"/proc/self/task/{number}").exists():
            continue
        with suppress(OSError):
            os.kill(number, 0)
            if KNOWN["mark"].encode() not in Path(f"/proc/{number}/cmdline").read_bytes():
                yield str(number)


def files() -> Iterator[str]:
    for name in ("spec", "secret"):
        with suppress(OSError):
            yield f"{name}: {Path(KNOWN[name]).read_text()[:80]}"
    with suppress(OSError):
        yield from (f"store: {file}" for file in Path(KNOWN["store"]).iterdir())
    for folder, _, found in os.walk(Path(KNOWN["spec"]).parent):
        own = {"secret"} if Path(folder) == Path.cwd() else set[str]()
        for name in {"spec.toml", "tournament.sqlite", "secret", "id"} & {*found} - own:
            with suppress(OSError):
                yield f"{folder}/{name}: {Path(folder, name).read_bytes()[:80]!r}"


def partner_files() -> Iterator[str]:
    nearby, scratch = Path.home().parents[:2]
    for seat in OTHERS:
        yield from (str(folder) for folder in SHARED if (folder / mark(seat)).exists())
        with suppress(OSError):
            yield from map(str, [*nearby.glob(f"*/{mark(seat)}"), *scratch.glob(f"*/home/{mark(seat)}")])


def partner_sockets() -> Iterator[str]:
    for seat in OTHERS:
        with suppress(OSError), socket.socket(socket.AF_UNIX) as dialled:
            dialled.connect("\0" + mark(seat))
            yield f"seat {seat}"


def shared_memory() -> Iterator[str]:
    yield from (f"seat {seat}" for seat in OTHERS if LIBC.shmget(KNOWN["key"] + seat, 0, 0) >= 0)


def writable() -> Iterator[str]:
    folders = (".", "/", "/usr", "/etc", "/dev", "/proc/sys/kernel")
    yield from (folder for folder in folders if os.access(folder, os.W_OK))


def privileges() -> Iterator[str]:
    status = dict(line.split(":\t", 1) for line in Path("/proc/self/status").read_text().splitlines() if ":\t" in line)
    if status["NoNewPrivs"] == "0":
        yield "may gain privileges"
    if int(status["CapEff"], 16):
        yield f"capabilities {status['CapEff']}"


def user_namespace() -> Iterator[str]:
    if (child := os.fork()) == 0:
        os._exit(int(LIBC.unshare(NEW_USER) != 0))
    if os.waitpid(child, 0)[1] == 0:
        yield "a user namespace"


ATTEMPTS: list[Callable[[], Iterator[str]]] = [
    network,
    interfaces,
    names,
    tokens,
    signals,
    files,
    partner_files,
    partner_sockets,
    shared_memory,
    writable,
    privileges,
    user_namespace,
]


class Hostile(Bot):
    version = "1"

    def __init__(self) -> None:
        self.sockets = leave_marks()
        self.tried = False

    def choose(self, turn: Turn) -> Move:
        """By the first turn, all others have said Hello, and so have left their marks."""
        if not self.tried:
            self.tried = True
            found = {attempt.__name__: list(attempt())[:3] for attempt in ATTEMPTS}
            print(json.dumps({name: got for name, got in found.items() if got}), file=sys.stderr, flush=True)
        return turn.legal[0]


if __name__ == "__main__":
    run(Hostile)
