"""Says what is wrong with what a bot has returned."""

from collections.abc import Callable, Sequence
from types import GeneratorType

from aurum.rules import BIDS, PASS, PLAYS, Bid, Card, Exchange, IllegalMove, Move, Pass, Phase, Play, Round

_LONGEST = 60
"""Characters that are shown of a value."""


def wrong_answer(answer: object, phase: Phase, legal: Sequence[Move], position: Callable[[], Round]) -> str:
    """What an answer that is not legal is, and why it is no answer, from "returned" on.

    Args:
        answer: what the bot has returned.
        phase: of the turn.
        legal: the moves that would have been legal.
        position: makes a position in which the moves of the seat to act are these, and the hand is its own.
    """
    moves = ", ".join(map(str, legal))
    if isinstance(answer, Card) and phase is not Phase.EXCHANGE:
        move = BIDS.get(answer) or Bid(answer) if phase is Phase.BID else PLAYS[answer]
        return f"returned {answer}, which is illegal: {_broken_rule(move, position)}; legal are: {moves}"
    if isinstance(answer, Bid | Play | Exchange | Pass):
        return f"returned {str(answer)!r}, which is illegal: {_broken_rule(answer, position)}; legal are: {moves}"
    return f"returned {_described(answer)}, where {_wanted(phase, legal)} is wanted{_hint(answer)}; legal are: {moves}"


def _broken_rule(move: Move, position: Callable[[], Round]) -> str:
    try:
        position().play(move)
    except IllegalMove as error:
        return error.reason.value
    except Exception:  # a turn that somebody has made up may belong to no position at all
        pass
    return "it is not among the legal moves"


def _wanted(phase: Phase, legal: Sequence[Move]) -> str:
    if phase is Phase.EXCHANGE:
        return "PASS or an Exchange"
    return "a Card or PASS" if PASS in legal else "a Card"


def _described(answer: object) -> str:
    if answer is None or isinstance(answer, Card):
        return str(answer)
    if isinstance(answer, str):
        return f"the text {_shown(answer)}"
    if isinstance(answer, type):
        return f"the class {answer.__name__}"
    if isinstance(answer, list | tuple | set | frozenset | dict):
        return f"a {type(answer).__name__} of {len(answer)}"
    return f"{_shown(answer)}, of the type {type(answer).__name__}"


def _hint(answer: object) -> str:
    if answer is None:
        return ": is a return missing?"
    if isinstance(answer, str):
        return f": Card.parse({answer!r}) makes one of it" if _is_card(answer) else ""
    if answer is Pass:
        return ": the move is PASS"
    if isinstance(answer, GeneratorType):
        return ": return it, and do not yield it"
    if callable(answer) and not isinstance(answer, type):
        return ": are the parentheses of a call missing?"
    return ""


def _is_card(text: str) -> bool:
    try:
        Card.parse(text)
    except ValueError:
        return False
    return True


def _shown(value: object) -> str:
    """A value on one line, shortened; its type alone if it cannot be shown."""
    try:
        text = " ".join(repr(value).split())
    except Exception:
        text = f"<{type(value).__name__}>"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
