"""A Swiss that bots join and leave: who is paired, who has byes, and what an organiser may change between rounds."""

import random
import sqlite3
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import combinations, groupby
from pathlib import Path
from typing import Any

import fake_unit
import pytest
from aurum.archive.audit import Audit
from aurum.cli import running
from aurum.cli.main import main
from aurum.common.errors import UserError
from aurum.formats import swiss as swiss_format
from aurum.formats.event_spec import EventSpec
from aurum.formats.rounds import Match, TournamentRound
from aurum.formats.swiss import SWISS, rematches
from aurum.results.game_row import GameRow
from aurum.results.match_totals import by_match
from aurum.run.runner import run_tournament
from aurum.schedule.schedule import match_count, rounds_ready
from aurum.spec.spec import Spec
from aurum.standings.stored import standings_of
from aurum.store.entrants import FieldEntry
from aurum.store.store import FILE, Store
from hypothesis import given, settings
from hypothesis import strategies as st
from tournament_rows import rows_of, spec_of
from tournament_runs import HERE, make_spec, run

SECRET = b"a secret of thirty-two bytes ..."

Stay = tuple[int, int | None]
"""First and last round of a bot."""


def swiss(stays: Sequence[Stay], rounds: int, players: int = 4) -> Spec:
    """A Swiss of bots b0, b1, ... that come and go."""
    spec = spec_of(len(stays), format="swiss", rounds=1, players=players)
    bots = [
        replace(bot, from_round=first, until_round=last) for bot, (first, last) in zip(spec.bots, stays, strict=True)
    ]
    return replace(spec, rounds=rounds, bots=tuple(bots))


@st.composite
def events(draw: st.DrawFn, players: int) -> Spec:
    """Three bots or more to begin with; others come, and some leave, perhaps all of them."""
    rounds = draw(st.integers(1, 6))
    first = st.tuples(st.just(1), st.none() | st.integers(1, rounds))
    later = st.integers(1, rounds).flatmap(lambda n: st.tuples(st.just(n), st.none() | st.integers(n, rounds)))
    stays = draw(st.lists(first, min_size=3, max_size=9)) + draw(st.lists(later, max_size=5))
    return swiss(stays, rounds, players)


def results(spec: Spec, chance: random.Random) -> tuple[list[TournamentRound], list[GameRow]]:
    """The tournament with random results, round after round."""
    rows: list[GameRow] = []
    rounds: list[TournamentRound] = []
    while len(ready := rounds_ready(spec, SECRET, by_match(rows))) > len(rounds):
        rounds = ready[: len(rounds) + 1]
        for match in rounds[-1].matches:
            ways = [(1, 2), (2, 1), (1, 1)] if len(match.bots) == 2 else [(1, 2, 3), (2, 1, 3), (3, 2, 1), (1, 1, 3)]
            rows += rows_of(match, lambda bots, ways=ways: chance.choice(ways))  # type: ignore[misc]
    return rounds, rows


def can_be_new(bots: Sequence[str], met: set[frozenset[str]]) -> bool:
    """Whether these can be paired without two meeting again: every pairing is tried."""
    if not bots:
        return True
    first, *others = bots
    return any(
        frozenset((first, other)) not in met and can_be_new([bot for bot in others if bot != other], met)
        for other in others
    )


def check_rounds(spec: Spec, rounds: Sequence[TournamentRound]) -> None:
    """Each round holds its field once; byes are as few as can be, for those who have had the fewest."""
    sides = 3 if spec.players == 3 else 2
    byes = Counter(dict.fromkeys((bot.name for bot in spec.bots), 0))
    for played in rounds:
        field = SWISS.field(spec, played.number)
        seated = [bot for match in played.matches for bot in match.bots]
        resting = [bye.bot for bye in played.byes]
        assert sorted(field) == sorted(seated + resting)
        assert len(field) % sides == len(resting)
        assert sorted(byes[bot] for bot in resting) == sorted(byes[bot] for bot in field)[: len(resting)]
        byes.update(resting)
    assert [n for n in range(1, (spec.rounds or 0) + 1) if SWISS.field(spec, n)] == [played.number for played in rounds]
    assert match_count(spec) == sum(len(played.matches) for played in rounds)


@settings(max_examples=200, deadline=None)
@given(events(players=4), st.randoms(use_true_random=False))
def test_random_events_of_two_sides(spec: Spec, chance: random.Random) -> None:
    """Nobody is paired outside the rounds of its own; whoever must not meet again does not; the same again."""
    rounds, rows = results(spec, chance)
    check_rounds(spec, rounds)
    met: set[frozenset[str]] = set()
    for played in rounds:
        pairs = [frozenset(match.bots) for match in played.matches]
        if any(pair in met for pair in pairs):
            assert not can_be_new([bot for match in played.matches for bot in match.bots], met)
        met |= {*pairs}
    chance.shuffle(rows)
    assert rounds == rounds_ready(spec, SECRET, by_match(rows))


@settings(max_examples=40, deadline=None)
@given(events(players=3), st.randoms(use_true_random=False))
def test_random_events_of_three(spec: Spec, chance: random.Random) -> None:
    """At tables of three as well, with fields that fill no table."""
    rounds, _ = results(spec, chance)
    check_rounds(spec, rounds)
    again = Counter(frozenset(two) for played in rounds for m in played.matches for two in combinations(m.bots, 2))
    assert sum(times - 1 for times in again.values()) == len(list(rematches(rounds)))


def test_two_who_are_left_meet_again_and_the_note_says_so() -> None:
    """When the others have gone, there is nobody else."""
    spec = swiss([(1, None), (1, None), (1, 1), (1, 1)], rounds=3)
    rounds, _ = results(spec, random.Random(1))
    again = [(number, {one, other}) for number, one, other in rematches(rounds)]
    assert (3, {"b0", "b1"}) in again
    (note,) = SWISS.notes(rounds)
    assert note.startswith("met again, since the field left no pairing without: b")
    assert "(round 3)" in note


def test_one_who_is_left_has_byes_and_nobody_ends_it() -> None:
    """One bot has a bye in each round; a round without bots is none."""
    rounds, _ = results(swiss([(1, 3), (1, 1), (1, 1)], rounds=4), random.Random(1))
    assert [1, 2, 3] == [played.number for played in rounds]
    assert [((), ["b0"])] * 2 == [(played.matches, [bye.bot for bye in played.byes]) for played in rounds[1:]]


def amend(spec: Spec, folder: Path, bots: str, **stays: Stay) -> Spec:
    """The spec with these bots, and when some of them come and go."""
    changed = make_spec(folder, bots, tournament={"format": "swiss", "rounds": 2, "deals": 1})
    return replace(
        changed,
        rounds=spec.rounds,
        bots=tuple(
            replace(bot, from_round=stays.get(bot.name, (1, None))[0], until_round=stays.get(bot.name, (1, None))[1])
            for bot in changed.bots
        ),
    )


@pytest.fixture
def spec(tmp_path: Path) -> Spec:
    """Four bots, three rounds."""
    return replace(make_spec(tmp_path, "abcd", tournament={"format": "swiss", "rounds": 2, "deals": 1}), rounds=3)


def test_a_round_at_a_time_with_changes_between(spec: Spec, tmp_path: Path) -> None:
    """Stopped after round 1, joined by one, left by another: played to the end, and nothing wrong with it."""
    out = tmp_path / "out"
    said = run(spec, out, until_round=1).said
    assert ["round 1 is stored; more are to be played"] == said
    with Store.read(out) as store:
        assert (1, None) == (len(store.rounds()), store.finished)
        assert "unfinished: 4 of 12 games are played" == standings_of(store).notes[0]
        first = store.rounds()
    edited = amend(spec, tmp_path, "abecd", e=(2, None), d=(1, 1))
    run(edited, out, until_round=2)
    edited = amend(spec, tmp_path, "abecd", e=(2, None), d=(1, 1), a=(1, 2))
    run(edited, out)
    with Store.read(out) as store:
        rounds = store.rounds()
        assert (edited.bots, True) == (store.spec.bots, store.finished is not None)
    assert first == rounds[:1]
    assert [set("abcd"), set("abce"), set("bce")] == [
        {bot for match in played.matches for bot in match.bots} | {bye.bot for bye in played.byes} for played in rounds
    ]
    assert [] == list(Audit(out).problems())


def test_who_came_and_left_when_is_kept(spec: Spec, tmp_path: Path) -> None:
    """Each change has a time of its own; a spec that is edited in other ways is no change of the field."""
    out = tmp_path / "out"
    run(spec, out, until_round=1)
    for edited in (
        amend(spec, tmp_path, "abecd", e=(2, None), d=(1, 1)),
        amend(spec, tmp_path, "abecd", e=(3, None), d=(1, 1)),
        replace(amend(spec, tmp_path, "abecd", e=(3, None)), anchor="b"),
    ):
        Store.write(out, edited).close()
        Store.write(out, replace(edited, memory_mb=99)).close()
    with Store.read(out) as store:
        events = store.entrant_events()
        entrants = {entrant.bot: entrant for entrant in store.entrants()}
    came, *changes = ([*found] for _, found in groupby(events, key=lambda event: event.time))
    assert [(bot, "entered", 1) for bot in "abcd"] == [(event.bot, event.event, event.round) for event in came]
    assert [
        [("d", "withdrew", 2), ("e", "entered", 2)],
        [("e", "entered", 3)],
        [("d", "entered", 1)],
    ] == [[(event.bot, event.event, event.round) for event in change] for change in changes]
    assert FieldEntry("a", 1, None, came[0].time) == entrants["a"]
    assert FieldEntry("e", 3, None, changes[1][0].time) == entrants["e"]
    assert FieldEntry("d", 1, None, changes[2][0].time) == entrants["d"]
    run(edited, out)
    assert [] == list(Audit(out).problems())


def test_a_spec_and_its_events_change_together(spec: Spec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the events cannot be written, the spec stays what it was."""
    run(spec, tmp_path / "out", until_round=1)
    with Store.write(tmp_path / "out", spec) as store:
        monkeypatch.setattr(store, "_insert_events", _interrupt)
        with pytest.raises(KeyboardInterrupt):
            store.amend(amend(spec, tmp_path, "abcde", e=(2, None)))
        assert spec == store.spec
    with Store.read(tmp_path / "out") as store:
        assert (spec, list("abcd")) == (store.spec, [entrant.bot for entrant in store.entrants()])


def _interrupt(_events: object) -> None:
    raise KeyboardInterrupt


def test_a_bot_enters_a_store_that_is_open(spec: Spec, tmp_path: Path) -> None:
    """By one call: what was read before is as it was, and the field of the next round is another."""
    run(spec, tmp_path / "out", until_round=1)
    late = replace(spec.bots[0], name="late", from_round=2)
    with Store.write(tmp_path / "out", spec) as store:
        with pytest.raises(UserError, match="another spec"):
            store.amend(replace(spec, bots=(*spec.bots, replace(late, from_round=1))))
        store.amend(replace(spec, bots=(*spec.bots, late)))
        assert "late" in [entrant.bot for entrant in store.entrants()]
        assert "late" in SWISS.field(store.spec, 2)
    run(replace(spec, bots=(*spec.bots, late)), tmp_path / "out")
    assert [] == list(Audit(tmp_path / "out").problems())


@pytest.mark.parametrize(
    "harm",
    [
        "DELETE FROM entrant_events WHERE bot = 'b'",
        "UPDATE entrant_events SET round = 2 WHERE bot = 'b'",
        "UPDATE entrant_events SET event = 'withdrew' WHERE bot = 'b'",
        "UPDATE entrant_events SET bot = 'z' WHERE bot = 'b'",
    ],
)
def test_events_that_are_not_those_of_the_spec(harm: str, spec: Spec, tmp_path: Path) -> None:
    """The audit names the bot."""
    run(spec, tmp_path / "out")
    with closing(sqlite3.connect(tmp_path / "out" / FILE)) as database:
        database.execute(harm)
        database.commit()
    problem = "b was entered for other rounds, or not at all, than the spec says"
    assert any(problem in found for found in Audit(tmp_path / "out").problems())


SPEC = """
[tournament]
name = "cup"
format = "swiss"
rounds = 2
deals = 1
[[bots]]
name = "a"
command = "here"
[[bots]]
name = "b"
command = "here"
[[bots]]
name = "c"
command = "here"
"""


def test_the_secret_is_kept_until_the_last_round(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever stops after a round is told that more is to be played, and not what will be dealt then."""
    without_bots = partial(run_tournament, play=fake_unit.play, try_out=fake_unit.try_out)
    monkeypatch.setattr(running, "run_tournament", lambda *a, **o: without_bots(*a, **o | {"site": HERE}))
    (tmp_path / "cup.toml").write_text(SPEC, encoding="utf-8")
    command = ["tournament", "run", str(tmp_path / "cup.toml"), "--out", str(tmp_path / "out")]
    assert main([*command, "--until-round", "1"]) == 0
    printed = capsys.readouterr()
    assert "unfinished: 2 of 4 games are played" in printed.out
    assert "round 1 is stored; more are to be played" in printed.err
    assert "secret of the deals" not in printed.err
    assert main(command) == 0
    with Store.read(tmp_path / "out") as store:
        assert f"secret of the deals: {store.secret.hex()}" in capsys.readouterr().err


def test_no_round_is_paired_that_is_not_to_be_played(
    spec: Spec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pairing takes time, and whoever stops after a round may have reason to change the field of the next."""
    pair, paired = swiss_format._pairings, []

    def counted(
        spec: EventSpec, field: Sequence[str], secret: bytes, rounds: Sequence[TournamentRound], *rest: Any
    ) -> Any:
        paired.append(len(rounds) + 1)
        return pair(spec, field, secret, rounds, *rest)

    monkeypatch.setattr(swiss_format, "_pairings", counted)
    run(spec, tmp_path / "out", until_round=1)
    assert {1} == set(paired)


def test_stopping_where_nothing_is_left_is_the_end(spec: Spec, tmp_path: Path) -> None:
    """After the last round, and after a round that is stored already."""
    run(spec, tmp_path / "out", until_round=3)
    with Store.read(tmp_path / "out") as store:
        assert store.finished is not None
    assert [] == run(spec, tmp_path / "out", until_round=1).advances


@pytest.mark.parametrize(
    ("bots", "stays", "keys"),
    [
        ("abcde", {}, "bots, bots[5].command, bots[5].folder, bots[5].env"),
        ("abcde", {"e": (2, None)}, "bots, bots[5].command, bots[5].folder, bots[5].env, bots[5].from_round"),
        ("abcd", {"d": (1, 1)}, "bots[4].until_round"),
        ("abcd", {"d": (3, None)}, "bots[4].from_round"),
        ("abc", {}, "bots, bots[4].command, bots[4].folder, bots[4].env"),
    ],
    ids=["at once", "too early", "gone before", "here already", "removed"],
)
def test_what_is_paired_stays_paired(spec: Spec, tmp_path: Path, bots: str, stays: dict[str, Stay], keys: str) -> None:
    """After two rounds, a change of either is refused in a line that names it, and leaves the store as it was."""
    out = tmp_path / "out"
    run(spec, out, until_round=2)
    before = (out / "tournament.sqlite").read_bytes()
    with pytest.raises(UserError) as refused:
        run(amend(spec, tmp_path, bots, **stays), out)
    assert f"(different: {keys}): put the spec back" in str(refused.value)
    assert str(refused.value).endswith("(bots may join a swiss from round 3 on)")
    assert before == (out / "tournament.sqlite").read_bytes()


def test_another_format_cannot_be_amended(tmp_path: Path) -> None:
    """A round robin is paired as a whole when it begins."""
    run(make_spec(tmp_path, "abc"), tmp_path / "out", until_round=1)
    with pytest.raises(UserError, match=r"another spec .* or play into another folder$"):
        run(make_spec(tmp_path, "abcd"), tmp_path / "out")


def test_a_round_of_byes_alone_is_kept(spec: Spec, tmp_path: Path) -> None:
    """It has no match by which it could be found."""
    alone = amend(spec, tmp_path, "abcd", b=(1, 1), c=(1, 1), d=(1, 1))
    run(alone, tmp_path / "out")
    with Store.read(tmp_path / "out") as store:
        assert [1, 2, 3] == [played.number for played in store.rounds()]
        assert store.rounds() == rounds_ready(alone, store.secret, store.totals())
        assert store.finished is not None
    assert [] == list(Audit(tmp_path / "out").problems())


def test_a_match_of_an_absent_bot_is_noticed(spec: Spec, tmp_path: Path) -> None:
    """The audit pairs each round anew from its field."""
    run(spec, tmp_path / "out")
    with Store.write(tmp_path / "out", spec) as store:
        edited = store.rounds()[0].matches[0]
        assert isinstance(edited, Match)
        with store._transaction():
            store._connection.execute('UPDATE matches SET bots = \'["a", "z"]\' WHERE id = ?', [edited.id])
    assert any("the rounds are not what the spec" in problem for problem in Audit(tmp_path / "out").problems())
