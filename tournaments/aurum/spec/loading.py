"""Reading a spec from TOML, as its organiser writes it.

Every mistake is one UserError, `club.toml: bots[2].command: ...`; bots are counted from 1. `keys.py` declares the keys,
`checks.py` has what needs more than one of them.
"""

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from aurum.common.errors import UserError
from aurum.rules import PRESETS, GameEnd, Ruleset
from aurum.spec.checks import CHECKS
from aurum.spec.keys import BOTS, CLOCK, RULESET, RUN, TOURNAMENT, assembled
from aurum.spec.readers import Key, Refused, entries, section
from aurum.spec.spec import Spec


def _optional(keys: Mapping[str, Key]) -> Key:
    """A section that may be left out: then all its keys have their defaults."""
    read = section(keys)
    return Key(read, read({}))


SPEC = section(
    {
        "tournament": Key(section(TOURNAMENT), about="the table with name and format"),
        "ruleset": _optional(RULESET),
        "clock": _optional(CLOCK),
        "run": _optional(RUN),
        "bots": Key(entries(section(BOTS), "name"), about="an entry [[bots]] for each bot"),
    }
)
"""Reads the whole file, key by key."""


def load_spec(path: Path | str) -> Spec:
    """Reads a spec file.

    Raises:
        UserError: it cannot be read, is not TOML, or asks for what cannot be played.
    """
    path = Path(path)
    try:
        content = path.read_bytes().decode("utf-8-sig")  # some editors write a byte order mark
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise UserError(f"{path}: not UTF-8 text (line {line})") from None
    try:
        mapping = tomllib.loads(content)
    except RecursionError:
        raise UserError(f"{path}: not usable TOML: too deeply nested") from None
    except ValueError as error:  # TOMLDecodeError, and what int() says of thousands of digits
        raise UserError(f"{path}: not valid TOML: {error}") from None
    return spec_from(mapping, str(path), path.parent)


def spec_from(mapping: Mapping[str, object], source: str, folder: Path) -> Spec:
    """The spec that a mapping shaped like the TOML file describes.

    Args:
        mapping: sections and keys, as tomllib gives them.
        source: how errors name where it came from, usually the file.
        folder: where the bots' folders are relative to.

    Raises:
        UserError: it asks for what cannot be played.
    """
    try:
        sections, home = SPEC(mapping), folder.absolute()
        sections["bots"] = [entry | _places(entry, home) for entry in sections["bots"]]
        spec = assembled(sections, _ruleset(**sections["ruleset"]), home, source)
        for check in CHECKS:
            for refused in check(spec):
                raise refused
    except Refused as refused:
        raise UserError(f"{source}: {refused.path}: {refused.sentence}") from None
    return spec


def _places(entry: Mapping[str, Any], home: Path) -> dict[str, Any]:
    """The paths of a bot's entry, absolute."""
    reads = tuple(home / os.path.expanduser(path) for path in entry["reads"])  # noqa: PTH111 - "~nobody" is a name, too
    return {"folder": home / entry["folder"], "reads": reads}


def _ruleset(preset: str, gold_zeros: bool | None, game_end: GameEnd | None) -> Ruleset:
    base = PRESETS[preset]
    asked = Ruleset(
        base.gold_zeros if gold_zeros is None else gold_zeros,
        base.game_end if game_end is None else game_end,
        preset,
    )
    return asked if asked == base else asked._replace(preset="custom")
