"""The spec: what a tournament is, as its organiser writes it in TOML.

`SPEC` declares every key with its reader and default; what needs more than one key is in `spec_checks.py`.
Every mistake is one UserError, `club.toml: bots[2].command: ...`; bots are counted from 1.
"""

import hashlib
import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from aurum.common.errors import UserError
from aurum.common.texts import shown
from aurum.formats.options import Format, RankBy, Seatings, Seeding, Tables
from aurum.referee.unit import Clock
from aurum.rules import PRESETS, GameEnd, Ruleset
from aurum.spec.checks import CHECKS
from aurum.spec.readers import (
    Key,
    Refused,
    command,
    environment,
    matching,
    one_of,
    table,
    tables,
    text,
    texts,
    whole,
    yes_no,
)

NAME_LENGTH = 40
"""Characters a bot's name may have."""

MOST_DEALS = 1_000_000
"""Deals that a match may have."""

_DAY_MS = 24 * 60 * 60 * 1000


@dataclass(frozen=True)
class BotEntry:
    """A bot as entered. `folder` is the working folder of its commands, absolute; `build` is empty without one.

    `from_round` and `until_round` are the first and the last round of a Swiss that it is in the field of; None is to
    the end.
    """

    name: str
    command: tuple[str, ...]
    folder: Path
    env: tuple[tuple[str, str], ...]
    build: tuple[str, ...] = ()
    from_round: int = 1
    until_round: int | None = None


@dataclass(frozen=True)
class Spec:
    """A whole tournament.

    `deals` are per match. `seed` is the text that decides every deal; without one a secret is drawn when the
    tournament first starts. `challengers` are a gauntlet's, and empty elsewhere. `workers` 0 means one a core. `home`
    is the folder the spec lies in; `source` is how errors name it, and no part of what it says.
    """

    name: str
    format: Format
    players: int
    rounds: int | None
    deals: int
    seed: str | None
    tolerated_faults: int
    names: bool
    anchor: str | None
    seatings: Seatings
    tables: Tables
    challengers: tuple[str, ...]
    seeding: Seeding
    rank_by: RankBy
    ruleset: Ruleset
    clock: Clock
    workers: int
    games_in_flight: int
    unit_deals: int
    memory_mb: int
    bots: tuple[BotEntry, ...]
    home: Path
    source: str = field(default="spec", compare=False)


def bot_name(raw: object) -> str:
    """Reads a bot's name: short, printable, fit for a file name and for a table.

    Raises:
        Refused: it is not.
    """
    name = text(raw)
    if len(name) > NAME_LENGTH:
        raise Refused(f"must have at most {NAME_LENGTH} characters, not {len(name)}")
    if not name.isprintable():
        raise Refused(f"must contain printable characters only, not {shown(name)}")
    if "/" in name or "\\" in name:
        raise Refused(f"must not contain slashes: {shown(name)}")
    if name != name.strip() or name.startswith("."):
        raise Refused(f"must not begin with a dot, nor begin or end with a blank: {shown(name)}")
    return name


def _section(keys: dict[str, Key]) -> Key:
    """A section that may be left out: then all its keys have their defaults."""
    read = table(keys)
    return Key(read, read({}))


_TOURNAMENT = {
    "name": Key(
        matching("[A-Za-z0-9][A-Za-z0-9._-]{0,59}", "up to 60 letters, digits, dots, dashes and underscores"),
        about='what the tournament is called in its records, e.g. "club-night"',
    ),
    "format": Key(one_of(*map(str, Format)), about=f"one of {', '.join(Format)}"),
    "players": Key(one_of(4, 3), 4),
    "rounds": Key(whole(1, 1000), None),
    "deals": Key(whole(1, MOST_DEALS), 20),
    "seed": Key(text, None),
    "tolerated_faults": Key(whole(0, 1_000_000), 0),
    "names": Key(yes_no, False),
    "anchor": Key(text, None),
    "seatings": Key(one_of(*map(str, Seatings)), str(Seatings.ROTATIONS)),
    "tables": Key(one_of(*map(str, Tables)), str(Tables.ALL)),
    "challengers": Key(texts, None),
    "seeding": Key(one_of(*map(str, Seeding)), str(Seeding.ORDER)),
    "rank_by": Key(one_of(str(RankBy.ELO), str(RankBy.POINTS)), None),
}
_RULESET = {
    "preset": Key(one_of(*PRESETS), "designer"),
    "gold_zeros": Key(yes_no, None),
    "game_end": Key(one_of(*(end.value for end in GameEnd)), None),
}
_CLOCK = {
    "turn_ms": Key(whole(1, _DAY_MS), 1000),
    "bank_ms": Key(whole(0, _DAY_MS), 0),
    "increment_ms": Key(whole(0, _DAY_MS), 0),
    "setup_ms": Key(whole(1, _DAY_MS), 30_000),
    "reconnect_grace_ms": Key(whole(0, _DAY_MS), 5_000),
}
_RUN = {
    "workers": Key(whole(0, 1024), 0),
    "games_in_flight": Key(whole(1, 4096), 1),
    "unit_deals": Key(whole(1, MOST_DEALS), 16),
    "memory_mb": Key(whole(1, 1 << 24), 4096),
}
_BOT = {
    "name": Key(bot_name, about="what the bot is called in the table"),
    "command": Key(command("starts the bot"), about='how the bot is started, e.g. "python my_bot.py"'),
    "build": Key(command("builds the bot"), None),
    "folder": Key(text, ""),
    "env": Key(environment, ()),
    "from_round": Key(whole(1, 1000), 1),
    "until_round": Key(whole(1, 1000), None),
}

SPEC = table(
    {
        "tournament": Key(table(_TOURNAMENT), about="the table with name and format"),
        "ruleset": _section(_RULESET),
        "clock": _section(_CLOCK),
        "run": _section(_RUN),
        "bots": Key(tables(table(_BOT), "name"), about="an entry [[bots]] for each bot"),
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
        spec = _spec(SPEC(mapping), folder.absolute(), source)
        for check in CHECKS:
            for refused in check(spec):
                raise refused
    except Refused as refused:
        raise UserError(f"{source}: {refused.path}: {refused.sentence}") from None
    return spec


def _spec(sections: Mapping[str, Any], home: Path, source: str) -> Spec:
    asked = dict(sections["tournament"])
    bots = tuple(
        BotEntry(**entry | {"folder": home / entry["folder"], "build": entry["build"] or ()})
        for entry in sections["bots"]
    )
    return Spec(
        **asked | _words(asked, bots),
        ruleset=_ruleset(**sections["ruleset"]),
        clock=Clock(**sections["clock"]),
        **sections["run"],
        bots=bots,
        home=home,
        source=source,
    )


def _words(asked: Mapping[str, Any], bots: Sequence[BotEntry]) -> dict[str, Any]:
    """The keys of [tournament] that are more than what is written, or depend on each other."""
    form = Format(asked["format"])
    if asked["rank_by"] and form is Format.KNOCKOUT:
        raise Refused("a knockout ranks by how far a bot came: remove the key", "tournament.rank_by")
    challengers = asked["challengers"] or ()
    return {
        "format": form,
        "seatings": Seatings(asked["seatings"]),
        "tables": Tables(asked["tables"]),
        "challengers": challengers or tuple(bot.name for bot in bots[:1] if form is Format.GAUNTLET),
        "seeding": Seeding(asked["seeding"]),
        "rank_by": RankBy(asked["rank_by"]) if asked["rank_by"] else usual_rank(form),
    }


def usual_rank(form: Format) -> RankBy:
    """What the table of such a tournament is sorted by, unless the spec says something else."""
    return {Format.SWISS: RankBy.POINTS, Format.KNOCKOUT: RankBy.PROGRESS}.get(form, RankBy.ELO)


def _ruleset(preset: str, gold_zeros: bool | None, game_end: str | None) -> Ruleset:
    base = PRESETS[preset]
    asked = Ruleset(
        base.gold_zeros if gold_zeros is None else gold_zeros,
        base.game_end if game_end is None else GameEnd(game_end),
        preset,
    )
    return asked if asked == base else replace(asked, preset="custom")


def fingerprint(spec: Spec) -> str:
    """Hex SHA-256 of everything that decides results: a store of another fingerprint is of another tournament.

    Left out are the section [run], which decides only how fast, the anchor and `rank_by`, which only shift and sort
    the table, the preset's name, where on the disk the spec and the bots' folders lie together, and how a bot is
    built: what plays is what the command starts, and a build that failed must be mended without losing the games
    played so far.
    """
    decides: dict[str, Any] = {
        "tournament": [spec.name, spec.format, spec.players, spec.rounds, spec.deals, spec.seed],
        "faults": [spec.tolerated_faults, spec.names],
        "ruleset": [spec.ruleset.gold_zeros, spec.ruleset.game_end.value],
        "clock": asdict(spec.clock),
        "bots": [[bot.name, bot.command, _place(bot.folder, spec.home), bot.env] for bot in spec.bots],
    }
    # A key that came later is left out where it says what was so before: older stores keep their fingerprints.
    later: dict[str, tuple[Any, Any]] = {
        "seatings": (spec.seatings, Seatings.ROTATIONS),
        "tables": (spec.tables, Tables.ALL),
        "challengers": (spec.challengers, ()),
        "seeding": (spec.seeding, Seeding.ORDER),
        "rounds of bots": ([(bot.from_round, bot.until_round) for bot in spec.bots], [(1, None)] * len(spec.bots)),
    }
    decides |= {key: value for key, (value, before) in later.items() if value != before}
    return hashlib.sha256(json.dumps(decides, sort_keys=True).encode()).hexdigest()


def _place(folder: Path, home: Path) -> str:
    return folder.relative_to(home).as_posix() if folder.is_relative_to(home) else folder.as_posix()
