"""Who lives, and who has gone: silence is no loss, a machine that is gone is one, and floods are cut."""

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import grpc
import pytest
from aurum.referee.unit import DAY_MS
from aurum.serving import connections
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

    def __init__(self, inode: int = 0) -> None:
        super().__init__(new_token())
        self.inode = inode
        self.blamed: list[str] = []

    def holds_socket(self, inode: int) -> bool:
        return inode == self.inode

    def flooded(self, sentence: str) -> None:
        self.blamed.append(sentence)


async def connected(port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection to this port that has begun as HTTP/2 does."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(PREFACE)
    await writer.drain()
    return reader, writer


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

    async def flood() -> tuple[list[str], list[tuple[int, str]], int]:
        loop = asyncio.get_running_loop()
        owner, blamed, cut = Owner(), list[tuple[int, str]](), loop.create_future()

        async def swallow(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            while await reader.read(1 << 16):
                pass
            writer.close()
            if not cut.done():
                cut.set_result(None)

        server = await asyncio.start_server(swallow, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        watched = Connections(port, lambda inode, sentence: blamed.append((inode, sentence)))
        try:
            _, writer = await connected(port)
            own = writer.get_extra_info("socket")
            inode = os.fstat(own.fileno()).st_ino
            if has_token:
                watched.belongs("ipv4:{}:{}".format(*own.getsockname()), owner)
            writer.write(bytes(BURST if has_token else TOKENLESS_BURST) + bytes(10_000))
            await asyncio.wait_for(cut, PATIENCE)
            writer.close()
            await asyncio.sleep(0)
        finally:
            watched.close()
            server.close()
        return owner.blamed, blamed, inode

    of_owner, of_nobody, inode = asyncio.run(flood())
    assert has_token == bool(of_owner)
    assert ([] if has_token else [inode]) == [number for number, _ in of_nobody]
    assert re.fullmatch(
        r"flooded its connection with \d+ KiB that no turn has asked for", (of_owner or [of_nobody[0][1]])[0]
    )


@linux
def test_what_was_asked_for_is_no_flood() -> None:
    """A bot may send as much as its turns allow, for as long as it plays."""

    async def play() -> list[str]:
        owner = Owner()
        taken = 0
        over = asyncio.Event()

        async def count(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            nonlocal taken
            while data := await reader.read(1 << 16):
                taken += len(data)
            writer.close()
            over.set()

        server = await asyncio.start_server(count, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        watched = Connections(port, lambda _inode, sentence: owner.blamed.append(sentence))
        try:
            _, writer = await connected(port)
            watched.belongs("ipv4:{}:{}".format(*writer.get_extra_info("sockname")), owner)
            sent = len(PREFACE)
            while sent < 8 * BURST:
                owner.turns_asked += 256
                writer.write(bytes(256 * 100))
                sent += 256 * 100
                await writer.drain()
                while taken < sent:
                    await asyncio.sleep(0.001)
            await asyncio.sleep(3 * connections.INTERVAL)
            writer.close()
            await over.wait()
        finally:
            watched.close()
            server.close()
        return owner.blamed

    assert [] == asyncio.run(play())
