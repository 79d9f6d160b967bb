"""Revisions as they are checked out: what a comparison plays is complete, or it does not start."""

import os
import shutil
from pathlib import Path

import pytest
from aurum.common.errors import UserError
from aurum.compare.revisions import check_out, commit_of
from aurum.compare.tree import TreeEntry, problems
from bot_repository import git

POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 3\n"


def commit(folder: Path, files: dict[str, str]) -> str:
    """Make a commit in which these files are so, in a new repository if there is none; returns its hash."""
    if not (folder / ".git").exists():
        folder.mkdir(exist_ok=True)
        git(folder, "init", "--quiet")
        for name in ("allowFilter", "allowAnySHA1InWant"):
            git(folder, "config", f"uploadpack.{name}", "true")
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "more")
    return git(folder, "rev-parse", "HEAD")


def files_of(repository: Path, revision: str) -> dict[str, str]:
    """What is checked out: the content of each file by its name."""
    folder = repository.parent / "out" / commit_of(repository, revision)
    folder.parent.mkdir(exist_ok=True)
    try:
        check_out(repository, folder.name, folder)
        paths = [path for path in folder.rglob("*") if ".git" not in path.parts and not path.is_dir()]
        return {str(path.relative_to(folder)): path.read_text() for path in paths}
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def refused(repository: Path, revision: str) -> str:
    """Why a revision is not checked out: one line."""
    with pytest.raises(UserError) as caught:
        files_of(repository, revision)
    words = str(caught.value)
    assert "\n" not in words
    assert words.startswith(f"--repo {repository}: ")
    return words


@pytest.fixture
def upstream(tmp_path: Path) -> Path:
    """Two commits; one file of three differs."""
    commit(tmp_path / "upstream", {"bot.py": "bot", "data/weights": "old"})
    commit(tmp_path / "upstream", {"data/weights": "new"})
    return tmp_path / "upstream"


OLD, NEW = {"bot.py": "bot", "data/weights": "old"}, {"bot.py": "bot", "data/weights": "new"}


@pytest.mark.parametrize("limit", [("--filter=blob:none",), ("--filter=tree:0",), ("--filter=blob:none", "--sparse")])
def test_what_a_partial_clone_lacks_is_fetched(upstream: Path, tmp_path: Path, limit: tuple[str, ...]) -> None:
    """Files and folders, whatever part of them is in the clone's own folder."""
    git(tmp_path, "clone", "--quiet", *limit, f"file://{upstream}", "clone")
    assert [OLD, NEW] == [files_of(tmp_path / "clone", revision) for revision in ("HEAD~1", "HEAD")]


def test_what_cannot_be_fetched_is_not_played(upstream: Path, tmp_path: Path) -> None:
    """A partial clone whose remote is out of reach; what is there can be played all the same."""
    git(tmp_path, "clone", "--quiet", "--filter=blob:none", f"file://{upstream}", "clone")
    upstream.rename(tmp_path / "elsewhere")
    words = refused(tmp_path / "clone", "HEAD~1")
    assert ": 1 object of it is missing in this repository, a partial clone, and cannot be fetched: fatal: " in words
    assert NEW == files_of(tmp_path / "clone", "HEAD")


def test_a_repository_that_has_lost_an_object(upstream: Path) -> None:
    """No remote has promised it."""
    lost = git(upstream, "rev-parse", "HEAD~1:data/weights")
    (upstream / ".git/objects" / lost[:2] / lost[2:]).unlink()
    assert ": 1 object of it is missing in this repository: it is damaged (`git fsck` tells more)" in refused(
        upstream, "HEAD~1"
    )


@pytest.mark.parametrize("limit", [(), ("--filter=blob:none",)])
def test_a_base_that_was_fetched_by_its_hash(upstream: Path, tmp_path: Path, limit: tuple[str, ...]) -> None:
    """Into a history of one commit, as CI services do: no branch leads to it."""
    base = git(upstream, "rev-parse", "HEAD~1")
    git(tmp_path, "clone", "--quiet", "--depth=1", *limit, f"file://{upstream}", "clone")
    git(tmp_path / "clone", "fetch", "--quiet", "--depth=1", "origin", base)
    assert [OLD, NEW] == [files_of(tmp_path / "clone", revision) for revision in (base, "HEAD")]


def test_all_of_a_tree_and_nothing_but_it(upstream: Path) -> None:
    """Attributes for archives leave nothing out and write nothing in; nor does the user's view of it."""
    new = {".gitattributes": "bot.py export-ignore\nid export-subst\n", "id": "$Format:%H$"}
    commit(upstream, new)
    git(upstream, "sparse-checkout", "set", "data")
    assert NEW | new == files_of(upstream, "HEAD")


def test_kinds_of_repositories(upstream: Path, tmp_path: Path) -> None:
    """Bare, a worktree, one that borrows objects, and a folder of one, which has files of its own to offer no more."""
    git(tmp_path, "clone", "--quiet", "--bare", str(upstream), "bare")
    git(tmp_path, "clone", "--quiet", "--shared", str(upstream), "borrower")
    git(upstream, "worktree", "add", "--quiet", str(tmp_path / "worktree"), "HEAD~1")
    for name, revision in (("bare", "HEAD~1"), ("worktree", "HEAD"), ("borrower", "HEAD~1")):
        assert OLD == files_of(tmp_path / name, revision)
    assert f"lies within a repository: give its top folder, {upstream}" in refused(upstream / "data", "HEAD")


def test_a_checkout_knows_where_it_is(upstream: Path, tmp_path: Path) -> None:
    """For builds that ask git: the commit, its tags and branches; hooks that are set up for all repositories rest."""
    git(upstream, "tag", "--annotate", "--message", "first", "v1", "HEAD~1")
    hook = tmp_path / "hooks/post-checkout"
    hook.parent.mkdir()
    hook.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    hook.chmod(0o755)
    git(upstream, "config", "core.hooksPath", str(hook.parent))
    head = commit_of(upstream, "HEAD")
    check_out(upstream, head, tmp_path / "checkout")
    assert "v1-1-g" in git(tmp_path / "checkout", "describe")
    assert head == git(tmp_path / "checkout", "rev-parse", "origin/main")
    assert "" == git(tmp_path / "checkout", "status", "--porcelain")
    assert not (tmp_path / "ran").exists()


def test_replaced_objects(upstream: Path) -> None:
    """A name means what git says there; what a hash names is the same for everyone."""
    old, new = (git(upstream, "rev-parse", revision) for revision in ("HEAD~1", "HEAD"))
    third = commit(upstream, {"data/weights": "third"})
    git(
        upstream,
        "replace",
        git(upstream, "rev-parse", f"{old}:data/weights"),
        git(upstream, "rev-parse", f"{new}:bot.py"),
    )
    git(upstream, "replace", "--graft", third, old)
    assert (old, OLD) == (commit_of(upstream, "HEAD~1"), files_of(upstream, "HEAD~1"))


def test_filters_and_line_ends_of_the_repository(upstream: Path) -> None:
    """Those of its own settings and attributes, not only those of all repositories."""
    git(upstream, "config", "filter.loud.smudge", "tr a-z A-Z")
    git(upstream, "config", "filter.loud.clean", "tr A-Z a-z")
    (upstream / ".git/info/attributes").write_text("data/* filter=loud\nlines text eol=crlf\n")
    commit(upstream, {"lines": "one\n"})
    commit(upstream, {".gitattributes": "lines filter=unknown\n"})
    shown = files_of(upstream, "HEAD")
    assert ("NEW", "bot") == (shown["data/weights"], shown["bot.py"])
    check_out(upstream, commit_of(upstream, "HEAD"), upstream.parent / "checkout")
    assert b"one\r\n" == (upstream.parent / "checkout/lines").read_bytes()


@pytest.mark.parametrize("required", ["true", "false"])
def test_a_filter_that_fails(upstream: Path, required: str) -> None:
    """Git would write the file as it is stored, and end with exit code 0, unless the filter is required."""
    commit(upstream, {".gitattributes": "data/* filter=lfs\n"})
    git(upstream, "config", "filter.lfs.smudge", "false")
    git(upstream, "config", "filter.lfs.required", required)
    words = refused(upstream, "HEAD")
    assert " cannot be checked out: " in words
    assert words.endswith("; for Git LFS, run `git lfs install` and `git lfs fetch --all` first")


def test_pointers_instead_of_files(upstream: Path) -> None:
    """Where Git LFS is not set up, or was told to leave them; a file that is only about pointers is one."""
    commit(upstream, {"data/weights": POINTER, "about.txt": POINTER})
    assert POINTER == files_of(upstream, "HEAD")["data/weights"]
    commit(upstream, {".gitattributes": "data/* filter=lfs\n"})
    words = refused(upstream, "HEAD")
    assert "'data/weights' is a pointer of Git LFS instead of the file: run `git lfs install`" in words


def test_what_is_encrypted(upstream: Path) -> None:
    """Nobody could play it."""
    commit(upstream, {"data/weights": "\0GITCRYPT\0...", ".gitattributes": "data/* filter=git-crypt\n"})
    assert "'data/weights' is encrypted" in refused(upstream, "HEAD")


def test_links(upstream: Path, tmp_path: Path) -> None:
    """Within the tree, or to what this machine has for all revisions; never to what no revision has."""
    (tmp_path / "machine.txt").write_text("machine")
    links = {"inside": "data/weights", "data/up": "../bot.py", "absolute": str(tmp_path / "machine.txt")}
    for name, target in links.items():
        (upstream / name).symlink_to(target)
    commit(upstream, {})
    assert NEW | {"inside": "new", "data/up": "bot", "absolute": "machine"} == files_of(upstream, "HEAD")
    for target, words in (
        ("../../shared", "'data/out' is a link to '../../shared', which is outside of the repository"),
        (str(upstream / "bot.py"), "in the folder of the repository, where it is the same for all revisions"),
    ):
        (upstream / "data/out").unlink(missing_ok=True)
        (upstream / "data/out").symlink_to(target)
        commit(upstream, {})
        assert words in refused(upstream, "HEAD")


def test_names_that_the_disk_takes_for_one(tmp_path: Path) -> None:
    """As on a disk where case does not count: one file would be both. A file that is not there is named."""
    (tmp_path / "Bot.py").write_text("bot")
    os.link(tmp_path / "Bot.py", tmp_path / "bot.py")
    tree = [TreeEntry("100644", "0" * 40, name) for name in ("Bot.py", "bot.py", "weights")]
    found = list(problems(tmp_path, tree, tmp_path, tmp_path / "origin"))
    assert 2 == len(found)
    assert found[0].startswith("'bot.py' and another file are one file here")
    assert "1 file of it did not arrive: 'weights'" == found[1]


@pytest.fixture
def nested(upstream: Path, tmp_path: Path) -> Path:
    """A repository with a submodule that has a submodule, and two commits that want different ones."""
    for outer, inner in (("engine", "upstream"), ("club", "engine")):
        commit(tmp_path / outer, {f"{outer}.py": outer})
        git(tmp_path / outer, "submodule", "--quiet", "add", str(tmp_path / inner), f"lib/{inner}")
        commit(tmp_path / outer, {})
        if outer == "club":
            git(tmp_path / outer, "submodule", "--quiet", "update", "--init", "--recursive")
    commit(tmp_path / "engine", {"engine.py": "newer"})
    git(tmp_path / "club/lib/engine", "pull", "--quiet")
    (tmp_path / "club/lib/engine/../../club.py").resolve().write_text("newer")
    commit(tmp_path / "club", {})
    return tmp_path / "club"


def test_submodules_are_checked_out(nested: Path) -> None:
    """Each at the commit that the revision wants, from where it was fetched, also if its folder is gone."""
    for _ in range(2):
        found = [files_of(nested, revision) for revision in ("HEAD~1", "HEAD")]
        assert [("engine", "new"), ("newer", "new")] == [
            (files["lib/engine/engine.py"], files["lib/engine/lib/upstream/data/weights"]) for files in found
        ]
        shutil.rmtree(nested / "lib", ignore_errors=True)


def test_submodules_that_are_not_there(nested: Path, tmp_path: Path) -> None:
    """Never fetched, or too seldom."""
    git(tmp_path, "clone", "--quiet", str(nested), "clone")
    words = refused(tmp_path / "clone", "HEAD")
    assert "the submodule 'lib/engine' was not fetched: run `git submodule update --init --recursive` first" in words
    git(tmp_path / "clone", "submodule", "--quiet", "update", "--init", "--recursive")
    assert "newer" == files_of(tmp_path / "clone", "HEAD")["lib/engine/engine.py"]
    last = commit(tmp_path / "engine", {"engine.py": "last"})
    git(tmp_path / "clone", "update-index", "--cacheinfo", f"160000,{last},lib/engine")
    git(tmp_path / "clone", "commit", "--quiet", "--message", "last")
    assert f"the submodule 'lib/engine' lacks its commit {last[:12]}: run `git submodule foreach" in refused(
        tmp_path / "clone", "HEAD"
    )
