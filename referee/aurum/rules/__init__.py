"""The game of Aurum: pure, without clock or IO, standard library only.

A `Game` is played move by move; a `Round` is the position a search bot works on.

    game = Game(PRESETS["designer"], Deal(key, players=4))
    while not game.over:
        game.play(choose(game.legal_moves()))
    game.result()
"""

from aurum.rules.cards import (
    BASE,
    GOLD,
    Card,
    Suit,
    base_cards,
    cards_of,
    gold_of,
    gold_supply,
    hand_of,
    hand_size,
    purse_of,
)
from aurum.rules.deal import Deal, RoundCards, commitment, deal_key, secret_of_seed
from aurum.rules.game import Game
from aurum.rules.moves import (
    BIDS,
    PASS,
    PLAYS,
    Bid,
    Exchange,
    IllegalMove,
    Move,
    Pass,
    Play,
    Reason,
    exchanges_with,
    parse_move,
)
from aurum.rules.phase import Phase, RoundEnd
from aurum.rules.public import BidChange, PublicRound, Trick
from aurum.rules.round import Round
from aurum.rules.ruleset import PRESETS, GameEnd, Ruleset
from aurum.rules.scoring import GOLD_POINTS, GameResult, RoundResult, placing, points_for_bid
from aurum.rules.seats import side_of, sides_of

__all__ = [
    "BASE",
    "BIDS",
    "GOLD",
    "GOLD_POINTS",
    "PASS",
    "PLAYS",
    "PRESETS",
    "Bid",
    "BidChange",
    "Card",
    "Deal",
    "Exchange",
    "Game",
    "GameEnd",
    "GameResult",
    "IllegalMove",
    "Move",
    "Pass",
    "Phase",
    "Play",
    "PublicRound",
    "Reason",
    "Round",
    "RoundCards",
    "RoundEnd",
    "RoundResult",
    "Ruleset",
    "Suit",
    "Trick",
    "base_cards",
    "cards_of",
    "commitment",
    "deal_key",
    "exchanges_with",
    "gold_of",
    "gold_supply",
    "hand_of",
    "hand_size",
    "parse_move",
    "placing",
    "points_for_bid",
    "purse_of",
    "secret_of_seed",
    "side_of",
    "sides_of",
]
