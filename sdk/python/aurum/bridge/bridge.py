"""Passes messages between a command and the referee, a task for each direction, so that neither waits for the other.

    referee --PlayResponse--> talk --line--> command --line--> hear --PlayRequest--> referee

Each takes the next only when it has got rid of the last: nothing piles up here. What is slow, the command or the
referee, makes the other side wait, as it would without a bridge.
"""

import asyncio
import sys
from collections.abc import Sequence

from aurum.bot.address import RefereeAddress
from aurum.bot.dialing import MAX_ACTIONS, Stream, dial
from aurum.bot.session import VERSION, Session, welcome_of
from aurum.bridge.command import Command
from aurum.bridge.mapping import NotARequest, line_of, read
from aurum.bridge.memory import Memory
from aurum.v1 import play_pb2

HINT_AFTER = 5.0
"""Seconds without a Hello after which the author learns what is waited for."""

_HINT = "waiting for the bot's Hello: the first line of its output, ended by a newline, and flushed"

_NOTES = 20
"""How many lines of notes the author gets: a bot that is wrong once is wrong in every line."""

_GARBAGE_LIMIT = 1 << 15
"""Bytes of a wrong line that are passed on; a referee takes 64 KiB."""


class Bridge:
    """Between a command and the streams to the referee, as their `aurum.bot.dialing.Client`."""

    def __init__(self, command: Command) -> None:
        self.welcome: play_pb2.Welcome | None = None
        self.goodbye: str | None = None
        self._command = command
        self._memory = Memory()
        self._loop = asyncio.get_running_loop()
        self._hello: asyncio.Future[bytes] = self._loop.create_future()
        self._stream: asyncio.Future[Stream] = self._loop.create_future()
        self._writing = asyncio.Lock()
        self._hint = self._loop.call_later(HINT_AFTER, say, _HINT)
        self._line = 0
        self._notes = 0
        self.first_note = ""
        """What was wrong with the command's output first: the cause of what followed."""

    # From the referee to the command

    async def converse(self, where: RefereeAddress) -> None:
        """Once the command has said Hello, talk until the referee's Goodbye; raises what `dial` does."""
        await self._hello
        await dial(self, where)

    async def talk(self, stream: Stream) -> None:
        """Say Hello for the command, and tell it what the referee says."""
        await stream.write(self._hello.result())
        try:
            async for data in stream:
                message = Session.read(data)
                if not self._stream.done():
                    self.welcome = welcome_of(message)
                stream.lived = stream.lived or bool(message.updates)
                if again := self._memory.take(message):
                    async with self._writing:
                        await stream.write(play_pb2.PlayRequest(actions=again).SerializeToString())
                if not self._stream.done():
                    # Only now: what the command says before would be sent once more as soon as its turn comes again.
                    self._stream.set_result(stream)
                await self._tell(message)
                if self.goodbye is not None:
                    return
        finally:
            if self.goodbye is None and self._stream.done():  # after the Goodbye nobody waits for another one
                self._stream = self._loop.create_future()

    async def _tell(self, message: play_pb2.PlayResponse) -> None:
        if message.updates or message.HasField("welcome"):
            await self._command.write(line_of(message))
        for update in message.updates:
            if update.HasField("goodbye"):
                self.goodbye = update.goodbye.reason

    # From the command to the referee

    async def hear(self) -> int:
        """Pass on what the command says; returns its exit code once it has ended."""
        async for lines in self._command.lines():
            if self.goodbye is None:  # afterwards it is read, lest it waits for us, and no more
                await self._pass_on(lines)
        code = await self._command.exited
        if self._stream.done():
            # Not just gone: the referee might never read the last of the bot's messages.
            stream = self._stream.result()
            await stream.finish()
            await stream.call.code()
        return code

    async def _pass_on(self, lines: Sequence[bytes]) -> None:
        """Send the answers of all lines together, and what is no answer by itself: the referee counts it."""
        actions: list[play_pb2.Action] = []
        for line in lines:
            self._line += 1
            if not line.strip(b" \t\r\n\xef\xbb\xbf"):
                continue
            request = self._request(line)
            if not self._hello.done():
                self._hint.cancel()
                self._hello.set_result(_hello(request) if request else _garbage(line))
            elif request and request.actions:
                actions += request.actions
            else:
                await self._answer(actions)
                actions = []
                await self._send(request.SerializeToString() if request else _garbage(line))
        await self._answer(actions)

    def _request(self, line: bytes) -> play_pb2.PlayRequest | None:
        """The message of a line; None, after a note to the author, if it is none."""
        try:
            request, left_out = read(line)
        except NotARequest as error:
            self._note(f"line {self._line} of the bot's output is no PlayRequest: {error}")
            return None
        if left_out:
            more = f", and {len(left_out) - 1} more like that" if len(left_out) > 1 else ""
            self._note(f"in line {self._line} of the bot's output this is left out: {left_out[0]}{more}")
        return request

    async def _answer(self, actions: Sequence[play_pb2.Action]) -> None:
        for start in range(0, len(actions), MAX_ACTIONS):
            part = actions[start : start + MAX_ACTIONS]
            await self._send(play_pb2.PlayRequest(actions=part).SerializeToString(), part)

    async def _send(self, data: bytes, answers: Sequence[play_pb2.Action] = ()) -> None:
        """Send a message, which holds these answers, on the stream there is or the next."""
        while True:
            up = self._stream
            stream = await up
            async with self._writing:
                if self._stream is up:
                    for action in answers:
                        self._memory.answered(action)
                    await stream.write(data)
                    return

    # To the author

    def _note(self, sentence: str) -> None:
        self._notes += 1
        self.first_note = self.first_note or sentence
        if self._notes <= _NOTES:
            say(sentence)
        elif self._notes == _NOTES + 1:
            say("what else is wrong with the bot's output is not told any more")


def say(sentence: str) -> None:
    """Tell the author something."""
    print(f"aurum bridge: {sentence}", file=sys.stderr, flush=True)


def _hello(request: play_pb2.PlayRequest) -> bytes:
    """The first message, whatever it says; a Hello names the bridge unless it names a library of its own."""
    if request.HasField("hello") and not request.hello.sdk:
        request.hello.sdk = f"aurum-bridge/{VERSION}"
    return request.SerializeToString()


def _garbage(line: bytes) -> bytes:
    """As many bytes, which are no protobuf: there is no field 0."""
    return b"\0" + line[1:_GARBAGE_LIMIT]
