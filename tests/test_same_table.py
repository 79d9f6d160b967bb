"""The table is a function of what was played: not of the order, the way or the names in which it came about.

What is compared is the table's JSON, whole and to the last bit.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import fake_unit
import pytest
from aurum.archive.merging import merge
from aurum.common.errors import RunError
from aurum.formats.rounds import Bye, TournamentRound
from aurum.formats.swiss import SWISS
from aurum.referee.unit import RefereeError, Unit, UnitOutcome
from aurum.results.game_row import GameRow
from aurum.results.played_unit import PlayedUnit, played_unit
from aurum.schedule.shards import Shard
from aurum.spec.spec import Spec
from aurum.standings.ranking import Event
from aurum.standings.rendering import render
from aurum.standings.standings import standings
from aurum.standings.stored import standings_of
from aurum.store.store import Store
from aurum.v1.record_pb2 import GameRecord
from hypothesis import given, settings
from hypothesis import strategies as st
from tournament_rows import game_row
from tournament_runs import make_spec, run

Json = dict[str, Any]


def on_time(unit: Unit) -> UnitOutcome:
    """Plays a unit in which every decision takes a millisecond, so that a table has the same times again."""
    outcome = fake_unit.play(unit)
    records = []
    for played in outcome.records:
        record = GameRecord.FromString(played)
        for seat in record.seats:
            seat.time_us = 1000 * seat.decisions
        records.append(record.SerializeToString())
    return replace(outcome, records=tuple(records))


def table_of(folder: Path) -> str:
    """The table of a store."""
    with Store.read(folder) as store:
        return render(standings_of(store), "json")


@contextmanager
def new_folder() -> Iterator[Path]:
    """Hypothesis has one `tmp_path` for all examples of a test."""
    with TemporaryDirectory() as folder:
        yield Path(folder)


@dataclass(frozen=True)
class Played:
    """A tournament: what came of each deal group, and its table."""

    spec: Spec
    rounds: Sequence[TournamentRound]
    outcomes: Sequence[PlayedUnit]
    table: str


def in_units_of_one(folder: Path, bots: str, **changes: Any) -> Spec:
    """A spec whose units are single deal groups, and whose bots play differently, by their number."""
    spec = make_spec(folder, bots, **changes, run={"unit_deals": 1})
    entries = [replace(bot, command=(*bot.command, str(number))) for number, bot in enumerate(spec.bots)]
    return replace(spec, bots=tuple(entries))


SPECS: Mapping[str, Json] = {
    "round robin": {"bots": "abcd"},
    "tables of three": {"bots": "abcd", "tournament": {"players": 3, "deals": 3}},
    "swiss": {"bots": "abcde", "tournament": {"format": "swiss", "rounds": 3, "deals": 2}},
    "knockout": {"bots": "abcde", "tournament": {"format": "knockout", "deals": 2}},
    "all seatings": {"bots": "abc", "tournament": {"players": 3, "deals": 4, "seatings": "permutations"}},
}
every_kind = pytest.mark.parametrize("kind", SPECS)


@cache
def played(kind: str) -> Played:
    """A tournament of this kind, in units of one deal group."""
    outcomes: list[PlayedUnit] = []

    def play(unit: Unit) -> UnitOutcome:
        outcome = on_time(unit)
        outcomes.append(played_unit(unit, outcome))
        return outcome

    with new_folder() as folder:
        spec = in_units_of_one(folder, **SPECS[kind])
        run(spec, folder, play=play)
        with Store.read(folder) as store:
            return Played(spec, store.rounds(), outcomes, table_of(folder))


def store_in(folder: Path, tournament: Played, outcomes: Sequence[PlayedUnit], *, finished: bool = True) -> None:
    """Make a store of the tournament into which these outcomes were put, one after the other."""
    folder.mkdir(exist_ok=True)
    with Store.write(folder, tournament.spec) as store:
        store.schedule(tournament.rounds)
        for outcome in outcomes:
            store.add(outcome)
        if finished:
            store.finish()


@every_kind
@settings(max_examples=5, deadline=None)
@given(chance=st.randoms(use_true_random=False))
def test_the_order_in_which_units_finish(kind: str, chance: Random) -> None:
    """Stored in any order, the same deal groups make the same table."""
    tournament = played(kind)
    with new_folder() as folder:
        store_in(folder, tournament, chance.sample(tournament.outcomes, len(tournament.outcomes)))
        assert tournament.table == table_of(folder)


@every_kind
@settings(max_examples=5, deadline=None)
@given(chance=st.randoms(use_true_random=False))
def test_an_upload_that_comes_twice(kind: str, chance: Random) -> None:
    """A deal group that is there is refused, alone or beside new ones, and everything is as it was."""
    tournament = played(kind)
    *others, last = chance.sample(tournament.outcomes, len(tournament.outcomes))
    with new_folder() as folder:
        store_in(folder, tournament, others)
        before = table_of(folder)
        with Store.write(folder, tournament.spec) as store:
            for outcome in (others[0], replace(last, games=(*last.games, *others[0].games))):
                with pytest.raises(ValueError, match="cannot keep the games"):
                    store.add(outcome)
            assert before == table_of(folder)
            store.add(last)
        assert tournament.table == table_of(folder)


@every_kind
@settings(max_examples=5, deadline=None)
@given(st.data())
def test_any_split(kind: str, data: st.DataObject) -> None:
    """Deal groups dealt out to stores, some to several, and merged in any order, a store twice: the same table."""
    tournament = played(kind)
    number = data.draw(st.integers(1, 4))
    homes = [data.draw(st.sets(st.integers(1, number), min_size=1)) for _ in tournament.outcomes]
    with new_folder() as folder:
        names = [str(store) for store in range(1, number + 1)]
        for name in names:
            outcomes = [outcome for outcome, home in zip(tournament.outcomes, homes, strict=True) if int(name) in home]
            store_in(folder / name, tournament, outcomes, finished=False)
        order = data.draw(st.permutations(names))
        merge([folder / name for name in order], folder / "out")
        assert tournament.table == table_of(folder / "out")
        again = data.draw(st.lists(st.sampled_from([*names, "out"]), min_size=1, max_size=3))
        merge([folder / name for name in again], folder / "out")
        assert tournament.table == table_of(folder / "out")


@settings(max_examples=4, deadline=None)
@given(st.data())
def test_shards_that_were_played_apart(data: st.DataObject) -> None:
    """Of whatever number; what comes of a run is merged as soon as it is there, now and then again."""
    tournament = played("round robin")
    count = data.draw(st.integers(1, len(tournament.outcomes)))
    order = data.draw(st.permutations(range(1, count + 1)))
    with new_folder() as folder:
        for number in order:
            run(tournament.spec, folder / str(number), play=on_time, shard=Shard(number, count))
            merge(
                [folder / str(n) for n in (number, data.draw(st.sampled_from(order))) if (folder / str(n)).exists()],
                folder / "out",
            )
        assert tournament.table == table_of(folder / "out")


def fails_first(unit: Unit, failed: set[str]) -> UnitOutcome:
    """Plays every unit; but of the first attempt at each, the referee has nothing to show, or half a deal group."""
    outcome = on_time(unit)
    name = unit.games[0].id
    if name in failed:
        return outcome
    failed.add(name)
    if len(failed) % 2:
        raise RefereeError("the referee failed after the last game")
    return replace(outcome, records=outcome.records[:-1])


@every_kind
def test_void_groups_are_played_again(kind: str, tmp_path: Path) -> None:
    """A tournament in which every unit was void once has the table of one in which none was."""
    failed: set[str] = set()
    run(played(kind).spec, tmp_path, play=lambda unit: fails_first(unit, failed))
    assert len(played(kind).outcomes) == len(failed)
    assert played(kind).table == table_of(tmp_path)


def test_a_void_group_is_in_no_figure(tmp_path: Path) -> None:
    """What the referee could not finish, though it had played, is not in the table: neither games nor ratings."""
    tournament = played("round robin")
    last = tournament.outcomes[-1]

    def play(unit: Unit) -> UnitOutcome:
        outcome = on_time(unit)
        if unit.games[0].id == last.games[0].id:
            raise RefereeError("the referee failed after the last game")
        return outcome

    with pytest.raises(RunError):
        run(tournament.spec, tmp_path, play=play)
    table, whole = json.loads(table_of(tmp_path)), json.loads(tournament.table)
    rest = [game.row for outcome in tournament.outcomes[:-1] for game in outcome.games]
    names = [bot.name for bot in tournament.spec.bots]
    assert json.loads(render(standings(rest, bots=names), "json"))["rows"] == table["rows"]
    assert whole["games"] - 2 == table["games"]
    assert whole["rows"] != table["rows"]


@st.composite
def tournaments(draw: st.DrawFn) -> list[GameRow]:
    """Whole deal groups of two or three sides, with anything from sweeps to islands, forfeits and faults."""
    bots = "abcde"[: draw(st.integers(2, 5))]
    sides = draw(st.integers(2, min(3, len(bots))))
    placings = [(1, 2), (2, 1), (1, 1)] if sides == 2 else [(1, 2, 3), (3, 1, 2), (2, 1, 3), (1, 1, 3), (1, 2, 2)]
    counts = st.tuples(*[st.integers(0, 9)] * sides)
    rows = []
    for match in range(draw(st.integers(1, 4))):
        seated = tuple(draw(st.permutations(bots))[:sides])
        for deal in range(10 * match, 10 * match + draw(st.integers(1, 6))):
            for turn in range(sides):
                figures: Json = {name: draw(counts) for name in ("points", "faults", "decisions", "time_us")}
                forfeited = draw(st.sampled_from([(), (), (), (1,)]))
                placing = draw(st.sampled_from(placings))
                turned = seated[turn:] + seated[:turn]
                row = game_row(f"r{match}m1", deal, turn, turned, placing, **figures, forfeited=forfeited)
                rows.append(replace(row, delayed=draw(st.booleans())))
    return rows


def figures_of(rows: Sequence[GameRow], bots: Sequence[str] = "abcde", **options: Any) -> Json:
    """The table of these games."""
    table: Json = json.loads(render(standings(rows, bots=bots, **options), "json"))
    return table


@settings(max_examples=40, deadline=None)
@given(tournaments(), st.randoms(use_true_random=False))
def test_the_order_of_the_games(rows: list[GameRow], chance: Random) -> None:
    """Shuffled games, and bots entered in another order, make the same table."""
    shuffled, entered = chance.sample(rows, len(rows)), chance.sample("abcde", 5)
    assert render(standings(rows, bots="abcde"), "json") == render(standings(shuffled, bots=entered), "json")


@settings(max_examples=40, deadline=None)
@given(tournaments(), st.permutations("abcde"), st.sampled_from([None, "a"]))
def test_names_have_no_say(rows: list[GameRow], names: list[str], anchor: str | None) -> None:
    """Bots under other names, here each other's, keep every figure and their ranks."""
    new = dict(zip("abcde", names, strict=True))
    renamed = [replace(row, bots=tuple(new[bot] for bot in row.bots)) for row in rows]
    one, other = figures_of(rows, "", anchor=anchor), figures_of(renamed, "", anchor=anchor and new[anchor])
    assert [row | {"bot": new[row["bot"]]} for row in one["rows"]] == other["rows"]
    assert [sorted(new[bot] for bot in island) for island in one["islands"]] == other["islands"]
    for key in one.keys() - {"rows", "islands", "circles", "anchor", "notes"}:
        assert one[key] == other[key]


def test_a_stored_tournament_under_other_names(tmp_path: Path) -> None:
    """The same games of bots that are called otherwise: the rows are those of the table under the other names."""
    new = dict(zip("abcd", "dbca", strict=True))
    run(in_units_of_one(tmp_path, "dbca"), tmp_path, play=on_time)
    theirs = {row["bot"]: row for row in json.loads(table_of(tmp_path))["rows"]}
    rows = json.loads(played("round robin").table)["rows"]
    assert 4 == len({row["elo"] for row in rows})
    assert [row | {"bot": new[row["bot"]]} for row in rows] == [theirs[new[row["bot"]]] for row in rows]


@every_kind
def test_ranks_under_other_names(kind: str) -> None:
    """Points, tie-breaks and how far a bot came follow it to another name as its ratings do."""
    tournament = played(kind)
    names = [bot.name for bot in tournament.spec.bots]
    new = dict(zip(names, [*names[2:], *names[:2]], strict=True))
    rows = [game.row for outcome in tournament.outcomes for game in outcome.games]
    renamed = [replace(row, bots=tuple(new[bot] for bot in row.bots)) for row in rows]
    rounds = [
        TournamentRound(
            round_.number,
            tuple(replace(match, bots=tuple(new[bot] for bot in match.bots)) for match in round_.matches),
            tuple(replace(bye, bot=new[bye.bot]) for bye in round_.byes),
        )
        for round_ in tournament.rounds
    ]
    event = Event(tournament.spec.format, tournament.rounds, tournament.spec.rank_by)
    one = figures_of(rows, names, event=event)
    other = figures_of(renamed, [*new.values()], event=replace(event, rounds=rounds))
    assert json.loads(tournament.table)["rows"] == one["rows"]
    assert [row | {"bot": new[row["bot"]]} for row in one["rows"]] == other["rows"]


RATED = ("elo", "error", "bound", "island", "groups", "wins", "draws", "losses", "score", "margin")
"""What a comparison that does not count must leave alone."""


def rated(table: Json) -> dict[str, list[Any]]:
    """By bot, what its comparisons with others made of it."""
    return {row["bot"]: [row[key] for key in RATED] for row in table["rows"]}


def test_byes_are_in_no_fit() -> None:
    """A Swiss of five has a bye a round: its ratings are those of its games, and of wins over somebody they are not."""
    tournament = played("swiss")
    byes = [bye for round_ in tournament.rounds for bye in round_.byes]
    rows = [game.row for outcome in tournament.outcomes for game in outcome.games]
    assert 3 == len(byes)
    assert rated(json.loads(tournament.table)) == rated(figures_of(rows))
    wins = [game_row(f"bye {bye.round}", 1000 + bye.round, 0, (bye.bot, "z"), (1, 2)) for bye in byes]
    assert rated(json.loads(tournament.table)) != rated(figures_of(rows + wins))


@settings(max_examples=40, deadline=None)
@given(tournaments(), st.sampled_from("abcdez"))
def test_a_bye_leaves_every_rating_alone(rows: list[GameRow], bot: str) -> None:
    """Whoever has it, also a bot that never played, which stays without a figure."""
    scheduled = [TournamentRound(1, (), (Bye(1, bot),))]
    with_bye, without = figures_of(rows, "abcdez", event=Event(SWISS, scheduled)), figures_of(rows, "abcdez")
    assert rated(without) == rated(with_bye)
    assert rated(with_bye)["z"][0] is None


@settings(max_examples=40, deadline=None)
@given(tournaments(), st.sampled_from("abz"), st.lists(st.sampled_from([(1, 2), (2, 1), (1, 1)]), min_size=2))
def test_a_bot_against_itself_is_in_no_fit(rows: list[GameRow], bot: str, placings: list[tuple[int, int]]) -> None:
    """Neither ratings nor W/D/L change, and a bot that met nobody else stays without a figure."""
    selves = [
        game_row("self", 1000 + deal, seating, (bot, bot), placing, points=(30 * deal, seating))
        for deal, placing in enumerate(placings)
        for seating in range(2)
    ]
    with_selves, without = figures_of(rows + selves, "abcdez"), figures_of(rows, "abcdez")
    assert rated(without) == rated(with_selves)
    assert without["islands"] == with_selves["islands"]
    assert without["duplicates"] == with_selves["duplicates"]
