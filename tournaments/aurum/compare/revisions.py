"""Checks out revisions of a git repository, each into a folder of its own: complete, or not at all."""

from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from aurum.common.errors import UserError
from aurum.common.texts import counted, shown
from aurum.compare.git import GitError, git
from aurum.compare.tree import TreeEntry, entries, missing_objects, problems

_COPIED = ("filter.", "lfs.", "core.autocrlf", "core.eol", "core.safecrlf", "core.attributesfile")
"""Beginnings of the names of settings that decide which content a file has in a checkout."""


def same_files(repository: Path, commits: Collection[str]) -> bool:
    """Whether these commits are the same files, submodules included. Raises UserError if git cannot tell."""
    try:
        trees = {git(repository, "rev-parse", "--verify", f"{commit}^{{tree}}").strip() for commit in commits}
    except GitError as failed:
        raise UserError(f"--repo {repository}: a commit cannot be read: {failed}") from None
    return len(trees) == 1


def commit_of(repository: Path, revision: str) -> str:
    """The hash of the commit that a revision names: a branch, a tag, `HEAD~3`, the beginning of a hash.

    Raises:
        UserError: there is no such revision, no such repository, or no git.
    """
    if not repository.is_dir():
        raise UserError(f"--repo {repository}: no such folder")
    try:
        git(repository, "rev-parse", "--git-dir")
    except GitError as failed:
        raise UserError(f"--repo {repository}: not usable as a git repository: {failed}") from None
    with suppress(GitError):  # of a bare repository
        if git(repository, "rev-parse", "--show-prefix").strip():
            raise UserError(f"--repo {repository}: lies within a repository: give its top folder, {_top(repository)}")
    found = ""
    if not revision.startswith("-") and "\0" not in revision:  # git would take it for an option
        with suppress(GitError):
            asked = f"{revision}^{{commit}}"
            found = git(repository, "rev-parse", "--verify", "--quiet", asked, as_replaced=True).strip()
    if not found:
        shallow = git(repository, "rev-parse", "--is-shallow-repository").strip() == "true"
        hint = "; its history is cut short: fetch all of it (`git fetch --unshallow`)" if shallow else ""
        raise UserError(f"--repo {repository}: no such revision: {shown(revision)}{hint}")
    return found


def check_out(repository: Path, commit: str, folder: Path) -> None:
    """Put the files of a commit into `folder`, which is not there yet, with a repository of its own around them.

    The files are those that a checkout in the repository itself would have, submodules included: its settings for
    filters and line ends hold here too. Objects are borrowed. What a partial clone lacks is fetched into it, as git
    does for every checkout there. Nothing else is written to it: whatever ends this process, there is nothing to tidy
    up but the folder.

    Raises:
        UserError: a file of the commit is missing, or git fails.
    """
    where = f"--repo {repository}: {commit[:12]}"
    try:
        _put(_Place(repository.resolve(), folder, where, folder, _top(repository)), commit)
    except GitError as failed:
        hint = "; for Git LFS, run `git lfs install` and `git lfs fetch --all` first" if "filter" in str(failed) else ""
        raise UserError(f"{where} cannot be checked out: {failed}{hint}") from None


@dataclass(frozen=True)
class _Place:
    """A repository and the folder for its files; `name` names it in errors.

    `root` and `origin` are the folder and the repository of the outermost one, if this is a submodule.
    """

    repository: Path
    folder: Path
    name: str
    root: Path
    origin: Path


def _put(place: _Place, commit: str) -> None:
    _complete(place.repository, commit, place.name)
    _begin(place.repository, place.folder)
    # Without hooks that are set up for all repositories, and all of the tree, whatever part of it the user looks at.
    settings = ("-c", "core.hooksPath=/dev/null", "-c", "core.sparseCheckout=false")
    options = ("--quiet", "--force", "--no-recurse-submodules", "--detach")
    git(place.folder, *settings, "checkout", *options, commit, strict=True)
    tree = entries(place.folder, commit)
    for problem in problems(place.folder, tree, place.root, place.origin):
        raise UserError(f"{place.name}: {problem}")
    for entry in tree:
        if entry.is_submodule:
            name = f"{place.name}: the submodule {shown(entry.path)}"
            source = _submodule(place.repository, commit, entry, name)
            _put(replace(place, repository=source, folder=place.folder / entry.path, name=name), entry.hash)


def _top(repository: Path) -> Path:
    """The folder of the repository's files, or of the repository itself if it is bare."""
    try:
        return Path(git(repository, "rev-parse", "--show-toplevel").removesuffix("\n"))
    except GitError:
        return repository.resolve()


def _complete(repository: Path, commit: str, where: str) -> None:
    """Fetch what a partial clone lacks of the commit."""
    before: list[str] = []
    while missing := missing_objects(repository, commit):
        verb = "is" if len(missing) == 1 else "are"
        lack = f"{where}: {counted(len(missing), 'object')} of it {verb} missing in this repository"
        remotes = _promisors(repository)
        if not remotes or missing == before:
            what = "" if remotes else "it is damaged (`git fsck` tells more): "
            raise UserError(f"{lack}: {what}clone it anew, in full")
        for remote in remotes:
            try:
                _fetch(repository, remote, missing)
                break
            except GitError as error:
                failed = error
        else:
            raise UserError(
                f"{lack}, a partial clone, and cannot be fetched: {failed}; try again when its remote can be reached, "
                "or clone it in full"
            )
        before = missing


def _promisors(repository: Path) -> list[str]:
    """The remotes that have what a partial clone lacks."""
    with suppress(GitError):  # none is set
        names = git(repository, "config", "--type=bool", "--get-regexp", r"^remote\..*\.promisor$").splitlines()
        found = [line.rpartition(" ") for line in names]
        return [name.removeprefix("remote.").removesuffix(".promisor") for name, _, value in found if value == "true"]
    return []


def _fetch(repository: Path, remote: str, objects: list[str]) -> None:
    options = ("--quiet", "--no-tags", "--no-write-fetch-head", "--recurse-submodules=no", "--no-auto-maintenance")
    limits = ("--filter=blob:none", "--stdin")  # these objects, and no history
    quickly = ("-c", "fetch.negotiationAlgorithm=noop")
    git(repository, *quickly, "fetch", *options, *limits, remote, given="\n".join(objects) + "\n")


def _begin(repository: Path, folder: Path) -> None:
    """Make a repository that borrows the objects of another, and knows its tags and branches.

    No clone: of a history that is cut short that would lack what no branch leads to.
    """
    hashes = git(repository, "rev-parse", "--show-object-format").strip()
    git(Path("/"), "init", "--quiet", "--template=", f"--object-format={hashes}", "--", str(folder))
    own = folder / ".git"
    for name in ("objects/info", "info"):
        (own / name).mkdir(parents=True, exist_ok=True)
    (own / "objects/info/alternates").write_text(f"{_inside(repository, 'objects')}\n", encoding="utf-8")
    for name in ("shallow", "info/attributes"):
        if (found := _inside(repository, name)).is_file():
            (own / name).write_bytes(found.read_bytes())
    refs = git(repository, "for-each-ref", "--format=%(objectname) %(refname)", "refs/tags", "refs/heads")
    known = [line.replace(" refs/heads/", " refs/remotes/origin/").split(" ", 1) for line in refs.splitlines()]
    git(folder, "update-ref", "--stdin", given="".join(f"create {name} {hash_}\n" for hash_, name in known))
    git(folder, "remote", "add", "origin", str(repository))
    for setting in git(repository, "config", "--list", "-z").split("\0")[:-1]:
        key, equals, value = setting.partition("\n")
        if key.startswith(_COPIED):
            git(folder, "config", "--add", key, value if equals else "true")


def _inside(repository: Path, name: str) -> Path:
    """A file of the repository's own, wherever it keeps it."""
    return repository / git(repository, "rev-parse", "--git-path", name).removesuffix("\n")


def _submodule(repository: Path, commit: str, entry: TreeEntry, name: str) -> Path:
    """The repository of a submodule, as it was fetched for the repository around it."""
    for place in (_top(repository) / entry.path, *_kept_submodules(repository, commit, entry.path)):
        with suppress(GitError):
            if place.is_dir() and _own_folder(place) != _own_folder(repository):
                break
    else:
        raise UserError(f"{name} was not fetched: run `git submodule update --init --recursive` first")
    try:
        git(place, "cat-file", "-e", f"{entry.hash}^{{commit}}")
    except GitError:
        raise UserError(
            f"{name} lacks its commit {entry.hash[:12]}: run `git submodule foreach git fetch --all` first (with "
            "--unshallow if its history is cut short)"
        ) from None
    return place


def _own_folder(repository: Path) -> str:
    return git(repository, "rev-parse", "--absolute-git-dir")


def _kept_submodules(repository: Path, commit: str, path: str) -> list[Path]:
    """Where git keeps the repository of a submodule whose folder is not there: it was removed, or has moved since."""
    settings = ""
    with suppress(GitError):  # there is no .gitmodules
        options = ("--blob", f"{commit}:.gitmodules", "-z", "--get-regexp", r"^submodule\..*\.path$")
        settings = git(repository, "config", *options)
    found = [setting.partition("\n") for setting in settings.split("\0")[:-1]]
    names = [key.removeprefix("submodule.").removesuffix(".path") for key, _, value in found if value == path]
    return [_inside(repository, f"modules/{name}") for name in names if ".." not in Path(name).parts]
