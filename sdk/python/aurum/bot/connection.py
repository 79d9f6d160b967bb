"""Answers the turns that come on a stream, and sends the answers as they are ready.

One task reads a message, has every turn in it answered, and writes the answers as one message. The bot
thinks on this task too: there is nothing else to do meanwhile.
"""

from time import monotonic

from aurum.bot.address import RefereeAddress
from aurum.bot.dialing import MAX_ACTIONS, Stream, dial
from aurum.bot.session import Session
from aurum.v1 import play_pb2

FLUSH_AFTER = 0.002
"""Seconds without a write after which answers that are ready are sent."""


async def converse(session: Session, where: RefereeAddress) -> None:
    """Play until the referee's Goodbye; raises what `dial` does, and what `session` raises."""
    await dial(_Conversation(session), where)


class _Conversation:
    """Between a session and the streams it is held on."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._slowest = 0.0

    @property
    def welcome(self) -> play_pb2.Welcome | None:
        return self._session.welcome

    @property
    def goodbye(self) -> str | None:
        return self._session.goodbye

    async def talk(self, stream: Stream) -> None:
        session = self._session
        await stream.write(session.hello().SerializeToString())
        welcomed = False
        async for data in stream:
            message = session.read(data)
            if not welcomed:
                session.begin(message)
                welcomed = True
            if message.updates:
                stream.lived = True
                await self._answer(message, stream)
                if session.goodbye is not None:
                    return

    async def _answer(self, message: play_pb2.PlayResponse, stream: Stream) -> None:
        """Answer the turns of a message, in one message unless the bot thinks for long."""
        session = self._session
        now = received = written = monotonic()
        request = play_pb2.PlayRequest()
        answers = request.actions  # looked up once: that is slow
        for update in message.updates:
            before = now
            if (thinking := session.take(update, received, answers)) is not None:
                await thinking
            if session.goodbye is not None:
                break
            now = monotonic()
            # A bot that has just thought for long may do so again: what is ready should not wait for that.
            self._slowest = max(now - before, 0.9 * self._slowest)
            count = len(answers)
            if count and (self._slowest > FLUSH_AFTER or now - written > FLUSH_AFTER or count == MAX_ACTIONS):
                await stream.write(request.SerializeToString())
                request = play_pb2.PlayRequest()
                answers = request.actions
                now = written = monotonic()
        if answers:
            await stream.write(request.SerializeToString())
