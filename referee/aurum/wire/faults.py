"""Kinds of faults in words."""

from aurum.v1 import game_pb2


def fault_name(kind: int) -> str:
    """A kind as the SDK names it, in lower case: `illegal_move`; the number of a kind that a later protocol has."""
    names = game_pb2.FaultKind.DESCRIPTOR.values_by_number
    return names[kind].name.removeprefix("FAULT_KIND_").lower() if kind in names else str(kind)


def fault_words(kind: int) -> str:
    """A kind as people say it: "illegal move"."""
    return fault_name(kind).replace("_", " ")
