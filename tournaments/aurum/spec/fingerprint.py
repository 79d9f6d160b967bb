"""What makes a tournament another one: the keys that decide results, as a fingerprint and as a list of differences."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import replace
from enum import Enum
from pathlib import Path
from typing import Any

from aurum.spec.keys import Value, values_of
from aurum.spec.spec import Spec


def fingerprint(spec: Spec) -> str:
    """Hex SHA-256 of everything that decides results: a store of another fingerprint is of another tournament.

    `Key.decides` says of each key whether and where it is in it. Left out are the section [run], which decides only
    how fast, the anchor and `rank_by`, which only shift and sort the standings, the preset's name, where on the disk
    the spec and the bots' folders lie together, and how a bot is built: what plays is what the command starts, and a
    build that failed must be mended without losing the games played so far.
    """
    values = list(_deciding(spec))
    included = {value.key.decides for value in values if not (value.key.since > 1 and value.is_default)}
    content: dict[str, Any] = {}
    for value in values:
        if value.key.decides in included:
            _enter(content, value)
    return hashlib.sha256(json.dumps(content, sort_keys=True, default=_word).encode()).hexdigest()


def changed_keys(old: Spec, new: Spec) -> list[str]:
    """The keys, as a user writes them, that decide results and differ; other bots or another order is `bots`."""
    before, after = _by_path(old), _by_path(new)
    return [path for path in dict.fromkeys((*before, *after)) if before.get(path) != after.get(path)]


def is_amended(old: Spec, new: Spec, paired: int) -> bool:
    """Whether the new spec is the old one, edited between rounds, of a format that allows it.

    Nothing differs but when bots come and go; bots are added, none is removed; and the rounds up to number `paired`
    keep their fields, so what is stored of them stays as it was paired.
    """
    before = {bot.name: bot for bot in old.bots}
    kept = tuple(
        replace(bot, from_round=before[bot.name].from_round, until_round=before[bot.name].until_round)
        for bot in new.bots
        if bot.name in before
    )
    format_ = new.format
    return (
        format_.amendable
        and fingerprint(replace(new, bots=kept)) == fingerprint(old)
        and all(format_.field(old, number) == format_.field(new, number) for number in range(1, paired + 1))
    )


def _deciding(spec: Spec) -> Iterator[Value]:
    """The values that decide results. A path below the spec's home is relative to it, so that both may move."""
    for value in values_of(spec):
        if value.key.decides:
            path = value.value
            inside = isinstance(path, Path) and path.is_relative_to(spec.home)
            yield replace(value, value=path.relative_to(spec.home)) if inside else value


def _enter(content: dict[str, Any], value: Value) -> None:
    """Put a value where the fingerprint has it; values of bots are lists by bot."""
    entry, _, name = value.key.decides.partition(".")
    if name:
        content.setdefault(entry, {})[name] = value.value
    elif not entry.endswith("[]"):
        content[entry] = value.value
    else:
        found = content.setdefault(entry.removesuffix("[]"), [])
        if value.number > len(found):
            found.append([])
        (found[-1] if value.number else found).append(value.value)


def _word(value: object) -> str:
    """How values are written that JSON has no word for."""
    if isinstance(value, Path):
        return value.as_posix()
    return str(value.value if isinstance(value, Enum) else value)


def _by_path(spec: Spec) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for value in _deciding(spec):
        if value.section == "bots" and value.name == "name":
            found.setdefault("bots", []).append(value.value)
        elif not (value.key.since > 1 and value.is_default):
            found[value.path] = value.value
    return found
