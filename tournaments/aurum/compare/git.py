"""Runs git commands on other people's repositories."""

import os
import subprocess
from pathlib import Path

from aurum.common.errors import UserError
from aurum.common.texts import printable

_ELSEWHERE = {
    *("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX", "GIT_NAMESPACE", "GIT_ATTR_SOURCE"),
    *("GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_SHALLOW_FILE", "GIT_GRAFT_FILE"),
    *("GIT_REPLACE_REF_BASE", "GIT_LFS_SKIP_SMUDGE"),
}
"""Variables that git sets for a hook, or that somebody set for a repository: they would make every command work on that
repository, or on other content."""


class GitError(Exception):
    """A git command failed; the message is the last line that it wrote."""


def git(folder: Path, *arguments: str, given: str = "", as_replaced: bool = False, strict: bool = False) -> str:
    """What a git command prints when it is run in a folder.

    Args:
        folder: the repository, or a folder of it.
        arguments: of git.
        given: its standard input.
        as_replaced: show objects as `git replace` has them, as git does by itself; else as their hashes say.
        strict: an error that git prints is a failure, though it ends with exit code 0. Some are: a checkout leaves out
            files that it cannot read, and writes them as they are stored if a filter fails.

    Raises:
        GitError: it fails.
        UserError: there is no git.
    """
    environment = {name: value for name, value in os.environ.items() if name not in _ELSEWHERE} | {"LC_ALL": "C"}
    if not as_replaced:
        environment["GIT_NO_REPLACE_OBJECTS"] = "1"
    # A submodule's own folder names a work tree that may be gone; nothing here needs one where there is none.
    is_own_folder = (folder / "HEAD").is_file() and (folder / "objects").is_dir()
    where = ("--git-dir=.", "--work-tree=.") if is_own_folder else ()
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *where, *arguments],
            env=environment,
            input=given,
            capture_output=True,
            encoding="utf-8",
            errors="surrogateescape",  # names of files are bytes
            check=False,
        )
    except OSError as error:
        raise UserError(f"--repo needs git, which cannot be run: {error.strerror}") from None
    lines = done.stderr.strip().splitlines()
    errors = [line for line in lines if line.startswith(("error: ", "fatal: "))]
    if done.returncode or (strict and errors):
        raise GitError(printable((errors or lines or [f"exit code {done.returncode}"])[-1]))
    return done.stdout
