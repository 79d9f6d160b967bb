"""A spec as it is kept in a store: JSON in the shape of the TOML file, every default spelled out.

Reading it back checks nothing: a tournament that was played stays readable where its bots' folders are gone.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from aurum.rules import Ruleset
from aurum.spec.keys import SECTIONS, assembled, values_of
from aurum.spec.readers import Key
from aurum.spec.spec import Spec


def dump_spec(spec: Spec) -> str:
    """The spec as JSON text; `load_spec_json` reads it back."""
    kept: dict[str, Any] = {section: [] if section == "bots" else {} for section in SECTIONS}
    for value in values_of(spec):
        if value.number > len(kept[value.section]):
            kept[value.section].append({})
        entry = kept[value.section][-1] if value.number else kept[value.section]
        entry[value.name] = None if value.value is None else value.key.dump(value.value)
    return json.dumps(kept | {"home": str(spec.home)}, ensure_ascii=False)


def load_spec_json(text: str) -> Spec:
    """The spec that `dump_spec` wrote. Raises ValueError, KeyError or TypeError on any other text."""
    kept = json.loads(text)
    sections: dict[str, Any] = {}
    for section, keys in SECTIONS.items():
        if section == "bots":
            sections[section] = [_loaded(keys, entry) for entry in kept[section]]
        else:
            sections[section] = _loaded(keys, kept[section])
    return assembled(sections, Ruleset(**sections["ruleset"]), Path(kept["home"]))


def _loaded(keys: Mapping[str, Key], kept: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a section or an entry."""
    if unknown := {*kept} - {*keys}:
        raise ValueError(f"keys that this version of arena does not know: {sorted(unknown)}")
    return {
        name: key.default if key.since > 1 and name not in kept else _read(key, kept[name])
        for name, key in keys.items()
    }


def _read(key: Key, raw: Any) -> Any:
    return None if raw is None else key.load(raw)
