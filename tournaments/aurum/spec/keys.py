"""The keys of a spec, each declared once: reading, defaults, the fingerprint and the stored form are derived from here.

To add one: its `Key` here with the next edition as `since`, its field in `Spec`, its row in
docs/running-a-tournament.md, an example of another value in tests/test_spec_keys.py.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aurum.common.texts import JOINERS, shown
from aurum.formats.format import Format
from aurum.formats.options import Pairings, RankBy, Seatings, Seeding
from aurum.formats.registry import FORMATS
from aurum.referee.unit import DAY_MS, Clock
from aurum.rules import PRESETS, GameEnd, Ruleset
from aurum.sandbox.sandbox import SandboxMode
from aurum.spec.readers import (
    Key,
    Refused,
    command,
    environment,
    matching,
    one_of,
    text,
    texts,
    whole,
    word,
    yes_no,
)
from aurum.spec.spec import AUTO, MOST_DEALS, NAME_LENGTH, BotEntry, Pin, Relaunch, Spec

_BETWEEN_LETTERS = re.compile("[^\u200c\u200d]+([\u200c\u200d][^\u200c\u200d]+)*")
"""No joiner stands at an end or beside another: there it would change nothing that is seen."""


def bot_name(raw: object) -> str:
    """Reads a bot's name: short, printable, fit for a file name and for a column.

    Raises:
        Refused: it is not.
    """
    name = text(raw)
    if len(name) > NAME_LENGTH:
        raise Refused(f"must have at most {NAME_LENGTH} characters, not {len(name)}")
    if not JOINERS.sub("", name).isprintable():
        raise Refused(f"must contain printable characters only, not {shown(name)}")
    if "/" in name or "\\" in name:
        raise Refused(f"must not contain slashes: {shown(name)}")
    if name != name.strip() or name.startswith("."):
        raise Refused(f"must not begin with a dot, nor begin or end with a blank: {shown(name)}")
    if not _BETWEEN_LETTERS.fullmatch(name) or unicodedata.combining(name[0]):
        raise Refused(f"a joiner must stand between two characters, an accent after one: {shown(name)}")
    return name


def _format(raw: object) -> Format:
    return FORMATS[one_of(*FORMATS)(raw)]


def _games_in_flight(raw: object) -> int:
    return AUTO if raw == "auto" else whole(1, 4096, or_else='"auto"')(raw)


def _game_end(raw: object) -> GameEnd:
    return GameEnd(one_of(*(end.value for end in GameEnd))(raw))


def _rank_by(raw: object) -> RankBy:
    return RankBy(one_of(str(RankBy.ELO), str(RankBy.POINTS))(raw))


TOURNAMENT = {
    "name": Key(
        matching("[A-Za-z0-9][A-Za-z0-9._-]{0,59}", "up to 60 letters, digits, dots, dashes and underscores"),
        about='what the tournament is called in its records, e.g. "club-night"',
        decides="tournament[]",
    ),
    "format": Key(
        _format, about=f"one of {', '.join(FORMATS)}", decides="tournament[]", load=FORMATS.__getitem__, dump=str
    ),
    "players": Key(one_of(4, 3), 4, decides="tournament[]"),
    "rounds": Key(whole(1, 1000), None, decides="tournament[]"),
    "deals": Key(whole(1, MOST_DEALS), 20, decides="tournament[]"),
    "seed": Key(text, None, decides="tournament[]"),
    "tolerated_faults": Key(whole(0, 1_000_000), 0, decides="faults[]"),
    "names": Key(yes_no, False, decides="faults[]"),
    "anchor": Key(text, None),
    "seatings": Key(word(Seatings), Seatings.ROTATIONS, decides="seatings", since=3, load=Seatings),
    "tables": Key(word(Pairings), Pairings.ALL, decides="tables", since=4, attribute="pairings", load=Pairings),
    "challengers": Key(texts, (), decides="challengers", since=4, load=tuple, dump=list),
    "seeding": Key(word(Seeding), Seeding.ORDER, decides="seeding", since=4, load=Seeding),
    "rank_by": Key(_rank_by, None, since=4, load=RankBy),
}
RULESET = {
    "preset": Key(one_of(*PRESETS), "designer"),
    "gold_zeros": Key(yes_no, None, decides="ruleset[]"),
    "game_end": Key(_game_end, None, decides="ruleset[]", load=GameEnd, dump=lambda end: end.value),
}
CLOCK = {
    "turn_ms": Key(whole(1, DAY_MS), 1000, decides="clock.turn_ms"),
    "bank_ms": Key(whole(0, DAY_MS), 0, decides="clock.bank_ms"),
    "increment_ms": Key(whole(0, DAY_MS), 0, decides="clock.increment_ms"),
    "setup_ms": Key(whole(1, DAY_MS), 30_000, decides="clock.setup_ms"),
    "reconnect_grace_ms": Key(whole(0, DAY_MS), 5_000, decides="clock.reconnect_grace_ms"),
}
RUN = {
    "workers": Key(whole(0, 1024), 0),
    "games_in_flight": Key(_games_in_flight, 1),
    "unit_deals": Key(whole(1, MOST_DEALS), 1000),
    "memory_mb": Key(whole(0, 1 << 24), 4096),
    "disk_mb": Key(whole(0, 1 << 24), 4096, since=6),
    "relaunch": Key(word(Relaunch), Relaunch.MATCH, since=5, load=Relaunch),
    "pin": Key(word(Pin), Pin.AUTO, since=6, load=Pin),
    "cores_per_worker": Key(whole(1, 1024), 1, since=6),
    "sandbox": Key(word(SandboxMode), SandboxMode.AUTO, since=7, load=SandboxMode),
    "build_network": Key(yes_no, False, since=7),
}
BOTS = {
    "name": Key(bot_name, about="the bot's name in the standings", decides="bots[]"),
    "command": Key(
        command("starts the bot"),
        about='how the bot is started, e.g. "python my_bot.py"',
        decides="bots[]",
        load=tuple,
        dump=list,
    ),
    "build": Key(command("builds the bot"), (), since=2, load=tuple, dump=list),
    "folder": Key(text, "", decides="bots[]", load=Path, dump=str),
    "env": Key(environment, (), decides="bots[]", load=lambda kept: tuple(sorted(dict(kept).items())), dump=dict),
    "from_round": Key(whole(1, 1000), 1, decides="rounds of bots[]", since=4),
    "until_round": Key(whole(1, 1000), None, decides="rounds of bots[]", since=4),
    "reads": Key(
        texts, (), since=7, load=lambda kept: tuple(map(Path, kept)), dump=lambda paths: list(map(str, paths))
    ),
}
SECTIONS: Mapping[str, Mapping[str, Key]] = {
    "tournament": TOURNAMENT,
    "ruleset": RULESET,
    "clock": CLOCK,
    "run": RUN,
    "bots": BOTS,
}
"""The keys of each section, and of an entry of [[bots]], in the order in which they are stored and documented."""


def assembled(sections: Mapping[str, Any], ruleset: Ruleset, home: Path, source: str = "spec") -> Spec:
    """The spec with these values, by section and key; what it leaves to its format is as that has it.

    Args:
        sections: with every key of `SECTIONS`; of bots a list; their folders are absolute paths.
        ruleset: that of its section.
        home: the folder that the spec lies in.
        source: how errors name it.
    """
    tournament = {key.attribute or name: sections["tournament"][name] for name, key in TOURNAMENT.items()}
    bots = tuple(BotEntry(**entry) for entry in sections["bots"])
    format_: Format = tournament["format"]
    tournament["challengers"] = tournament["challengers"] or format_.usual_challengers([bot.name for bot in bots])
    tournament["rank_by"] = tournament["rank_by"] or format_.rank_by
    return Spec(
        **tournament,
        **sections["run"],
        ruleset=ruleset,
        clock=Clock(**sections["clock"]),
        bots=bots,
        home=home,
        source=source,
    )


@dataclass(frozen=True)
class Value:
    """What a spec has at one key. `number` is that of the bot whose key it is, from 1, and 0 elsewhere."""

    section: str
    number: int
    name: str
    key: Key
    value: Any

    @property
    def path(self) -> str:
        """The key as errors name it: `clock.turn_ms`, `bots[2].command`."""
        return f"{self.section}[{self.number}].{self.name}" if self.number else f"{self.section}.{self.name}"

    @property
    def is_default(self) -> bool:
        """Whether it is as if the spec did not say it."""
        return bool(self.value == self.key.default)


def values_of(spec: Spec) -> Iterator[Value]:
    """Every key of a spec with its value, in the order in which they are declared; of the bots one after another."""
    for section, keys in SECTIONS.items():
        for number, part in _parts(spec, section):
            for name, key in keys.items():
                yield Value(section, number, name, key, getattr(part, key.attribute or name))


def _parts(spec: Spec, section: str) -> Iterable[tuple[int, object]]:
    """What has the values of a section, with its number."""
    if section == "bots":
        return enumerate(spec.bots, 1)
    return [(0, {"ruleset": spec.ruleset, "clock": spec.clock}.get(section, spec))]
