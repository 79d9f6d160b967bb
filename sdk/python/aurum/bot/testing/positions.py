"""Positions written by hand: cards as text, the supply worked out, everything else as it mostly is."""

from collections import Counter
from collections.abc import Sequence

from aurum.rules import Card, Phase, PublicRound, Round, Trick, gold_of, gold_supply, hand_of, purse_of


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
    leftover: str = "",
) -> Round:
    """A round under way.

    Args:
        hands: by seat, for three or four players, as `"B7 C3"`; bid cards are not among them.
        gold: by seat, the gold in front of it, as `"G1 G4"`; none unless given. The rest is in the supply.
        bids: the bid cards by seat, as `"B10 C10 - S10"`, `-` where none lies. Unless given, the highest cards of
            different suits that lie nowhere else; in `Phase.BID` none.
        taken: by seat, how many tricks it has won.
        leader: the seat that leads the trick under way, and bid first.
        trick: the cards of the trick under way, in play order from the leader.
        phase: what the seat to act is asked for; unless given, to follow if cards are in the trick, and else to lead.
        to_act: the seat that is asked; unless given, the next one of the trick.
        zeros: whether gold of rank 0 is in the game.
        tricks: the completed tricks.
        leftover: with four players, the two cards that nobody was dealt.

    Raises ValueError if a text is no card, or a card is in two places, or the seats are not as many everywhere.
    """
    players = len(hands)
    if players not in (3, 4):
        raise ValueError(f"a game has 3 or 4 hands, not {players}")
    for name, by_seat in (("gold", gold), ("taken", taken)):
        if by_seat and len(by_seat) != players:
            raise ValueError(f"{name} is for {len(by_seat)} seats, hands for {players}")
    collections = [purse_of(_cards(text)) for text in gold or [""] * players]
    laid = _cards(trick)
    held = [_cards(text) for text in hands]
    left = _cards(leftover)
    elsewhere = [*laid, *left, *(card for hand in held for card in hand), *(c for each in tricks for c in each.cards)]
    chosen = _bids(bids, players, phase, {card for card in elsewhere if not card.is_gold})
    _check_each_is_once([card for card in (*elsewhere, *chosen) if card is not None and not card.is_gold])
    supply = _supply(players, zeros, [*(card for purse in collections for card in gold_of(purse)), *laid])
    public = PublicRound(
        number=1,
        first_player=leader,
        leader=leader,
        to_act=(leader + len(laid)) % players if to_act is None else to_act,
        phase=phase or (Phase.FOLLOW if laid else Phase.LEAD),
        collections=collections,
        supply=supply,
        leftover=left,
        tricks_taken=taken or [0] * players,
        trick=laid,
        tricks=tricks,
    )
    return Round.at(public, [hand_of(hand) for hand in held], chosen)


def _cards(text: str) -> tuple[Card, ...]:
    return tuple(map(Card.parse, text.split()))


def _bids(text: str, players: int, phase: Phase | None, elsewhere: set[Card]) -> list[Card | None]:
    if text:
        bids = [None if word == "-" else Card.parse(word) for word in text.split()]
        if len(bids) != players:
            raise ValueError(f"bids are for {len(bids)} seats, hands for {players}: write - where no bid card lies")
        return bids
    if phase is Phase.BID:
        return [None] * players
    suits = "BCPS" if players == 4 else "BPS"
    free = ([Card.parse(f"{suit}{rank}") for rank in range(10 if players == 4 else 9, 0, -1)] for suit in suits)
    return [next((card for card in column if card not in elsewhere), None) for column in free]


def _check_each_is_once(cards: Sequence[Card]) -> None:
    twice = [str(card) for card, count in Counter(cards).items() if count > 1]
    if twice:
        raise ValueError(f"in two places: {' '.join(twice)}")


def _supply(players: int, zeros: bool, placed: Sequence[Card]) -> int:
    """The purse of the gold that lies nowhere else."""
    purse = gold_supply(players, zeros)
    there = Counter(gold_of(purse))
    gold = Counter(card for card in placed if card.is_gold)
    if missing := gold - there:
        raise ValueError(f"more than the game has: {' '.join(map(str, missing.elements()))}")
    return purse - purse_of(gold.elements())
