"""Random play and Hypothesis strategies for the rules, shared by tests.

Uniform play spends gold in the first window it can and rarely comes to refuse; choosing the kind of move first
declines half of all windows and keeps gold or plays it, so that rare endings are reached.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Final

from aurum.rules import (
    BASE,
    BIDS,
    GOLD,
    PASS,
    PLAYS,
    PRESETS,
    Card,
    Deal,
    Game,
    GameEnd,
    Move,
    Play,
    Ruleset,
    exchanges_with,
)
from hypothesis import settings
from hypothesis import strategies as st

Policy = Callable[[Random, Sequence[Move]], Move]

RULESETS: Final = [Ruleset(zeros, end) for zeros in (False, True) for end in GameEnd]
"""Every ruleset that plays differently."""

COMBINATIONS: Final = [(players, ruleset) for players in (3, 4) for ruleset in RULESETS]
"""Every number of players with every ruleset."""

NAMED_RULESETS: Final = [
    *PRESETS.values(),
    *[Ruleset(not preset.gold_zeros, preset.game_end, preset.preset) for preset in PRESETS.values()],
    *[
        Ruleset(zeros, GameEnd.THREE_ROUNDS_TOTAL, preset.preset)
        for preset in PRESETS.values()
        for zeros in (False, True)
    ],
]
"""Every preset as it is and in its variants."""


def label(players: int, ruleset: Ruleset) -> str:
    """A combination as test ids and file names say it: `4p-zeros-first_to_two`."""
    return f"{players}p-{'zeros' if ruleset.gold_zeros else 'no_zeros'}-{ruleset.game_end.value}"


def uniform(rng: Random, moves: Sequence[Move]) -> Move:
    """Every legal move equally likely."""
    return moves[int(rng.random() * len(moves))]


def kind_first(rng: Random, moves: Sequence[Move]) -> Move:
    """Every kind of move (base card, gold card, exchange, pass) equally likely, then every move of that kind."""
    kinds: dict[str, list[Move]] = {}
    for move in moves:
        kind = "gold" if isinstance(move, Play) and move.card.is_gold else type(move).__name__
        kinds.setdefault(kind, []).append(move)
    return uniform(rng, uniform_of(rng, list(kinds.values())))


def uniform_of(rng: Random, choices: Sequence[list[Move]]) -> list[Move]:
    """One of several lists."""
    return choices[int(rng.random() * len(choices))]


def new_game(players: int, ruleset: Ruleset, number: int) -> Game:
    """Game `number` of a reproducible series."""
    return Game(ruleset, Deal(number.to_bytes(32, "big"), players))


def play_out(game: Game, rng: Random, policy: Policy) -> list[Move]:
    """Play a game to its end; the moves that were made."""
    moves = []
    while not game.over:
        move = policy(rng, game.legal_moves())
        game.play(move)
        moves.append(move)
    return moves


# Hypothesis ---------------------------------------------------------------------------------------------------------

FEW: Final = settings(max_examples=60, deadline=None, derandomize=True)
MANY: Final = settings(max_examples=600, deadline=None, derandomize=True)
"""The same examples in every run, and no clock: a slow machine is no failure."""

cards: Final = st.sampled_from(list(Card))
moves: Final = st.one_of(
    st.just(PASS),
    st.sampled_from(list(BIDS.values())),
    st.sampled_from(list(PLAYS.values())),
    st.sampled_from([move for gold in GOLD for seat in range(4) for move in exchanges_with(gold, seat).values()]),
)
"""Any move of the game, legal or not."""

base_sets: Final = st.sets(st.sampled_from(BASE))
gold_lists: Final = st.lists(st.sampled_from(GOLD), max_size=4)


@st.composite
def new_games(draw: st.DrawFn) -> Game:
    """A game about to begin, of any number of players and ruleset."""
    players, ruleset = draw(st.sampled_from(COMBINATIONS))
    return Game(ruleset, Deal(draw(st.binary(min_size=32, max_size=32)), players))


@st.composite
def games_under_way(draw: st.DrawFn) -> Game:
    """A game some random moves after its beginning, not over."""
    game = draw(new_games())
    rng = Random(draw(st.integers(0, 2**32)))
    policy = draw(st.sampled_from([uniform, kind_first]))
    for _ in range(draw(st.integers(0, 150))):
        kept = game.copy()
        game.play(policy(rng, game.legal_moves()))
        if game.over:
            return kept
    return game
