"""Shows a recorded game as lines of text: deals, bids, exchanges, tricks in columns, scores, faults."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from aurum.common.errors import UserError
from aurum.common.texts import counted, printable
from aurum.layout.widths import padded, width
from aurum.records.walk import Moved, RoundBegun, RoundFinished, Step, walk
from aurum.rules import BidChange, Card, Phase, Round, Trick, sides_of
from aurum.v1.game_pb2 import RoundResult
from aurum.v1.record_pb2 import FaultRecord, GameRecord
from aurum.wire.faults import fault_words
from aurum.wire.game import read_ruleset

Paint = Callable[[str, str], str]
"""Colours a text by its role: a suit's letter (B, C, P, S, Z, G), `head`, `win` or `fault`."""


def plain(text: str, _role: str) -> str:
    """No colours."""
    return text


def transcript(record: GameRecord, only: int | None = None, paint: Paint = plain) -> Iterator[str]:
    """The game, line by line.

    Args:
        record: of a finished game.
        only: the round to show, from 1; None: all of them.
        paint: adds colours; it must not change what is seen of a text otherwise.

    Raises:
        UserError: the record cannot be played again, or there is no such round.
    """
    if only is not None and not 1 <= only <= len(record.rounds):
        raise UserError(f"{record.id}: no round {only}: the game has {len(record.rounds)}")
    lines: list[str] = []
    page = _Page(record, paint)
    try:
        lines += _head(record, paint)
        for step in walk(record):
            if isinstance(step, RoundBegun):
                number = step.number
            if only in (None, number):
                lines += page.lines(step)
        lines += _result(record, paint)
    except (ValueError, IndexError, KeyError) as error:
        raise UserError(f"{record.id}: cannot be played again ({error}): `arena verify` says what is wrong") from None
    yield from lines


def _head(record: GameRecord, paint: Paint) -> Iterator[str]:
    rules = record.ruleset
    end = read_ruleset(rules).game_end.value.replace("_", " ")
    zeros = "with" if rules.gold_zeros else "without"
    yield paint(f"Game {record.id}", "head")
    yield f"  rules {rules.preset or 'custom'}: {end}, {zeros} gold zeros"
    for seat, player in enumerate(record.seats):
        about = printable(f"{player.version} ({player.language})" if player.language else player.version)
        mean = f", {player.time_us / player.decisions / 1000:.2f} ms each" if player.decisions else ""
        asked = counted(player.decisions, "decision")
        yield f"  {_name(record, seat)}  {about}{', ' if about else ''}{asked}{mean}"
    yield "  > leads, * wins the trick, ! played by the stand-in"


class _Page:
    """The steps of a game in words, a round after the other."""

    def __init__(self, record: GameRecord, paint: Paint) -> None:
        self._record = record
        self._paint = paint
        self._names = [_name(record, seat) for seat in range(len(record.seats))]
        self._width = max(len("left over"), *map(width, self._names)) + 2
        self._bids_shown = False
        self._tricks = 0
        self._stood_in: set[int] = set()  # seats whose card of the trick under way is the stand-in's

    def lines(self, step: Step) -> Iterator[str]:
        """The lines of a step; most moves have none, since a trick is shown when it is complete."""
        match step:
            case RoundBegun():
                yield from self._deal(step.position)
            case Moved():
                yield from self._move(step)
            case BidChange():
                yield f"       {self._change(step)}"
            case Trick():
                self._tricks += 1
                yield f"  {self._tricks:3}  {self._trick(step)}"
                self._stood_in.clear()
            case RoundFinished():
                yield from self._end(step.position)
                yield from self._score(self._record.rounds[step.number - 1].result)

    def _deal(self, begun: Round) -> Iterator[str]:
        self._bids_shown, self._tricks = False, 0
        self._stood_in.clear()
        yield ""
        first = self._names[begun.first_player]
        yield self._paint(f"Round {begun.number}, first player {first}", "head")
        for seat, name in enumerate(self._names):
            yield f"  {padded(name, self._width)}{self._cards(begun.hand(seat))}"
        if begun.leftover:
            yield f"  {'left over':{self._width}}{self._cards(sorted(begun.leftover))}"

    def _move(self, step: Moved) -> Iterator[str]:
        if step.position.phase is not Phase.BID and not self._bids_shown:
            yield from self._bids(step.position)
        yield from map(self._fault, step.faults)
        if step.by_referee and step.position.phase in (Phase.LEAD, Phase.FOLLOW):
            self._stood_in.add(step.seat)

    def _bids(self, position: Round) -> Iterator[str]:
        """The bid cards of all, once they lie."""
        self._bids_shown = True
        seats = len(self._names)
        order = [(position.first_player + step) % seats for step in range(seats)]
        laid = [f"{self._names[seat]} {self._card(position.bids[seat])}" for seat in order]
        yield f"  {'bids':{self._width}}{', '.join(laid)}"
        yield self._paint("  trick " + "".join(padded(name, self._width) for name in self._names).rstrip(), "head")

    def _change(self, change: BidChange) -> str:
        whose = "its own" if change.bid_seat == change.seat else f"{self._names[change.bid_seat]}'s"
        gold, laid, taken = map(self._card, (change.gold, change.laid, change.taken))
        return f"{self._names[change.seat]} spends {gold}: bids {laid} for {whose} {taken}"

    def _trick(self, trick: Trick) -> str:
        seats = len(self._names)
        cards = {(trick.leader + step) % seats: card for step, card in enumerate(trick.cards)}
        cells = []
        for seat in range(seats):
            mark = ">" if seat == trick.leader else " "
            text = f"{cards[seat]}{'*' if seat == trick.winner else ''}{'!' if seat in self._stood_in else ''}"
            cells.append(mark + self._paint(text, cards[seat].suit.letter) + " " * (self._width - len(text) - 1))
        collector = self._names[trick.collector]
        what = f"collects {self._card(trick.collected)}" if trick.collected else "leads next"
        return "".join(cells) + f"{collector} {what}"

    def _end(self, ended: Round) -> Iterator[str]:
        assert ended.ended_by is not None
        assert ended.end is not None
        shown = self._cards(ended.hand(ended.ended_by)) or "no card"
        lost = f"; {self._cards(ended.unfinished)} of the trick under way count for nothing" if ended.unfinished else ""
        yield f"  {self._names[ended.ended_by]} {ended.end.value} and shows {shown}{lost}"

    def _score(self, result: RoundResult) -> Iterator[str]:
        rows = [["", "tricks", "bid", "for the bid", "for gold", "points", ""]]
        for side, seats in enumerate(sides_of(len(self._names))):
            won = self._paint("wins the round", "win") if side in result.winners else ""
            counts = (sum(result.tricks[seat] for seat in seats), result.bids[side], result.bid_points[side])
            gold = result.gold_points[side], result.points[side]
            rows.append([_side_name(self._record, side), *map(str, (*counts, *gold)), won])
        yield from _aligned(rows)

    def _fault(self, fault: FaultRecord) -> str:
        what = f"{fault_words(fault.kind)}: {printable(fault.detail)}"
        return self._paint(f"     ! {self._names[fault.seat]}: {what}; the stand-in plays", "fault")

    def _cards(self, cards: Iterable[Card]) -> str:
        return " ".join(map(self._card, cards))

    def _card(self, card: Card | None) -> str:
        return self._paint(str(card), card.suit.letter) if card is not None else "-"


def _result(record: GameRecord, paint: Paint) -> Iterator[str]:
    result = record.result
    rows = [["", "nuggets", "points", "rank", "placing", ""]]
    for side, numbers in enumerate(zip(result.nuggets, result.points, result.rank, result.placing, strict=True)):
        how = paint("forfeits", "fault") if side in result.forfeited else paint("wins", "win") * (numbers[3] == 1)
        rows.append([_side_name(record, side), *map(str, numbers), how])
    yield ""
    yield paint("Result", "head")
    yield from _aligned(rows)


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Columns: the first and the last column to the left, numbers to the right."""
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    for first, *numbers, last in rows:
        middle = "".join(f"  {text:>{space}}" for text, space in zip(numbers, widths[1:-1], strict=True))
        yield f"  {padded(first, widths[0])}{middle}  {last}".rstrip()


def _name(record: GameRecord, seat: int) -> str:
    return f"{seat} {printable(record.seats[seat].bot)}"


def _side_name(record: GameRecord, side: int) -> str:
    seats = sides_of(len(record.seats))[side]
    return f"{printable(record.seats[seats[0]].bot)} ({', '.join(map(str, seats))})"
