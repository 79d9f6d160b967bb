"""Begins a new bot: the smallest example in its language, under its own name, with all that it takes to build it."""

import re
import shutil
from collections.abc import Callable, Iterable, Mapping
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

from aurum.common.errors import UserError
from aurum.languages.catalogue import Language, home
from aurum.languages.names import check_name


def begin(language: Language, name: str, folder: Path) -> None:
    """Write a new bot into `folder`, which is made.

    Raises:
        UserError: the name cannot be used, or the folder is there already or cannot be made.
    """
    check_name(language, name)
    if folder.exists() or folder.is_symlink():
        raise UserError(f"{folder} is there already: name another folder with --dir")
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        # Beside it and moved when it is complete: a folder that is there is a whole bot.
        with TemporaryDirectory(prefix=f".{folder.name}-", dir=folder.parent) as scratch:
            made = Path(scratch) / name
            _write(language, name, made)
            made.rename(folder)
    except OSError as error:
        raise UserError(f"{folder}: cannot be written: {error.strerror}") from None


def _write(language: Language, name: str, folder: Path) -> None:
    names = {"{name}": name, "{Name}": "".join(part.capitalize() for part in name.split("_"))}
    named = _replacer(names)
    changed = _replacer({old: named(new) for old, new in language.replace.items()})
    for path, source in language.files.items():
        target = folder / named(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(home() / source, target)
        target.write_text(changed(target.read_text(encoding="utf-8")), encoding="utf-8")
    if language.vendor:
        vendor(language, folder / "vendor")


def vendor(language: Language, folder: Path) -> None:
    """Copy the SDK and the protocol into `folder`, at the paths that they have to each other."""
    sdk = home() / "sdk" / language.name
    shutil.copytree(sdk, folder / "sdk" / language.name, ignore=_ignoring(sdk))
    proto = folder / "proto" / "aurum" / "v1"
    proto.mkdir(parents=True)
    for source in files("aurum.v1").iterdir():
        if source.name.endswith(".proto"):
            (proto / source.name).write_bytes(source.read_bytes())


def _ignoring(sdk: Path) -> Callable[[str, list[str]], Iterable[str]]:
    """What a copy of an SDK leaves out: the starter itself, and in a checkout whatever was built there."""
    ignored = sdk / ".gitignore"
    lines = ignored.read_text(encoding="utf-8").splitlines() if ignored.is_file() else []
    built = shutil.ignore_patterns(*[line.strip("/") for line in lines if line and not line.startswith("#")])

    def ignore(folder: str, names: list[str]) -> Iterable[str]:
        here = {"starter", "language.toml"} if Path(folder) == sdk else set()
        return built(folder, names) | here

    return ignore


def _replacer(words: Mapping[str, str]) -> Callable[[str], str]:
    """Replaces all words at once, the longer ones first: what one has put in is not replaced by another."""
    if not words:
        return lambda text: text
    pattern = re.compile("|".join(re.escape(word) for word in sorted(words, key=len, reverse=True)))
    return lambda text: pattern.sub(lambda match: words[match[0]], text)
