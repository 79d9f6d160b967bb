"""Readers of a TOML file: each turns one raw value into what the program uses, or refuses it with a sentence.

Sections and lists of entries are readers made of readers; each adds its step to the path of what is wrong inside it.
"""

import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from aurum.common.texts import guess, shown

Reader = Callable[[Any], Any]

_BARE = re.compile(r"[A-Za-z0-9_-]{1,60}")


class Refused(Exception):  # noqa: N818 - a step on the way to a UserError, never seen by itself
    """A value that cannot be used: where it stands (`bots[2].command`) and why."""

    def __init__(self, sentence: str, path: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.path = path

    def inside(self, step: str) -> "Refused":
        """The same complaint, seen from the section or list around it."""
        joint = "." if self.path and not self.path.startswith("[") else ""
        return Refused(self.sentence, step + joint + self.path)


def _as_it_is(value: Any) -> Any:
    return value


class _Required:
    pass


REQUIRED = _Required()


@dataclass(frozen=True)
class Key:
    """One key of a section, declared once: everything that depends on which keys there are is derived from it.

    Fields:
        read: reads it from TOML.
        default: what it is when the spec does not say it.
        about: what it is for; printed when a required key is missing.
        decides: for a key that decides results, where the fingerprint has it: `name` by itself, `name.key` in a
            mapping, `name[]` as the next entry of a list. Empty for a key that decides none.
        since: the edition of the spec that brought it. Every store has the keys of the first edition. A key of a
            later one may be missing in a store, which then means its default; so that the fingerprints of those stores
            stay what they were, it is left out of the fingerprint where it has its default.
        attribute: what `Spec` and its parts call it, if that is not its name.
        load, dump: read it from the JSON of a store, unless it is null, and write it there.
    """

    read: Reader
    default: Any = REQUIRED
    about: str = ""
    decides: str = ""
    since: int = 1
    attribute: str = ""
    load: Callable[[Any], Any] = _as_it_is
    dump: Callable[[Any], Any] = _as_it_is


def step(name: str) -> str:
    """A key as it stands in a path: as it is when TOML lets it stand without quotes."""
    return name if _BARE.fullmatch(name) else shown(name)


def section(keys: Mapping[str, Key]) -> Reader:
    """Reads a section, `[...]`, with these keys and no others into a dict with every key in it."""

    def read(raw: object) -> dict[str, Any]:
        if not isinstance(raw, Mapping):
            raise Refused(f"must be a table of keys, not {shown(raw)}")
        for name in raw:
            if name not in keys:
                # A misspelt key is complained of before the key that it stands for is missed.
                raise Refused(f"unknown key{guess(name, keys)}", step(name))
        return {name: _value(raw, name, key) for name, key in keys.items()}

    return read


def _value(raw: Mapping[str, object], name: str, key: Key) -> Any:
    if name not in raw:
        if key.default is REQUIRED:
            raise Refused(f"missing: {key.about}", name)
        return key.default
    try:
        return key.read(raw[name])
    except Refused as refused:
        raise refused.inside(name) from None


def entries(read: Reader, label: str) -> Reader:
    """Reads a list of entries, `[[...]]`. A refusal names the entry by its number from 1 and by its text at `label`."""

    def read_all(raw: object) -> list[Any]:
        if not isinstance(raw, list):
            raise Refused("must be an array of tables: write its heading in double brackets")
        found = []
        for number, entry in enumerate(raw, 1):
            try:
                found.append(read(entry))
            except Refused as refused:
                name = entry.get(label) if isinstance(entry, Mapping) else None
                named = f" ({label} {shown(name)})" if isinstance(name, str) and refused.path != label else ""
                raise Refused(refused.sentence + named, refused.path).inside(f"[{number}]") from None
        return found

    return read_all


def whole(least: int, most: int, or_else: str = "") -> Reader:
    """Reads a whole number from `least` to `most`, both included; `or_else` is what else may be said, for errors."""
    wanted = "a whole number" + (f" or {or_else}" if or_else else "")

    def read(raw: object) -> int:
        if isinstance(raw, bool) or not isinstance(raw, int):
            raise Refused(f"must be {wanted}, not {shown(raw)}")
        if not least <= raw <= most:
            raise Refused(f"must be from {least} to {most}, not {shown(raw)}")
        return raw

    return read


def yes_no(raw: object) -> bool:
    """Reads true or false."""
    if not isinstance(raw, bool):
        raise Refused(f"must be true or false, not {shown(raw)}")
    return raw


def one_of(*values: Any) -> Reader:
    """Reads one of a few values."""

    def read(raw: object) -> Any:
        for value in values:
            if type(raw) is type(value) and raw == value:
                return raw
        near = guess(raw, [value for value in values if isinstance(value, str)]) if isinstance(raw, str) else ""
        raise Refused(f"must be one of {', '.join(map(str, values))}, not {shown(raw)}{near}")

    return read


def text(raw: object) -> str:
    """Reads text that is not empty and can be written as UTF-8."""
    if not isinstance(raw, str):
        raise Refused(f"must be text in quotes, not {shown(raw)}")
    if not raw:
        raise Refused("must not be empty")
    try:
        raw.encode()
    except UnicodeEncodeError:
        raise Refused(f"is not valid text: {shown(raw)}") from None
    return raw


def word(kind: type[StrEnum]) -> Reader:
    """Reads one of the words of an enumeration."""
    read = one_of(*map(str, kind))
    return lambda raw: kind(read(raw))


def matching(pattern: str, wanted: str) -> Reader:
    """Reads text that matches the whole pattern; `wanted` says so in words."""
    compiled = re.compile(pattern)

    def read(raw: object) -> str:
        value = text(raw)
        if not compiled.fullmatch(value):
            raise Refused(f"must be {wanted}, not {shown(value)}")
        return value

    return read


def texts(raw: object) -> tuple[str, ...]:
    """Reads a list of texts, at least one and none twice."""
    if not isinstance(raw, list):
        raise Refused(f"must be a list of texts, not {shown(raw)}")
    if not raw:
        raise Refused("must not be empty: remove the key instead")
    for number, entry in enumerate(raw, 1):
        try:
            text(entry)
        except Refused as refused:
            raise refused.inside(f"[{number}]") from None
        if entry in raw[: number - 1]:
            raise Refused(f"is there twice: {shown(entry)}", f"[{number}]")
    return tuple(raw)


def command(purpose: str) -> Reader:
    """Reads a command: a list of words, or text that is split as a shell would. No shell ever runs it."""

    def read(raw: object) -> tuple[str, ...]:
        if isinstance(raw, str):
            try:
                words = shlex.split(raw)
            except ValueError as error:
                raise Refused(f"cannot be split into words: {error} in {shown(raw)}") from None
        elif isinstance(raw, list) and all(isinstance(word, str) for word in raw):
            words = raw
        else:
            raise Refused(f"must be text or a list of texts, not {shown(raw)}")
        if not words or not words[0]:
            raise Refused(f"must not be empty: it {purpose}")
        if any("\0" in word for word in words):
            raise Refused(f"must not contain a NUL character: {shown(raw)}")
        for word in filter(None, words):
            text(word)
        return tuple(words)

    return read


def environment(raw: object) -> tuple[tuple[str, str], ...]:
    """Reads a table of environment variables; the result is sorted by name."""
    if not isinstance(raw, Mapping):
        raise Refused(f"must be a table of texts, not {shown(raw)}")
    for name, value in raw.items():
        if not name or "=" in name or "\0" in name:
            raise Refused(f"{shown(name)} is no name for an environment variable")
        if not isinstance(value, str) or "\0" in value:
            raise Refused(f"must be text in quotes, not {shown(value)}", step(name))
    return tuple(sorted(raw.items()))
