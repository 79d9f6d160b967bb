"""The spec file: what it says is what is played, and every mistake is one line that names the file and the key."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from aurum.common.errors import UserError
from aurum.formats.options import Pairings, RankBy, Seatings, Seeding
from aurum.formats.registry import FORMATS
from aurum.formats.swiss import most_rounds
from aurum.referee.unit import Clock
from aurum.rules import PRESETS, GameEnd, Ruleset
from aurum.sandbox.sandbox import SandboxMode
from aurum.spec.fingerprint import fingerprint
from aurum.spec.loading import load_spec, spec_from
from aurum.spec.spec import NAME_LENGTH, BotEntry, Pin, Relaunch, Spec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

Mapping = dict[str, Any]

SMALLEST = """
[tournament]
name = "club-night"
format = "round_robin"

[[bots]]
name = "alpha"
command = "python alpha.py --depth 3 'a b'"

[[bots]]
name = "bravo"
command = ["./bravo"]
"""


def full() -> Mapping:
    """A spec that says everything."""
    return {
        "tournament": {
            "name": "club-night",
            "format": "swiss",
            "players": 4,
            "rounds": 2,
            "deals": 5,
            "seed": "tea",
            "tolerated_faults": 1,
            "names": True,
            "anchor": "alpha",
        },
        "ruleset": {"preset": "german", "gold_zeros": False, "game_end": "best_of_three"},
        "clock": {"turn_ms": 200, "bank_ms": 1, "increment_ms": 2, "setup_ms": 3, "reconnect_grace_ms": 4},
        "run": {
            "workers": 2,
            "games_in_flight": 8,
            "unit_deals": 4,
            "memory_mb": 512,
            "disk_mb": 99,
            "relaunch": "fault",
            "pin": "off",
            "cores_per_worker": 2,
            "sandbox": "on",
            "build_network": True,
        },
        "bots": [
            {"name": "alpha", "command": "alpha", "folder": ".", "env": {"B": "2", "A": "1"}},
            {"name": "bravo", "command": ["bravo", "-v"], "build": "make 'bravo bot'", "reads": ["tests", "/"]},
            {"name": "charlie", "command": "charlie", "until_round": 2},
        ],
    }


def complaint(mapping: Mapping) -> str:
    with pytest.raises(UserError) as caught:
        spec_from(mapping, "club.toml", Path())
    return str(caught.value)


def test_defaults(tmp_path: Path) -> None:
    """A name, a format and two bots are enough; everything else is as documented."""
    path = tmp_path / "club.toml"
    path.write_text(SMALLEST, encoding="utf-8")
    expected = Spec(
        name="club-night",
        format=FORMATS["round_robin"],
        players=4,
        rounds=None,
        deals=20,
        seed=None,
        tolerated_faults=0,
        names=False,
        anchor=None,
        seatings=Seatings.ROTATIONS,
        pairings=Pairings.ALL,
        challengers=(),
        seeding=Seeding.ORDER,
        rank_by=RankBy.ELO,
        ruleset=PRESETS["designer"],
        clock=Clock(turn_ms=1000, bank_ms=0, increment_ms=0, setup_ms=30_000, reconnect_grace_ms=5_000),
        workers=0,
        games_in_flight=1,
        unit_deals=1000,
        memory_mb=4096,
        disk_mb=4096,
        relaunch=Relaunch.MATCH,
        pin=Pin.AUTO,
        cores_per_worker=1,
        sandbox=SandboxMode.AUTO,
        build_network=False,
        bots=(
            BotEntry("alpha", ("python", "alpha.py", "--depth", "3", "a b"), tmp_path, ()),
            BotEntry("bravo", ("./bravo",), tmp_path, ()),
        ),
        home=tmp_path,
    )
    assert expected == load_spec(path)


def test_everything_said() -> None:
    """Every key arrives where it belongs."""
    here = Path.cwd()
    expected = Spec(
        name="club-night",
        format=FORMATS["swiss"],
        players=4,
        rounds=2,
        deals=5,
        seed="tea",
        tolerated_faults=1,
        names=True,
        anchor="alpha",
        seatings=Seatings.ROTATIONS,
        pairings=Pairings.ALL,
        challengers=(),
        seeding=Seeding.ORDER,
        rank_by=RankBy.POINTS,
        ruleset=Ruleset(False, GameEnd.BEST_OF_THREE, "custom"),
        clock=Clock(200, 1, 2, 3, 4),
        workers=2,
        games_in_flight=8,
        unit_deals=4,
        memory_mb=512,
        disk_mb=99,
        relaunch=Relaunch.FAULT,
        pin=Pin.OFF,
        cores_per_worker=2,
        sandbox=SandboxMode.ON,
        build_network=True,
        bots=(
            BotEntry("alpha", ("alpha",), here, (("A", "1"), ("B", "2"))),
            BotEntry("bravo", ("bravo", "-v"), here, (), ("make", "bravo bot"), reads=(here / "tests", Path("/"))),
            BotEntry("charlie", ("charlie",), here, (), until_round=2),
        ),
        home=here,
    )
    assert expected == spec_from(full(), "club.toml", Path())


@pytest.mark.parametrize("preset", PRESETS)
def test_presets(preset: str) -> None:
    """A preset is its ruleset; saying again what it says anyway leaves it what it is."""
    mapping = full()
    mapping["ruleset"] = {"preset": preset, "game_end": PRESETS[preset].game_end.value}
    assert PRESETS[preset] == spec_from(mapping, "club.toml", Path()).ruleset


def test_a_section_in_part() -> None:
    """A section that says one thing has the defaults for the rest."""
    mapping = full()
    mapping["clock"] = {"bank_ms": 7}
    assert Clock(turn_ms=1000, bank_ms=7) == spec_from(mapping, "club.toml", Path()).clock


def test_folders_are_relative_to_the_spec(tmp_path: Path) -> None:
    """A bot's folder is found from where the spec lies, not from where the command is given."""
    (tmp_path / "bots").mkdir()
    path = tmp_path / "club.toml"
    path.write_text(SMALLEST + 'folder = "bots"\n', encoding="utf-8")
    assert [tmp_path, tmp_path / "bots"] == [bot.folder for bot in load_spec(path).bots]


def put(path: str, value: Any) -> Callable[[Mapping], None]:
    """Sets a key given like `bots.0.name`."""

    def change(mapping: Any) -> None:
        *steps, last = path.split(".")
        for step in steps:
            mapping = mapping[int(step)] if step.isdigit() else mapping[step]
        mapping[last] = value

    return change


def drop(path: str) -> Callable[[Mapping], None]:
    """Removes a key given like `bots.0.name`."""

    def change(mapping: Any) -> None:
        *steps, last = path.split(".")
        for step in steps:
            mapping = mapping[int(step)] if step.isdigit() else mapping[step]
        del mapping[last]

    return change


def all_of(*changes: Callable[[Mapping], None]) -> Callable[[Mapping], None]:
    """Several changes, one after the other."""

    def change(mapping: Any) -> None:
        for each in changes:
            each(mapping)

    return change


WRONG: list[tuple[Callable[[Mapping], None], str]] = [
    (put("tornament", {}), "tornament: unknown key (did you mean tournament?)"),
    (put("zzz", 1), "zzz: unknown key"),
    (put("bots.1.comand", "x"), "bots[2].comand: unknown key (did you mean command?) (name 'bravo')"),
    (put("clock.turn", 5), "clock.turn: unknown key (did you mean turn_ms?)"),
    (put("run.a b", 5), "run.'a b': unknown key"),
    (put("clock", 5), "clock: must be a table of keys, not 5"),
    (put("bots", {"name": "a"}), "bots: must be an array of tables: write its heading in double brackets"),
    (put("bots", [3]), "bots[1]: must be a table of keys, not 3"),
    (drop("tournament"), "tournament: missing: the table with name and format"),
    (
        drop("tournament.name"),
        'tournament.name: missing: what the tournament is called in its records, e.g. "club-night"',
    ),
    (drop("tournament.format"), "tournament.format: missing: one of round_robin, swiss, gauntlet, knockout"),
    (drop("bots"), "bots: missing: an entry [[bots]] for each bot"),
    (drop("bots.0.name"), "bots[1].name: missing: the bot's name in the standings"),
    (
        drop("bots.0.command"),
        "bots[1].command: missing: how the bot is started, e.g. \"python my_bot.py\" (name 'alpha')",
    ),
    (put("bots.0.command", ""), "bots[1].command: must not be empty: it starts the bot (name 'alpha')"),
    (put("bots.0.command", []), "bots[1].command: must not be empty: it starts the bot (name 'alpha')"),
    (put("bots.0.build", []), "bots[1].build: must not be empty: it builds the bot (name 'alpha')"),
    (put("bots.0.command", ["", "x"]), "bots[1].command: must not be empty: it starts the bot (name 'alpha')"),
    (put("bots.0.command", ["a", 1]), "bots[1].command: must be text or a list of texts, not ['a', 1] (name 'alpha')"),
    (
        put("bots.0.command", "a 'b"),
        "bots[1].command: cannot be split into words: No closing quotation in \"a 'b\" (name 'alpha')",
    ),
    (put("bots.0.command", "a \udcff"), "bots[1].command: is not valid text: '\\udcff' (name 'alpha')"),
    (put("bots.0.command", ["a\0"]), "bots[1].command: must not contain a NUL character: ['a\\x00'] (name 'alpha')"),
    (
        put("bots.0.folder", "nowhere"),
        f"bots[1].folder: no such folder: {str(Path.cwd() / 'nowhere')!r} (name 'alpha')",
    ),
    (put("bots.0.env", {"A": 1}), "bots[1].env.A: must be text in quotes, not 1 (name 'alpha')"),
    (put("bots.0.env", {"A=": "1"}), "bots[1].env: 'A=' is no name for an environment variable (name 'alpha')"),
    (put("bots.0.env", 1), "bots[1].env: must be a table of texts, not 1 (name 'alpha')"),
    (put("bots.1.name", "alpha"), "bots[2].name: 'alpha' is too similar to the name of bots[1]"),
    (put("bots.1.name", "ALPHA"), "bots[2].name: 'ALPHA' is too similar to the name of bots[1]"),
    (put("bots.1.name", ""), "bots[2].name: must not be empty"),
    (put("bots.1.name", 7), "bots[2].name: must be text in quotes, not 7"),
    (put("bots.1.name", "a/b"), "bots[2].name: must not contain slashes: 'a/b'"),
    (put("bots.1.name", "a\nb"), "bots[2].name: must contain printable characters only, not 'a\\nb'"),
    (put("bots.1.name", "a\u200cLPHA"), "bots[2].name: 'a\\u200cLPHA' is too similar to the name of bots[1]"),
    (
        put("bots.1.name", "a\u200d"),
        "bots[2].name: a joiner must stand between two characters, an accent after one: 'a\\u200d'",
    ),
    (
        put("bots.1.name", "a\u200d\u200cb"),
        "bots[2].name: a joiner must stand between two characters, an accent after one: 'a\\u200d\\u200cb'",
    ),
    (
        put("bots.1.name", "\u0301b"),
        "bots[2].name: a joiner must stand between two characters, an accent after one: '\u0301b'",
    ),
    (put("bots.1.name", "a\u202eb"), "bots[2].name: must contain printable characters only, not 'a\\u202eb'"),
    (put("bots.1.name", "x" * 41), "bots[2].name: must have at most 40 characters, not 41"),
    (put("bots.1.name", ".."), "bots[2].name: must not begin with a dot, nor begin or end with a blank: '..'"),
    (put("bots.1.name", "a "), "bots[2].name: must not begin with a dot, nor begin or end with a blank: 'a '"),
    (put("bots", []), "bots: a four-player table needs at least 2 bots, found 0"),
    (
        put("tournament.name", "a b"),
        "tournament.name: must be up to 60 letters, digits, dots, dashes and underscores, not 'a b'",
    ),
    (
        put("tournament.format", "swis"),
        "tournament.format: must be one of round_robin, swiss, gauntlet, knockout, not 'swis' (did you mean swiss?)",
    ),
    (put("tournament.players", 2), "tournament.players: must be one of 4, 3, not 2"),
    (put("tournament.players", True), "tournament.players: must be one of 4, 3, not True"),
    (put("tournament.deals", 0), "tournament.deals: must be from 1 to 1000000, not 0"),
    (put("tournament.deals", -3), "tournament.deals: must be from 1 to 1000000, not -3"),
    (put("tournament.deals", 2.0), "tournament.deals: must be a whole number, not 2.0"),
    (put("tournament.deals", True), "tournament.deals: must be a whole number, not True"),
    (put("tournament.seed", 42), "tournament.seed: must be text in quotes, not 42"),
    (put("tournament.seed", "\udc80"), "tournament.seed: is not valid text: '\\udc80'"),
    (
        put("tournament.seatings", "rotation"),
        "tournament.seatings: must be one of rotations, permutations, not 'rotation' (did you mean rotations?)",
    ),
    (
        put("tournament.seatings", "permutations"),
        "tournament.seatings: permutations are for three players: remove the key (two teams have two seatings), "
        "or set players = 3",
    ),
    (
        put("tournament.tables", "pairs"),
        "tournament.tables: only a round robin with players = 3 has this choice: remove the key",
    ),
    (
        put("tournament.seeding", "lot"),
        'tournament.seeding: only a knockout has seeds: remove the key, or set format = "knockout"',
    ),
    (
        put("tournament.challengers", ["alpha"]),
        'tournament.challengers: only a gauntlet has challengers: remove the key, or set format = "gauntlet"',
    ),
    (put("tournament.challengers", "alpha"), "tournament.challengers: must be a list of texts, not 'alpha'"),
    (put("tournament.challengers", []), "tournament.challengers: must not be empty: remove the key instead"),
    (put("tournament.challengers", ["alpha", ""]), "tournament.challengers[2]: must not be empty"),
    (put("tournament.challengers", ["a", "b", "a"]), "tournament.challengers[3]: is there twice: 'a'"),
    (
        all_of(put("tournament.format", "gauntlet"), put("tournament.challengers", ["alpha", "brave"])),
        "tournament.challengers[2]: no bot is called 'brave' (did you mean bravo?)",
    ),
    (
        all_of(put("tournament.format", "gauntlet"), put("tournament.challengers", ["alpha", "bravo", "charlie"])),
        "tournament.challengers: the challengers need at least 1 other bots to meet, found 0",
    ),
    (
        all_of(put("tournament.format", "knockout"), drop("tournament.rounds"), put("tournament.players", 3)),
        "tournament.players: a knockout is for two sides, since a match puts out one of two bots: set players = 4, "
        "or another format",
    ),
    (
        all_of(put("tournament.format", "knockout"), put("tournament.rank_by", "elo")),
        "tournament.rank_by: a knockout ranks by how far a bot came: remove the key",
    ),
    (put("tournament.rank_by", "luck"), "tournament.rank_by: must be one of elo, points, not 'luck'"),
    (put("bots.2.from_round", 0), "bots[3].from_round: must be from 1 to 1000, not 0 (name 'charlie')"),
    (put("bots.2.from_round", 3), "bots[3].from_round: the tournament has 2 rounds, not 3 (name 'charlie')"),
    (
        all_of(put("bots.2.from_round", 2), put("bots.2.until_round", 1)),
        "bots[3].until_round: must not be before from_round = 2 (name 'charlie')",
    ),
    (
        all_of(put("bots.1.from_round", 2), put("bots.2.from_round", 2)),
        "bots: a four-player table needs at least 2 bots, and in round 1 there are 1",
    ),
    (
        all_of(put("tournament.format", "round_robin"), drop("tournament.rounds")),
        "bots[3].until_round: only in a swiss bots come and go between rounds: remove the key (name 'charlie')",
    ),
    (put("tournament.names", 1), "tournament.names: must be true or false, not 1"),
    (put("tournament.anchor", "alfa"), "tournament.anchor: no bot is called 'alfa' (did you mean alpha?)"),
    (drop("tournament.rounds"), "tournament.rounds: missing: a swiss of 3 bots has 1 to 2 rounds"),
    (
        put("tournament.rounds", 3),
        'tournament.rounds: a swiss of 3 bots has at most 2 rounds, not 3: for more use format = "round_robin"',
    ),
    (put("tournament.rounds", 0), "tournament.rounds: must be from 1 to 1000, not 0"),
    (
        put("tournament.format", "round_robin"),
        'tournament.rounds: only a swiss counts rounds: remove the key, or set format = "swiss"',
    ),
    (
        put("ruleset.preset", "desinger"),
        "ruleset.preset: must be one of designer, pandasaurus, gigamic, german, "
        "not 'desinger' (did you mean designer?)",
    ),
    (
        put("ruleset.game_end", "never"),
        "ruleset.game_end: must be one of first_to_two, best_of_three, three_rounds_total, not 'never'",
    ),
    (put("ruleset.gold_zeros", "no"), "ruleset.gold_zeros: must be true or false, not 'no'"),
    (put("clock.turn_ms", 0), "clock.turn_ms: must be from 1 to 86400000, not 0"),
    (put("clock.bank_ms", -1), "clock.bank_ms: must be from 0 to 86400000, not -1"),
    (put("clock.setup_ms", 0), "clock.setup_ms: must be from 1 to 86400000, not 0"),
    (put("run.relaunch", "units"), "run.relaunch: must be one of fault, match, unit, not 'units' (did you mean unit?)"),
    (put("run.games_in_flight", 0), "run.games_in_flight: must be from 1 to 4096, not 0"),
    (put("run.memory_mb", 10**70), f"run.memory_mb: must be from 0 to 16777216, not 1{'0' * 56}..."),
]


@pytest.mark.parametrize(("change", "expected"), WRONG, ids=[expected for _, expected in WRONG])
def test_one_mistake_is_one_line(change: Callable[[Mapping], None], expected: str) -> None:
    """The line names the file, the key, and what is wrong with it."""
    mapping = full()
    change(mapping)
    assert f"club.toml: {expected}" == complaint(mapping)


def test_a_gauntlet_of_three_needs_two_others() -> None:
    """One bot that is no challenger fills no table of three."""
    mapping = full()
    mapping["tournament"] |= {"format": "gauntlet", "players": 3, "challengers": ["alpha", "bravo"]}
    del mapping["tournament"]["rounds"], mapping["bots"][2]["until_round"]
    expected = "tournament.challengers: the challengers need at least 2 other bots to meet, found 1"
    assert f"club.toml: {expected}" == complaint(mapping)


@pytest.mark.parametrize(
    ("form", "challengers", "rank"),
    [
        ("round_robin", (), "elo"),
        ("swiss", (), "points"),
        ("gauntlet", ("a",), "elo"),
        ("knockout", (), "progress"),
    ],
)
def test_what_a_format_takes_for_granted(form: str, challengers: tuple[str, ...], rank: str) -> None:
    """The first bot is the challenger of a gauntlet; each format sorts its table in a way of its own."""
    head = {"name": "cup", "format": form} | ({"rounds": 1} if form == "swiss" else {})
    bots = [{"name": name, "command": "true"} for name in "abc"]
    spec = spec_from({"tournament": head, "bots": bots}, "club.toml", Path())
    assert (challengers, rank) == (spec.challengers, spec.rank_by)
    if form != "knockout":
        asked = spec_from({"tournament": head | {"rank_by": "points"}, "bots": bots}, "club.toml", Path())
        assert (RankBy.POINTS, fingerprint(spec)) == (asked.rank_by, fingerprint(asked))


@pytest.mark.parametrize(("players", "bots", "of"), [(4, 1, "a four-player table"), (3, 2, "a table of three")])
def test_too_few_bots(players: int, bots: int, of: str) -> None:
    """A table must be filled."""
    mapping = full()
    mapping["tournament"] = {"name": "x", "format": "round_robin", "players": players}
    del mapping["bots"][bots:]
    assert f"club.toml: bots: {of} needs at least {bots + 1} bots, found {bots}" == complaint(mapping)


def test_a_program_that_is_not_there_is_no_mistake_of_the_spec() -> None:
    """Such a bot forfeits its own games; the tournament takes place."""
    mapping = full()
    mapping["bots"][0]["command"] = "/no/such/program"
    assert ("/no/such/program",) == spec_from(mapping, "club.toml", Path()).bots[0].command


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"[tournament]\nname = \n", "not valid TOML: Invalid value (at line 2, column 8)"),
        (b"[tournament]\nname = '\xff'\n", "not UTF-8 text (line 2)"),
        (b"a = " + b"9" * 5000, "not valid TOML: Exceeds the limit (4300 digits)"),
        (b"a = " + b"[" * 50_000, "not "),
        (b"", "tournament: missing: the table with name and format"),
    ],
)
def test_a_file_that_is_no_spec(tmp_path: Path, content: bytes, expected: str) -> None:
    """What is not TOML is said to be so, with its place."""
    path = tmp_path / "club.toml"
    path.write_bytes(content)
    with pytest.raises(UserError) as caught:
        load_spec(path)
    assert str(caught.value).startswith(f"{path}: {expected}")


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    """A missing file and a folder are named, with the system's reason."""
    with pytest.raises(UserError) as caught:
        load_spec(tmp_path / "none.toml")
    assert f"{tmp_path / 'none.toml'}: cannot be read: No such file or directory" == str(caught.value)
    with pytest.raises(UserError) as caught:
        load_spec(tmp_path)
    assert f"{tmp_path}: cannot be read: Is a directory" == str(caught.value)


def test_a_byte_order_mark_does_no_harm(tmp_path: Path) -> None:
    """Some editors write one at the start of every file."""
    path = tmp_path / "club.toml"
    path.write_text(SMALLEST, encoding="utf-8-sig")
    assert "club-night" == load_spec(path).name


names = st.text(st.characters(categories=["L", "N", "S"]), min_size=1, max_size=NAME_LENGTH)
small = st.integers(1, 50)


@st.composite
def valid(draw: st.DrawFn) -> Mapping:
    """Any valid spec, as a mapping."""
    entrants = draw(st.lists(names, min_size=3, max_size=6, unique_by=lambda name: name.casefold()))
    swiss = draw(st.booleans())
    tournament: Mapping = {
        "name": draw(st.from_regex("[a-z0-9][a-z0-9._-]{0,20}", fullmatch=True)),
        "format": "swiss" if swiss else "round_robin",
    }
    if swiss:
        tournament["rounds"] = draw(st.integers(1, most_rounds(len(entrants))))
    optional: dict[str, st.SearchStrategy[Any]] = {
        "players": st.sampled_from([3, 4]),
        "deals": small,
        "seed": st.text(st.characters(codec="utf-8", exclude_categories=["C"]), min_size=1),
        "tolerated_faults": small,
        "names": st.booleans(),
        "anchor": st.sampled_from(entrants),
        "rank_by": st.sampled_from(["elo", "points"]),
    }
    return {
        "tournament": tournament | draw(st.fixed_dictionaries({}, optional=optional)),
        "ruleset": draw(
            st.fixed_dictionaries(
                {},
                optional={
                    "preset": st.sampled_from(list(PRESETS)),
                    "gold_zeros": st.booleans(),
                    "game_end": st.sampled_from([end.value for end in GameEnd]),
                },
            )
        ),
        "clock": draw(
            st.fixed_dictionaries(
                {},
                optional=dict.fromkeys(("turn_ms", "bank_ms", "increment_ms", "setup_ms", "reconnect_grace_ms"), small),
            )
        ),
        "run": draw(
            st.fixed_dictionaries(
                {},
                optional={
                    **dict.fromkeys(("workers", "games_in_flight", "unit_deals", "memory_mb"), small),
                    "relaunch": st.sampled_from([*map(str, Relaunch)]),
                    "pin": st.sampled_from([*map(str, Pin)]),
                },
            )
        ),
        "bots": [
            {"name": name, "command": draw(st.lists(names, min_size=1, max_size=3)), "env": {"X": draw(names)}}
            for name in entrants
        ],
    }


def toml(mapping: Mapping) -> str:
    """The mapping as a TOML file: JSON's scalars, lists and quoted keys are TOML's too."""
    lines = []
    for section, keys in mapping.items():
        for entry in keys if isinstance(keys, list) else [keys]:
            lines.append(f"[[{section}]]" if isinstance(keys, list) else f"[{section}]")
            lines += [f"{key} = {inline(value)}" for key, value in entry.items()]
    return "\n".join(lines)


def inline(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {inline(inner)}" for key, inner in value.items()) + "}"
    return json.dumps(value, ensure_ascii=False)


@given(valid())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50, deadline=None)
def test_valid_specs_say_what_they_mean(tmp_path: Path, mapping: Mapping) -> None:
    """A file reads as the mapping it was written from, and every key said is found in the spec."""
    path = tmp_path / "club.toml"
    path.write_text(toml(mapping), encoding="utf-8")
    spec = load_spec(path)
    assert spec_from(mapping, "club.toml", tmp_path) == spec
    said = mapping["tournament"] | mapping["run"]
    assert said == {key: str(spec.format) if key == "format" else getattr(spec, key) for key in said}
    assert mapping["clock"] == {key: getattr(spec.clock, key) for key in mapping["clock"]}
    assert [entry["name"] for entry in mapping["bots"]] == [bot.name for bot in spec.bots]
    assert [tuple(entry["command"]) for entry in mapping["bots"]] == [bot.command for bot in spec.bots]


def keys_of(mapping: Mapping) -> list[tuple[str, str]]:
    """Every key of a spec, after its section or entry as errors print it."""
    found: list[tuple[str, str]] = []
    for section, keys in mapping.items():
        entries = enumerate(keys, 1) if isinstance(keys, list) else [(0, keys)]
        found += [(f"{section}[{number}]" if number else section, key) for number, entry in entries for key in entry]
    return found


@given(st.sampled_from(keys_of(full())), st.sampled_from([-1, 1.5, [], [[]], {"a\n": {}}, ""]), st.booleans())
def test_any_corrupted_key_is_named(key: tuple[str, str], value: Any, misspell: bool) -> None:
    """A value that no key takes, or a letter too many in a key: one line with the file and the key."""
    section, name = key
    mapping = copy.deepcopy(full())
    table = mapping["bots"][int(section[5:-1]) - 1] if section.startswith("bots[") else mapping[section]
    if misspell:
        table[name + "x"] = table.pop(name)
        expected = f"club.toml: {section}.{name}x: unknown key (did you mean {name}?)"
    else:
        table[name] = value
        expected = f"club.toml: {section}.{name}"
    line = complaint(mapping)
    assert line.startswith(expected)
    assert line.isprintable()


def test_a_spec_and_its_bots_may_move_together(tmp_path: Path) -> None:
    """The same file in another place, with the bots' folders beside it, is the same tournament."""
    prints = set()
    for home in (tmp_path / "a", tmp_path / "b"):
        (home / "bots").mkdir(parents=True)
        (home / "club.toml").write_text(SMALLEST + 'folder = "bots"\n', encoding="utf-8")
        prints.add(fingerprint(load_spec(home / "club.toml")))
    assert 1 == len(prints)


@pytest.mark.parametrize(
    "name", ["\u0646\u0645\u06cc\u200c\u062f\u0627\u0646\u0645", "\u0915\u094d\u200d\u0937", "e\u0301", "\u68cb\u58eb"]
)
def test_names_in_scripts_that_need_joiners_and_marks(name: str) -> None:
    """Persian, Hindi, an accent of its own, wide characters."""
    mapping = full()
    mapping["bots"][2]["name"] = name
    assert name == spec_from(mapping, "club.toml", Path()).bots[2].name
