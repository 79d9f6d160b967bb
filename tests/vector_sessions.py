"""The conversations of sdk/vectors/sessions.json: what a referee says, and what must be answered.

case = Case("name", "about")
case.stream()                                      # a Welcome: the first stream, or one more after it was lost
case.turns(start(1), turn(1))                      # a message, whose turns are new to the bot
case.hear(message(turn(1)), [answer(turn(1))])     # a message, and what it is answered with: here, nobody is asked
"""

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import count, pairwise
from random import Random
from typing import cast

from aurum.rules import PRESETS, Deal, Game, deal_key, secret_of_seed
from aurum.v1 import card_pb2, game_pb2, play_pb2
from google.protobuf.message import Message
from inprocess import start_message, turn_message
from strategies import kind_first
from vector_turns import Json, as_json, wire

Update = play_pb2.Update

GREETING = play_pb2.Welcome(protocol_version=1, seat=0, players=4, reconnect_grace_ms=5000, referee="0.1.0")
UNKNOWN = bytes.fromhex("b83e 2a  c23e 03616263  cd3e 01000000  d13e 0200000000000000")
"""Fields 999 to 1002, which no message has, one of each wire type: varint, bytes, 32 bits, 64 bits."""


class Case:
    """One entry of the file, written down as the referee speaks."""

    def __init__(self, name: str, about: str) -> None:
        self._head = {"name": name, "about": about}
        self._streams: list[list[Json]] = []
        self._asked = 0
        self._faults: list[str] = []
        self._goodbye: str | None = None
        self._error: str | None = None

    def stream(self, *updates: Update) -> None:
        """A stream begins: a Welcome, with updates if there are any, whose turns are new to the bot."""
        self.lost()
        self._turns(message(*updates, welcome=GREETING))

    def turns(self, *updates: Update) -> None:
        """A message whose turns are new to the bot."""
        self._turns(message(*updates))

    def _turns(self, said: play_pb2.PlayResponse) -> None:
        new = [update for update in said.updates if update.WhichOneof("kind") == "turn"]
        self.hear(said, [answer(update) for update in new], asked=len(new))

    def hear(
        self,
        said: play_pb2.PlayResponse | bytes,
        answers: Iterable[play_pb2.Action] = (),
        *,
        asked: int = 0,
        faults: Iterable[str] = (),
        goodbye: str | None = None,
        error: str | None = None,
    ) -> None:
        """A message of the stream, what it is answered with, and what it does besides."""
        if not self._streams:
            self._streams.append([])
        readable = None if isinstance(said, bytes) else as_json(said)
        sent = [wire(each) for each in answers]
        self._streams[-1].append({"receive_wire": wire(said), "receive": readable, "send_wire": sent})
        self._asked += asked
        self._faults += faults
        self._goodbye, self._error = goodbye, error

    def lost(self) -> None:
        """The stream is lost: what is heard next begins another one."""
        self._streams.append([])

    @property
    def messages(self) -> list[Json]:
        """Those of the last stream."""
        return self._streams[-1]

    def bye(self, reason: str = "the games are over") -> None:
        """The referee is done."""
        self.hear(message(goodbye(reason)), goodbye=reason)

    def entry(self) -> Json:
        return {
            **self._head,
            "streams": self._streams,
            "asked": self._asked,
            "faults": self._faults,
            "goodbye": self._goodbye,
            "error": self._error,
        }


@cache
def played(game: int) -> tuple[play_pb2.GameStart, tuple[play_pb2.Turn, ...]]:
    """A random game as its seat 0 is told it: the beginning, and every turn."""
    table = Game(PRESETS["german"], Deal(deal_key(secret_of_seed("sessions"), game), 4))
    rng = Random(game)
    start = start_message(table, 0, game)
    asked: list[play_pb2.Turn] = []
    while not table.over:
        if table.to_act == 0:
            asked.append(turn_message(table, len(asked) + 1, game))
        table.play(kind_first(rng, table.legal_moves()))
    return start, tuple(asked)


def message(*updates: Update, welcome: play_pb2.Welcome | None = None) -> play_pb2.PlayResponse:
    return play_pb2.PlayResponse(welcome=welcome, updates=updates)


def start(game: int) -> Update:
    return Update(game_start=played(game)[0])


def turn(game: int, number: int = 1) -> Update:
    return Update(turn=played(game)[1][number - 1])


def answer(update: Update) -> play_pb2.Action:
    """What the bot of these cases answers: the first legal card, or pass in an exchange and where there is none."""
    asked = update.turn
    action = play_pb2.Action(game=asked.game, number=asked.number)
    if asked.legal_cards and asked.phase != game_pb2.PHASE_EXCHANGE:
        action.card = asked.legal_cards[0]
    else:
        getattr(action, "pass").SetInParent()
    return action


def fault(kind: int, game: int = 0, number: int = 0) -> Update:
    known = cast("game_pb2.FaultKind.ValueType", kind)
    return Update(fault=play_pb2.Fault(game=game, number=number, kind=known, detail="what went wrong, in a sentence"))


def round_end(game: int) -> Update:
    table = played(game)[1][-1].table
    result = game_pb2.RoundResult(tricks=[3, 2, 1, 0], bids=[3, 5], points=[4, 2], winners=[0], ended_by=2)
    return Update(round_end=play_pb2.RoundEnd(game=game, table=table, result=result, shown_hand=[card_pb2.B7]))


def game_end(game: int) -> Update:
    result = game_pb2.GameResult(nuggets=[2, 0], points=[9, 4], rank=[1, 2], placing=[1, 2])
    return Update(game_end=play_pb2.GameEnd(game=game, result=result))


def goodbye(reason: str = "the games are over") -> Update:
    return Update(goodbye=play_pb2.Goodbye(reason=reason))


def stranger(said: play_pb2.PlayResponse) -> play_pb2.PlayResponse:
    """The same with fields that it does not know, in itself and in every message that it holds."""
    copy = play_pb2.PlayResponse()
    copy.CopyFrom(said)
    _add_unknown(copy)
    return copy


def _add_unknown(part: Message) -> None:
    for field, value in part.ListFields():
        if field.type == field.TYPE_MESSAGE:
            for each in value if field.is_repeated else [value]:
                _add_unknown(each)
    part.MergeFromString(UNKNOWN)


def _has_to_pass(asked: play_pb2.Turn) -> bool:
    """Whether no card of the hand may follow: with no gold either, there would be nothing but a pass."""
    return asked.phase == game_pb2.PHASE_FOLLOW and asked.may_pass


def _plain() -> Iterator[Case]:
    case = Case("whole-game", "A whole game, one turn a message, in every phase; then the end.")
    case.stream()
    whole = next(game for game in count(1) if any(map(_has_to_pass, played(game)[1])))
    asked = played(whole)[1]
    case.turns(start(whole), turn(whole))
    for before, now in pairwise(asked):
        ended = [round_end(whole)] if before.table.round < now.table.round else []
        case.turns(*ended, Update(turn=now))
    case.hear(message(round_end(whole), game_end(whole)))
    case.bye()
    yield case

    case = Case("no-card-is-legal", "Where there is no card, but a pass: the bot passes.")
    stuck = play_pb2.Turn()
    stuck.CopyFrom(next(filter(_has_to_pass, asked)))
    stuck.ClearField("legal_cards")
    case.stream(start(whole))
    case.turns(Update(turn=stuck))
    case.bye()
    yield case

    case = Case("welcome-with-updates", "Updates may come in the same message as the Welcome.")
    case.stream(start(1), turn(1))
    case.turns(turn(1, 2))
    case.bye()
    yield case

    case = Case("goodbye-at-once", "The referee has nothing to play, and no reason to give.")
    case.stream()
    case.bye("")
    yield case

    case = Case("goodbye-in-mid-batch", "What stands after the Goodbye counts for nothing: neither turns nor faults.")
    case.stream(start(1), start(2))
    last = message(turn(1), goodbye("the tournament was stopped"), turn(2), fault(game_pb2.FAULT_KIND_TIMEOUT))
    case.hear(last, [answer(turn(1))], asked=1, goodbye="the tournament was stopped")
    yield case

    case = Case("empty-message", "A message without updates is no reason to say anything.")
    case.stream()
    case.hear(message())
    case.turns(start(1), turn(1))
    yield case

    case = Case("greatest-game-number", "2^53 - 1: a number for which 32 bits do not do.")
    case.stream()
    far = 2**53 - 1
    case.turns(start(far), turn(far))
    case.turns(turn(far, 2))
    yield case


def _batches() -> Iterator[Case]:
    games = range(1001, 1201)
    case = Case("batch-of-200", "The first turns of 200 games in one message, then the second ones, in another order.")
    case.stream()
    case.turns(*map(start, games), *map(turn, games))
    case.turns(*[turn(game, 2) for game in reversed(games)])
    for each in case.messages[1:]:
        each["receive"] = None  # nobody would read it
    case.bye()
    yield case

    case = Case("interleaved", "Two games: a turn is known by its game and number, and each game has its last answer.")
    case.stream(start(1), start(2))
    case.turns(turn(1), turn(2))
    case.turns(turn(2, 2))
    case.hear(message(turn(1)), [answer(turn(1))])
    case.turns(turn(1, 2))
    case.bye()
    yield case

    case = Case("one-game-after-another", "A game ends and the next one begins, in one message.")
    case.stream(start(1), turn(1))
    case.turns(round_end(1), game_end(1), start(2), turn(2))
    case.bye()
    yield case

    case = Case("game-number-again", "A game that has ended is forgotten: its number may name another one.")
    case.stream(start(1), turn(1))
    case.hear(message(game_end(1)))
    case.turns(start(1), turn(1))
    case.bye()
    yield case

    case = Case("ends-of-unknown-games", "RoundEnd, GameEnd and Fault of a game never started are no errors.")
    case.stream(start(1))
    case.hear(message(round_end(9), game_end(9), fault(game_pb2.FAULT_KIND_TIMEOUT, 9, 4)), faults=["timeout"])
    case.turns(turn(1))
    case.bye()
    yield case


def _reconnections() -> Iterator[Case]:
    case = Case("repeated-turn", "The same turn again, with less time left: the same answer, and the bot is not asked.")
    case.stream(start(1), turn(1))
    again = turn(1)
    again.turn.time_left_ms = 400
    case.hear(message(again), [answer(turn(1))])
    case.hear(message(again, again), [answer(turn(1))] * 2)
    case.turns(turn(1, 2))
    case.bye()
    yield case

    case = Case("reconnection", "Games are announced again, open turns come again; what is new is asked.")
    case.stream(start(1), start(2), turn(1), turn(2))
    case.stream()
    case.hear(message(start(1), start(2), turn(1)), [answer(turn(1))])
    case.turns(turn(2, 2))
    case.turns(start(3), turn(3))
    case.bye()
    yield case

    case = Case("lost-twice", "A stream that holds no more than a Welcome, and another one.")
    case.stream(start(1), turn(1))
    case.stream()
    case.stream()
    case.hear(message(start(1), turn(1)), [answer(turn(1))])
    case.bye()
    yield case

    case = Case("reconnection-without-welcome", "Every stream begins with a Welcome, not only the first.")
    case.stream(start(1), turn(1))
    case.lost()
    case.hear(message(start(1), turn(1)), error="no_welcome")
    yield case


def _faults() -> Iterator[Case]:
    case = Case("every-fault", "Each kind of fault, and one of a later protocol; the games go on.")
    case.stream(start(1), turn(1))
    names = [name.removeprefix("FAULT_KIND_").lower() for name in game_pb2.FaultKind.keys()[1:]]
    case.hear(message(*[fault(kind, 1, 1) for kind in range(1, len(names) + 1)]), faults=names)
    both = message(fault(99), turn(1, 2), fault(game_pb2.FAULT_KIND_ILLEGAL_MOVE, 1, 2))
    case.hear(both, [answer(turn(1, 2))], asked=1, faults=["99", "illegal_move"])
    case.bye()
    yield case


def _malformed() -> Iterator[Case]:
    good = message(turn(1)).SerializeToString(deterministic=True)
    kinds = {
        "cut-short": ("A message whose end is missing.", good[:-5]),
        "length-beyond-the-end": ("A field that is longer than the message.", bytes.fromhex("12 ff01 0a")),
        "number-without-end": ("A varint of more than ten bytes.", bytes.fromhex("0a 02 08") + b"\xff" * 20),
        "wire-type-7": ("A wire type that there is not.", bytes.fromhex("bf3e 00")),
        "text": ("A sentence in place of a message.", b"not a message at all\n"),
        "random": ("Random bytes.", Random(19).randbytes(64)),
    }
    for name, (about, data) in kinds.items():
        case = Case(f"malformed-{name}", about)
        case.stream(start(1))
        case.hear(data, error="malformed")
        yield case
    case = Case("malformed-first-message", "Bytes that are no message in the place of the Welcome.")
    case.hear(kinds["wire-type-7"][1], error="malformed")
    yield case


def _errors() -> Iterator[Case]:
    case = Case("no-welcome", "The first message has updates, but no Welcome.")
    case.hear(message(start(1), turn(1)), error="no_welcome")
    yield case

    case = Case("empty-first-message", "No bytes at all are a message, but no Welcome.")
    case.hear(message(), error="no_welcome")
    yield case

    for version in (2, 0):
        case = Case(
            f"version-{version}", f"A Welcome of protocol version {version}; nothing that follows is looked at."
        )
        welcome = play_pb2.Welcome(protocol_version=version, seat=0, players=4, reconnect_grace_ms=5000)
        case.hear(stranger(message(start(1), turn(1), welcome=welcome)), error="version")
        yield case

    case = Case("unknown-game", "A turn of a game that was never started.")
    case.stream(start(1))
    case.hear(message(turn(9)), error="unknown_game")
    yield case

    case = Case("ended-game", "A turn of a game that has ended.")
    case.stream(start(1), turn(1))
    case.hear(message(game_end(1)))
    case.hear(message(turn(1, 2)), error="unknown_game")
    yield case

    for phase in (9, 0):
        case = Case(f"phase-{phase}", "A turn that asks for something unheard of: no guess is made.")
        case.stream(start(1))
        unheard = turn(1)
        unheard.turn.phase = cast("game_pb2.Phase.ValueType", phase)
        case.hear(message(unheard), error="unknown_phase")
        yield case


def _later_versions() -> Iterator[Case]:
    case = Case("unknown-fields", "Fields of a later protocol, in every message on every level, are not seen.")
    case.hear(stranger(message(welcome=GREETING)))
    first = message(start(1), turn(1))
    case.hear(stranger(first), [answer(turn(1))], asked=1)
    late = turn(1, len(played(1)[1]))
    case.hear(stranger(message(round_end(1), late)), [answer(late)], asked=1)
    case.hear(stranger(message(fault(game_pb2.FAULT_KIND_TIMEOUT, 1), game_end(1))), faults=["timeout"])
    case.hear(stranger(message(goodbye())), goodbye="the games are over")
    yield case

    case = Case(
        "unknown-updates", "An update of a kind that a later protocol has added, and one without any, are skipped."
    )
    later = Update()
    later.MergeFromString(UNKNOWN)
    case.stream(start(1))
    case.hear(message(later, turn(1), Update()), [answer(turn(1))], asked=1)
    case.hear(message(Update(), later))
    case.turns(turn(1, 2))
    case.bye()
    yield case


def sessions() -> Iterator[Json]:
    """Every case."""
    for part in (_plain, _batches, _reconnections, _faults, _malformed, _errors, _later_versions):
        for case in part():
            yield case.entry()
