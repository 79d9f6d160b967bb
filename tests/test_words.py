"""The words of docs/architecture.md: one for each idea, and none for two."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import aurum.bot
import pytest
from docs_blocks import code, rows, sections
from test_architecture import ROOMS, ROOT, modules

PAGE = ROOT / "docs/architecture.md"
WORDS = {word.strip(): meaning for word, meaning in rows(sections(PAGE)["Words"])}
INSTEAD = {word: instead for cell, instead in rows(sections(PAGE)["Words that are not used"]) for word in code(cell)}
"""By word that is not used: what is said instead."""

SDK = set(aurum.bot.__all__)
"""What an author imports mirrors the protocol, whose messages have the same names."""


def in_packages() -> list[Path]:
    """The modules of the packages."""
    return [path for path in modules() if str(path.parent.relative_to(ROOT)) in ROOMS]


def names(path: Path) -> Iterator[str]:
    """What a module defines for others: its own name, classes, functions, constants, parameters and fields."""
    yield path.stem
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id


def parts(name: str) -> list[str]:
    """The words that a name is made of, in lower case."""
    return [part.lower() for part in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)]


def test_no_name_holds_a_word_that_is_not_used() -> None:
    """Neither of a module nor of anything in it."""
    found = defaultdict(set)
    for path in in_packages():
        for name in names(path):
            for word in INSTEAD.keys() & set(parts(name)):
                found[f"{word}, say {INSTEAD[word]}"].add(f"{path.relative_to(ROOT)}: {name}")
    assert {} == {word: sorted(places) for word, places in found.items()}


def test_no_two_packages_define_a_class_of_the_same_name() -> None:
    """A reader who searches for a class finds one."""
    homes = defaultdict(set)
    for path in in_packages():
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].add(str(path.relative_to(ROOT)))
    found = {name: sorted(places) for name, places in homes.items() if len(places) > 1 and name not in SDK}
    assert {} == found


def test_no_two_modules_of_the_tournaments_have_the_same_name() -> None:
    """But for commands, each of which is called like what it does."""
    homes = defaultdict(set)
    for path in in_packages():
        if path.stem != "__init__" and "cli" not in path.parts and "tournaments" in path.relative_to(ROOT).parts[:1]:
            homes[path.stem].add(str(path.relative_to(ROOT)))
    assert {} == {name: sorted(places) for name, places in homes.items() if len(places) > 1}


@pytest.mark.parametrize("word", sorted(INSTEAD))
def test_a_word_is_not_both_used_and_not_used(word: str) -> None:
    """And whatever is said instead of it is not refused in its turn."""
    assert word not in WORDS
    assert not INSTEAD.keys() & set(parts(INSTEAD[word]))
