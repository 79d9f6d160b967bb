"""Stores outlive versions of arena: fingerprints and stored specs stay what they were when a tournament began.

`data/specs.jsonl` was written by the arena that first knew all the keys in it, those until EDITION, and is never
written again: a line for each spec, with its fingerprint and the JSON that a store kept of it. Its home is /usr.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from aurum.spec.fingerprint import fingerprint
from aurum.spec.keys import SECTIONS
from aurum.spec.loading import spec_from
from aurum.spec.spec import Spec
from aurum.spec.stored_form import dump_spec, load_spec_json

KEPT: dict[str, dict[str, Any]] = {
    kept["about"]: kept
    for kept in map(json.loads, (Path(__file__).parent / "data/specs.jsonl").read_text(encoding="utf-8").splitlines())
}


EDITION = 4
DEFAULTS = {"run": {"unit_deals": 16}}
"""Of that edition, where they are others today. Only keys that do not decide results may have them."""


def without_newer_keys(stored: str) -> str:
    """What a store keeps of a spec, but for what arenas of that edition did not know."""
    kept = json.loads(stored)
    for section, keys in SECTIONS.items():
        for entry in kept["bots"] if section == "bots" else [kept[section]]:
            for name, key in keys.items():
                if key.since > EDITION:
                    del entry[name]
    return json.dumps(kept, ensure_ascii=False)


def spec_of(kept: dict[str, Any]) -> Spec:
    """The spec that the line is about, with the defaults that it had."""
    said = kept["spec"]
    defaults = {section: keys | said.get(section, {}) for section, keys in DEFAULTS.items()}
    return spec_from(said | defaults, "spec.toml", Path("/usr"))


def test_defaults_that_have_changed_decide_nothing() -> None:
    """Or else a spec that leaves such a key out would be another tournament than it was."""
    assert not any(SECTIONS[section][key].decides for section, keys in DEFAULTS.items() for key in keys)


@pytest.mark.parametrize("about", KEPT)
def test_a_fingerprint_stays_what_it_was(about: str) -> None:
    """Of the spec as its organiser wrote it, and as a store kept it."""
    kept = KEPT[about]
    assert kept["fingerprint"] == fingerprint(spec_of(kept))
    assert kept["fingerprint"] == fingerprint(load_spec_json(kept["stored"]))


@pytest.mark.parametrize("about", KEPT)
def test_the_stored_form_stays_what_it_was(about: str) -> None:
    """To the letter, but for keys that came later; and read back it is the same spec."""
    kept = KEPT[about]
    assert kept["stored"] == without_newer_keys(dump_spec(spec_of(kept)))
    assert spec_of(kept) == load_spec_json(kept["stored"])


def test_what_is_said_as_the_default_is_the_default() -> None:
    """A key that is spelled out and one that is left out are one tournament; everything else here differs."""
    prints = [kept["fingerprint"] for kept in KEPT.values()]
    assert KEPT["smallest"]["fingerprint"] == KEPT["said as the default"]["fingerprint"]
    assert len(prints) - 1 == len({*prints})
