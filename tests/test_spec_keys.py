"""The declaration of the spec's keys: each is shown to decide results, or shown not to."""

import copy
import json
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from aurum.referee.unit import Clock
from aurum.rules import Ruleset
from aurum.spec.fingerprint import changed_keys, fingerprint
from aurum.spec.keys import BOTS, CLOCK, RULESET, RUN, SECTIONS, TOURNAMENT
from aurum.spec.loading import spec_from
from aurum.spec.spec import BotEntry, Spec
from aurum.spec.stored_form import dump_spec, load_spec_json

DECLARED = {f"{section}.{name}": key for section, keys in SECTIONS.items() for name, key in keys.items()}


class Example(NamedTuple):
    """Two values of a key that a spec may have, or none and one; `head` is what [tournament] must say beside it."""

    value: Any
    other: Any
    head: Mapping[str, Any] = {}


UNSAID = object()
SWISS = {"format": "swiss", "rounds": 2}

NO_NUMBERS = ("relaunch", "pin", "games_in_flight", "sandbox", "build_network")

EXAMPLES = {
    "tournament.name": Example("cup", "other"),
    "tournament.format": Example("round_robin", "gauntlet"),
    "tournament.players": Example(UNSAID, 3),
    "tournament.rounds": Example(1, 2, {"format": "swiss"}),
    "tournament.deals": Example(UNSAID, 5),
    "tournament.seed": Example(UNSAID, "tea"),
    "tournament.tolerated_faults": Example(UNSAID, 1),
    "tournament.names": Example(UNSAID, True),
    "tournament.anchor": Example("a", "b"),
    "tournament.seatings": Example(UNSAID, "permutations", {"players": 3}),
    "tournament.tables": Example(UNSAID, "pairs", {"players": 3}),
    "tournament.challengers": Example(["b"], ["b", "c"], {"format": "gauntlet"}),
    "tournament.seeding": Example(UNSAID, "lot", {"format": "knockout"}),
    "tournament.rank_by": Example(UNSAID, "points"),
    "ruleset.preset": Example("german", "gigamic"),
    "ruleset.gold_zeros": Example(False, True),
    "ruleset.game_end": Example("first_to_two", "best_of_three"),
    **{f"clock.{name}": Example(UNSAID, 77) for name in CLOCK},
    **{f"run.{name}": Example(UNSAID, 77) for name in RUN if name not in NO_NUMBERS},
    "run.relaunch": Example(UNSAID, "unit"),
    "run.pin": Example(UNSAID, "off"),
    "run.games_in_flight": Example(UNSAID, "auto"),
    "run.sandbox": Example(UNSAID, "off"),
    "run.build_network": Example(UNSAID, True),
    "bots.name": Example("a", "z"),
    "bots.command": Example("run a", ["run", "b"]),
    "bots.build": Example(UNSAID, "make"),
    "bots.folder": Example(UNSAID, "tests"),
    "bots.env": Example({"A": "1"}, {"A": "2"}),
    "bots.from_round": Example(UNSAID, 2, SWISS),
    "bots.until_round": Example(UNSAID, 1, SWISS),
    "bots.reads": Example(UNSAID, ["tests", "/"]),
}


def spec_with(path: str, value: Any, head: Mapping[str, Any] = {}) -> Spec:
    """A spec of four bots in which a key, of the first bot where it is a bot's, has this value."""
    section, _, name = path.partition(".")
    mapping: dict[str, Any] = {
        "tournament": {"name": "cup", "format": "round_robin", **head},
        "ruleset": {"gold_zeros": True, "game_end": "first_to_two"},
        "clock": {},
        "run": {},
        "bots": [{"name": bot, "command": "here"} for bot in "abcd"],
    }
    if value is not UNSAID:
        (mapping["bots"][0] if section == "bots" else mapping[section])[name] = copy.deepcopy(value)
    return spec_from(mapping, "spec.toml", Path())


@pytest.mark.parametrize("path", DECLARED)
def test_a_key_decides_results_or_does_not(path: str) -> None:
    """What decides changes the fingerprint and is named where specs differ; what does not, does neither.

    A key without an example fails here: a store must never be continued with a spec that plays something else.
    """
    value, other, head = EXAMPLES[path]
    one, two = spec_with(path, value, head), spec_with(path, other, head)
    shown = {"bots.name": "bots"}.get(path, path.replace("bots.", "bots[1]."))
    assert one != two
    if DECLARED[path].decides:
        assert fingerprint(one) != fingerprint(two)
        assert shown in changed_keys(one, two)
    else:
        assert (fingerprint(one), []) == (fingerprint(two), changed_keys(one, two))


@pytest.mark.parametrize("path", DECLARED)
def test_a_key_survives_the_store(path: str) -> None:
    """Whatever its value, reading back what was written gives an equal spec, and the same text again."""
    for value in EXAMPLES[path][:2]:
        spec = spec_with(path, value, EXAMPLES[path].head)
        assert spec == load_spec_json(dump_spec(spec))
        assert dump_spec(spec) == dump_spec(load_spec_json(dump_spec(spec)))


def test_no_example_is_of_a_key_that_is_gone() -> None:
    """There are examples of the declared keys and of no others."""
    assert DECLARED.keys() == EXAMPLES.keys()


def test_every_key_is_a_field_of_the_spec() -> None:
    """And every field is declared, but for those that are made of a section and those of the file itself."""
    parts = {"ruleset", "clock", "bots", "home", "source"}
    assert {field.name for field in fields(Spec)} - parts == {
        key.attribute or name for name, key in (TOURNAMENT | RUN).items()
    }
    assert {*Ruleset._fields} == RULESET.keys()
    for keys, part in (CLOCK, Clock), (BOTS, BotEntry):
        assert {field.name for field in fields(part)} == keys.keys()


@pytest.mark.parametrize("path", [path for path, key in DECLARED.items() if key.since > 1])
def test_a_later_key_may_be_missing_and_then_has_its_default(path: str) -> None:
    """In a store of an older arena, whose fingerprint stays what it was."""
    section, _, name = path.partition(".")
    spec = spec_with(path, UNSAID, SWISS)
    kept = json.loads(dump_spec(spec))
    for entry in kept["bots"] if section == "bots" else [kept[section]]:
        del entry[name]
    assert spec == load_spec_json(json.dumps(kept))
    assert fingerprint(spec) == fingerprint(load_spec_json(json.dumps(kept)))


@pytest.mark.parametrize("path", [path for path, key in DECLARED.items() if key.since == 1])
def test_a_key_of_the_first_edition_is_in_every_store(path: str) -> None:
    """One that lacks it is damaged."""
    section, _, name = path.partition(".")
    kept = json.loads(dump_spec(spec_with(path, EXAMPLES[path].value, EXAMPLES[path].head)))
    del (kept["bots"][0] if section == "bots" else kept[section])[name]
    with pytest.raises(KeyError):
        load_spec_json(json.dumps(kept))


def test_a_key_that_is_not_known_is_not_passed_over() -> None:
    """A store of a newer arena that says more than this one reads is refused, not read as something else."""
    kept = dump_spec(spec_with("tournament.deals", 3))
    for text in ('"tournament": {', '"clock": {', '"bots": [{'):
        with pytest.raises(ValueError, match="does not know: \\['novel'\\]"):
            load_spec_json(kept.replace(text, f'{text}"novel": 1, '))
