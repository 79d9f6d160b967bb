"""Who lives, and who has gone: silence is no loss, a machine that is gone is one, and floods are cut."""

import asyncio
import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import pytest
from aurum.referee.unit import DAY_MS
from aurum.serving import connections
from aurum.serving.accepted import Accepted, inode_of
from aurum.serving.connections import BURST, TOKENLESS_BURST, Connections
from aurum.serving.server import StreamOwner, listening, new_token
from dialing import PATIENCE, Autoplayers, RawBot, RefereeProcess

QUIET_S = 16.5
"""A server that pings after 10 quiet seconds and waits 5 for the answer has given a connection up by then."""
SETTINGS = bytes((0, 0, 0, 4, 0, 0, 0, 0, 0))
STOPPED = """
import time
from pathlib import Path

from aurum.bot import Bot, run


class Stopped(Bot):
    def bid(self, turn):
        return turn.hand[0]

    def play(self, turn):
        if turn.number < 4:
            Path("{mark}").touch()
            time.sleep(0.5)
        return turn.cards[0]


run(Stopped)
"""
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + SETTINGS
linux = pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="only Linux counts what comes on a connection")


class Owner(StreamOwner):
    """Has been asked some turns, and notes what it is blamed for."""

    def __init__(self) -> None:
        super().__init__(new_token())
        self.blamed: list[str] = []

    def flooded(self, sentence: str) -> None:
        self.blamed.append(sentence)


class Owners:
    """One that is known by a socket or a process, and anybody else."""

    def __init__(self, *, inode: int = 0, pid: int = 0) -> None:
        self.inode, self.pid = inode, pid
        self.known, self.somebody = Owner(), Owner()

    def having_socket(self, inode: int) -> Owner | None:
        return self.known if inode == self.inode else None

    def having_process(self, pid: int) -> Owner:
        return self.known if pid == self.pid else self.somebody


async def connected(address: int | str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection to this port, or the Unix-domain socket of this path, that has begun as HTTP/2 does."""
    if isinstance(address, str):
        reader, writer = await asyncio.open_unix_connection(address)
    else:
        reader, writer = await asyncio.open_connection("127.0.0.1", address)
    writer.write(PREFACE)
    await writer.drain()
    return reader, writer


@contextlib.asynccontextmanager
async def counting(path: Path | None) -> AsyncIterator[tuple[int | str, "Taken"]]:
    """A server at the Unix-domain socket of this path, or a port, that takes in all that comes, and its address."""
    taken = Taken()

    async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(1 << 16):
            taken.bytes += len(data)
        writer.close()
        taken.over.set()

    address: int | str
    if path is None:
        server = await asyncio.start_server(take, "127.0.0.1", 0)
        address = server.sockets[0].getsockname()[1]
    else:
        server = await asyncio.start_unix_server(take, path)
        address = str(path)
    try:
        yield address, taken
    finally:
        server.close()


class Taken:
    """What has come on a connection, and whether it is over."""

    def __init__(self) -> None:
        self.bytes = 0
        self.over = asyncio.Event()


def test_a_bot_that_is_stopped_is_not_cut_off(tmp_path: Path) -> None:
    """A breakpoint, or a search in the only thread: nobody answers pings meanwhile, and only the clock counts."""
    bot, mark = tmp_path / "bot.py", tmp_path / "mark"
    bot.write_text(STOPPED.format(mark=mark), encoding="utf-8")
    seats = [word for seat in "123" for word in ("--seat", f"{seat}=python example_bots/lowest_card.py")]
    with RefereeProcess("--turn-ms", "60000", "--sandbox", "off", *seats, seats=1) as referee:
        address, token = referee.seats[0]
        env = dict(os.environ, AURUM_ADDRESS=address, AURUM_TOKEN=token, AURUM_SEAT="0")
        with subprocess.Popen([sys.executable, str(bot)], env=env) as process:
            while not mark.exists():
                assert process.poll() is None
                time.sleep(0.01)
            process.send_signal(signal.SIGSTOP)
            time.sleep(QUIET_S)
            process.send_signal(signal.SIGCONT)
            output = referee.finish()
            assert 0 == process.wait(PATIENCE)
    assert 1 == len(output.splitlines()), output


def test_a_bot_that_comes_back_too_late_plays_the_next_game() -> None:
    """Its game is lost after the grace, and its seat waits for it."""
    with RefereeProcess("--games", "2", "--reconnect-grace-ms", "100") as referee:
        others = Autoplayers({seat: place for seat, place in referee.seats.items() if seat != 0})
        bot = RawBot(*referee.seats[0]).hello()
        bot.turn()
        bot.hang_up()
        assert referee.process.stdout is not None
        first = referee.process.stdout.readline() + referee.process.stdout.readline()
        deadline = time.monotonic() + PATIENCE
        while True:
            back = RawBot(*referee.seats[0])
            try:
                back.hello().play_on()
                break
            except (grpc.RpcError, StopIteration, AssertionError):  # not now
                assert time.monotonic() < deadline
        others.join()
        second = referee.finish()
    assert "seat 0, disconnected: " in first
    assert "referee/2: " in second
    assert "disconnected" not in second


def test_a_debugger_has_a_day() -> None:
    """For a turn, and to come back after a connection that it has held up for too long."""
    with RefereeProcess("--debug", "--turn-ms", "1") as referee:
        bot = RawBot(*referee.seats[0]).hello()
        others = Autoplayers({seat: place for seat, place in referee.seats.items() if seat != 0})
        clock = bot.next("game_start").game_start.clock
        bot.play_on()
        others.join()
        assert "timeout" not in referee.finish()
    assert bot.welcome is not None
    assert (DAY_MS, DAY_MS) == (clock.turn_ms, bot.welcome.reconnect_grace_ms)


@linux
def test_a_machine_that_is_gone_is_noticed_in_time() -> None:
    """The systems ask each other every second, however busy the bot is: on each connection that is accepted."""

    async def options() -> set[int]:
        async with listening("127.0.0.1:0") as (server, address):
            port = int(address.rpartition(":")[2])
            _, writer = await connected(port)
            server.notice_loss_within(7)
            deadline = time.monotonic() + PATIENCE
            found, asked = set[int](), False
            while 6000 not in found and time.monotonic() < deadline:
                await asyncio.sleep(connections.INTERVAL)
                found = set()
                for file in list(Path("/proc/self/fd").iterdir()):
                    if not file.is_socket():
                        continue
                    accepted = socket.socket(fileno=os.dup(int(file.name)))
                    with accepted:
                        if peer_port(accepted) == writer.get_extra_info("sockname")[1]:
                            found.add(accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT))
                            asked |= bool(accepted.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE))
            writer.close()
            return found if asked else set()

    assert {6000} == asyncio.run(options())


def peer_port(connection: socket.socket) -> int:
    """The port of its other end; 0 if there is none."""
    try:
        return int(connection.getpeername()[1]) if connection.family != socket.AF_UNIX else 0
    except OSError:
        return 0


@linux
@pytest.mark.parametrize("has_token", [True, False])
def test_a_flood_is_cut_and_whose_it_is_is_blamed(has_token: bool) -> None:
    """By the token that the connection has shown, or else by the process that has its other end."""

    async def flood() -> Owners:
        async with counting(None) as (port, taken):
            owners = Owners()
            watched = Connections({port}, owners)
            _, writer = await connected(port)
            own = writer.get_extra_info("socket")
            if has_token:
                watched.belongs("ipv4:{}:{}".format(*own.getsockname()), owners.known)
            else:
                owners.inode = os.fstat(own.fileno()).st_ino
            writer.write(bytes(BURST if has_token else TOKENLESS_BURST) + bytes(10_000))
            await asyncio.wait_for(taken.over.wait(), PATIENCE)
            writer.close()
            watched.close()
        return owners

    blamed = asyncio.run(flood()).known.blamed
    assert 1 == len(blamed)
    assert re.fullmatch(r"flooded its connection with \d+ KiB that no turn has asked for", blamed[0])


@linux
@pytest.mark.parametrize("known", [True, False])
def test_a_flood_of_a_unix_socket_is_cut(known: bool, tmp_path: Path) -> None:
    """The process that made it tells whose it is; if that is no bot that was launched, nobody is blamed.

    Two connections of one bot count together, and no other is cut.
    """

    async def flood() -> tuple[Owners, int]:
        async with counting(tmp_path / "socket") as (path, taken):
            owners = Owners(pid=os.getpid() if known else -1)
            watched = Connections({path}, owners)
            writers = [(await connected(path))[1] for _ in range(2)]
            seen = 0
            while not taken.over.is_set():
                for writer in writers if known else writers[:1]:
                    with contextlib.suppress(ConnectionError):
                        writer.write(bytes(20_000))
                        await writer.drain()
                        seen += 20_000
                await asyncio.sleep(connections.INTERVAL)
            for writer in writers:
                writer.close()
            watched.close()
        return owners, seen

    owners, seen = asyncio.run(flood())
    assert (known, not known) == (bool(owners.known.blamed), bool(owners.somebody.blamed))
    assert seen < BURST + 200_000


@linux
@pytest.mark.parametrize("over", ["tcp", "unix"])
def test_what_was_asked_for_is_no_flood(over: str, tmp_path: Path) -> None:
    """A bot may send as much as its turns allow, for as long as it plays."""

    async def play() -> list[str]:
        async with counting(tmp_path / "socket" if over == "unix" else None) as (address, taken):
            owners = Owners(pid=os.getpid())
            watched = Connections({address}, owners)
            _, writer = await connected(address)
            if over == "tcp":
                watched.belongs("ipv4:{}:{}".format(*writer.get_extra_info("sockname")), owners.known)
            sent = len(PREFACE)
            while sent < 8 * BURST:
                owners.known.turns_asked += 256
                writer.write(bytes(256 * 100))
                sent += 256 * 100
                await writer.drain()
                while taken.bytes < sent:
                    await asyncio.sleep(0.001)
            await asyncio.sleep(3 * connections.INTERVAL)
            writer.close()
            await taken.over.wait()
            watched.close()
        return owners.known.blamed

    assert [] == asyncio.run(play())


@linux
@pytest.mark.parametrize("family", ["tcp", "unix"])
def test_what_has_come_is_counted_to_the_byte(family: str, tmp_path: Path) -> None:
    """However it is cut into reads; past the number from which a Unix-domain socket is counted down, too."""
    with socket.socket(socket.AF_UNIX if family == "unix" else socket.AF_INET) as listener:
        listener.bind(str(tmp_path / "socket") if family == "unix" else ("127.0.0.1", 0))
        listener.listen()
        here = listener.getsockname()
        with socket.socket(listener.family) as caller:
            caller.connect(here)
            own, _ = listener.accept()
            with own:
                inode = inode_of(own.fileno())
                places = frozenset({here if family == "unix" else here[1]})
                assert Accepted.of(listener.fileno(), inode_of(listener.fileno()), places) is None
                assert Accepted.of(own.fileno(), inode, frozenset({"elsewhere", 1})) is None
                accepted = Accepted.of(own.fileno(), inode, places)
                assert accepted is not None
                sent = 0
                for size in (1, 70_000, 3, 50_000):
                    caller.sendall(bytes(size))
                    sent, left = sent + size, size
                    while left:
                        left -= len(own.recv(min(left, 7_000)))
                    assert sent == accepted.received()
                assert (os.getpid() if family == "unix" else 0) == accepted.process()
                assert bool(accepted.other_socket()) == (family == "tcp")
                accepted.cut()
                assert b"" == caller.recv(1)
                accepted.close()
