"""Ranks by points, and the tie-breaks of FIDE C.07 (2026)."""

import random
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import pytest
from aurum.archive.trf import trf
from aurum.formats.rounds import Bye, Match, TournamentRound
from aurum.standings.tie_breaks import TieBreaks, ranked_by_points
from hypothesis import given, settings
from hypothesis import strategies as st
from random_events import PROGRAMS, Event, Marks, patchy, played, renamed
from tournament_rows import rows_of, spec_of


def event(bots: str, *rounds: str, swiss: bool = True) -> Event:
    """Rounds as in "A>B C=D E": A won, C and D drew, E has a bye; with three at a table "A>B=C". One deal a match."""
    drawn, rows, deal = [], [], 0
    for number, written in enumerate(rounds, 1):
        matches: list[Match] = []
        byes: list[Bye] = []
        for word in written.split():
            names = tuple(word[::2])
            if len(names) == 1:
                byes.append(Bye(number, word))
                continue
            matches.append(Match(f"r{number}m{len(matches) + 1}", number, names, deal, 1))
            rank = {names[0]: 1}
            for index, sign in enumerate(word[1::2], 1):
                rank[names[index]] = rank[names[index - 1]] if sign == "=" else index + 1
            rows += rows_of(matches[-1], partial(map, rank.__getitem__))
            deal += 1
        drawn.append(TournamentRound(number, tuple(matches), tuple(byes)))
    return Event(list(bots), drawn, rows, swiss)


def ranked(of: Event) -> list[TieBreaks]:
    """Its bots with points and tie-breaks, the best first."""
    return ranked_by_points(of.rounds, of.totals, of.bots, byes_give_points=of.swiss)


def by_bot(of: Event) -> Mapping[str, TieBreaks]:
    """The same by name."""
    return {row.bot: row for row in ranked(of)}


def order(of: Event) -> str:
    """Its bots, best first."""
    return "".join(row.bot for row in ranked(of))


def test_points_come_first() -> None:
    """A round robin of four without ties is ranked by points alone."""
    found = ranked(event("DCBA", "A>D B>C", "A>C B>D", "A>B C>D", swiss=False))

    assert [("A", 3), ("B", 2), ("C", 1), ("D", 0)] == [(row.bot, row.points) for row in found]
    assert all(row.encounter is None for row in found)


def test_what_nothing_tells_apart_stays_in_the_order_of_entry() -> None:
    """Three who beat each other in turn, and everyone else, are level in every tie-break."""
    of = event("CABD", "B>A C>D", "A>C B>D", "A>D C>B", swiss=False)

    assert "CABD" == order(of)
    assert [TieBreaks(bot, 2, 1, 4, 2, 0) for bot in "CAB"] == ranked(of)[:3]


def test_the_match_between_two_goes_before_their_buchholz() -> None:
    """B beat A; that A had the stronger opponents comes later, and so does Sonneborn-Berger, which parts F and E."""
    of = event("ABCDEF", "A>C B>E D>F", "B>A C>F D=E", "A>D F>B C=E")

    assert [
        TieBreaks("B", 2, 1, 3, 3, 0),
        TieBreaks("A", 2, 2, 3.5, 3, 0),
        TieBreaks("C", 1.5, None, 3, 1.5, 0),
        TieBreaks("D", 1.5, None, 3, 1.5, 0),
        TieBreaks("F", 1, None, 3.5, 2, 0),
        TieBreaks("E", 1, None, 3.5, 1.5, 0),
    ] == ranked(of)


def test_matches_between_some_of_those_who_are_level_decide_nothing() -> None:
    """A and B met, C met neither: Buchholz puts C last, Sonneborn-Berger puts B first."""
    of = event("ABCDEF", "A>D B>E C>F", "B>A E>C D>F", "A>E F>B C>D")

    assert [
        TieBreaks("B", 2, None, 3, 3, 0),
        TieBreaks("A", 2, None, 3, 2, 0),
        TieBreaks("C", 2, None, 2, 2, 0),
        TieBreaks("E", 1, None, 4, 2, 0),
        TieBreaks("F", 1, None, 4, 2, 0),
        TieBreaks("D", 1, None, 4, 1, 0),
    ] == ranked(of)


def test_who_is_still_level_is_ranked_by_the_matches_of_those_alone() -> None:
    """Of four level bots A and B won two of their matches with each other, C and D one: then A beat B and C beat D."""
    of = event("DCBAEFGH", "A>B C>D E=F G=H", "A>C B>D E=G F=H", "D>A B>C E=H F=G", "E>A F>B C>G D>H")
    found = by_bot(of)

    assert {2} == {found[bot].points for bot in "ABCD"}
    assert [1, 2, 3, 4] == [found[bot].encounter for bot in "ABCD"]
    assert "ABCD" == "".join(bot for bot in order(of) if bot in "ABCD")


def test_a_bye_has_an_opponent_no_better_than_someone_who_draws_all() -> None:
    """C.07, 16.4.2: with two points of two, the bye counts as an opponent with one."""
    found = by_bot(event("ABC", "B>C A", "A>B C"))

    assert TieBreaks("A", 2, None, 1, 2, 0) == found["A"]
    assert TieBreaks("B", 1, 1, 2, 1, 0) == found["B"]
    assert TieBreaks("C", 1, 2, 1, 1, 0) == found["C"]


def test_who_has_left_has_drawn_since_as_its_opponents_count_it() -> None:
    """C.07, 16.3.2: B and D are gone after round 1; A and C lose nothing of what they took from them."""
    found = by_bot(event("ABCD", "A>B C>D", "C>A"))

    assert (0, 0) == (found["B"].points, found["D"].points)
    assert TieBreaks("A", 1, None, 2, 0.5, 0) == found["A"]
    assert TieBreaks("C", 2, None, 1, 1.5, 0) == found["C"]


def test_an_absence_is_cut_before_a_weaker_opponent() -> None:
    """C.07, 16.5.1: A came in round 2; the stand-in for round 1 is left out, not the opponent without a point."""
    found = by_bot(event("ABCD", "B>C", "A>C B>D"))

    assert TieBreaks("A", 1, None, 0, 0, 0) == found["A"]


def test_a_round_robin_has_neither_byes_nor_absences() -> None:
    """Everyone rests once in a field of three: that gives no points and no opponent."""
    found = ranked(event("ABC", "A>B C", "A>C B", "B=C A", swiss=False))

    assert [TieBreaks("A", 2, None, 0.5, 1, 0), TieBreaks("B", 0.5, 1, 2, 0.25, 0)] == found[:2]


def test_a_table_of_three_is_three_meetings() -> None:
    """A point for each bot outdone; the bye of D counts as two, of opponents with half of all points."""
    found = by_bot(event("ABCD", "A>B>C D"))

    assert TieBreaks("A", 2, None, 1, 1, 0) == found["A"]
    assert TieBreaks("B", 1, None, 2, 0, 0) == found["B"]
    assert TieBreaks("D", 2, None, 1, 2, 0) == found["D"]


def test_who_met_several_times_counts_the_mean() -> None:
    """A beat B twice, and that weighs as much as that B beat C, and C beat A, once."""
    found = by_bot(event("ABCD", "A>B C>D", "A>B", "C>A B>D", "B>C", swiss=False))

    assert [(2, 1)] * 3 == [(found[bot].points, found[bot].encounter) for bot in "ABC"]


def test_margin_is_of_games_that_neither_forfeited() -> None:
    """C won by more cards than A. Where B forfeits, the cards that its stand-in earns give nobody anything."""
    of = event("ABCD", "A>B C>D")
    cards = {"A": 4, "B": 1, "C": 6, "D": 1}
    rows = [replace(row, points=tuple(cards[bot] for bot in row.bots)) for row in of.games]
    lost = [replace(row, forfeited=(row.bots.index("B"),)) if "B" in row.bots else row for row in rows]
    clean, forfeited = replace(of, games=rows), replace(of, games=lost)

    assert [("C", 5), ("A", 3), ("B", -3), ("D", -5)] == [(row.bot, row.margin) for row in ranked(clean)]
    assert [("C", 5), ("A", 0), ("B", 0), ("D", -5)] == [(row.bot, row.margin) for row in ranked(forfeited)]


def test_a_round_that_is_not_finished_does_not_count() -> None:
    """Not even its finished matches: who happens to be further would be ahead."""
    whole = event("ABCD", "A>B C>D", "C>A B>D")
    rows = whole.games
    first = event("ABCD", "A>B C>D")

    assert ranked(first) == ranked(replace(whole, games=rows[:-1]))
    assert ranked(first) != ranked(whole)


EVENTS = st.builds(
    patchy,
    st.integers(2, 12),
    st.integers(1, 7),
    st.builds(random.Random, st.integers(0, 10**6)),
    st.sampled_from([2, 3]),
)


@settings(max_examples=40)
@given(EVENTS)
def test_neither_the_order_of_results_nor_names_matter(of: Event) -> None:
    """Shuffled results, and other names, give the same ranks and tie-breaks."""
    names = {bot: bot[::-1] + "?" for bot in of.bots}
    rows = of.games[::-1]
    others = renamed(replace(of, games=rows), names)

    assert [replace(row, bot=names[row.bot]) for row in ranked(of)] == ranked(others)


@settings(max_examples=40)
@given(EVENTS, st.randoms(use_true_random=False))
def test_the_order_of_entry_moves_only_who_is_level_in_everything(of: Event, chance: random.Random) -> None:
    """Another order of entry gives the same figures, and the same order of those that differ."""
    shuffled = replace(of, bots=chance.sample(of.bots, len(of.bots)))

    assert by_bot(of) == by_bot(shuffled)
    blank = [replace(row, bot="") for row in ranked(of)]
    assert blank == [replace(row, bot="") for row in ranked(shuffled)]


@settings(max_examples=40)
@given(EVENTS)
def test_points_are_shared_out_whole(of: Event) -> None:
    """Every meeting of two gives one point, every bye as many as it stands in for meetings."""
    meetings = sum(len(match.bots) * (len(match.bots) - 1) // 2 for drawn in of.rounds for match in drawn.matches)
    sides = max((len(match.bots) for drawn in of.rounds for match in drawn.matches), default=2)
    byes = sum(len(drawn.byes) for drawn in of.rounds)

    assert meetings + byes * (sides - 1) == sum(row.points for row in ranked(of))


def marks(of: Event) -> list[Marks]:
    """What we make of it, in the order of entry."""
    found = by_bot(of)
    return [Marks(found[bot].points, found[bot].buchholz, found[bot].sonneborn_berger) for bot in of.bots]


def check(of: Event) -> None:
    """Two other programs must agree, on the report of the event."""
    system, planned = "Swiss" if of.swiss else "Round robin", len(of.rounds)
    lines = trf("test", system, of.rounds, of.totals, of.bots, byes_give_points=of.swiss, planned=planned)
    for program in PROGRAMS:
        assert marks(of) == program(lines, swiss=of.swiss), "\n".join(lines)


@pytest.mark.parametrize("seed", range(20))
def test_other_programs_agree_on_a_swiss(seed: int) -> None:
    """Points, Buchholz Cut-1 and Sonneborn-Berger of a whole Swiss."""
    chance = random.Random(seed)
    field = chance.randint(4, 12)
    check(played(spec_of(field, format="swiss", rounds=chance.randint(2, (field + 1) // 2)), chance))


@pytest.mark.parametrize("seed", range(10))
def test_other_programs_agree_on_a_round_robin(seed: int) -> None:
    """The same of a round robin, where a bye is nothing."""
    chance = random.Random(seed)
    check(played(spec_of(chance.randint(3, 9)), chance))


@pytest.mark.parametrize("seed", range(30))
def test_other_programs_agree_where_bots_come_and_go(seed: int) -> None:
    """Byes and absences, early and late, count as FIDE has it."""
    chance = random.Random(seed)
    check(patchy(chance.randint(4, 14), chance.randint(2, 7), chance))
