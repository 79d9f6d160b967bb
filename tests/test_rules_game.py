"""When a game is over and who has won it (docs/rules.md section 9)."""

from collections.abc import Sequence
from random import Random

import pytest
from aurum.rules import PASS, PRESETS, Card, Exchange, Game, GameEnd, GameResult, Phase, Play, Ruleset
from positions import position
from rulebook import rule
from strategies import NAMED_RULESETS, kind_first, label, new_game, play_out

FIRST_TO_TWO, BEST_OF_THREE, THREE_ROUNDS_TOTAL = GameEnd


def end_round(game: Game, *winners: int, bids: str = "", taken: Sequence[int] = (), gold: Sequence[str] = ()) -> None:
    """Let the round under way end so that these sides win it, or else with these bids, tricks and gold by seat."""
    players = game.deal.players
    if not bids:
        # Seats 0 to 2, or 0 and 1 of teams, bid 1 and take 1 if their side wins; everyone else bids 9 and takes none.
        won = [seat in winners for seat in range(players)]
        bids = " ".join(f"{suit}{1 if wins else 9}" for suit, wins in zip("BPSZ", won, strict=False))
        if players == 4:
            bids = " ".join(f"{suit}{1 if seat % 2 in winners else 9}" for seat, suit in enumerate("BPSZ"))
        taken = list(map(int, won))
    under_way = game.round
    game.round = position(["B2", "B3", "", ""][:players], bids=bids, taken=taken, gold=gold)
    game.round.number, game.round.first_player = under_way.number, under_way.first_player
    game.play(Play(Card.B2))
    if game.finished is None:
        game.play(PASS)


def played(players: int, end: GameEnd, *rounds: tuple[int, ...]) -> Game:
    """A game whose rounds went to these sides."""
    game = new_game(players, Ruleset(False, end), 0)
    for winners in rounds:
        assert not game.over
        end_round(game, *winners)
    return game


def test_a_round_that_is_over_is_scored_and_the_next_one_dealt() -> None:
    """`finished` is the round that the last move ended, for as long as that; nuggets are counted."""
    game = new_game(3, PRESETS["designer"], 0)
    first = game.round.first_player
    end_round(game, 1)
    assert game.finished is not None
    assert Phase.OVER is game.finished.phase
    assert (0, 1, 0) == tuple(game.nuggets)
    assert (2, Phase.BID, (first + 1) % 3) == (game.round.number, game.round.phase, game.round.first_player)
    assert [12, 12, 12] == [len(game.round.hand(seat)) for seat in range(3)]
    game.play(game.legal_moves()[0])
    assert game.finished is None


def test_a_game_can_be_played_round_by_round() -> None:
    """Moves made on `round` and `next_round` after each come to the same as `play` does."""
    whole, by_rounds = (new_game(4, PRESETS["german"], 3) for _ in range(2))
    moves = iter(play_out(whole, Random(3), kind_first))
    while not by_rounds.over:
        with pytest.raises(ValueError, match="the round is not over"):
            by_rounds.next_round()
        while by_rounds.round.phase is not Phase.OVER:
            by_rounds.round.play(next(moves))
        by_rounds.next_round()
    assert whole.result() == by_rounds.result()
    with pytest.raises(ValueError, match="the game is over"):
        by_rounds.next_round()


@rule("9", "first_to_two: rounds until a side has two nuggets")
def test_first_to_two() -> None:
    """Over with the second nugget of a side, and not before: three players may need four rounds."""
    assert played(4, FIRST_TO_TWO, (0,), (0,)).over
    assert not played(4, FIRST_TO_TWO, (0,), (1,)).over
    game = played(3, FIRST_TO_TWO, (0,), (1,), (2,), (1,))
    assert game.over
    assert GameResult(nuggets=(1, 2, 1), points=(2, 4, 2), rank=(2, 1, 2)) == game.result()


@rule("9", "Sides that get their second nugget in the same round share the win")
def test_first_to_two_can_be_shared() -> None:
    """Both teams in the second round; two or three of three players."""
    assert (1, 1) == played(4, FIRST_TO_TWO, (0, 1), (0, 1)).result().rank
    assert (1, 1) == played(4, FIRST_TO_TWO, (0,), (1,), (0, 1)).result().rank
    assert (1, 3, 1) == played(3, FIRST_TO_TWO, (0,), (1,), (2,), (0, 2)).result().rank
    assert (1, 1, 1) == played(3, FIRST_TO_TWO, (0, 1, 2), (0, 1, 2)).result().rank


@rule("9", "best_of_three: ends as soon as exactly one side has two nuggets")
def test_best_of_three() -> None:
    """After two rounds if one side has both, else after three; most nuggets win."""
    early = played(4, BEST_OF_THREE, (1,), (1,))
    assert early.over
    assert (2, 1) == early.result().rank
    assert not played(4, BEST_OF_THREE, (1,), (0,)).over
    assert (1, 2) == played(4, BEST_OF_THREE, (1,), (0,), (0,)).result().rank
    assert (2, 1, 3) == played(3, BEST_OF_THREE, (1,), (0, 1)).result().rank
    late = played(3, BEST_OF_THREE, (1,), (0,), (1, 2))
    assert late.over
    assert (2, 1, 2) == late.result().rank


@rule("9", "(Sides that reach two nuggets in the same second round play the third")
def test_two_sides_with_two_nuggets_play_the_third_round() -> None:
    """Only a single side with two ends the game early."""
    game = played(4, BEST_OF_THREE, (0, 1), (0, 1))
    assert not game.over
    end_round(game, 1)
    assert game.over
    assert GameResult(nuggets=(2, 3), points=(4, 6), rank=(2, 1)) == game.result()


@rule("9", "best_of_three: ends as soon as exactly one side has two nuggets")
@rule("9", "The bid decides only who is first; the other sides are ranked by nuggets alone")
@pytest.mark.parametrize(
    ("bids", "taken", "nuggets", "rank"),
    [
        # The third round goes to side 2, so that all have one; 0 : 0 : 18 and bids 8, 7, 9.
        ("B8 P7 S9", (0, 0, 9), (1, 1, 1), (2, 2, 1)),
        # Side 2 wins it with a bid of 2: the highest bid standing is side 0's.
        ("B8 P7 S2", (0, 0, 2), (1, 1, 1), (1, 2, 2)),
        # Two stand at 8: they share, the third is behind both.
        ("B8 P8 S2", (0, 0, 2), (1, 1, 1), (1, 1, 3)),
        # All at 5.
        ("B5 P5 S5", (0, 0, 5), (1, 1, 1), (1, 1, 1)),
    ],
)
def test_best_of_three_tied_by_nuggets(
    bids: str, taken: tuple[int, ...], nuggets: tuple[int, ...], rank: tuple[int, ...]
) -> None:
    """The highest bid standing at the end of the last round decides among the tied; if still tied, shared."""
    game = played(3, BEST_OF_THREE, (0,), (1,))
    end_round(game, bids=bids, taken=taken)
    assert (nuggets, rank) == (game.result().nuggets, game.result().rank)


@rule("9", "The bid decides only who is first; the other sides are ranked by nuggets alone")
def test_the_bid_of_a_side_that_is_not_tied_does_not_count() -> None:
    """Side 2 has no nugget and stays last with the highest bid; of the tied the lower bid is second."""
    game = played(3, BEST_OF_THREE, (0, 1), (0, 1))
    end_round(game, bids="B8 P7 S9", taken=[0, 0, 0], gold=["G3", "G3", ""])
    assert GameResult(nuggets=(3, 3, 0), points=(5, 5, 0), rank=(1, 2, 3)) == game.result()


@rule("10", "best_of_three with four players and its tie-break")
@pytest.mark.parametrize(
    ("bids", "taken", "rank"),
    [
        # Both teams exceed their bid of 4: shared nugget, two each; and the same bid.
        ("B4 C4 P1 S2", (5, 5, 0, 0), (1, 1)),
        # Team 1 takes 8 with a bid of 4, team 0 takes 8 by exceeding 8: met exactly comes first, so 1 : 2.
        ("B8 C4 P1 S2", (9, 2, 0, 2), (2, 1)),
        # 0 : 0, so shared; team 1 stands at 9 by the partner's card.
        ("B8 C4 P7 S9", (0, 0, 0, 0), (2, 1)),
    ],
)
def test_best_of_three_tied_with_teams(bids: str, taken: tuple[int, ...], rank: tuple[int, ...]) -> None:
    """The team's bid, its higher card."""
    game = played(4, BEST_OF_THREE, (0,), (1,))
    end_round(game, bids=bids, taken=taken)
    assert rank == game.result().rank


@rule("9", "A bid that was raised by an exchange counts as it stands")
def test_a_raised_bid_counts_as_it_stands() -> None:
    """Side 0 lays a 9 for its 3 in the last window, and wins the tie against side 1's 8."""
    game = played(3, BEST_OF_THREE, (0,), (1,))
    number, first = game.round.number, game.round.first_player
    hands, gold = ["B2 Z9", "B4", ""], ["G1", "", ""]
    window = position(hands, gold=gold, bids="B3 P8 S1", taken=[0, 0, 1], phase=Phase.EXCHANGE)
    window.number, window.first_player = number, first
    game.round = window
    game.play(Exchange(Card.G1, Card.Z9, 0))
    game.play(Play(Card.B2))
    assert GameResult(nuggets=(1, 1, 1), points=(2, 2, 2), rank=(1, 2, 2)) == game.result()


@rule("9", "three_rounds_total (expert variant of every book)")
def test_three_rounds_total() -> None:
    """No nuggets; always three rounds; the most points in all; ties share."""
    game = played(4, THREE_ROUNDS_TOTAL, (0,), (0,))
    assert not game.over
    end_round(game, bids="B5 C4 P1 S1", taken=(0, 4, 0, 0))
    assert GameResult(nuggets=(0, 0), points=(4, 8), rank=(2, 1)) == game.result()
    assert [(), (), ()] == [result.winners for result in game.results]
    assert (1, 1, 3) == played(3, THREE_ROUNDS_TOTAL, (0,), (1,), ()).result().rank


@rule("10", "Finishing order beyond the winner")
def test_the_finishing_order() -> None:
    """By nuggets, or by points: one more than the number of sides strictly better."""
    assert (1, 2, 3) == played(3, FIRST_TO_TWO, (0,), (1,), (0,)).result().rank
    assert (1, 2, 2) == played(3, FIRST_TO_TWO, (0,), (0,)).result().rank
    assert (1, 1, 3) == played(3, FIRST_TO_TWO, (0, 1), (0, 1)).result().rank
    assert (1, 2, 3) == played(3, THREE_ROUNDS_TOTAL, (0,), (0,), (1,)).result().rank
    assert (1, 2, 2) == played(3, THREE_ROUNDS_TOTAL, (0,), (0,), ()).result().rank


@rule("10", "Number of nuggets in the box (3 or 4)")
def test_nuggets_are_not_limited() -> None:
    """Six of them in a game of two rounds, nine in one of three."""
    assert (2, 2, 2) == played(3, FIRST_TO_TWO, (0, 1, 2), (0, 1, 2)).result().nuggets
    assert (3, 3, 3) == played(3, BEST_OF_THREE, (0, 1, 2), (0, 1, 2), (0, 1, 2)).result().nuggets


@rule("9", "game_end |")
def test_the_presets_end_games_as_their_books_say() -> None:
    """Designer and German: first to two; Pandasaurus and Gigamic: best of three."""
    ends = {name: ruleset.game_end for name, ruleset in PRESETS.items()}
    assert {
        "designer": FIRST_TO_TWO,
        "pandasaurus": BEST_OF_THREE,
        "gigamic": BEST_OF_THREE,
        "german": FIRST_TO_TWO,
    } == ends
    assert ["first_to_two", "best_of_three", "three_rounds_total"] == [end.value for end in GameEnd]


@rule("9", "Every preset can be played with either value of gold_zeros")
@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("ruleset", NAMED_RULESETS, ids=[f"{r.preset}-{label(0, r)[3:]}" for r in NAMED_RULESETS])
def test_every_preset_and_variant_can_be_played(players: int, ruleset: Ruleset) -> None:
    """To the end, which is an end by its rules."""
    game = new_game(players, ruleset, 1)
    play_out(game, Random(1), kind_first)
    result = game.result()
    assert 1 in result.rank
    if ruleset.game_end is FIRST_TO_TWO:
        assert 2 == max(result.nuggets)
    else:
        assert 3 == len(game.results) or 2 == max(result.nuggets)


def test_a_game_has_no_result_before_its_end() -> None:
    """Asking for it is an error."""
    game = new_game(3, PRESETS["designer"], 0)
    with pytest.raises(ValueError, match="not over"):
        game.result()
