"""Sets up a comparison: its bots, the tournament that they play, and the file that says which test is made.

The store is that of any tournament. The file lies beside it, so that a comparison that goes on after a restart makes
the same test, and not one that suits the results so far.
"""

import json
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from aurum.common.errors import UserError
from aurum.compare.revisions import check_out, commit_of, same_files
from aurum.compare.settings import NEW, OLD, THIRD, Settings
from aurum.formats.options import Seatings
from aurum.formats.registry import DEFAULT
from aurum.spec.loading import spec_from
from aurum.spec.spec import Spec
from aurum.store.store import FILE

SETTINGS_FILE = "comparison.json"


@dataclass(frozen=True)
class ComparedBot:
    """A bot as the command line gave it: its command, and with --repo its revision and the commit that this named."""

    name: str
    command: str
    revision: str | None = None
    commit: str | None = None


@dataclass(frozen=True)
class Repository:
    """The git repository of the revisions, and the commands that build (if any) and start them."""

    path: Path
    build: str | None
    run: str


def compared_bots(
    old: str, new: str, third: str | None, repository: Repository | None, players: int
) -> list[ComparedBot]:
    """The bots of a comparison. With three players and no third bot, OLD plays twice.

    Raises:
        UserError: there is no such revision, or no such repository.
    """
    found = [_compared_bot(OLD, old, repository), _compared_bot(NEW, new, repository)]
    if players == 3:
        found.append(_compared_bot(THIRD, old, repository) if third is None else ComparedBot(THIRD, third))
    return found


def _compared_bot(name: str, asked: str, repository: Repository | None) -> ComparedBot:
    if repository is None:
        return ComparedBot(name, asked)
    return ComparedBot(name, repository.run, asked, commit_of(repository.path, asked))


def are_same(bots: Sequence[ComparedBot], repository: Repository | None) -> bool:
    """Whether OLD and NEW are revisions with the same files. Raises UserError if git cannot tell."""
    commits = {bot.commit for bot in bots if bot.name in (OLD, NEW) and bot.commit is not None}
    return repository is not None and same_files(repository.path, commits)


def folder_of(out: Path, bots: Sequence[ComparedBot]) -> Path:
    """Where in `out` the games of these bots are kept: those of each two commits apart, since `out` may be a cache."""
    commits = [bot.commit[:12] for bot in bots if bot.name in (OLD, NEW) and bot.commit]
    return out / "-".join(commits) if commits else out


def play_without(bots: Sequence[ComparedBot]) -> Callable[[Collection[str]], bool]:
    """Whether it is a verdict that some of these bots cannot start: it is if one version can, and the other cannot."""
    twins = {bot.name for bot in bots if (bot.command, bot.commit) == (bots[0].command, bots[0].commit)}
    versions = {NEW}, ({OLD} | twins) - {NEW}
    return lambda absent: any(set(absent) <= version for version in versions)


@contextmanager
def workplace(bots: Sequence[ComparedBot], repository: Repository | None) -> Iterator[Path]:
    """The folder in which the bots are started: this one, or a temporary one with a folder for each commit's files.

    Raises:
        UserError: a revision cannot be checked out.
    """
    if repository is None:
        yield Path.cwd()
        return
    with TemporaryDirectory(prefix="arena-compare-", ignore_cleanup_errors=True) as folder:
        for commit in {bot.commit for bot in bots if bot.commit}:
            check_out(repository.path, commit, Path(folder) / commit)
        yield Path(folder)


def spec_of(
    bots: Sequence[ComparedBot], settings: Settings, home: Path, build: str | None, details: dict[str, dict[str, Any]]
) -> Spec:
    """The spec of the tournament. `details` are sections of a spec: for the seed, the ruleset, the clock, the run.

    Raises:
        UserError: it cannot be played.
    """
    tournament = {"name": "compare", "format": str(DEFAULT), "players": settings.players, "deals": settings.max_deals}
    if settings.players == 3:
        tournament["seatings"] = str(Seatings.PERMUTATIONS)
    sections = details | {
        "tournament": tournament | details["tournament"],
        "bots": [_entry(bot, build) for bot in bots],
    }
    return spec_from(sections, "command line", home)


def _entry(bot: ComparedBot, build: str | None) -> dict[str, str]:
    entry = {"name": bot.name, "command": bot.command}
    if bot.commit is None:
        return entry | {"folder": str(Path.cwd())}
    return entry | {"folder": bot.commit} | ({"build": build} if build else {})


def commit_to(folder: Path, settings: Settings) -> None:
    """Write down which test is going to be made, or check that it is the one that was begun in this folder.

    Raises:
        UserError: it is another, or the folder holds something else, or it cannot be written.
    """
    path = folder / SETTINGS_FILE
    chosen = settings.chosen
    try:
        if path.exists():
            begun = json.loads(path.read_text(encoding="utf-8"))
            if begun != chosen:
                different = ", ".join(key for key, value in chosen.items() if dict(begun).get(key) != value)
                raise UserError(
                    f"{path}: another test was begun here (different: {different or 'its version'}): go on with the "
                    "same options, or choose another folder"
                )
        elif (folder / FILE).exists():
            raise UserError(f"{folder}: holds a tournament that is no comparison: choose another folder")
        else:
            folder.mkdir(parents=True, exist_ok=True)
            draft = path.with_suffix(".part")
            draft.write_text(json.dumps(chosen, indent=2) + "\n", encoding="utf-8")
            draft.replace(path)
    except (ValueError, TypeError):
        raise UserError(f"{path}: damaged: it does not say which test was begun here") from None
    except OSError as error:
        raise UserError(f"{folder}: cannot be used for results: {error.strerror}") from None
