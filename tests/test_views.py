"""A seat is sent its legal view and nothing else (docs/rules.md section 11)."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import pytest
from aurum.referee import game as referee_game
from aurum.rules import (
    PRESETS,
    Card,
    Deal,
    Game,
    GameEnd,
    Move,
    Pass,
    Phase,
    Round,
    RoundCards,
    Ruleset,
    hand_of,
)
from aurum.v1 import play_pb2
from aurum.wire.view import TableView, fill_round_end, fill_turn
from hypothesis import given, settings
from hypothesis import strategies as st
from running import Sitting

RULESETS = [Ruleset(zeros, end) for zeros, end in product((False, True), GameEnd)]
worlds = {
    "players": st.sampled_from((3, 4)),
    "ruleset": st.sampled_from(RULESETS),
    "seed": st.integers(0, 2**32),
}


def chooser(rng: random.Random) -> Callable[[tuple[Move, ...]], Move]:
    """Random moves that hold back at times, so that rounds end in every way."""

    def choose(moves: tuple[Move, ...]) -> Move:
        passes = [move for move in moves if isinstance(move, Pass)]
        return passes[0] if passes and rng.random() < 0.5 else rng.choice(moves)

    return choose


def key_of(seed: int) -> bytes:
    return seed.to_bytes(32, "big")


def known_in_hand(current: Round, seat: int) -> set[Card]:
    """Cards that everyone has seen this seat take into its hand and not play since."""
    taken = {change.taken for change in current.exchanges if change.seat == seat}
    return taken & set(current.hand(seat))


def other_world(current: Round, viewer: int, rng: random.Random) -> Round:
    """The same round but for the cards hidden from `viewer`: they are dealt anew among their places."""
    other = current.copy()
    places = []
    pool: list[Card] = []
    for seat in range(current.players):
        if seat == viewer:
            continue
        hidden = sorted(set(current.hand(seat)) - known_in_hand(current, seat))
        pool += hidden
        places.append((seat, len(hidden)))
        bid = current.bids[seat]
        if bid is not None and not current.bids_revealed:
            pool.append(bid)
    rng.shuffle(pool)
    for seat, count in places:
        drawn = [pool.pop() for _ in range(count)]
        other.hands[seat] = hand_of([*drawn, *known_in_hand(current, seat)])
        if other.bids[seat] is not None and not current.bids_revealed:
            other.bids[seat] = pool.pop()
    return other


def turn_bytes(game: Game, current: Round) -> bytes:
    """The turn of the seat to act, as it is sent, if `current` were the game's round."""
    there = game.copy()
    there.round = current
    turn = play_pb2.Turn(game=1, number=1, time_left_ms=1000)
    TableView(there, turn.table)
    fill_turn(turn, current)
    return turn.SerializeToString(deterministic=True)


@settings(max_examples=60, deadline=None)
@given(**worlds)
def test_a_turn_does_not_depend_on_hidden_cards(players: int, ruleset: Ruleset, seed: int) -> None:
    """At every turn of a game, its bytes are the same in another world that the seat could not tell apart."""
    rng = random.Random(seed)
    game = Game(ruleset, Deal(key_of(seed), players))
    choose = chooser(rng)
    while not game.over:
        other = other_world(game.round, game.to_act, rng)
        assert turn_bytes(game, game.round) == turn_bytes(game, other)
        game.play(choose(game.legal_moves()))


@settings(max_examples=60, deadline=None)
@given(**worlds)
def test_the_end_of_a_round_shows_one_hand(players: int, ruleset: Ruleset, seed: int) -> None:
    """RoundEnd has the same bytes whatever those hold who did not end the round."""
    rng = random.Random(seed)
    game = Game(ruleset, Deal(key_of(seed), players))
    choose = chooser(rng)
    while not game.over:
        before = game.copy()
        game.play(choose(game.legal_moves()))
        ended = game.finished
        if ended is None:
            continue
        other = ended.copy()
        assert ended.ended_by is not None
        hidden = other_world(ended, ended.ended_by, rng)
        other.hands = hidden.hands
        messages = []
        for world in (ended, other):
            before.round = world
            message = play_pb2.RoundEnd(game=1)
            fill_round_end(message, TableView(before).message, world, game.results[-1])
            messages.append(message.SerializeToString(deterministic=True))
        assert messages[0] == messages[1]


@dataclass(frozen=True)
class FixedDeal:
    """A deal whose rounds are given."""

    key: bytes
    players: int
    first_player: int
    rounds: tuple[RoundCards, ...]

    def round(self, number: int) -> RoundCards:
        return self.rounds[number - 1]


def play_script(
    ruleset: Ruleset, deal: FixedDeal, moves: list[Move], monkeypatch: pytest.MonkeyPatch
) -> tuple[Sitting, list[list[bytes]]]:
    """Play given moves over a given deal; the bytes of every update to every seat."""
    monkeypatch.setattr(referee_game, "Deal", lambda key, players: deal)
    sitting = Sitting(ruleset, deal.players).begin()
    for move in moves:
        sitting.answer(move)
    assert sitting.ended == 1
    streams = [[update.SerializeToString(deterministic=True) for update in p.updates] for p in sitting.players]
    return sitting, streams


def two_worlds(players: int, ruleset: Ruleset, seed: int) -> tuple[FixedDeal, FixedDeal, list[Move], int] | None:
    """A whole game in two worlds that one seat can never tell apart: unplayed, unshown cards have changed hands.

    Returns both deals, the moves, and the seat; None if this seed has no such cards.
    """
    rng = random.Random(seed)
    deal = Deal(key_of(seed), players)
    game = Game(ruleset, deal)
    choose = chooser(rng)
    moves: list[Move] = []
    rounds: list[tuple[RoundCards, Round]] = []
    while not game.over:
        cards = game.cards
        moves.append(choose(game.legal_moves()))
        game.play(moves[-1])
        if game.finished is not None:
            rounds.append((cards, game.finished))
    # Two seats must be left beside the viewer and the one who shows its hand.
    ender = rounds[0][1].ended_by
    viewer = rng.randrange(players) if players == 4 or ender is None else ender
    there = tuple(swapped(cards, ended, viewer) for cards, ended in rounds)
    here = tuple(cards for cards, _ in rounds)
    if here == there:
        return None
    world, other = (FixedDeal(deal.key, players, deal.first_player, cards) for cards in (here, there))
    return world, other, moves, viewer


def swapped(cards: RoundCards, ended: Round, viewer: int) -> RoundCards:
    """The cards of a round with cards that the viewer never saw swapped between two other hands."""
    hands = [list(hand) for hand in cards.hands]
    shown = {card for change in ended.exchanges for card in (change.laid, change.taken)}
    others = [seat for seat in range(ended.players) if seat not in (viewer, ended.ended_by)]
    if len(others) >= 2:
        a, b = others[:2]
        mine, theirs = ([card for card in ended.hand(s) if card in hands[s] and card not in shown] for s in (a, b))
        for one, another in zip(mine, theirs, strict=False):
            hands[a][hands[a].index(one)] = another
            hands[b][hands[b].index(another)] = one
    return RoundCards(tuple(map(tuple, hands)), cards.leftover)


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda r: f"{r.game_end.value}-{'zeros' if r.gold_zeros else 'none'}")
@pytest.mark.parametrize("players", [3, 4])
def test_a_whole_stream_does_not_depend_on_hidden_cards(
    players: int, ruleset: Ruleset, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every byte of every update of a game is the same in a world that differs in cards the seat never sees."""
    compared = 0
    for seed in range(40):
        worlds = two_worlds(players, ruleset, seed)
        if worlds is None:
            continue
        here, there, moves, viewer = worlds
        _, one = play_script(ruleset, here, moves, monkeypatch)
        _, other = play_script(ruleset, there, moves, monkeypatch)
        assert one[viewer] == other[viewer]
        assert one != other, "the other seats' own hands do differ"
        compared += 1
    assert compared >= 10


def test_a_planted_leak_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison of worlds fails if a turn carries one hidden card."""
    honest = fill_turn

    def leaking(turn: play_pb2.Turn, current: Round) -> None:
        honest(turn, current)
        turn.time_left_ms = sum(current.hand((current.to_act + 1) % current.players))

    caught = False
    for seed in range(40):
        worlds = two_worlds(4, PRESETS["german"], seed)
        if worlds is None:
            continue
        here, there, moves, viewer = worlds
        monkeypatch.setattr(referee_game, "fill_turn", leaking)
        _, one = play_script(PRESETS["german"], here, moves, monkeypatch)
        _, other = play_script(PRESETS["german"], there, moves, monkeypatch)
        caught = caught or one[viewer] != other[viewer]
    assert caught


def test_the_table_moves_along_with_the_game() -> None:
    """The table kept up to date move by move equals one built afresh, after every move."""
    for players, ruleset, seed in product((3, 4), RULESETS, range(6)):
        game = Game(ruleset, Deal(key_of(seed), players))
        view = TableView(game)
        choose = chooser(random.Random(seed))
        while not game.over:
            current, seat, move = game.round, game.to_act, choose(game.legal_moves())
            game.play(move)
            view.advance(current, seat, move)
            if game.finished is not None and not game.over:
                view.deal(game)
            if not game.over:
                assert TableView(game).message == view.message


def test_a_turn_holds_nothing_of_what_another_seat_was_asked() -> None:
    """All turns of a game share a message; each equals one built afresh from the position."""
    for players, ruleset, seed in product((3, 4), RULESETS, range(3)):
        sitting = Sitting(ruleset, players, key=key_of(seed)).begin()
        choose = chooser(random.Random(seed))
        while not sitting.game.over:
            turn = sitting.turn
            fresh = play_pb2.Turn(game=turn.game, number=turn.number, time_left_ms=turn.time_left_ms)
            TableView(sitting.game, fresh.table)
            fill_turn(fresh, sitting.game.round)
            assert fresh == turn
            sitting.answer(choose(sitting.game.legal_moves()))


def _field_names(descriptor: object, seen: set[str]) -> set[str]:
    names: set[str] = set()
    for field in descriptor.fields:  # type: ignore[attr-defined]
        names.add(field.name)
        if field.message_type is not None and field.message_type.full_name not in seen:
            seen.add(field.message_type.full_name)
            names |= _field_names(field.message_type, seen)
    return names


def test_no_message_to_a_bot_has_a_place_for_secrets() -> None:
    """Nothing named after the deal, its key, or another's clock can be sent: the only seed is the bot's own."""
    names = _field_names(play_pb2.PlayResponse.DESCRIPTOR, set())
    assert not {name for name in names if "deal" in name or "key" in name or "secret" in name or "clocks" in name}
    assert [f.name for f in play_pb2.GameStart.DESCRIPTOR.fields if "seed" in f.name] == ["seed"]
    assert not [f.name for f in play_pb2.Turn.DESCRIPTOR.fields if "seed" in f.name]


def test_every_phase_was_compared() -> None:
    """The random games above reach every phase for every player count and ruleset."""
    for players, ruleset in product((3, 4), RULESETS):
        game = Game(ruleset, Deal(key_of(1), players))
        choose = chooser(random.Random(1))
        phases = set()
        while not game.over:
            phases.add(game.phase)
            game.play(choose(game.legal_moves()))
        assert {Phase.BID, Phase.EXCHANGE, Phase.LEAD, Phase.FOLLOW} == phases
