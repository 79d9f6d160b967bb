"""A bot on generated code alone that keeps the whole protocol but for one thing: `python wayward.py FLAW`.

Started as `python wayward.py none` it keeps all of it.
"""

import os
import queue
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator

import grpc
from aurum.v1 import card_pb2, game_pb2, play_pb2, play_pb2_grpc
from google.protobuf.unknown_fields import UnknownFieldSet

FLAW = sys.argv[1]
GONE = (
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.RESOURCE_EXHAUSTED,
    grpc.StatusCode.CANCELLED,
    grpc.StatusCode.UNKNOWN,
    grpc.StatusCode.INTERNAL,
)


def answer(turn: play_pb2.Turn) -> play_pb2.Action:
    """Play the first legal card; pass exchange windows."""
    seat = turn.table.to_act
    action = play_pb2.Action(game=turn.game, number=turn.number)
    if turn.phase == game_pb2.PHASE_EXCHANGE:
        if FLAW == "swaps for an opponent":
            action.exchange.gold = turn.table.seats[seat].collection[0]
            action.exchange.card = turn.legal_cards[0]
            action.exchange.seat = (seat + 1) % len(turn.table.seats)
        else:
            getattr(action, "pass").SetInParent()
        return action
    action.card = turn.legal_cards[0]
    if FLAW == "passes its bid" and turn.phase == game_pb2.PHASE_BID:
        getattr(action, "pass").SetInParent()
    elif FLAW == "leads gold" and turn.phase == game_pb2.PHASE_LEAD:
        action.card = card_pb2.G8
    elif FLAW == "follows with anything" and turn.phase == game_pb2.PHASE_FOLLOW:
        action.card = turn.hand[0]
    elif FLAW == "says nothing at the end" and turn.phase == game_pb2.PHASE_FOLLOW and turn.may_pass:
        action.ClearField("card")
    elif FLAW == "looks for a partner":
        _ = turn.table.seats[seat ^ 2]
    elif FLAW == "tires" and turn.number == 40:
        action.card = turn.own_bid
    return action


class Bot:
    """The bot, with what it keeps from one stream to the next."""

    def __init__(self) -> None:
        self.grace = 10.0
        self.games: set[int] = set()
        self.answered: set[tuple[int, int]] = set()
        self.counts: Counter[int] = Counter()
        self.latest: dict[int, int] = {}

    def play(self) -> int:
        """Play until the Goodbye, or until the grace is over without a referee; returns the exit code."""
        lost = time.monotonic()
        while True:
            try:
                code = self.stream()
            except grpc.RpcError as error:
                refused = error.code() not in GONE
                if FLAW == "is easily exhausted" and error.code() is grpc.StatusCode.RESOURCE_EXHAUSTED:
                    refused = True
                if FLAW == "is refused without a word" and refused:
                    return 1
                late = time.monotonic() > lost + self.grace
                if refused or late or FLAW == "never dials twice":
                    print(f"no referee: {error.code()}: {error.details()}", file=sys.stderr)
                    return 0 if FLAW == "calls it a success" else 1
            else:
                if code is not None:
                    return code
                lost = time.monotonic()
            time.sleep(0.05)

    def stream(self) -> int | None:
        """Play on one stream; returns the exit code if it ended with a Goodbye, else None."""
        requests: queue.Queue[play_pb2.PlayRequest | None] = queue.Queue()
        hello = play_pb2.Hello(protocol_version=1, bot="Wayward")
        requests.put(play_pb2.PlayRequest(hello=hello))
        if FLAW == "talks unasked":
            requests.put(play_pb2.PlayRequest(actions=[play_pb2.Action(game=1, number=1)]))
        token = "" if FLAW == "forgets its token" else os.environ["AURUM_TOKEN"]
        with grpc.insecure_channel(os.environ["AURUM_ADDRESS"], [("grpc.enable_http_proxy", 0)]) as channel:
            call = play_pb2_grpc.RefereeServiceStub(channel).Play(
                iter(requests.get, None),
                metadata=(("authorization", f"Bearer {token}"),),
                timeout=5 if FLAW == "reads for five seconds" else None,
            )
            for message in call:
                if message.HasField("welcome"):
                    if message.welcome.protocol_version != 1 and FLAW != "speaks every version":
                        print(f"not my version: {message.welcome.protocol_version}", file=sys.stderr)
                        return 1
                    self.grace = message.welcome.reconnect_grace_ms / 1000
                actions = list(self.actions(message))
                if FLAW == "answers twice":
                    actions += actions
                elif FLAW == "has one game in mind":
                    for action in actions:
                        action.game = actions[0].game
                if actions:
                    requests.put(play_pb2.PlayRequest(actions=actions))
                if any(update.HasField("goodbye") for update in message.updates):
                    if FLAW == "stays" or (FLAW == "leaves when its games are over" and self.games):
                        threading.Event().wait()
                    requests.put(None)
                    return 3 if FLAW == "leaves in anger" else 0
        return 0 if FLAW == "leaves at any end" else None

    def actions(self, message: play_pb2.PlayResponse) -> Iterator[play_pb2.Action]:
        """The answers to a message."""
        for update in message.updates:
            kind = update.WhichOneof("kind")
            if FLAW == "knows all fields" and len(UnknownFieldSet(update.turn)):
                raise ValueError("a Turn with more fields than there are")
            if FLAW == "knows all updates" and kind is None:
                raise ValueError("an update without a kind")
            if kind == "fault" and FLAW == "knows all faults":
                print(game_pb2.FaultKind.Name(update.fault.kind), file=sys.stderr)
            elif kind == "game_start":
                if FLAW == "starts a game once" and update.game_start.game in self.games:
                    raise ValueError("a game that was begun already")
                self.games.add(update.game_start.game)
            elif kind == "round_end" and FLAW == "plays one round":
                raise NotImplementedError("round two")
            elif kind == "game_end":
                self.games.discard(update.game_end.game)
            elif kind == "turn":
                yield from self.turn(update.turn)

    def turn(self, turn: play_pb2.Turn) -> Iterator[play_pb2.Action]:
        """The answer to a turn."""
        name = (turn.game, turn.number)
        if FLAW == "answers once" and name in self.answered:
            return
        self.answered.add(name)
        self.latest[turn.game] = max(turn.number, self.latest.get(turn.game, 0))
        action = answer(turn)
        if FLAW == "counts for itself":
            self.counts[turn.game] += 1
            action.number = self.counts[turn.game]
        elif FLAW == "names the latest turn":
            action.number = self.latest[turn.game]
        yield action


if __name__ == "__main__":
    if FLAW == "dials hosts alone" and os.environ["AURUM_ADDRESS"].startswith("unix:"):
        sys.exit("where is that?")
    sys.exit(Bot().play())
