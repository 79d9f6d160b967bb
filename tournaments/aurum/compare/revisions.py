"""Checks out revisions of a git repository, each into a folder of its own."""

import os
import subprocess
from contextlib import suppress
from pathlib import Path

from aurum.common.errors import UserError
from aurum.common.texts import printable, shown

_ELSEWHERE = {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_PREFIX"}
"""Variables that git sets for a hook: they would make every command work on the hook's repository."""


class _GitError(Exception):
    """A git command failed; the message is the last line that it wrote."""


def commit_of(repository: Path, revision: str) -> str:
    """The hash of the commit that a revision names: a branch, a tag, `HEAD~3`, the beginning of a hash.

    Raises:
        UserError: there is no such revision, no such repository, or no git.
    """
    if not repository.is_dir():
        raise UserError(f"--repo {repository}: no such folder")
    try:
        _git(repository, "rev-parse", "--git-dir")
    except _GitError as failed:
        raise UserError(f"--repo {repository}: not usable as a git repository: {failed}") from None
    found = ""
    if not revision.startswith("-") and "\0" not in revision:  # git would take it for an option
        with suppress(_GitError):
            found = _git(repository, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
    if not found:
        shallow = _git(repository, "rev-parse", "--is-shallow-repository") == "true"
        hint = "; its history is cut short: fetch all of it (`git fetch --unshallow`)" if shallow else ""
        raise UserError(f"--repo {repository}: no such revision: {shown(revision)}{hint}")
    return found


def check_out(repository: Path, commit: str, folder: Path) -> None:
    """Put the files of a commit into `folder`, which is not there yet, with a repository of its own around them.

    It borrows the objects of the other repository, and nothing is written there: whatever ends this process, there is
    nothing to tidy up but the folder.

    Raises:
        UserError: git fails.
    """
    try:
        _git(repository, "clone", "--quiet", "--shared", "--no-checkout", "--", str(repository.absolute()), str(folder))
        _git(folder, "checkout", "--quiet", "--detach", commit)
    except _GitError as failed:
        raise UserError(f"--repo {repository}: {commit[:12]} cannot be checked out: {failed}") from None


def _git(folder: Path, *arguments: str) -> str:
    environment = {name: value for name, value in os.environ.items() if name not in _ELSEWHERE}
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *arguments],
            env=environment | {"LC_ALL": "C"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
    except OSError as error:
        raise UserError(f"--repo needs git, which cannot be run: {error.strerror}") from None
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        raise _GitError(printable(lines[-1]))
    return done.stdout.strip()
