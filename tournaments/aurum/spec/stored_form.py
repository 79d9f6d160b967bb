"""A spec as it is kept in a store: JSON in the shape of the TOML file, every default spelled out.

Reading it back checks nothing: a tournament that was played stays readable where its bots' folders are gone.
"""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from aurum.formats.options import Format, RankBy, Seatings, Seeding, Tables
from aurum.referee.unit import Clock
from aurum.rules import GameEnd, Ruleset
from aurum.spec.spec import BotEntry, Spec, usual_rank

_TOURNAMENT = ("name", "format", "players", "rounds", "deals", "seed", "tolerated_faults", "names", "anchor")
_LATER: dict[str, Any] = {
    "seatings": "rotations",
    "tables": "all",
    "challengers": [],
    "seeding": "order",
    "rank_by": None,
}
"""Keys that stores of older arenas lack, and what was so then."""
_RUN = ("workers", "games_in_flight", "unit_deals", "memory_mb")


def dump_spec(spec: Spec) -> str:
    """The spec as JSON text; `load_spec_json` reads it back."""
    return json.dumps(_mapping(spec), ensure_ascii=False)


def load_spec_json(text: str) -> Spec:
    """The spec that `dump_spec` wrote. Raises ValueError, KeyError or TypeError on any other text."""
    kept = json.loads(text)
    tournament = _LATER | kept["tournament"]
    form = Format(tournament["format"])
    tournament |= {
        "format": form,
        "seatings": Seatings(tournament["seatings"]),
        "tables": Tables(tournament["tables"]),
        "challengers": tuple(tournament["challengers"]),
        "seeding": Seeding(tournament["seeding"]),
        "rank_by": RankBy(tournament["rank_by"] or usual_rank(form)),
    }
    rules = kept["ruleset"]
    return Spec(
        **tournament,
        **kept["run"],
        ruleset=Ruleset(rules["gold_zeros"], GameEnd(rules["game_end"]), rules["preset"]),
        clock=Clock(**kept["clock"]),
        bots=tuple(
            BotEntry(
                bot["name"],
                tuple(bot["command"]),
                Path(bot["folder"]),
                tuple(sorted(bot["env"].items())),
                tuple(bot.get("build", ())),  # stores of older arenas lack these
                bot.get("from_round", 1),
                bot.get("until_round"),
            )
            for bot in kept["bots"]
        ),
        home=Path(kept["home"]),
    )


def changed_keys(old: Spec, new: Spec) -> list[str]:
    """The keys, as a user writes them, that decide results and differ; [run], builds and what only shows do not."""
    before, after = _deciding(old), _deciding(new)
    return [key for key in dict.fromkeys((*before, *after)) if before.get(key) != after.get(key)]


def _mapping(spec: Spec) -> dict[str, Any]:
    return {
        "tournament": {key: getattr(spec, key) for key in (*_TOURNAMENT, *_LATER)},
        "ruleset": {
            "preset": spec.ruleset.preset,
            "gold_zeros": spec.ruleset.gold_zeros,
            "game_end": spec.ruleset.game_end.value,
        },
        "clock": asdict(spec.clock),
        "run": {key: getattr(spec, key) for key in _RUN},
        "bots": [
            {
                "name": bot.name,
                "command": list(bot.command),
                "build": list(bot.build),
                "folder": str(bot.folder),
                "env": dict(bot.env),
                "from_round": bot.from_round,
                "until_round": bot.until_round,
            }
            for bot in spec.bots
        ],
        "home": str(spec.home),
    }


def _deciding(spec: Spec) -> dict[str, Any]:
    kept = _mapping(spec)
    flat = {f"{section}.{key}": value for section in ("tournament", "clock") for key, value in kept[section].items()}
    del flat["tournament.anchor"], flat["tournament.rank_by"]
    flat |= {f"ruleset.{key}": kept["ruleset"][key] for key in ("gold_zeros", "game_end")}
    flat["bots"] = [bot.name for bot in spec.bots]
    for number, bot in enumerate(spec.bots, 1):
        folder = bot.folder.relative_to(spec.home) if bot.folder.is_relative_to(spec.home) else bot.folder
        flat |= {
            f"bots[{number}].command": bot.command,
            f"bots[{number}].folder": folder,
            f"bots[{number}].env": bot.env,
        }
        flat |= {f"bots[{number}].from_round": bot.from_round} if bot.from_round != 1 else {}
        flat |= {f"bots[{number}].until_round": bot.until_round} if bot.until_round else {}
    return flat
