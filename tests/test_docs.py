"""The documents: what they show works, what they list is complete, where they point to exists."""

import json
import re
import subprocess
import tomllib
from collections import Counter
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path

import click
import pytest
from aurum.bot import Turn
from aurum.bot.events import GameInfo
from aurum.cli.main import arena
from aurum.spec.keys import SECTIONS
from aurum.spec.loading import spec_from
from aurum.spec.readers import REQUIRED, Key
from aurum.standings.ratings import Bound
from aurum.standings.rendering import COLUMNS, STYLES
from aurum.v1 import game_pb2, play_pb2
from docs_blocks import DOCS, ROOT, Block, anchors, blocks, code, links, name_of, prose, rows, sections
from docs_running import Workspace
from google.protobuf import json_format
from google.protobuf.descriptor import Descriptor, EnumDescriptor

PROTOCOL = ROOT / "docs/protocol.md"
RUNNING = ROOT / "docs/running-a-tournament.md"
ARCHITECTURE = ROOT / "docs/architecture.md"

CHECKED = {"sh", "console", "python", "toml", "json", "yaml", "js"}
PICTURES = {"text", "mermaid"}
NOT_RUN = {
    "README.md": 2,
    "docs/bridge.md": 1,
    "docs/checking-a-bot.md": 1,
    "docs/comparing.md": 1,
    "docs/languages.md": 2,
    "docs/performance.md": 1,
    "docs/protocol.md": 1,
    "docs/running-a-tournament.md": 2,
    "docs/scaling.md": 3,
    "docs/variance.md": 1,
}
"""How many blocks nothing checks; one more is to be a decision."""

MINIMAL: dict[str, object] = {
    "tournament": {"name": "minimal", "format": "round_robin"},
    "bots": [{"name": name, "command": "python bot.py"} for name in ("a", "b", "c", "d", "e", "f", "g", "h", "i")],
}


def ids(value: object) -> str:
    return name_of(value) if isinstance(value, Path) else value.place if isinstance(value, Block) else ""


def every(language: str) -> list[Block]:
    return [block for doc in DOCS for block in blocks(doc) if block.language == language]


def test_every_block_is_checked_or_says_why_not() -> None:
    """Python is saved and played, JSON names its message, and what is not run is counted."""
    found = [block for doc in DOCS for block in blocks(doc)]
    assert [] == [block.place for block in found if block.language not in CHECKED | PICTURES]
    assert [] == [block.place for block in found if block.language == "python" and not block.noted("file")]
    assert [] == [block.place for block in found if block.language == "json" and not block.noted("message")]
    assert NOT_RUN == Counter(block.place.partition(":")[0] for block in found if block.noted("not run"))


@pytest.mark.timeout(900)
@pytest.mark.parametrize("doc", [doc for doc in DOCS if {"sh", "console"} & {b.language for b in blocks(doc)}], ids=ids)
def test_the_commands_run(doc: Path, tmp_path: Path) -> None:
    """From the top of the document to its end, as a reader types them; printed is what the document shows."""
    with Workspace(tmp_path) as workspace:
        for block in blocks(doc):
            workspace.follow(block)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("doc", [doc for doc in DOCS if "python" in {b.language for b in blocks(doc)}], ids=ids)
def test_the_bots_play(doc: Path, players: int, tmp_path: Path) -> None:
    """At one table, without a fault."""
    bots = [block.noted("file") for block in blocks(doc) if block.language == "python"]
    with Workspace(tmp_path) as workspace:
        for block in blocks(doc):
            if block.noted("file"):
                workspace.follow(block)
        start = "arena bridge -- python" if name_of(doc) == "docs/bridge.md" else "python"
        seats = " ".join(f"--seat '{seat}={start} {bot}'" for seat, bot in enumerate(islice(cycle(bots), players)))
        output = workspace.run(f"arena referee --players {players} --games 2 --seed docs --ruleset german {seats}")
    assert 2 == len(output.splitlines()), output
    assert all(re.match(r"referee/[12]: won by side", line) for line in output.splitlines())


@pytest.mark.parametrize("block", every("toml"), ids=ids)
def test_the_specs_can_be_played(block: Block, tmp_path: Path) -> None:
    """Whole ones as they are, parts with what every spec needs."""
    mapping = tomllib.loads(block.text)
    for bot in mapping.get("bots", []):
        (tmp_path / bot.get("folder", "")).mkdir(parents=True, exist_ok=True)
    spec_from(MINIMAL | mapping, block.place, tmp_path)


def messages(doc: Path) -> Iterator[tuple[Block, object]]:
    """The messages that a document shows."""
    for block in blocks(doc):
        if name := block.noted("message"):
            yield block, json_format.Parse(block.text, getattr(play_pb2, name)())


def test_the_messages_are_messages_and_the_answers_are_legal() -> None:
    """Each Action answers the Turn before it; each Turn lists what the rules allow in the position it shows."""
    turn, phases = play_pb2.Turn(), set()
    for block, message in messages(PROTOCOL):
        if isinstance(message, play_pb2.Turn):
            turn = message
            start = play_pb2.GameStart(game=turn.game, seat=turn.table.to_act, players=len(turn.table.seats))
            view = Turn(turn, GameInfo(start), 0.0)
            assert view.sample().legal_moves() == view.legal, block.place
        elif isinstance(message, play_pb2.Action):
            phases.add(turn.phase)
            assert (turn.game, turn.number) == (message.game, message.number), block.place
            own = turn.table.seats[turn.table.to_act]
            kind = message.WhichOneof("move")
            if kind == "card":
                assert message.card in turn.legal_cards, block.place
            elif kind == "pass":
                assert turn.may_pass, block.place
            else:
                assert message.exchange.gold in own.collection, block.place
                assert message.exchange.card in turn.legal_cards, block.place
                assert message.exchange.seat in (turn.table.to_act, turn.table.to_act ^ 2), block.place
    assert {game_pb2.PHASE_BID, game_pb2.PHASE_EXCHANGE, game_pb2.PHASE_FOLLOW} == phases


def test_the_protocol_page_names_everything_that_crosses_the_wire() -> None:
    """Every message and kind of fault between bot and referee, every field of a turn."""
    seen: dict[str, Descriptor | EnumDescriptor] = {}
    waiting: list[Descriptor | EnumDescriptor] = [play_pb2.PlayRequest.DESCRIPTOR, play_pb2.PlayResponse.DESCRIPTOR]
    while waiting:
        kind = waiting.pop()
        if kind.name not in seen:
            seen[kind.name] = kind
            if isinstance(kind, Descriptor):
                waiting += [below for field in kind.fields if (below := field.message_type or field.enum_type)]
    words = set(re.findall(r"\w+", prose(PROTOCOL)))
    kinds = {value.name.removeprefix("FAULT_KIND_") for value in game_pb2.FaultKind.DESCRIPTOR.values if value.number}
    phases = {value.name for value in game_pb2.Phase.DESCRIPTOR.values if value.number}
    fields = {field.name for field in play_pb2.Turn.DESCRIPTOR.fields}
    kinds.symmetric_difference_update({"REFEREE_ERROR", "FAULT_KIND_REFEREE_ERROR"})  # never seen, so named in full
    assert set() == (seen.keys() | kinds | phases | fields) - words


@pytest.mark.parametrize("doc", DOCS, ids=ids)
def test_links_lead_somewhere(doc: Path) -> None:
    """To a file that is there, and to a heading in it."""
    for link in links(doc):
        file, _, anchor = link.partition("#")
        target = (doc.parent / file).resolve() if file else doc
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def commands(command: click.Command, path: str) -> Iterator[tuple[str, click.Command]]:
    """Every command that does something, by what is typed for it."""
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from commands(below, f"{path} {name}")
    else:
        yield path, command


def test_every_command_and_option_is_documented() -> None:
    """Each has a section whose table lists its options, these and no others, and whose text has its arguments."""
    documented = {title: text for title, text in sections(RUNNING).items() if title.startswith("arena ")}
    known = dict(commands(arena, "arena"))
    assert known.keys() == documented.keys()
    for path, command in known.items():
        options = {option.opts[0] for option in command.params if isinstance(option, click.Option)}
        assert options == {code(row[0])[0] for row in rows(documented[path])}, path
        for argument in command.params:
            if isinstance(argument, click.Argument):
                assert argument.make_metavar(click.Context(command)) in documented[path], path


@pytest.mark.parametrize("section", SECTIONS)
def test_every_key_of_the_spec_is_documented_as_it_is_declared(section: str) -> None:
    """In the table of its section, in the declared order, with its default and whether it decides results."""
    title = "[[bots]]" if section == "bots" else f"[{section}]"
    documented = [(code(key)[0], default, decides) for key, _, default, decides, _ in rows(sections(RUNNING)[title])]
    expected = [(name, default_of(key), "yes" if key.decides else "no") for name, key in SECTIONS[section].items()]
    assert expected == documented


def default_of(key: Key) -> str:
    """How the page shows a default: as TOML, or in words."""
    if key.default is REQUIRED:
        return "required"
    return "none" if key.default in (None, ()) else f"`{json.dumps(key.default)}`"


def test_every_column_mark_and_style_of_the_table_is_documented() -> None:
    """A reader of the table finds each of them explained."""
    explained = [code(row[0])[0] for row in rows(sections(RUNNING)["The table"])]
    assert [*(column.title for column in COLUMNS), *filter(None, map(str, Bound))] == explained
    assert list(STYLES) == code(rows(sections(RUNNING)["arena tournament standings"])[0][1])


def test_the_files_that_the_architecture_page_names_are_there() -> None:
    """Modules move; the page has to follow."""
    page = ARCHITECTURE.read_text(encoding="utf-8")
    roots = [ROOT, *(ROOT / root / "aurum" for root in ("referee", "sdk/python", "tournaments")), ROOT / "tests"]
    roots += [package for root in roots[1:4] for package in root.rglob("*") if package.is_dir()]
    for name in re.findall(r"[\w/*]+\.(?:py|proto)\b", page):
        assert any(list(root.glob(name)) for root in [*roots, ROOT / "proto/aurum/v1"]), name


def test_make_runs_what_it_says() -> None:
    """`make test` runs every check, `make demo` the example tournament."""
    lines = {
        target: subprocess.run(
            ["make", "--dry-run", target], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
        ).stdout
        for target in ("test", "demo")
    }
    checks = ("ruff check", "ruff format --check", "mypy", "buf lint", "buf breaking", "regenerate.py --check")
    for check in (*checks, "pytest"):
        assert check in lines["test"]
    assert "arena tournament run example_bots/demo.toml" in lines["demo"]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("sh", "echo works\nfalse\necho goes on"),
        ("sh", "arena play --bot alone=python"),
        ("console", "$ echo one two three\none ... four\n"),
        ("console", "$ echo one\none\n$ echo two\ntoo\n"),
    ],
)
def test_a_wrong_document_is_noticed(language: str, text: str, tmp_path: Path) -> None:
    """A command that fails, wherever it stands, and one that prints something else."""
    with Workspace(tmp_path) as workspace, pytest.raises(AssertionError, match="planted:1"):
        workspace.follow(Block("planted:1", language, "", text))
