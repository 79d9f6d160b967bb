"""What a turn tells a bot, against the position behind it."""

from collections import Counter
from random import Random
from time import monotonic

import pytest
from aurum.bot import PASS, Bot, Card, Exchange, GameInfo, Move, Phase, Play, Turn
from aurum.bot.errors import AuthorError, IllegalAnswer
from aurum.bot.session import Session
from aurum.rules import PRESETS, Deal, Game, Round, Ruleset, base_cards, deal_key, gold_of, side_of
from aurum.v1 import play_pb2
from inprocess import positions, start_message, turn_message

TABLES = [
    pytest.param(players, ruleset, id=f"{players}p-{name}") for players in (3, 4) for name, ruleset in PRESETS.items()
]


class Wild(Bot):
    """Any legal move; half of all exchange windows are declined, so that rounds go on to rare endings."""

    def choose(self, turn: Turn) -> Move:
        if turn.phase is Phase.EXCHANGE and turn.rng.random() < 0.5:
            return PASS
        return turn.rng.choice(turn.legal)


def game(players: int, ruleset: Ruleset, number: int) -> Game:
    return Game(ruleset, Deal(deal_key(b"turns", number), players))


def turn_of(game: Game) -> Turn:
    return Turn(turn_message(game, 1), GameInfo(start_message(game, game.to_act)), monotonic())


@pytest.mark.parametrize(("players", "ruleset"), TABLES)
def test_a_turn_tells_what_the_rules_say(players: int, ruleset: Ruleset) -> None:
    """At every turn of ten games: legal moves in order, hand, bid, and every public fact."""
    for number in range(10):
        played = game(players, ruleset, number)
        for turn, truth in positions(played, [Wild()] * players):
            seats = range(players)
            table = turn.table
            sides = [side_of(seat, players) for seat in seats]
            assert turn.legal == truth.legal_moves()
            assert turn.phase is truth.phase
            assert turn.seat == truth.to_act == table.to_act
            assert turn.hand == truth.hand(turn.seat)
            assert turn.own_bid is truth.bids[turn.seat]
            assert turn.may_pass == (PASS in turn.legal)
            assert turn.players == players
            assert turn.ruleset == ruleset
            assert table.round == truth.number
            assert table.first_player == truth.first_player
            assert table.leader == truth.leader
            assert table.leftover == tuple(sorted(truth.leftover))
            assert table.supply == gold_of(truth.supply)
            assert table.collections == tuple(map(truth.collection, seats))
            assert table.bids == (tuple(truth.bids) if truth.bids_revealed else (None,) * players)
            assert table.tricks_taken == tuple(truth.tricks_taken)
            assert table.hand_sizes == tuple(len(truth.hand(seat)) for seat in seats)
            assert table.nuggets == tuple(played.nuggets[side] for side in sides)
            assert table.points == tuple(tuple(result.points[side] for result in played.results) for side in sides)
            assert [card for _, card in table.trick] == truth.trick
            assert [seat for seat, _ in table.trick] == [(truth.leader + i) % players for i in range(len(truth.trick))]
            assert list(table.tricks) == truth.tricks
            assert list(table.exchanges) == truth.exchanges


@pytest.mark.parametrize(("players", "ruleset"), TABLES)
def test_a_sample_agrees_with_everything_the_view_says(players: int, ruleset: Ruleset) -> None:
    """At every turn of four games: public facts, own cards and known cards stand, no card is lost or double."""
    for number in range(4):
        for turn, truth in positions(game(players, ruleset, number), [Wild()] * players):
            sample = turn.sample(Random(number))
            seats = range(players)
            assert sample.legal_moves() == turn.legal
            assert sample.hand(turn.seat) == truth.hand(turn.seat)
            assert sample.bids[turn.seat] == truth.bids[turn.seat]
            assert [bid is None for bid in sample.bids] == [bid is None for bid in truth.bids]
            assert [len(sample.hand(seat)) for seat in seats] == [len(truth.hand(seat)) for seat in seats]
            assert placed(sample) == placed(truth) == sorted(base_cards(players))
            assert public(sample) == public(truth)
            for seat in seats:
                assert set(turn.known_hand(seat)) <= set(sample.hand(seat)) & set(truth.hand(seat))


def placed(position: Round) -> list[Card]:
    """Every base card that is somewhere, ascending."""
    cards = [*position.leftover, *position.trick, *(card for trick in position.tricks for card in trick.cards)]
    cards += [bid for bid in position.bids if bid is not None]
    cards += [card for seat in range(position.players) for card in position.hand(seat)]
    return sorted(card for card in cards if not card.is_gold)


def public(position: Round) -> list[object]:
    facts: list[object] = [position.number, position.first_player, position.leader, position.to_act, position.phase]
    facts += [position.collections, position.supply, sorted(position.leftover), position.tricks_taken]
    facts += [position.trick, position.tricks, position.exchanges, position.ended_by]
    return [*facts, position.bids if position.bids_revealed else None]


@pytest.mark.parametrize(("players", "ruleset"), TABLES)
def test_a_sample_can_be_played_on(players: int, ruleset: Ruleset) -> None:
    """The true position and a sample of it take the same next move to the same public facts."""
    for turn, truth in positions(game(players, ruleset, 7), [Wild()] * players):
        if turn.phase is not Phase.BID:
            sample, truth = turn.sample(Random(1)), truth.copy()
            move = Random(turn.number).choice(turn.legal)
            sample.play(move)
            truth.play(move)
            if Phase.OVER not in (sample.phase, truth.phase):
                assert public(sample) == public(truth)
            while sample.phase is not Phase.OVER:
                sample.play(Random(2).choice(sample.legal_moves()))
            assert sum(sample.score().tricks) == len(sample.tricks)


def test_samples_deal_every_unseen_card_to_every_hidden_place_alike() -> None:
    """Three players, the second to bid: each unseen card is in each other hand equally often, or bid face down."""
    played = game(3, PRESETS["designer"], 0)
    played.play(played.legal_moves()[0])
    turn = turn_of(played)
    rng = Random(5)
    places: Counter[tuple[Card, int]] = Counter()
    bids: Counter[Card | None] = Counter()
    n = 6000
    first, last = (turn.seat + 2) % 3, (turn.seat + 1) % 3
    for _ in range(n):
        sample = turn.sample(rng)
        bids[sample.bids[first]] += 1
        places.update((card, seat) for seat in (first, last) for card in sample.hand(seat))
    assert len(turn.unseen) == 24
    assert set(bids) == set(turn.unseen)
    for card in turn.unseen:
        assert bids[card] == pytest.approx(n / 24, rel=0.3)
        assert places[card, last] == pytest.approx(n / 2, rel=0.08)
        assert places[card, first] == pytest.approx(n * 11 / 24, rel=0.08)


def test_a_bid_card_taken_into_a_hand_is_known_to_be_there_until_it_leaves() -> None:
    """Everyone saw where it went: as long as it is in that hand, every seat knows it, and no longer."""
    seen = 0
    for number in range(20):
        for turn, truth in positions(game(4, PRESETS["german"], number), [Wild()] * 4):
            for change in turn.table.exchanges:
                holders = [seat for seat in range(4) if change.taken in truth.hand(seat)]
                assert [seat for seat in range(4) if change.taken in turn.known_hand(seat)] == holders
                assert change.taken not in turn.unseen
                seen += len(holders)
    assert seen > 100


def test_time_left_runs_while_the_bot_thinks() -> None:
    """It counts from the turn's arrival, in seconds."""
    message = turn_message(game(4, PRESETS["designer"], 0), 1)
    message.time_left_ms = 1500
    turn = Turn(message, turn_of(game(4, PRESETS["designer"], 0)).game, received=monotonic() - 1)
    assert 0 < turn.time_left <= 0.5


def test_chance_is_the_games_own() -> None:
    """Two games in flight do not mix: each draws from its own seed, whatever the order of the turns."""
    one, other = (turn_of(game(4, PRESETS["designer"], number)) for number in (0, 1))
    assert one.rng is one.game.rng
    drawn = one.rng.random(), other.rng.random(), one.rng.random()
    one, other = (turn_of(game(4, PRESETS["designer"], number)) for number in (0, 1))
    assert (one.rng.random(), one.rng.random(), other.rng.random()) == (drawn[0], drawn[2], drawn[1])


def test_a_turn_and_its_table_can_be_read_by_people() -> None:
    turn = turn_of(game(4, PRESETS["designer"], 0))
    hand = " ".join(map(str, turn.hand))
    assert repr(turn).startswith(
        f"<Turn 1 of game 1: BID of seat {turn.seat}, hand {hand}, own bid -, legal: bid {turn.hand[0]}, "
    )
    assert repr(turn.table).startswith("<Table of round 1, trick 1: - (0: bid -, 0 tricks, 12 cards; 1: bid -, ")


class Stubborn(Bot):
    """Gives the answer it was made with."""

    def __init__(self, answer: object) -> None:
        self.answer = answer

    def choose(self, turn: Turn) -> Move:
        return self.answer  # type: ignore[return-value]


@pytest.mark.parametrize(
    "answer", [None, 17, "B1", Card.G0, PASS, Play(Card.B1), Exchange(Card.G1, Card.B1, 0)], ids=repr
)
def test_an_answer_that_is_no_legal_bid_is_an_error(answer: object) -> None:
    """Whatever it is; the error is the author's, and nothing is sent."""
    played = game(4, PRESETS["designer"], 0)
    session = Session(Stubborn(answer))
    answers = play_pb2.PlayRequest()
    session.take(play_pb2.Update(game_start=start_message(played, played.to_act)), 0.0, answers.actions)
    with pytest.raises(AuthorError) as caught:
        session.take(play_pb2.Update(turn=turn_message(played, 1)), 0.0, answers.actions)
    assert isinstance(caught.value.__cause__, IllegalAnswer)


@pytest.mark.parametrize("players", [3, 4])
def test_every_legal_move_and_nothing_else_is_accepted(players: int) -> None:
    """At every turn of a game, of all moves there are: those the rules allow; in an exchange window no bare card."""
    played = game(players, PRESETS["gigamic"], 3)
    everything: list[Move | Card] = [PASS, *Card, *map(Play, Card)]
    everything += [Exchange(gold, Card.B5, seat) for gold in (Card.G0, Card.G1, Card.B1) for seat in range(4)]
    for turn, truth in positions(played, [Wild()] * players):
        accepted = {move for move in [*everything, *turn.legal] if is_accepted(turn, move)}
        cards = {move.card for move in turn.legal if not isinstance(move, Exchange) and move != PASS}  # type: ignore[union-attr]
        assert accepted == {*truth.legal_moves(), *cards}


def is_accepted(turn: Turn, move: Move | Card) -> bool:
    session = Session(Stubborn(move))
    answers = play_pb2.PlayRequest()
    session.take(play_pb2.Update(game_start=turn.game.message), 0.0, answers.actions)
    try:
        session.take(play_pb2.Update(turn=turn.message), 0.0, answers.actions)
    except AuthorError:
        return False
    return True
