"""Positions written by hand: cards as text, the supply worked out, everything else as it mostly is."""

from collections.abc import Sequence

from aurum.rules import (
    PASS,
    Card,
    Phase,
    Play,
    PublicRound,
    Round,
    RoundCards,
    Trick,
    base_cards,
    gold_of,
    gold_supply,
    hand_of,
    purse_of,
)


def cards(text: str) -> tuple[Card, ...]:
    """`"B7 G3"` as cards."""
    return tuple(map(Card.parse, text.split()))


def position(
    hands: Sequence[str],
    *,
    gold: Sequence[str] = (),
    bids: str = "",
    taken: Sequence[int] = (),
    leader: int = 0,
    trick: str = "",
    phase: Phase | None = None,
    to_act: int | None = None,
    zeros: bool = True,
    tricks: Sequence[Trick] = (),
) -> Round:
    """A round under way, as many players as hands, all by seat.

    Without `phase` the leader is to lead, or the next seat to follow if cards are in the trick. Bids are tens of
    different suits unless given. Gold that lies nowhere is in the supply.
    """
    players = len(hands)
    collections = [purse_of(cards(text)) for text in gold or [""] * players]
    laid = cards(trick)
    placed = sum(collections) + purse_of(card for card in laid if card.is_gold)
    public = PublicRound(
        number=1,
        first_player=leader,
        leader=leader,
        to_act=(leader + len(laid)) % players if to_act is None else to_act,
        phase=phase or (Phase.FOLLOW if laid else Phase.LEAD),
        collections=collections,
        supply=gold_supply(players, zeros) - placed,
        leftover=(),
        tricks_taken=taken or [0] * players,
        trick=laid,
        tricks=tricks,
    )
    laid_bids = cards(bids or ("B10 C10 P10 S10" if players == 4 else "B9 P9 S9"))
    return Round.at(public, [hand_of(cards(text)) for text in hands], laid_bids)


def supply(position: Round) -> tuple[Card, ...]:
    """The gold that nobody has, ascending by rank."""
    return gold_of(position.supply)


def dealt(players: int, first_player: int = 0, *, zeros: bool = False) -> Round:
    """A round about to begin, the deck dealt as it lies: seat 0 has the Bismuth (and more), and so on."""
    deck = base_cards(players)
    hands = tuple(deck[12 * seat : 12 * seat + 12] for seat in range(players))
    return Round(1, first_player, RoundCards(hands, deck[12 * players :]), zeros)


def ended(bids: str, *, taken: Sequence[int], gold: Sequence[str] = ()) -> Round:
    """A round that seat 1 has just ended, with these bids, tricks and gold by seat."""
    hands = ["B1", "B2", "", ""][: len(bids.split())]
    over = play(position(hands, bids=bids, taken=taken, gold=gold), "B1")
    if over.phase is Phase.FOLLOW:
        over.play(PASS)
    return over


def play(position: Round, text: str) -> Round:
    """Play some cards, one seat after another; the same position."""
    for card in cards(text):
        position.play(Play(card))
    return position


def moves(position: Round) -> set[str]:
    """The legal moves as text."""
    return set(map(str, position.legal_moves()))
