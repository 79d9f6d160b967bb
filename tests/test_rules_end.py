"""How a round comes to its end (docs/rules.md section 7)."""

from random import Random

import pytest
from aurum.records.listener import announce_deal, announce_round_end
from aurum.records.recorder import Recorder
from aurum.rules import PASS, PLAYS, Card, Game, IllegalMove, Phase, Play, Reason, RoundEnd, Trick
from positions import cards, moves, play, position, supply
from rulebook import rule
from strategies import COMBINATIONS, kind_first, new_game, play_out


@rule("7", "At once when")
@rule("7", "A player on turn to follow with neither a playable base card nor gold has no choice")
@rule("12", "a hand whose suits are all in the trick, no gold")
def test_a_player_who_cannot_follow_ends_the_round() -> None:
    """Seat 2 has only suits that are in the trick, and no gold: over at once, without a move of theirs."""
    table = play(position(["B1 S1", "C4 S2", "B5 C6 B7", "Z8"], taken=[2, 3, 1, 0]), "B1 C4")
    assert (Phase.OVER, 2, RoundEnd.FORCED) == (table.phase, table.ended_by, table.end)
    assert [] == table.tricks
    assert [2, 3, 1, 0] == table.tricks_taken


@rule("7", "the player on turn to follow has no playable base card, and either has no gold or chooses not to play it")
@rule("6", "follow, no such card | each gold rank held, and end the round")
@rule("12", "the same with G0 and G5 held, player declines")
def test_a_player_may_decline_to_play_gold() -> None:
    """Seat 2 may play either gold card or end the round; then its gold scores 0 + 2."""
    table = play(position(["B1", "C4", "B5 C6", "Z8"], gold=["", "", "G0 G5", ""]), "B1 C4")
    assert {"play G0", "play G5", "pass"} == moves(table)
    going_on = play(table.copy(), "G0")
    assert (Phase.FOLLOW, 3) == (going_on.phase, going_on.to_act)
    table.play(PASS)
    assert (Phase.OVER, 2, RoundEnd.DECLINED) == (table.phase, table.ended_by, table.end)
    assert cards("G0 G5") == table.collection(2)
    assert 2 == table.score().gold_points[0]


@rule("7", "the next leader has no base card to lead")
def test_a_leader_without_a_base_card_ends_the_round() -> None:
    """Seat 1 has the lowest card and no other: over as soon as the trick is resolved, before any window."""
    table = play(position(["B5 S1", "C2", "P7 Z1", "S9 Z2"], gold=["G7", "", "", ""]), "B5 C2 P7 S9")
    assert [Trick(0, cards("B5 C2 P7 S9"), 3, 1, Card.G2)] == table.tricks
    assert [0, 0, 0, 1] == table.tricks_taken
    assert cards("G2") == table.collection(1)
    assert (Phase.OVER, 1, RoundEnd.NO_LEAD) == (table.phase, table.ended_by, table.end)
    assert [] == table.unfinished


@rule("10", 'German: "the holder of the Alchemist\'s Stone can play no card" ends the round')
def test_only_the_leader_needs_a_base_card() -> None:
    """The first player has none left, but does not lead: the round goes on."""
    table = play(position(["B5", "C2 B1", "P7 Z1", "S9 Z2"]), "B5 C2 P7 S9")
    assert (Phase.EXCHANGE, 1) == (table.phase, table.to_act)
    table.play(PASS)
    assert (Phase.LEAD, 1) == (table.phase, table.to_act)
    assert () == table.hand(0)


@rule("7", "The player who ends it shows their whole remaining hand to everyone")
def test_the_hand_that_ended_the_round_is_known() -> None:
    """It is still there, as it was."""
    table = play(position(["B1 S1", "C4 S2", "B5 C6 B7", "Z8"]), "B1 C4")
    assert table.ended_by == 2
    assert cards("B5 B7 C6") == table.hand(2)


@rule("7", "The unfinished trick counts for nothing")
@rule("10", "Gold spent in a round-ending trick")
def test_the_unfinished_trick_counts_for_nothing() -> None:
    """Nobody wins or collects; gold in it is in the supply and scores nothing; base cards are in no hand."""
    table = play(position(["B1 S1", "C4 S2", "B5", "Z8"], gold=["", "G8 G3", "", ""]), "B1 G8")
    assert (Phase.OVER, 2) == (table.phase, table.ended_by)
    assert [0, 0, 0, 0] == table.tricks_taken
    assert cards("G3") == table.collection(1)
    assert Card.G8 in supply(table)
    assert 2 == supply(table).count(Card.G1), "the 1 collected nothing"
    assert cards("B1 G8") == tuple(table.unfinished)
    assert [] == table.trick
    assert cards("S1") == table.hand(0)
    assert (0, 1) == table.score().gold_points


def record_of(game: Game) -> Recorder:
    """Play the round under way, always the first legal move, and record it."""
    current = game.round
    recorder = Recorder(game, "t/m/0/0", 0)
    announce_deal(game, (recorder,))
    while current.phase is not Phase.OVER:
        seat, move = game.to_act, game.legal_moves()[0]
        game.play(move)
        recorder.moved(seat, move)
    announce_round_end(game, (recorder,))
    return recorder


def first_round_ending(end: RoundEnd) -> Recorder:
    """The record of a round, always the first legal move being played, that comes to this end."""
    for number in range(1000):
        game = new_game(3, COMBINATIONS[0][1], number)
        recorder = record_of(game)
        assert game.finished is not None
        if game.finished.end is end:
            return recorder
    raise AssertionError(f"no round of a thousand ended by {end}")


@rule("7", "A player on turn to follow with neither a playable base card nor gold has no choice")
def test_a_forced_end_is_recorded_as_a_pass_by_the_referee() -> None:
    """The last move of the record."""
    entries = first_round_ending(RoundEnd.FORCED).record.rounds[0]
    assert "pass" == entries.moves[-1].WhichOneof("move")
    assert entries.moves[-1].by_referee
    assert entries.result.ended_by == entries.moves[-1].seat


@rule("7", "A leader without a base card makes no move at all")
def test_a_leader_without_a_base_card_is_only_named() -> None:
    """The last move is the card that completed the trick."""
    entries = first_round_ending(RoundEnd.NO_LEAD).record.rounds[0]
    assert "play" == entries.moves[-1].WhichOneof("move")
    assert not any(move.by_referee for move in entries.moves)


@rule("7", "Because followers may play gold and so keep base cards, a round can have more than 11 tricks")
def test_a_round_can_have_more_than_eleven_tricks() -> None:
    """Seat 1 answers with gold and keeps its card: a twelfth trick is played and kept like any other."""
    earlier = [Trick(0, cards("B2 P3 S4"), 2, 0, None)] * 11
    table = position(["B5 B6 B7", "P8 P9", "S8 S9"], gold=["", "G1", ""], tricks=earlier, taken=[0, 0, 11])
    play(table, "B5 G1 S9")
    assert 12 == len(table.tricks)
    assert [0, 1, 11] == table.tricks_taken
    longest = 0
    for number in range(300):
        game, rng = new_game(3, COMBINATIONS[3][1], number), Random(number)
        while not game.over:
            game.play(kind_first(rng, game.legal_moves()))
            longest = max(longest, len(game.finished.tricks) if game.finished else 0)
    assert 11 < longest <= 17


@rule("10", "May a forced card be played for the bot?")
def test_a_player_with_one_legal_card_is_asked() -> None:
    """One legal move, and it is theirs to make: leading the last card, and following with the only open suit."""
    table = position(["B5", "C4 B2", "P6", "S7"], gold=["", "", "", ""])
    assert {"play B5"} == moves(table)
    assert Phase.LEAD is table.phase
    play(table, "B5")
    assert (Phase.FOLLOW, 1, {"play C4"}) == (table.phase, table.to_act, moves(table))


def test_nothing_can_be_played_once_it_is_over() -> None:
    """No legal moves; any move is rejected with its reason."""
    table = play(position(["B1", "B2", "", ""]), "B1")
    assert () == table.legal_moves()
    for move in (PASS, PLAYS[Card.B2]):
        with pytest.raises(IllegalMove) as error:
            table.play(move)
        assert Reason.OVER is error.value.reason


def test_the_last_player_to_follow_can_end_the_round_too() -> None:
    """Three cards lie in the trick already; all three count for nothing."""
    table = play(position(["B1 Z1", "C2 Z2", "P3 Z3", "B9 C9 P9"], gold=["", "", "", "G4"]), "B1 C2 P3")
    assert {"play G4", "pass"} == moves(table)
    table.play(PASS)
    assert cards("B1 C2 P3") == tuple(table.unfinished)
    assert [0, 0, 0, 0] == table.tricks_taken


def test_a_follower_set_up_with_nothing_to_play_has_ended_the_round() -> None:
    """As in play: a position built by `Round.at` asks nobody who has no choice."""
    table = position(["B1", "S2", "C3", "C4"], trick="C5 P6 S7", leader=2)
    assert set() == moves(table)
    assert (Phase.OVER, 1, RoundEnd.FORCED) == (table.phase, table.ended_by, table.end)
    assert cards("C5 P6 S7") == tuple(table.unfinished)
    with pytest.raises(IllegalMove, match="the game is over"):
        table.play(PLAYS[Card.S2])


def test_a_game_over_has_no_moves() -> None:
    """As its last round."""
    game = new_game(4, COMBINATIONS[6][1], 1)
    play_out(game, Random(1), kind_first)
    assert game.over
    assert () == game.legal_moves()
    with pytest.raises(IllegalMove, match="the game is over"):
        game.play(Play(Card.B1))
