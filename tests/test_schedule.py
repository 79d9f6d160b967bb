"""Schedules: the theorems of round robins and Swisses, and that they depend on nothing but their arguments."""

import random
from collections import Counter
from itertools import combinations, permutations

import pytest
from aurum.formats.options import Seatings
from aurum.formats.rounds import Match, TournamentRound, seatings_of
from aurum.formats.swiss import most_rounds
from aurum.results.game_row import GameRow
from aurum.results.match_totals import by_match
from aurum.schedule.schedule import match_count, rounds_ready
from aurum.spec.spec import Spec
from hypothesis import given, settings
from hypothesis import strategies as st
from tournament_rows import rows_of, spec_of

SECRET = b"a secret of thirty-two bytes ..."

TWO_SIDES = [(1, 2), (2, 1), (1, 1)]
THREE_SIDES = [*permutations((1, 2, 3)), (1, 1, 3), (1, 2, 2), (2, 1, 2), (1, 1, 1)]


def play(spec: Spec, chance: random.Random) -> tuple[list[TournamentRound], list[GameRow]]:
    """Plays a tournament with random results, round after round."""
    rows: list[GameRow] = []
    rounds: list[TournamentRound] = []
    while len(ready := rounds_ready(spec, SECRET, by_match(rows))) > len(rounds):
        for match in ready[len(rounds) :][0].matches:
            rows += rows_of(match, lambda bots: chance.choice(TWO_SIDES if len(bots) == 2 else THREE_SIDES))
        rounds = ready[: len(rounds) + 1]
    return rounds, rows


def meetings(rounds: list[TournamentRound]) -> Counter[frozenset[str]]:
    return Counter(
        frozenset(two) for played in rounds for match in played.matches for two in combinations(match.bots, 2)
    )


def assert_well_formed(spec: Spec, rounds: list[TournamentRound]) -> None:
    """Everyone once a round; matches and deals numbered through."""
    for number, played in enumerate(rounds, 1):
        seated = [bot for match in played.matches for bot in match.bots] + [bye.bot for bye in played.byes]
        assert sorted(bot.name for bot in spec.bots) == sorted(seated)
        assert number == played.number
        assert [f"r{number}m{index}" for index in range(1, len(played.matches) + 1)] == [m.id for m in played.matches]
        assert {number} >= {match.round for match in played.matches} | {bye.round for bye in played.byes}
    matches = [match for played in rounds for match in played.matches]
    assert [index * spec.deals for index in range(len(matches))] == [match.first_deal for match in matches]
    assert {spec.deals} == {match.deals for match in matches}
    assert match_count(spec) == len(matches)


@pytest.mark.parametrize("field", range(2, 25))
def test_round_robin_of_two_sides(field: int) -> None:
    """Every two bots meet once; with an odd field everyone has one bye."""
    spec = spec_of(field, deals=3)
    rounds = rounds_ready(spec, SECRET, {})
    assert_well_formed(spec, rounds)
    names = [bot.name for bot in spec.bots]
    assert Counter(frozenset(two) for two in combinations(names, 2)) == meetings(rounds)
    assert Counter(names if field % 2 else []) == Counter(bye.bot for played in rounds for bye in played.byes)


@pytest.mark.parametrize("field", range(3, 13))
def test_round_robin_of_three(field: int) -> None:
    """Every three bots meet once."""
    spec = spec_of(field, players=3)
    rounds = rounds_ready(spec, SECRET, {})
    assert_well_formed(spec, rounds)
    tables = Counter(frozenset(match.bots) for played in rounds for match in played.matches)
    assert Counter(frozenset(trio) for trio in combinations((bot.name for bot in spec.bots), 3)) == tables


@pytest.mark.parametrize("field", [3, 6, 7, 8, 9, 13, 20])
def test_round_robin_of_pairs(field: int) -> None:
    """Every two bots meet, at far fewer tables than there are trios."""
    spec = spec_of(field, players=3, tables="pairs", deals=2)
    rounds = rounds_ready(spec, SECRET, {})
    assert_well_formed(spec, rounds)
    names = [bot.name for bot in spec.bots]
    met = meetings(rounds)
    assert {frozenset(two) for two in combinations(names, 2)} == set(met)
    assert field % 6 not in (1, 3) or {1} == set(met.values())


@given(st.integers(2, 24), st.randoms(use_true_random=False))
@settings(max_examples=25, deadline=None)
def test_swiss_of_two_sides(field: int, chance: random.Random) -> None:
    """With as many rounds as allowed nobody meets a bot twice or has a second bye."""
    spec = spec_of(field, format="swiss", rounds=most_rounds(field))
    rounds, _ = play(spec, chance)
    assert spec.rounds == len(rounds)
    assert_well_formed(spec, rounds)
    assert {1} == set(meetings(rounds).values())
    byes = Counter(bye.bot for played in rounds for bye in played.byes)
    assert [1] * (field % 2 * len(rounds)) == list(byes.values())


@given(st.integers(3, 24), st.randoms(use_true_random=False))
@settings(max_examples=25, deadline=None)
def test_swiss_of_three(field: int, chance: random.Random) -> None:
    """As few byes as the field allows, spread as evenly as can be."""
    spec = spec_of(field, format="swiss", players=3, rounds=min(4, most_rounds(field)))
    rounds, _ = play(spec, chance)
    assert spec.rounds == len(rounds)
    assert_well_formed(spec, rounds)
    assert {field % 3} == {len(played.byes) for played in rounds}
    byes = Counter(dict.fromkeys((bot.name for bot in spec.bots), 0))
    byes.update(bye.bot for played in rounds for bye in played.byes)
    assert max(byes.values()) - min(byes.values()) <= 1


@pytest.mark.parametrize("field", [9, 12, 15, 16, 23])
def test_swiss_of_three_finds_rounds_without_rematch(field: int) -> None:
    """Three rounds of nine or more bots leave ample choice, and nobody meets a bot twice."""
    for seed in range(5):
        rounds, _ = play(spec_of(field, format="swiss", players=3, rounds=3), random.Random(seed))
        assert {1} == set(meetings(rounds).values())


@pytest.mark.parametrize("seed", range(5))
def test_fifteen_at_tables_of_three_play_five_rounds_without_rematch(seed: int) -> None:
    """Exchanges alone were seen to leave one in the fifth round; the proof does not."""
    rounds, _ = play(spec_of(15, format="swiss", players=3, rounds=5), random.Random(seed))
    assert {1} == set(meetings(rounds).values())


@given(st.integers(2, 12), st.sampled_from([3, 4]), st.randoms(use_true_random=False), st.data())
@settings(max_examples=25, deadline=None)
def test_swiss_is_a_pure_function_whose_prefix_never_changes(
    field: int, players: int, chance: random.Random, data: st.DataObject
) -> None:
    """Any part of the results, in any order, gives the rounds it finishes, the next one, and no others."""
    field = max(field, 3 if players == 3 else 2)
    spec = spec_of(field, format="swiss", players=players, rounds=most_rounds(field))
    rounds, rows = play(spec, chance)
    known = data.draw(st.permutations(rows))[: data.draw(st.integers(0, len(rows)))]
    whole = 0
    while whole < len(rounds) and all(
        match.games == sum(row.match == match.id for row in known) for match in rounds[whole].matches
    ):
        whole += 1
    assert rounds[: whole + 1] == rounds_ready(spec, SECRET, by_match(known))


def test_swiss_leaders_meet() -> None:
    """In the second round of four, the two winners of the first play each other."""
    spec = spec_of(4, format="swiss", rounds=2)
    first = rounds_ready(spec, SECRET, {})[0]
    rows = [
        row for match in first.matches for row in rows_of(match, lambda bots: [1, 2] if bots[0] < bots[1] else [2, 1])
    ]
    winners = {min(match.bots) for match in first.matches}
    assert winners == set(rounds_ready(spec, SECRET, by_match(rows))[1].matches[0].bots)


def test_swiss_depends_on_the_secret() -> None:
    """Another secret draws other first rounds; the order of the spec's bots has no say."""
    spec = spec_of(8, format="swiss", rounds=1)
    first_rounds = {rounds_ready(spec, bytes([secret]), {})[0].matches for secret in range(10)}
    assert len(first_rounds) > 5


@pytest.mark.parametrize(
    ("bots", "seatings", "expected"),
    [
        ("ab", "rotations", ((0, 1, 0, 1), (1, 0, 1, 0))),
        ("abc", "rotations", ((0, 1, 2), (1, 2, 0), (2, 0, 1))),
        ("abc", "permutations", ((0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 2, 1), (2, 1, 0), (1, 0, 2))),
    ],
)
def test_seatings(bots: str, seatings: str, expected: tuple[tuple[int, ...], ...]) -> None:
    """Two sides: both assignments of teams. Three: all rotations, and if so wished also the other way about."""
    match = Match("r1m1", 1, tuple(bots), 0, 7, Seatings(seatings))
    assert (expected, 7 * len(expected)) == (match.all_seatings, match.games)


def test_permutations_are_all_seatings_of_three() -> None:
    """Each once, so every bot has each other bot behind it at every seat."""
    assert sorted(permutations(range(3))) == sorted(seatings_of(3, Seatings.PERMUTATIONS))


def test_a_match_has_the_seatings_of_its_spec() -> None:
    """A deal of a table of three is six games where the spec says so, and a round is finished after all of them."""
    spec = spec_of(3, players=3, format="swiss", rounds=2, seatings="permutations")
    first, *others = rounds_ready(spec, SECRET, {})
    rows = rows_of(first.matches[0], lambda bots: range(1, 4))
    assert ([], 6) == (others, len(rows))
    assert [1, 2] == [len(rounds_ready(spec, SECRET, by_match(rows[:known]))) for known in (5, 6)]
