"""The points of a Swiss."""

import pytest
from aurum.formats.match_points import halves_of, match_halves, score_halves
from aurum.formats.rounds import Bye, Match, TournamentRound, finished
from aurum.results.game_row import GameRow
from aurum.results.match_totals import by_match
from tournament_rows import game_row

TWO = Match("r1m1", 1, ("a", "b"), 0, 2)
THREE = Match("r1m1", 1, ("a", "b", "c"), 0, 1)


def halves_after(bots: str, rows: list[GameRow]) -> tuple[int, ...]:
    """The half points of a match with these games."""
    (totals,) = by_match(rows).values()
    return match_halves(bots, totals)


@pytest.mark.parametrize(
    ("placing", "halves"),
    [
        ((1, 2), (2, 0)),
        ((1, 1), (1, 1)),
        ((3, 1, 2), (0, 4, 2)),
        ((1, 1, 3), (3, 3, 0)),
        ((1, 2, 2), (4, 1, 1)),
        ((1, 1, 1), (2, 2, 2)),
    ],
)
def test_half_points_of_a_placing(placing: tuple[int, ...], halves: tuple[int, ...]) -> None:
    """Two for each side outdone, one for each equalled."""
    assert halves == halves_of(placing)


def test_a_match_is_won_by_the_mean_of_its_games() -> None:
    """Three and a half games of four win the match, no more than narrowly winning it would."""
    clear = [game_row("r1m1", 0, 0, "ab", (1, 2)), game_row("r1m1", 0, 1, "ba", (2, 1))]
    narrow = [game_row("r1m1", 1, 0, "ab", (1, 2)), game_row("r1m1", 1, 1, "ba", (1, 1))]
    assert (2, 0) == halves_after("ab", clear + narrow)
    assert (2, 0) == halves_after("ab", narrow)


def test_a_match_is_drawn_when_the_means_are_equal() -> None:
    """Each won one game."""
    assert (1, 1) == halves_after("ab", [game_row("r1m1", 0, 0, "ab", (1, 2)), game_row("r1m1", 0, 1, "ba", (1, 2))])


def test_a_forfeit_is_a_loss() -> None:
    """A side that forfeited is placed last, and that counts, whatever the cards said."""
    assert (0, 2) == halves_after("ab", [game_row("r1m1", 0, 0, "ab", (2, 1), points=(9, 0), forfeited=(0,))])


def test_a_table_of_three_is_scored_as_a_whole() -> None:
    """Totals of the games' half points (a 6, b 5, c 1 of two games) are compared in their turn."""
    rows = [game_row("r1m1", 0, 0, "abc", (1, 1, 3)), game_row("r1m1", 0, 1, "bca", (2, 2, 1))]
    assert (4, 2, 0) == halves_after("abc", rows)


@pytest.mark.parametrize(("match", "full"), [(TWO, 2), (THREE, 4)])
def test_a_bye_is_a_full_win(match: Match, full: int) -> None:
    """A bye gives as much as outdoing everybody at a table."""
    won = [game_row("r1m1", 0, 0, match.bots, range(1, len(match.bots) + 1))]
    score = score_halves("abcd", [TournamentRound(1, (match,), (Bye(1, "d"),))], by_match(won), len(match.bots))
    assert (full, full) == (score["a"], score["d"])


def test_a_round_is_finished_with_its_last_game() -> None:
    """Two deals in two seatings are four games."""
    rows = [game_row("r1m1", deal, seating, "ab", (1, 2)) for deal in (0, 1) for seating in (0, 1)]
    lone = TournamentRound(1, (TWO,), ())
    assert [False, False, False, False, True] == [finished(lone, by_match(rows[:count])) for count in range(5)]
