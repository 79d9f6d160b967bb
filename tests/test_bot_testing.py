"""What tests of bots are offered: positions and turns, turns of stored games, games in one process."""

import asyncio
import json
import subprocess
import sys
from random import Random

import pytest
from aurum.archive.asked import as_json, asked
from aurum.bot import Bot, Card, GameEnded, GameInfo, Pass, RoundEnded, Turn
from aurum.bot.errors import AuthorError
from aurum.bot.testing import play_game, play_games, position, read_turn, turn_at
from aurum.common.errors import UserError
from aurum.referee.unit import Clock
from aurum.rules import PRESETS, Deal, Game, Phase, Trick, deal_key, secret_of_seed
from aurum.v1 import play_pb2, record_pb2
from hypothesis import given
from hypothesis import strategies as st
from running import Sitting


class Lowest(Bot):
    """The smallest policy."""

    def bid(self, turn: Turn) -> Card:
        return turn.hand[0]

    def play(self, turn: Turn) -> Card | Pass:
        return turn.cards[0]


class Chance(Bot):
    """Draws from the game's own generator alone."""

    def bid(self, turn: Turn) -> Card:
        return turn.rng.choice(turn.cards)

    def play(self, turn: Turn) -> Card | Pass:
        return turn.rng.choice(turn.cards)


def test_a_position_is_asked_as_a_turn() -> None:
    """With everything that was said of it, and what follows."""
    at = position(
        ["B1 Z4", "C3", "P5", "S7"],
        gold=["G3", "", "G1 G1", ""],
        bids="B10 C10 P10 S10",
        taken=[2, 0, 1, 0],
        leader=3,
        trick="Z9",
    )
    turn = turn_at(at, nuggets=(1, 0), seconds=2.0, number=5)
    assert (0, 4, 2, 5) == (turn.seat, turn.players, turn.partner, turn.number)
    assert (Phase.FOLLOW, at.legal_moves()) == (turn.phase, turn.legal)
    assert ("B1 Z4", Card.B10) == (" ".join(map(str, turn.hand)), turn.own_bid)
    table = turn.table
    assert ((3, Card.Z9),) == table.trick
    assert ((2, 0, 1, 0), (1, 0, 1, 0), (2, 1, 1, 1)) == (table.tricks_taken, table.nuggets, table.hand_sizes)
    assert ((Card.G3,), (), (Card.G1, Card.G1), ()) == table.collections
    assert 1.0 < turn.time_left <= 2.0
    assert Card.B1 == Lowest().play(turn)
    assert turn.sample().legal_moves() == turn.legal


def test_what_a_position_says_wrongly_is_refused() -> None:
    """In a sentence."""
    hands = ["B1 Z4", "C3", "P5", "S7"]
    for arguments, words in (
        ({"hands": hands[:2]}, "a game has 3 or 4 hands, not 2"),
        ({"hands": [*hands[:3], "B1"]}, "in two places: B1"),
        ({"hands": hands, "trick": "C3"}, "in two places: C3"),
        ({"hands": hands, "bids": "B1 C10 P10 S10"}, "in two places: B1"),
        ({"hands": hands, "bids": "B2"}, "bids are for 1 seats"),
        ({"hands": hands, "gold": ["G8 G8", "", "", ""]}, "more than the game has: G8"),
        ({"hands": hands, "gold": ["G8"]}, "gold is for 1 seats, hands for 4"),
        ({"hands": ["B77", "", "", ""]}, "B77"),
    ):
        with pytest.raises(ValueError, match=words):
            position(**arguments)
    with pytest.raises(ValueError, match="nuggets are for 3 sides, the game has 2"):
        turn_at(position(hands), nuggets=(0, 0, 0))


def test_three_players_and_every_phase() -> None:
    """Bids that lie nowhere else unless they are given; none before the bidding."""
    hands = ["B9 P8", "B2 P3", "S4 S5"]
    lead = turn_at(position(hands))
    assert (Card.B8, Card.P9, Card.S9) == lead.table.bids
    bidding = turn_at(position(hands, phase=Phase.BID))
    assert (None, (None, None, None)) == (bidding.own_bid, bidding.table.bids)
    window = turn_at(position(hands, gold=["G1", "", ""], phase=Phase.EXCHANGE))
    assert ["pass", "exchange G1 P8 @0", "exchange G1 B9 @0"] == sorted(map(str, window.legal), reverse=True)
    trick = Trick(0, (Card.B1, Card.P1, Card.S1), 0, 1, None)
    assert (trick,) == turn_at(position(hands, tricks=[trick], taken=[1, 0, 0])).table.tricks
    over = position(["B1", "B2", "B3"])
    over.play(over.legal_moves()[0])
    with pytest.raises(ValueError, match="the round is over"):
        turn_at(over)


@given(st.integers(0, 1000), st.integers(0, 60), st.sampled_from([3, 4]))
def test_a_turn_of_a_game_is_what_the_referee_sends(deal: int, moves: int, players: int) -> None:
    """But for the game's number and the time."""
    sitting = Sitting(PRESETS["german"], players, key=deal_key(b"testing", deal)).begin()
    random = Random(deal)
    sitting.play_on(random.choice, moves)
    if sitting.game.over:
        return
    sent, turn = sitting.turn, turn_at(sitting.game, number=sitting.turn.number)
    start = sitting.players[sitting.game.to_act].updates_of("game_start")[0].game_start
    assert (sent.table, list(sent.hand), list(sent.legal_cards)) == (
        turn.message.table,
        list(turn.message.hand),
        list(turn.message.legal_cards),
    )
    assert (sent.phase, sent.own_bid, sent.may_pass) == (
        turn.message.phase,
        turn.message.own_bid,
        turn.message.may_pass,
    )
    assert (start.seed, start.seat, start.ruleset) == (turn.game.seed, turn.seat, turn.game.message.ruleset)


def played(players: int = 4, tolerated: int = 0) -> tuple[record_pb2.GameRecord, list[tuple[int, play_pb2.Turn]]]:
    """A record, and the turns that were asked in it, with their seats."""
    sitting = Sitting(PRESETS["german"], players, clock=Clock(1000), tolerated_faults=tolerated).begin()
    turns = []
    random = Random(players)
    while not sitting.game.over:
        copy = play_pb2.Turn()
        copy.CopyFrom(sitting.turn)
        turns.append((sitting.game.to_act, copy))
        if tolerated and len(turns) in (7, 20):
            sitting.running.timed_out(sitting.now)
        else:
            sitting.answer(random.choice(sitting.game.legal_moves()))
    return sitting.running.record, turns


@pytest.mark.parametrize("tolerated", [0, 2])
def test_a_turn_of_a_record_is_what_was_sent(tolerated: int) -> None:
    """By its number in the game, and by that among the turns of its seat; read back, it is a Turn."""
    record, turns = played(tolerated=tolerated)
    for number, (seat, sent) in enumerate(turns, 1):
        for found in (asked(record, number, None, 1000), asked(record, sent.number, seat, 1000)):
            assert sent == found.message.updates[1].turn
        if number % 40 == 1:
            turn = read_turn("\ufeff" + as_json(found))
            assert (sent, seat, turn.legal) == (turn.message, turn.seat, Turn(sent, turn.game, 0.0).legal)
    if tolerated:
        assert asked(record, 7, None, 1000).by_referee
    with pytest.raises(UserError, match=rf"no turn {len(turns) + 1}: the game had {len(turns)}"):
        asked(record, len(turns) + 1, None, 1000)
    with pytest.raises(UserError, match="no seat 4: they are 0 to 3"):
        asked(record, 1, 4, 1000)


def test_what_is_no_turn_is_refused() -> None:
    record, _ = played(3)
    message = json.loads(as_json(asked(record, 1, None, 1000)))
    for text, words in (
        ("", "no PlayResponse"),
        ("{}", "no turn: write it with arena replay DIR GAME --turn N --json"),
        (json.dumps({"updates": message["updates"][1:]}), "no turn"),
    ):
        with pytest.raises(ValueError, match=words):
            read_turn(text)


def test_bots_play_each_other_in_one_process() -> None:
    """The same deal ends the same way; chance is that of a tournament with the seed; every ruleset and number works."""
    for bots in ((Lowest, Chance), (Lowest, Chance, Lowest), (Lowest, Chance, Chance, Lowest)):
        for ruleset in PRESETS.values():
            first, again = (play_game(*bots, deal=3, ruleset=ruleset) for _ in range(2))
            assert first == again
            assert (3 if len(bots) == 3 else 2) == len(first.rank)
    score = play_games(Chance, Lowest, deals=5)
    assert 10 == sum(score)
    assert score == play_games(Lowest, Chance, deals=5)[::-1]


def test_bots_in_one_process_hear_what_they_hear_from_a_referee() -> None:
    """Each seat has a bot of its own, whose methods may be coroutines; the cards are those of the deal."""
    heard: list[str] = []

    class Hears(Lowest):
        async def setup(self) -> None:
            await asyncio.sleep(0)
            heard.append("setup")

        async def game_start(self, game: GameInfo) -> None:
            heard.append(f"start {game.seat}")

        def bid(self, turn: Turn) -> Card:
            if turn.table.round == 1:
                cards = set(Deal(deal_key(secret_of_seed("ours"), 2), 4).round(1).hands[turn.seat])
                assert cards == set(turn.hand)
                assert turn.time_left > 60
            return turn.hand[0]

        def round_end(self, end: RoundEnded) -> None:
            heard.append(f"round {end.table.round}")

        async def game_end(self, end: GameEnded) -> None:
            heard.append(f"end {end.result.rank}")

    result = play_game(Hears, Lowest, deal=2, seed="ours")
    assert ["setup", "setup", "start 0", "start 2", "round 1", "round 1"] == heard[:6]
    assert [f"end {result.rank}"] * 2 == heard[-2:]


def test_mistakes_in_a_game_of_ones_own_are_raised() -> None:
    """A wrong answer as in a tournament; a wrong number of bots, or a running loop, in a sentence."""

    class Silent(Lowest):
        def play(self, turn: Turn) -> Card:
            return None  # type: ignore[return-value]

    with pytest.raises(AuthorError, match=r"Silent\.play failed at <Turn 2"):
        play_game(Silent, Lowest)
    with pytest.raises(ValueError, match="two, three or four bots play a game, not 1"):
        play_game(Lowest)

    async def within() -> None:
        play_game(Lowest, Lowest)

    with pytest.raises(ValueError, match="play it in a plain function"):
        asyncio.run(within())


@pytest.mark.process
def test_the_rooms_of_the_referee_are_not_loaded() -> None:
    """What tests of bots need comes with the SDK alone; gRPC's network is not needed either."""
    code = "import sys, aurum.bot.testing; print(*sys.modules)"
    loaded = set(subprocess.check_output([sys.executable, "-c", code], text=True, timeout=60).split())
    rooms = {name.split(".")[1] for name in loaded if name.startswith("aurum.")}
    assert {"bot", "rules", "v1", "wire"} == rooms
    assert "grpc" not in loaded
    assert Game(PRESETS["designer"], Deal(bytes(32), 4)).to_act in range(4)
