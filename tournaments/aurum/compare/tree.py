"""What a commit's files are, and whether all of them have arrived in a folder as what they are.

Git leaves a checkout incomplete in more ways than one, and ends with exit code 0. Two versions of a bot that lack the
same files play alike, so a comparison of them would have a verdict on something that nobody has written.
"""

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from aurum.common.texts import counted, shown
from aurum.compare.git import git

_LINK, _SUBMODULE = "120000", "160000"
_STORED_ELSEWHERE = {
    b"version https://git-lfs.github.com/spec/": (
        "lfs",
        "is a pointer of Git LFS instead of the file: run `git lfs install` and `git lfs fetch --all` first",
    ),
    b"\0GITCRYPT\0": (
        "git-crypt",
        "is encrypted, and a checkout elsewhere lacks the key: compare two commands instead",
    ),
}
"""By how a file begins whose content a filter should have put there: that filter's attribute, and what to say."""


@dataclass(frozen=True)
class TreeEntry:
    """A file, a symbolic link or a submodule of a commit. `hash` is the submodule's commit, else the content's."""

    mode: str
    hash: str
    path: str

    @property
    def is_link(self) -> bool:
        """Whether it is a symbolic link."""
        return self.mode == _LINK

    @property
    def is_submodule(self) -> bool:
        """Whether it is a submodule, which has a repository of its own."""
        return self.mode == _SUBMODULE


def entries(repository: Path, commit: str) -> list[TreeEntry]:
    """All entries of a commit, without folders. Raises GitError if they cannot be listed."""
    found = []
    for line in git(repository, "ls-tree", "-r", "-z", "--full-tree", commit).split("\0")[:-1]:
        about, _, path = line.partition("\t")
        mode, _, hash_ = about.split(" ")
        found.append(TreeEntry(mode, hash_, path))
    return found


def missing_objects(repository: Path, commit: str) -> list[str]:
    """The hashes of a commit's files and folders that the repository lacks.

    What is in a folder that is missing is not known before it is there. Raises GitError if git fails.
    """
    listed = git(repository, "rev-list", "--objects", "--no-object-names", "--missing=print", "--no-walk", commit, "--")
    return [line[1:] for line in listed.splitlines() if line.startswith("?")]


def problems(folder: Path, tree: Sequence[TreeEntry], root: Path, origin: Path) -> Iterator[str]:
    """What is wrong with a checkout, a sentence each.

    Args:
        folder: the checkout.
        tree: what should be in it; submodules are checked on their own.
        root: the checkout of the outermost repository, if this is a submodule's; else the same folder.
        origin: the folder of the repository that `root` was checked out from.
    """
    places: set[tuple[int, int]] = set()
    lacking = []
    for entry in tree:
        path = folder / entry.path
        try:
            found = path.lstat()
        except OSError:
            lacking.append(entry.path)
            continue
        if (place := (found.st_dev, found.st_ino)) in places:
            yield f"{shown(entry.path)} and another file are one file here: their names differ too little for this disk"
        places.add(place)
        if stat.S_ISLNK(found.st_mode):
            yield from _link_problems(path, root, origin)
        elif stat.S_ISREG(found.st_mode) and not entry.is_link:
            yield from _content_problems(folder, entry.path)
    if lacking:
        yield f"{counted(len(lacking), 'file')} of it did not arrive: {', '.join(map(shown, lacking[:3]))}"


def _content_problems(folder: Path, path: str) -> Iterator[str]:
    with (folder / path).open("rb") as file:
        begin = file.read(64)
    for stored, (name, sentence) in _STORED_ELSEWHERE.items():
        if begin.startswith(stored):
            # What looks like a pointer may be a file about pointers.
            *_, attribute, _ = git(folder, "check-attr", "-z", "filter", "--", path).split("\0")
            if attribute.startswith(name):
                yield f"{shown(path)} {sentence}"


def _link_problems(path: Path, root: Path, origin: Path) -> Iterator[str]:
    """A link may lead to files of this machine, which are the same for all revisions, but to no others."""
    target = path.readlink()
    there = Path(os.path.normpath(path.parent / target))
    link = f"{shown(str(path.relative_to(root)))} is a link to {shown(str(target))}"
    if target.is_absolute() and there.is_relative_to(origin):
        yield f"{link}, in the folder of the repository, where it is the same for all revisions: make it relative"
    elif not target.is_absolute() and not there.is_relative_to(root):
        yield f"{link}, which is outside of the repository, so no revision has it: make it a file, or an absolute link"
