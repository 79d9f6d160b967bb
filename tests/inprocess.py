"""Bots at a table without processes or network: they get the referee's views and answer through their SDK."""

from collections.abc import Iterator, Sequence
from time import monotonic

from aurum.bot import Bot, GameInfo, Turn
from aurum.bot.session import Session
from aurum.rules import Bid, Card, Deal, Exchange, Game, GameEnd, Move, Pass, Phase, Play, Round, Ruleset
from aurum.v1 import game_pb2, play_pb2
from aurum.wire.view import TableView, fill_turn

GAME_ENDS = {
    GameEnd.FIRST_TO_TWO: game_pb2.GAME_END_RULE_FIRST_TO_TWO,
    GameEnd.BEST_OF_THREE: game_pb2.GAME_END_RULE_BEST_OF_THREE,
    GameEnd.THREE_ROUNDS_TOTAL: game_pb2.GAME_END_RULE_THREE_ROUNDS_TOTAL,
}


def turn_message(game: Game, number: int, game_id: int = 1) -> play_pb2.Turn:
    """The turn of the seat to act, as the referee sends it."""
    message = play_pb2.Turn(game=game_id, number=number, time_left_ms=1000)
    TableView(game, message.table)
    fill_turn(message, game.round)
    return message


def start_message(game: Game, seat: int, game_id: int = 1) -> play_pb2.GameStart:
    """The beginning of a game, as a seat is told it."""
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
    """What an action says, as the rules know it."""
    match action.WhichOneof("move"):
        case "card":
            return Bid(Card(action.card)) if phase is Phase.BID else Play(Card(action.card))
        case "exchange":
            exchange = action.exchange
            return Exchange(Card(exchange.gold), Card(exchange.card), exchange.seat)
        case _:
            return Pass()


def positions(game: Game, bots: Sequence[Bot]) -> Iterator[tuple[Turn, Round]]:
    """Play a game to its end; before each move, its turn and the true position behind it.

    An answer that is not legal raises: from the SDK, or from the rules.
    """
    sessions = [Session(bot) for bot in bots]
    infos = [GameInfo(start_message(game, seat)) for seat in range(len(bots))]
    counts = [0] * len(bots)
    for seat, session in enumerate(sessions):
        start = play_pb2.Update(game_start=start_message(game, seat))
        session.take(start, monotonic(), play_pb2.PlayRequest().actions)
    while not game.over:
        seat, phase = game.to_act, game.phase
        counts[seat] += 1
        message = turn_message(game, counts[seat])
        yield Turn(message, infos[seat], monotonic()), game.round
        answers = play_pb2.PlayRequest()
        sessions[seat].take(play_pb2.Update(turn=message), monotonic(), answers.actions)
        game.play(move_of(answers.actions[0], phase))


def play_out(ruleset: Ruleset, deal: Deal, bots: Sequence[Bot]) -> Game:
    """A whole game."""
    game = Game(ruleset, deal)
    for _ in positions(game, bots):
        pass
    return game
