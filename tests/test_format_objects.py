"""A format is one object: one more is a module and a line in the registry, and nobody else knows any by name."""

import ast
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from aurum.archive.audit import Audit
from aurum.archive.trf import export_trf
from aurum.common.errors import UserError
from aurum.formats.event_spec import EventSpec
from aurum.formats.format import Complaint, Draw, Format
from aurum.formats.match_points import match_halves
from aurum.formats.options import RankBy
from aurum.formats.registry import FORMATS
from aurum.formats.rounds import TournamentRound
from aurum.results.game_row import GameRow
from aurum.results.match_totals import Totals, by_match
from aurum.schedule.plan import Sample, plan
from aurum.schedule.schedule import match_count, rounds_ready
from aurum.schedule.shards import Shard, share
from aurum.spec.spec import Spec
from aurum.standings.stored import standings_of
from aurum.store.store import Store
from tournament_rows import rows_of
from tournament_runs import make_spec, run

ROOT = Path(__file__).resolve().parents[1]


class Neighbours(Format):
    """Every bot meets the bots before and behind it in the spec."""

    word = "neighbours"
    own_keys = {"tournament.anchor": "not with neighbours"}
    trf_system = "Neighbours"

    def complaints(self, spec: EventSpec) -> Iterable[Complaint]:
        if len(spec.bots) > 5:
            yield Complaint("bots", "a street has five houses")

    def draws(
        self, spec: EventSpec, secret: bytes, rounds: Sequence[TournamentRound], totals: Totals
    ) -> Iterator[Draw]:
        names = [bot.name for bot in spec.bots]
        pairs = list(pairwise(names))
        yield Draw(1, pairs[::2], names)
        yield Draw(2, pairs[1::2], names)

    def match_count(self, spec: EventSpec) -> int:
        return len(spec.bots) - 1


class Hill(Format):
    """Whoever won the last match meets the next bot of the spec."""

    word = "king_of_the_hill"
    rank_by = RankBy.POINTS
    waits = True

    def draws(
        self, spec: EventSpec, secret: bytes, rounds: Sequence[TournamentRound], totals: Totals
    ) -> Iterator[Draw]:
        names = [bot.name for bot in spec.bots]
        king = names[0]
        for number, comer in enumerate(names[1:], 1):
            yield Draw(number, [(king, comer)], [king, comer])
            (match,) = rounds[-1].matches
            king = comer if match_halves(match.bots, totals[match.id])[1] == 2 else king

    def match_count(self, spec: EventSpec) -> int:
        return len(spec.bots) - 1

    def matches_to_come(self, spec: EventSpec, ready: Sequence[TournamentRound]) -> Sequence[int]:
        return [1] * (len(spec.bots) - 1 - len(ready))


@pytest.fixture(autouse=True)
def more_formats(monkeypatch: pytest.MonkeyPatch) -> None:
    """The line in the registry."""
    for format_ in (Neighbours(), Hill()):
        monkeypatch.setitem(FORMATS, format_.word, format_)


def make(folder: Path, format_: Format | type[Format], bots: str = "abcde") -> Spec:
    """A spec of a format, two deals a match."""
    return make_spec(folder, bots, tournament={"format": format_.word, "deals": 2})


@pytest.mark.parametrize("format_", [Neighbours, Hill])
def test_one_more_format_is_played_like_any(tmp_path: Path, format_: type[Format]) -> None:
    """From its spec to an audit: every match is played, kept and counted."""
    spec = make(tmp_path, format_)
    run(spec, tmp_path / "out")
    with Store.read(tmp_path / "out") as store:
        assert store.spec == spec
        assert match_count(spec) * 2 * 2 == store.game_count() == standings_of(store).games == 16
        assert format_.rank_by is standings_of(store).rank_by
        assert store.finished is not None
        assert 4 == sum(len(drawn.matches) for drawn in store.rounds())
    assert [] == list(Audit(tmp_path / "out").problems())


def test_its_matches_and_deals_are_numbered(tmp_path: Path) -> None:
    """Whoever has no neighbour left has a bye."""
    first, second = rounds_ready(make(tmp_path, Neighbours), bytes(32), {})
    found = [(match.id, "".join(match.bots), match.first_deal) for drawn in (first, second) for match in drawn.matches]
    assert [("r1m1", "ab", 0), ("r1m2", "cd", 2), ("r2m1", "bc", 4), ("r2m2", "de", 6)] == found
    assert ["e", "a"] == [bye.bot for drawn in (first, second) for bye in drawn.byes]


def test_a_format_that_waits_is_drawn_round_by_round(tmp_path: Path) -> None:
    """The next round is drawn from the results of the last, and not before all of them are there."""
    spec, rows, drawn = make(tmp_path, Hill, "abc"), list[GameRow](), list[str]()
    for number in (1, 2):
        ready = rounds_ready(spec, bytes(32), by_match(rows))
        assert number == len(ready)
        drawn.append("".join(ready[-1].matches[0].bots))
        rows += rows_of(ready[-1].matches[0], lambda bots: [2, 1] if bots[0] < bots[1] else [1, 2])
        assert number == len(rounds_ready(spec, bytes(32), by_match(rows[:-1])))
    assert ["ab", "bc"] == drawn
    with pytest.raises(UserError, match="a king_of_the_hill cannot be played in shards"):
        share(spec, Shard(1, 2))


def test_it_is_planned_reported_and_named(tmp_path: Path) -> None:
    """The planner takes its rounds, TRF its name, progress its title."""
    for format_ in (Neighbours, Hill):
        spec = make(tmp_path, format_)
        ready = rounds_ready(spec, bytes(32), {})
        rows = tuple(rows_of(ready[0].matches[0], lambda _: (1, 2)))
        samples = [Sample(pair, 1.0, 2.0, rows) for pair in [("a", "b"), ("c", "d"), ("d", "e")]]
        assert 4 == plan(spec, ready, samples, 10, 1).matches
    assert "king of the hill" == spec.format.title(spec)
    run(make(tmp_path, Neighbours), tmp_path / "street")
    run(make(tmp_path, Hill), tmp_path / "hill")
    with Store.read(tmp_path / "street") as store:
        assert "092 Neighbours" in export_trf(store)
        assert not standings_of(store).byes
    with Store.read(tmp_path / "hill") as store, pytest.raises(UserError, match="and a king_of_the_hill does not"):
        export_trf(store)


def test_its_specs_are_checked_by_itself(tmp_path: Path) -> None:
    """What it complains of, and keys that are its own."""
    with pytest.raises(UserError, match=r"^test: bots: a street has five houses$"):
        make(tmp_path, Neighbours, "abcdef")
    with pytest.raises(UserError, match=r"^test: tournament\.anchor: not with neighbours$"):
        make_spec(tmp_path, tournament={"anchor": "a"})
    with pytest.raises(UserError, match=r"^test: tournament\.rounds: only a swiss counts rounds"):
        make_spec(tmp_path, tournament={"format": "neighbours", "rounds": 1})
    assert "a" == make_spec(tmp_path, tournament={"format": "neighbours", "anchor": "a"}).anchor


def particular_formats(source: str) -> list[str]:
    """Where a source names a format, or compares one."""
    modules = {type(format_).__module__ for format_ in FORMATS.values()} - {__name__}
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and node.value in list(FORMATS):
            found.append(f"line {node.lineno}: {node.value}")
        elif isinstance(node, ast.ImportFrom) and (
            node.module in modules or any(f"{node.module}.{alias.name}" in modules for alias in node.names)
        ):
            found.append(f"line {node.lineno}: {node.module}")
        elif isinstance(node, ast.Import) and modules & {alias.name for alias in node.names}:
            found.append(f"line {node.lineno}: {node.names[0].name}")
        elif isinstance(node, ast.Compare | ast.Match):
            sides = [node.subject] if isinstance(node, ast.Match) else [node.left, *node.comparators]
            if any(isinstance(side, ast.Attribute) and side.attr == "format" for side in sides):
                found.append(f"line {node.lineno}: compares a format")
    return found


def test_nobody_outside_the_formats_knows_any_of_them() -> None:
    """All other packages ask the format of the spec."""
    formats = ROOT / "tournaments/aurum/formats"
    paths = [path for root in ("referee", "sdk/python", "tournaments") for path in (ROOT / root).rglob("*.py")]
    found = {
        str(path.relative_to(ROOT)): named
        for path in paths
        if formats not in path.parents and (named := particular_formats(path.read_text(encoding="utf-8")))
    }
    assert {} == found


@pytest.mark.parametrize(
    "planted",
    [
        "from aurum.formats.swiss import most_rounds",
        "from aurum.formats import knockout",
        "import aurum.formats.swiss",
        'if str(spec.format) in ("swiss", "knockout"): pass',
        "if spec.format is other.format: pass",
        "match spec.format:\n    case _: pass",
    ],
)
def test_whoever_does_is_noticed(planted: str) -> None:
    """By name or by comparing."""
    assert particular_formats(f"import json\n{planted}\n")
