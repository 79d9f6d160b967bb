"""Bots at a table without processes or network: their turns are built straight from the rules."""

from collections.abc import Iterator, Sequence
from time import monotonic
from typing import cast

from aurum.bot import Bot, Card, GameInfo, Turn
from aurum.bot.session import Session
from aurum.rules import Bid, Deal, Exchange, Game, GameEnd, Move, Pass, Phase, Play, Round, Ruleset, side_of
from aurum.v1 import card_pb2, game_pb2, play_pb2

GAME_ENDS = {
    GameEnd.FIRST_TO_TWO: game_pb2.GAME_END_RULE_FIRST_TO_TWO,
    GameEnd.BEST_OF_THREE: game_pb2.GAME_END_RULE_BEST_OF_THREE,
    GameEnd.THREE_ROUNDS_TOTAL: game_pb2.GAME_END_RULE_THREE_ROUNDS_TOTAL,
}


def number(card: Card | None) -> card_pb2.Card.ValueType:
    return cast("card_pb2.Card.ValueType", 0 if card is None else card)


def numbers(cards: Sequence[Card]) -> list[card_pb2.Card.ValueType]:
    return [number(card) for card in cards]


def table_message(game: Game) -> game_pb2.Table:
    round_ = game.round
    table = game_pb2.Table(
        round=round_.number,
        first_player=round_.first_player,
        leader=round_.leader,
        to_act=round_.to_act,
        leftover=numbers(round_.leftover),
        supply=numbers(round_.supply_cards()),
    )
    for seat in range(round_.players):
        side = side_of(seat, round_.players)
        table.seats.add(
            collection=numbers(round_.collection(seat)),
            bid=number(round_.bids[seat] if round_.bids_revealed else None),
            tricks_taken=round_.tricks_taken[seat],
            hand_size=len(round_.hand(seat)),
            nuggets=game.nuggets[side],
            points=[result.points[side] for result in game.results],
        )
    if round_.trick:
        table.trick.leader = round_.leader
        table.trick.cards.extend(numbers(round_.trick))
    for trick in round_.tricks:
        table.tricks.add(
            leader=trick.leader,
            cards=numbers(trick.cards),
            winner=trick.winner,
            collector=trick.collector,
            collected=number(trick.collected),
        )
    for change in round_.exchanges:
        table.exchanges.add(
            trick=change.trick,
            seat=change.seat,
            gold=number(change.gold),
            bid_seat=change.bid_seat,
            laid=number(change.laid),
            taken=number(change.taken),
        )
    return table


def turn_message(game: Game, turn_number: int, game_id: int = 1) -> play_pb2.Turn:
    """The turn of the seat to act."""
    round_ = game.round
    moves = round_.legal_moves()
    if round_.phase is Phase.EXCHANGE:
        cards = list(round_.hand(round_.to_act))
    else:
        cards = [move.card for move in moves if isinstance(move, Bid | Play)]
    return play_pb2.Turn(
        game=game_id,
        number=turn_number,
        phase=cast("game_pb2.Phase.ValueType", round_.phase),
        table=table_message(game),
        hand=numbers(round_.hand(round_.to_act)),
        own_bid=number(round_.bids[round_.to_act]),
        legal_cards=numbers(cards),
        may_pass=any(isinstance(move, Pass) for move in moves),
        time_left_ms=1000,
    )


def start_message(game: Game, seat: int, game_id: int = 1) -> play_pb2.GameStart:
    rules = game.ruleset
    return play_pb2.GameStart(
        game=game_id,
        seat=seat,
        players=game.deal.players,
        ruleset=game_pb2.Ruleset(preset=rules.preset, gold_zeros=rules.gold_zeros, game_end=GAME_ENDS[rules.game_end]),
        seed=int.from_bytes(game.deal.key[:5], "big") * 4 + seat,
        clock=play_pb2.Clock(turn_ms=1000),
    )


def move_of(action: play_pb2.Action, phase: Phase) -> Move:
    match action.WhichOneof("move"):
        case "card":
            return Bid(Card(action.card)) if phase is Phase.BID else Play(Card(action.card))
        case "exchange":
            exchange = action.exchange
            return Exchange(Card(exchange.gold), Card(exchange.card), exchange.seat)
        case _:
            return Pass()


def positions(game: Game, bots: Sequence[Bot]) -> Iterator[tuple[Turn, Round]]:
    """Play a game to its end; before each move the turn and the true position behind it.

    The bots answer through their SDK, so that an answer that is not legal raises.
    """
    sessions = [Session(bot) for bot in bots]
    infos = [GameInfo(start_message(game, seat)) for seat in range(len(bots))]
    counts = [0] * len(bots)
    for seat, session in enumerate(sessions):
        start = play_pb2.Update(game_start=start_message(game, seat))
        session.take(start, monotonic(), play_pb2.PlayRequest())
    while not game.over:
        seat, phase = game.to_act, game.phase
        counts[seat] += 1
        message = turn_message(game, counts[seat])
        yield Turn(message, infos[seat], monotonic()), game.round
        answers = play_pb2.PlayRequest()
        sessions[seat].take(play_pb2.Update(turn=message), monotonic(), answers)
        game.play(move_of(answers.actions[0], phase))


def play_out(ruleset: Ruleset, deal: Deal, bots: Sequence[Bot]) -> Game:
    """A whole game."""
    game = Game(ruleset, deal)
    for _ in positions(game, bots):
        pass
    return game
