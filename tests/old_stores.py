"""Stores as older arenas wrote them: `data/stores/v<version>-<what>.sql`, the SQL text of a whole file.

They were dumped by the code of that version after games of `fake_unit`, without the times in their records. They hold:
    v1-finished: a round robin of a, b and X, two deals a match, each a unit of its own; X never starts.
    v1-unfinished: its first three units.
    v1-shard-1-of-2, v1-shard-2-of-2: the same tournament, played in two shards.
    v1-swiss-amended: a Swiss of a, b, c and d, two of three rounds; after the first e came and d left.
    v2-finished, v2-unfinished: like those of version 1.
    v2-three-sides: the same bots at tables of three.
    v3-finished, v3-unfinished: like those of version 1.
"""

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from aurum.spec.spec import Spec
from aurum.store.store import FILE
from tournament_runs import make_spec

DATA = Path(__file__).parent / "data" / "stores"

NO_UNITS = "v1-unfinished-without-played"
"""The unfinished one, as an arena wrote it that did not keep yet which deal groups made a unit."""

NAMES = (*sorted(path.stem for path in DATA.glob("*.sql")), NO_UNITS)


def restore(name: str, folder: Path) -> Path:
    """Make this store in a new folder, which is given back."""
    folder.mkdir()
    text = (DATA / f"{name.removesuffix('-without-played')}.sql").read_text(encoding="utf-8")
    with closing(sqlite3.connect(folder / FILE)) as database:
        database.executescript(text)
        if name == NO_UNITS:
            database.execute("DROP TABLE played")
    return folder


def spec_of(name: str, folder: Path) -> Spec:
    """The spec that the store was made with; `folder` must be there, and has no say."""
    if "three" in name:
        return make_spec(folder, "abX", tournament={"deals": 2, "players": 3}, run={"unit_deals": 1})
    if "swiss" not in name:
        return make_spec(folder, "abX", tournament={"deals": 2}, run={"unit_deals": 1})
    spec = make_spec(folder, "abecd", tournament={"format": "swiss", "rounds": 2, "deals": 1})
    rounds = {"e": (2, None), "d": (1, 1)}
    bots = [
        replace(bot, from_round=rounds[bot.name][0], until_round=rounds[bot.name][1]) if bot.name in rounds else bot
        for bot in spec.bots
    ]
    return replace(spec, rounds=3, bots=tuple(bots))
