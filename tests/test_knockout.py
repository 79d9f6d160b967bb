"""A knockout: its bracket for every field up to 33, who wins a match, and how far everyone came."""

import random
from collections.abc import Callable, Sequence

import pytest
from aurum.formats.knockout import eliminated, seeds, winner
from aurum.formats.rounds import Match, TournamentRound
from aurum.pairing.bracket import advanced, drawn, meetings, round_count
from aurum.results.game_row import GameRow
from aurum.results.match_totals import by_match
from aurum.schedule.schedule import match_count, rounds_ready
from aurum.spec.spec import Spec
from hypothesis import given
from hypothesis import strategies as st
from tournament_rows import game_row, rows_of, spec_of

SECRET = b"a secret of thirty-two bytes ..."

FIELDS = range(2, 34)


def play(field: int, chance: random.Random | None) -> list[list[tuple[int, int]]]:
    """The pairs of every round; without chance the better seed always wins."""
    slots, rounds = drawn(field), []
    while len(slots) > 1:
        rounds.append(meetings(slots))
        beaten = {pair[1] if chance is None else chance.choice(pair) for pair in rounds[-1]}
        slots = advanced(slots, beaten)
    return rounds


@pytest.mark.parametrize("field", FIELDS)
def test_byes_are_the_top_seeds_and_of_the_first_round(field: int) -> None:
    """As many as the field lacks of a power of two; from the second round on all play."""
    rounds = play(field, None)
    byes = 2 ** len(rounds) - field
    assert set(range(byes, field)) == {seed for pair in rounds[0] for seed in pair}
    assert [2 ** (len(rounds) - number) for number in range(2, len(rounds) + 1)] == [len(pairs) for pairs in rounds[1:]]
    assert len(rounds) == round_count(field)


@pytest.mark.parametrize("field", FIELDS)
def test_the_better_seeds_meet_late(field: int) -> None:
    """If the better seed always wins, the last round is 0 against 1, the one before 0 against 3 and 1 against 2."""
    rounds = play(field, None)
    for number, pairs in enumerate(reversed(rounds)):
        size = 2 ** (number + 1)
        assert {(seed, size - 1 - seed) for seed in range(size // 2) if size - 1 - seed < field} == set(pairs)


@given(st.sampled_from(FIELDS), st.randoms(use_true_random=False))
def test_whoever_loses_is_out(field: int, chance: random.Random) -> None:
    """One match less than entrants; of each pair one plays on and the other never again."""
    rounds = play(field, chance)
    matches = [pair for pairs in rounds for pair in pairs]
    assert field - 1 == len(matches)
    assert all(better < other for better, other in matches)
    for number, pairs in enumerate(rounds):
        later = {seed for after in rounds[number + 1 :] for pair in after for seed in pair}
        assert all(len({*pair} & later) == (number + 1 < len(rounds)) for pair in pairs)


@given(st.sampled_from(FIELDS), st.randoms(use_true_random=False))
def test_the_first_two_seeds_meet_in_the_last_round_or_never(field: int, chance: random.Random) -> None:
    """Whatever the results."""
    assert not any((0, 1) in pairs for pairs in play(field, chance)[:-1])


Place = Callable[[tuple[str, ...]], Sequence[int]]


def by_number(bots: tuple[str, ...]) -> Sequence[int]:
    """The bot with the smaller number wins: b2 against b10."""
    return [1, 2] if int(bots[0][1:]) < int(bots[1][1:]) else [2, 1]


def tournament(spec: Spec, place: Place) -> tuple[list[TournamentRound], list[GameRow]]:
    """Every round in its turn."""
    rounds: list[TournamentRound] = []
    rows: list[GameRow] = []
    while len(ready := rounds_ready(spec, SECRET, by_match(rows))) > len(rounds):
        rounds = ready
        rows += [row for match in rounds[-1].matches for row in rows_of(match, place)]
    return rounds, rows


@pytest.mark.parametrize("field", FIELDS)
def test_a_tournament_of_every_size(field: int) -> None:
    """As many matches and deals as said; whoever is out is in no later round; the first seed is left."""
    spec = spec_of(field, format="knockout", deals=2)
    rounds, rows = tournament(spec, by_number)
    matches = [match for played in rounds for match in played.matches]
    assert field - 1 == match_count(spec) == len(matches)
    assert [2 * index for index in range(field - 1)] == [match.first_deal for match in matches]
    assert ("b0", "b1") == matches[-1].bots
    out = eliminated([bot.name for bot in spec.bots], rounds, by_match(rows))
    assert ["b0"] == [bot for bot, number in out.items() if number == 1 + len(rounds)]
    for played in rounds:
        present = {bot for match in played.matches for bot in match.bots} | {bye.bot for bye in played.byes}
        assert {bot for bot, number in out.items() if number >= played.number} == present
        assert played.number == 1 or not played.byes


def test_nothing_is_known_of_a_round_before_all_of_it_is_stored() -> None:
    """While a semifinal lacks a game, nobody of it is out and there is no final."""
    spec = spec_of(4, format="knockout")
    (first,) = rounds_ready(spec, SECRET, {})
    rows = [row for match in first.matches for row in rows_of(match, by_number)]
    assert [first] == rounds_ready(spec, SECRET, by_match(rows[:-1]))
    assert {1} == set(eliminated(["b0", "b1", "b2", "b3"], [first], by_match(rows[:-1])).values())
    assert {"b0": 2, "b1": 2, "b2": 1, "b3": 1} == eliminated(["b0", "b1", "b2", "b3"], [first], by_match(rows))


@pytest.mark.parametrize(
    ("placings", "card_points", "expected"),
    [
        ([(1, 2), (1, 2)], [(0, 50), (0, 50)], "a"),
        ([(2, 1), (2, 1)], [(50, 0), (50, 0)], "b"),
        ([(1, 2), (2, 1)], [(9, 5), (5, 10)], "b"),
        ([(1, 2), (2, 1)], [(9, 5), (5, 8)], "a"),
        ([(1, 2), (2, 1)], [(9, 5), (5, 9)], "a"),
        ([(1, 1), (2, 1)], [(5, 5), (9, 0)], "b"),
    ],
    ids=["points", "points against cards", "cards", "cards, too", "the better seed", "a drawn game"],
)
def test_who_goes_on(placings: list[tuple[int, int]], card_points: list[tuple[int, int]], expected: str) -> None:
    """By games outdone, then card points, then as the better seed, which stands first."""
    rows = [
        game_row("r1m1", 0, seating, "ab", placing, points=points)
        for seating, (placing, points) in enumerate(zip(placings, card_points, strict=True))
    ]
    exchanged = [
        game_row("r1m1", 0, row.seating, row.bots[::-1], row.placing[::-1], points=row.points[::-1]) for row in rows
    ]
    match = Match("r1m1", 1, ("a", "b"), 0, 1)
    assert [expected, expected] == [winner(match, by_match(games)["r1m1"]) for games in (rows, exchanged)]


def test_seeds_are_the_order_of_the_spec_or_drawn() -> None:
    """The lot depends on the secret alone, and another secret draws another order."""
    ordered, drawn_by_lot = spec_of(8, format="knockout"), spec_of(8, format="knockout", seeding="lot")
    names = [bot.name for bot in ordered.bots]
    assert names == seeds(ordered, SECRET)
    orders = {tuple(seeds(drawn_by_lot, bytes([secret]))) for secret in range(20)}
    assert (20, {tuple(names)}) == (len(orders), {tuple(sorted(order)) for order in orders})
    assert rounds_ready(drawn_by_lot, SECRET, {})[0].matches[0].bots[0] == seeds(drawn_by_lot, SECRET)[0]
