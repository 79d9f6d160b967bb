"""Scoring a round (docs/rules.md section 8)."""

import pytest
from aurum.rules import RoundResult
from positions import ended
from rulebook import rule


@rule("8", "Bid: fewer tricks than bid, 0; more, the bid; exactly, twice the bid")
@pytest.mark.parametrize(("tricks", "points"), [(0, 0), (3, 0), (4, 8), (5, 4), (11, 4)])
def test_points_for_a_bid_of_four(tricks: int, points: int) -> None:
    """Below 4 tricks nothing, 4 tricks 8 points, more tricks 4 points."""
    assert points == ended("B4 C9 P9", taken=[tricks, 0, 0]).score().bid_points[0]


@rule("8", "Four players: the team's tricks against the team's bid")
@pytest.mark.parametrize(
    ("taken", "points"), [([1, 0, 3, 0], 8), ([4, 0, 0, 0], 8), ([4, 0, 1, 0], 4), ([0, 9, 3, 9], 0)]
)
def test_points_for_a_team_bid_of_four(taken: list[int], points: int) -> None:
    """The partners' tricks are added up; the lower bid does not count."""
    assert points == ended("B4 C9 P2 S9", taken=taken).score().bid_points[0]


@rule("8", "Gold in the collection at the end: rank 0, 0 points; 1-3, 1 each; 4-6, 2 each; 7-8, 3 each")
@pytest.mark.parametrize(
    ("gold", "points"),
    [
        ("", 0),
        ("G0", 0),
        ("G1", 1),
        ("G2", 1),
        ("G3", 1),
        ("G4", 2),
        ("G5", 2),
        ("G6", 2),
        ("G7", 3),
        ("G8", 3),
        ("G1 G1 G3 G3 G5 G8", 9),
        ("G0 G1 G1 G2 G2 G3 G3 G4 G5 G6 G7 G8", 18),
    ],
)
def test_points_for_gold(gold: str, points: int) -> None:
    """Each card by itself."""
    assert points == ended("B9 C9 P9 S9", taken=[0, 0, 0, 0], gold=[gold, "", "", ""]).score().gold_points[0]


@rule("8", "Four players: both partners' collections count")
def test_gold_of_a_team() -> None:
    """Seats 0 and 2 hold 3 and 1 points, seats 1 and 3 hold 2 and 2."""
    over = ended("B9 C9 P9 S9", taken=[0, 0, 0, 0], gold=["G8", "G4", "G1", "G5"])
    assert (4, 4) == over.score().gold_points


@rule("8", "The side (team, or player) with the most points wins the round and one nugget")
def test_the_most_points_win() -> None:
    """Bid and gold points together: 2 x 2 + 0, 0 + 3, 3 + 2."""
    over = ended("B2 C5 P3", taken=[2, 3, 4], gold=["", "G7", "G4"])
    assert (
        RoundResult(
            tricks=(2, 3, 4),
            bids=(2, 5, 3),
            bid_points=(4, 0, 3),
            gold_points=(0, 3, 2),
            points=(4, 3, 5),
            winners=(2,),
            ended_by=1,
        )
        == over.score()
    )
    assert () == over.score(nuggets=False).winners


@rule("8", "Ties (0 : 0 like any other) are broken step by step")
@rule("10", "The English retail book names no tie-break for a round")
@pytest.mark.parametrize(
    ("bids", "taken", "gold", "points", "winners"),
    [
        # Side 1 met its bid exactly: 2 x 2; side 0 has as much by exceeding its 4.
        ("B4 C2 P9", [5, 2, 0], ["", "", ""], (4, 4, 0), (1,)),
        # Both met theirs: the single highest gold card decides.
        ("B2 C2 P9", [2, 2, 0], ["G3", "G1", ""], (5, 5, 0), (0,)),
        # Meeting the bid comes before gold.
        ("B3 C1 P9", [4, 1, 0], ["G1", "G2 G3", ""], (4, 4, 0), (1,)),
        # All the same: all get one.
        ("B2 C2 P9", [2, 2, 0], ["G3", "G3", ""], (5, 5, 0), (0, 1)),
        ("B2 C2 P2", [2, 2, 2], ["", "", ""], (4, 4, 4), (0, 1, 2)),
        # Two of three met their bid; gold decides between these two, the third's is higher but out.
        ("B2 C2 P5", [2, 2, 4], ["G1 G2", "G3 G1", "G4 G5 G6"], (6, 6, 6), (1,)),
    ],
)
def test_ties_of_three(
    bids: str, taken: list[int], gold: list[str], points: tuple[int, ...], winners: tuple[int, ...]
) -> None:
    """Bid met exactly, then the highest single gold card, then all still tied."""
    score = ended(bids, taken=taken, gold=gold).score()
    assert points == score.points
    assert winners == score.winners


@rule("8", "Ties (0 : 0 like any other) are broken step by step")
@rule("10", "The English retail book names no tie-break for a round")
@pytest.mark.parametrize(
    ("bids", "taken", "gold", "winners"),
    [
        ("B9 C9 P9 S9", [0, 0, 0, 0], ["", "", "", ""], (0, 1)),
        ("B9 C9 P9 S9", [0, 0, 0, 0], ["", "", "", "G0"], (1,)),
        ("B9 C9 P9 S9", [0, 0, 0, 0], ["G1 G2", "G5", "", ""], (1,)),
        ("B9 C9 P9 S9", [0, 0, 0, 0], ["G5", "", "", "G1 G3"], (0,)),
        ("B6 C3 P2 S1", [4, 1, 3, 2], ["", "", "", ""], (1,)),
        ("B9 C9 P9 S9", [0, 0, 0, 0], ["G1", "", "", "G1"], (0, 1)),
    ],
)
def test_ties_of_two_teams(bids: str, taken: list[int], gold: list[str], winners: tuple[int, ...]) -> None:
    """The same chain, with the bids, tricks and gold of both partners."""
    score = ended(bids, taken=taken, gold=gold).score()
    assert score.points[0] == score.points[1]
    assert winners == score.winners


@rule("8", "A step that none of the tied sides meets leaves all of them tied.")
def test_a_step_that_nobody_meets() -> None:
    """Nobody of the tied met a bid: gold decides; nobody has gold either: all of them."""
    assert (1,) == ended("B9 C9 P9", taken=[0, 0, 0], gold=["G1 G3", "G4", "G1 G1"]).score().winners
    assert (0, 1, 2) == ended("B9 C9 P9", taken=[0, 0, 0]).score().winners


@rule("10", "Highest gold compares")
def test_the_single_highest_rank_compares() -> None:
    """One G6 beats two lesser cards of the same worth in all; no gold at all is below G0."""
    assert (0,) == ended("B9 C9 P9", taken=[0, 0, 0], gold=["G6", "G1 G2", ""]).score().winners
    assert (2,) == ended("B9 C9 P9", taken=[0, 0, 0], gold=["", "", "G0"]).score().winners


def test_a_round_with_an_unknown_bid_is_not_scored() -> None:
    """A search bot may set up such a position; it is told, not left with an error from within."""
    over = ended("B4 C9 P2 S9", taken=[0, 0, 0, 0])
    over.bids[2] = None
    with pytest.raises(ValueError, match="not over"):
        over.score()
