"""Explains faults: which game and turn, the sentence for the author, and the end of what the process wrote."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass

from aurum.common.errors import UserError
from aurum.common.texts import counted, guess, harmless, printable, shown
from aurum.store.store import Store
from aurum.v1.record_pb2 import FaultRecord, GameRecord
from aurum.wire.faults import fault_words


@dataclass(frozen=True)
class BotFault:
    """A fault of a bot.

    Fields:
        bot, game: its name, and the id of the game.
        seat: where it sat.
        round: of the game, from 1.
        turn: of the seat in the game, from 1: the one that the stand-in played.
        kind: a word of docs/protocol.md, as people say it.
        sentence: for the bot's author.
        elapsed_ms: since the turn was asked.
        output: the end of what its process had written when the game was over; empty if that is not known.
    """

    bot: str
    game: str
    seat: int
    round: int
    turn: int
    kind: str
    sentence: str
    elapsed_ms: int
    output: str


def faults_of(store: Store, bot: str, deal: int | None = None) -> Iterator[BotFault]:
    """The faults of a bot, of one deal or of all, in the order of games."""
    for content in store.faults().games(bot, deal):
        record = GameRecord.FromString(content)
        for fault in record.faults:
            player = record.seats[fault.seat]
            if player.bot == bot:
                yield BotFault(
                    bot,
                    record.id,
                    fault.seat,
                    fault.round,
                    turn_of(record, fault),
                    fault_words(fault.kind),
                    printable(fault.detail),
                    fault.elapsed_ms,
                    player.output,
                )


def at_fault(store: Store, bot: str | None = None) -> list[str]:
    """The bots that had faults; or the one that is asked about, whether or not it had any.

    Raises:
        UserError: no bot is called so.
    """
    if bot is None:
        return list(store.faults().counts())
    names = [entry.name for entry in store.spec.bots]
    if bot not in names:
        raise UserError(f"{store.path}: no bot is called {shown(bot)}{guess(bot, names)}")
    return [bot]


def first_faults(store: Store) -> Iterator[str]:
    """For each bot that had a fault its first, and how many more it had, in a sentence."""
    for bot, count in store.faults().counts().items():
        first = next(faults_of(store, bot, count.first_deal))
        more = f" ({counted(count.faults - 1, 'more fault')})" if count.faults > 1 else ""
        yield f"{bot}, first fault: {_short_id(first.game)}, seat {first.seat}: {first.kind}: {first.sentence}{more}"


def faults_text(store: Store, bots: Iterable[str], output: bool = True) -> Iterator[str]:
    """Every fault of these bots, line by line; `output`: with the end of what the processes wrote."""
    for bot in bots:
        faults = list(faults_of(store, bot))
        kinds = Counter(fault.kind for fault in faults)
        games = counted(len({fault.game for fault in faults}), "game")
        named = ", ".join(f"{times} {kind}" for kind, times in kinds.most_common())
        yield f"{bot}: {counted(len(faults), 'fault')} in {games}: {named}" if faults else f"{bot}: no faults"
        seen: dict[str, str] = {}
        for fault in faults:
            place = f"{_short_id(fault.game)}, seat {fault.seat}, round {fault.round}, turn {fault.turn}"
            yield f"  {place}: {fault.kind}: {fault.sentence}"
            if output and fault.output:
                yield from _output_lines(fault, seen)


def faults_json(store: Store, bots: Iterable[str]) -> str:
    """A list of faults, each with the fields of `BotFault`."""
    found = [asdict(fault) for bot in bots for fault in faults_of(store, bot)]
    return json.dumps(found, indent=2, ensure_ascii=False)


def _output_lines(fault: BotFault, seen: dict[str, str]) -> Iterator[str]:
    """The end of what the process wrote; where that was shown before, in which game."""
    if (before := seen.setdefault(fault.output, fault.game)) != fault.game:
        yield f"    it wrote the same as in {_short_id(before)}"
        return
    yield from (f"    | {harmless(line)}" for line in fault.output.splitlines())


def _short_id(game: str) -> str:
    """Match, deal and seating: enough for `arena replay`."""
    return "/".join(game.rsplit("/", 3)[1:])


def turn_of(record: GameRecord, fault: FaultRecord) -> int:
    """Which of the seat's turns in the game the stand-in played for it, from 1."""
    before = sum(
        move.seat == fault.seat and not move.by_referee
        for number, played in enumerate(record.rounds, 1)
        for at, move in enumerate(played.moves)
        if (number, at) < (fault.round, fault.move)
    )
    # A turn that the stand-in played was asked, too.
    return before + 1 + sum(other.seat == fault.seat and _place(other) < _place(fault) for other in record.faults)


def _place(fault: FaultRecord) -> tuple[int, int]:
    return fault.round, fault.move
