"""The turns of sdk/vectors/turns.json: found in random games, read off the game itself, not off any message.

Each case says what its turn must be like; the first turn of a series of random games that is so is taken.
"""

import base64
from collections.abc import Callable, Iterator
from itertools import count, product
from random import Random
from typing import Any, NamedTuple

from aurum.rules import (
    BASE,
    GOLD,
    PASS,
    PLAYS,
    PRESETS,
    Bid,
    BidChange,
    Card,
    Deal,
    Exchange,
    Game,
    GameEnd,
    Move,
    Pass,
    Phase,
    Play,
    Ruleset,
    Trick,
    deal_key,
    gold_of,
    secret_of_seed,
    side_of,
)
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from inprocess import start_message, turn_message
from running import action_of
from strategies import kind_first

Json = dict[str, Any]

VARIANT = Ruleset(False, GameEnd.THREE_ROUNDS_TOTAL, "designer")


class Asked(NamedTuple):
    """A turn of a random game: the game, the seat to act, and how many turns it has had."""

    game: Game
    seat: int
    number: int

    @property
    def hand(self) -> tuple[Card, ...]:
        return self.game.round.hand(self.seat)

    @property
    def gold(self) -> tuple[Card, ...]:
        return self.game.round.collection(self.seat)

    @property
    def cards(self) -> tuple[Card, ...]:
        """What may be played, or laid in an exchange."""
        if self.game.phase is Phase.EXCHANGE:
            return self.hand
        return tuple(move.card for move in self.game.legal_moves() if isinstance(move, Bid | Play))

    @property
    def may_pass(self) -> bool:
        return PASS in self.game.legal_moves()


def asked(players: int, ruleset: Ruleset) -> Iterator[Asked]:
    """The turns of random games, one game after another."""
    for number in count():
        game = Game(ruleset, Deal(deal_key(secret_of_seed("vectors"), number), players))
        rng = Random(number)
        turns = [0] * players
        while not game.over:
            seat = game.to_act
            turns[seat] += 1
            yield Asked(game, seat, turns[seat])
            game.play(kind_first(rng, game.legal_moves()))


class Case(NamedTuple):
    """A turn to be found."""

    name: str
    about: str
    players: int
    ruleset: Ruleset
    wanted: Callable[[Asked], bool]
    game: int = 0
    """The game's number; 0: one of the case's own."""
    time_left_ms: int = 1000


def _phase(phase: Phase) -> Callable[[Asked], bool]:
    return lambda it: it.game.phase is phase and it.number > 3


def _every_phase() -> Iterator[Case]:
    for (players, preset), phase in zip(
        product((4, 3), [*PRESETS.values(), VARIANT]), [Phase.FOLLOW, Phase.EXCHANGE, Phase.LEAD] * 4, strict=False
    ):
        label = f"{preset.preset}{'-total' if preset is VARIANT else ''}"
        about = f"{players} players, rules of {label}."
        yield Case(f"{phase.name.lower()}-{label}-{players}p", about, players, preset, _phase(phase))


DESIGNER, GERMAN, PANDASAURUS, GIGAMIC = (PRESETS[name] for name in ("designer", "german", "pandasaurus", "gigamic"))
BID, EXCHANGE, LEAD, FOLLOW = Phase.BID, Phase.EXCHANGE, Phase.LEAD, Phase.FOLLOW


def _in(phase: Phase, wanted: Callable[[Asked], bool]) -> Callable[[Asked], bool]:
    return lambda it: it.game.phase is phase and wanted(it)


CASES = [
    *_every_phase(),
    Case("bid-first-4p", "The first bid: nobody has laid one.", 4, GERMAN, _in(BID, lambda it: it.number == 1
         and it.seat == it.game.round.first_player)),
    Case("bid-third-4p", "With four players the bids of two others lie face up.", 4, DESIGNER,
         _in(BID, lambda it: it.game.round.bids.count(None) == 2)),
    Case("bid-second-3p", "With three players the first bid lies face down: it is in nobody's seat.", 3, GERMAN,
         _in(BID, lambda it: it.game.round.bids.count(None) == 2)),
    Case("bid-third-3p", "Two bids lie face down.", 3, DESIGNER,
         _in(BID, lambda it: it.game.round.bids.count(None) == 1)),
    Case("bid-later-round", "A later round: nuggets and points of the rounds before.", 4, PANDASAURUS,
         _in(BID, lambda it: it.game.round.number == 3 and any(it.game.nuggets))),
    Case("bid-total", "Three rounds in total: points, but no nuggets.", 3, VARIANT,
         _in(BID, lambda it: it.game.round.number == 3)),
    Case("exchange-seat-0", "Seat 0 is asked: its own seat and its partner's may be named.", 4, GERMAN,
         _in(EXCHANGE, lambda it: it.seat == 0)),
    Case("exchange-seat-1", "Seat 1 is asked: no seat of the other side may be named.", 4, GERMAN,
         _in(EXCHANGE, lambda it: it.seat == 1)),
    Case("exchange-seat-2", "Seat 2 is asked: its partner is seat 0, which is left out on the wire.", 4, GERMAN,
         _in(EXCHANGE, lambda it: it.seat == 2)),
    Case("exchange-seat-3", "Seat 3 is asked, between tricks.", 4, GIGAMIC,
         _in(EXCHANGE, lambda it: it.seat == 3 and len(it.game.round.tricks) > 0)),
    Case("exchange-3p-seat-0", "Three players: no partner, only the own seat.", 3, GERMAN,
         _in(EXCHANGE, lambda it: it.seat == 0)),
    Case("exchange-3p-seat-2", "Three players: seat 0 is no partner of seat 2.", 3, GERMAN,
         _in(EXCHANGE, lambda it: it.seat == 2)),
    Case("exchange-two-alike", "Two gold cards of one rank in the collection.", 4, GERMAN,
         _in(EXCHANGE, lambda it: len(set(it.gold)) < len(it.gold))),
    Case("exchange-several-golds", "Gold of several ranks to choose from.", 4, DESIGNER,
         _in(EXCHANGE, lambda it: len(set(it.gold)) > 2)),
    Case("exchange-last-card", "One card in hand to lay.", 4, GERMAN, _in(EXCHANGE, lambda it: len(it.hand) == 1)),
    Case("exchange-after-exchanges", "Bid cards have been replaced before, in more than one window.", 4, GERMAN,
         _in(EXCHANGE, lambda it: len({change.trick for change in it.game.round.exchanges}) > 1)),
    Case("lead-first-trick", "The first trick is led; nothing lies on the table but bids.", 4, DESIGNER,
         _in(LEAD, lambda it: not it.game.round.tricks)),
    Case("lead-with-gold", "Gold in the collection cannot lead.", 4, GERMAN,
         _in(LEAD, lambda it: len(it.gold) > 1 and len(it.hand) > 3)),
    Case("lead-last-card", "One card in hand: one card is legal.", 3, GERMAN, _in(LEAD, lambda it: len(it.hand) == 1)),
    Case("lead-nothing-collected", "A trick in which nothing was collected: no gold of that rank was there.", 4,
         DESIGNER, _in(LEAD, lambda it: any(trick.collected is None for trick in it.game.round.tricks))),
    Case("follow-gold-or-base", "Base cards and gold may follow.", 4, GERMAN,
         _in(FOLLOW, lambda it: len(it.gold) > 1 and len(it.cards) > len(it.gold) + 2)),
    Case("follow-after-gold", "Gold has been played to the trick under way.", 4, GERMAN,
         _in(FOLLOW, lambda it: any(card.is_gold for card in it.game.round.trick))),
    Case("follow-gold-or-pass", "No card of the hand may follow: gold, or the end of the round.", 4, GERMAN,
         _in(FOLLOW, lambda it: it.may_pass and len(it.hand) > 0)),
    Case("follow-gold-or-pass-3p", "The same with three players.", 3, GIGAMIC,
         _in(FOLLOW, lambda it: it.may_pass and len(it.hand) > 0)),
    Case("follow-empty-hand", "No card in hand: gold, or the end of the round.", 4, GERMAN,
         _in(FOLLOW, lambda it: not it.hand)),
    Case("follow-empty-hand-3p", "The same with three players.", 3, GERMAN, _in(FOLLOW, lambda it: not it.hand)),
    Case("follow-two-alike", "Two gold cards of one rank are one legal card.", 4, PANDASAURUS,
         _in(FOLLOW, lambda it: len(set(it.gold)) < len(it.gold))),
    Case("follow-one-choice", "A single legal card, and no pass: the bot is asked all the same.", 4, DESIGNER,
         _in(FOLLOW, lambda it: len(it.cards) == 1 and not it.may_pass)),
    Case("follow-gold-in-tricks", "Gold in completed tricks.", 4, DESIGNER,
         _in(FOLLOW, lambda it: any(card.is_gold for trick in it.game.round.tricks for card in trick.cards))),
    Case("follow-late", "The longest table: ten tricks and more.", 4, GERMAN,
         _in(FOLLOW, lambda it: len(it.game.round.tricks) >= 10)),
    Case("greatest-numbers", "The greatest game number, 2^53 - 1, and the longest time.", 4, DESIGNER,
         _in(LEAD, lambda it: it.number > 20), game=2**53 - 1, time_left_ms=2**32 - 1),
    Case("no-time-left", "The time is up: 0 is left out on the wire.", 3, GIGAMIC,
         _in(FOLLOW, lambda it: True), game=1, time_left_ms=0),
]  # fmt: skip


def find(case: Case) -> Asked:
    """The first turn that is as the case wants it."""
    return next(it for it in asked(case.players, case.ruleset) if case.wanted(it))


def turns() -> Iterator[Json]:
    """Every case, found and read."""
    for number, case in enumerate(CASES):
        it = find(case)
        game = case.game or Random(number).randrange(1, 2**53)
        turn = turn_message(it.game, it.number, game)
        turn.time_left_ms = case.time_left_ms
        yield {
            "name": case.name,
            "about": case.about,
            **both("game_start", start_message(it.game, it.seat, game)),
            **both("turn", turn),
            "reading": reading(it, game, case.time_left_ms),
            "answers": [{"move": move_json(move), **both("action", action_of(move, turn))} for move in answers(it)],
            "refused": [{"move": move_json(move)} for move in refused(it)],
        }


def both(name: str, message: Message) -> Json:
    """A message as people read it, and as it travels."""
    return {name: as_json(message), f"{name}_wire": wire(message)}


def as_json(message: Message) -> Json:
    mapping: Json = MessageToDict(message, preserving_proto_field_name=True)
    return mapping


def wire(message: Message | bytes) -> str:
    data = message if isinstance(message, bytes) else message.SerializeToString(deterministic=True)
    return base64.b64encode(data).decode()


def answers(it: Asked) -> list[Move]:
    """Some legal moves: the first and the last of each kind, gold and base cards apart, each seat that may be named."""
    kinds: dict[tuple[type[Move], int], list[Move]] = {}
    for move in it.game.legal_moves():
        which = move.seat if isinstance(move, Exchange) else int(isinstance(move, Play) and move.card.is_gold)
        kinds.setdefault((type(move), which), []).append(move)
    return [move for moves in kinds.values() for move in dict.fromkeys((moves[0], moves[-1]))]


def refused(it: Asked) -> list[Move]:
    """Moves that are legal at other turns, one for each way of being wrong that this one offers."""
    phase, seat, players = it.game.phase, it.seat, it.game.round.players
    absent = next(card for card in BASE if card not in it.hand)
    no_gold = next(card for card in GOLD if card not in it.gold)
    wrong: list[Move] = [PLAYS[absent], PLAYS[no_gold]]
    wrong += [PLAYS[card] for card in (*it.hand, *it.gold) if phase is Phase.EXCHANGE or card not in it.cards][:2]
    if not it.may_pass:
        wrong.append(PASS)
    laid = it.hand[0] if it.hand else absent
    if phase is not Phase.EXCHANGE:
        return [*wrong, Exchange(it.gold[0] if it.gold else no_gold, laid, seat)]
    gold = it.gold[0]
    wrong += [Exchange(no_gold, laid, seat), Exchange(gold, absent, seat), Exchange(gold, gold, seat)]
    own = {each for each in range(players) if side_of(each, players) == side_of(seat, players)}
    return wrong + [Exchange(gold, laid, each) for each in range(players + 1) if each not in own]


def move_json(move: Move) -> Json:
    match move:
        case Exchange():
            return {"exchange": {"gold": str(move.gold), "card": str(move.card), "seat": move.seat}}
        case Pass():
            return {"pass": True}
        case _:
            return {"card": str(move.card)}


def reading(it: Asked, game: int, time_left_ms: int) -> Json:
    """What an SDK's Turn must say."""
    current, seat, players = it.game.round, it.seat, it.game.round.players
    return {
        "game": str(game),
        "number": it.number,
        "phase": it.game.phase.name,
        "seat": seat,
        "players": players,
        "partner": (seat + 2) % 4 if players == 4 else None,
        "hand": _names(it.hand),
        "own_bid": _name(current.bids[seat]),
        "legal_cards": _names(it.cards),
        "may_pass": it.may_pass,
        "time_left_ms": time_left_ms,
        "round": current.number,
        "first_player": current.first_player,
        "leader": current.leader,
        "to_act": current.to_act,
        "leftover": _names(tuple(sorted(current.leftover))),
        "supply": _names(gold_of(current.supply)),
        "seats": [_seat(it.game, each) for each in range(players)],
        "trick": {"leader": current.leader, "cards": _names(tuple(current.trick))} if current.trick else None,
        "tricks": [_trick(trick) for trick in current.tricks],
        "exchanges": [_exchange(change) for change in current.exchanges],
    }


def _seat(game: Game, seat: int) -> Json:
    current = game.round
    side = side_of(seat, current.players)
    return {
        "collection": _names(current.collection(seat)),
        "bid": _name(current.bids[seat]) if current.bids_revealed else None,
        "tricks_taken": current.tricks_taken[seat],
        "hand_size": len(current.hand(seat)),
        "nuggets": game.nuggets[side],
        "points": [result.points[side] for result in game.results],
    }


def _trick(trick: Trick) -> Json:
    return {
        "leader": trick.leader,
        "cards": _names(trick.cards),
        "winner": trick.winner,
        "collector": trick.collector,
        "collected": _name(trick.collected),
    }


def _exchange(change: BidChange) -> Json:
    return {
        "trick": change.trick,
        "seat": change.seat,
        "gold": str(change.gold),
        "bid_seat": change.bid_seat,
        "laid": str(change.laid),
        "taken": str(change.taken),
    }


def _name(card: Card | None) -> str | None:
    return None if card is None else str(card)


def _names(cards: tuple[Card, ...]) -> list[str]:
    return [str(card) for card in cards]
