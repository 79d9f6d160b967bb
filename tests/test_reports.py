"""Files that options ask for: whole or not at all, and found to be impossible before the work begins."""

import os
import resource
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from aurum.cli.reports import ReportFile
from aurum.common.errors import UserError

LARGE = ["x" * 50_000] * 4
"""A report of several parts that is larger than what is tried before."""


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """No file can grow beyond this size, as on a disk that is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def names(folder: Path) -> list[str]:
    """What is in a folder."""
    return sorted(path.name for path in folder.iterdir())


def test_a_report_replaces_an_old_one_when_it_is_complete(tmp_path: Path) -> None:
    """Until then the old one stays, and its permissions stay for good."""
    path = tmp_path / "report.json"
    path.write_text("old")
    path.chmod(0o640)
    report = ReportFile(path)
    seen = []

    def parts() -> Iterator[str]:
        yield "new "
        seen.append(path.read_text())
        yield "ä\udcff"

    report.put(parts())
    assert (["old"], "new ä?") == (seen, path.read_text(encoding="utf-8"))
    assert 0o640 == path.stat().st_mode & 0o777
    assert ["report.json"] == names(tmp_path)


def test_an_old_report_is_not_taken_for_the_new_one(tmp_path: Path) -> None:
    """It goes before the work begins; but not what others have written into a summary."""
    for name in ("report", "summary"):
        (tmp_path / name).write_text("old\n")
    report = ReportFile(tmp_path / "report", fresh=True)
    summary = ReportFile(tmp_path / "summary", append=True, fresh=True)
    assert ["summary"] == names(tmp_path)
    report.put(["new"])
    summary.put(["new"])
    assert ("new", "old\nnew") == ((tmp_path / "report").read_text(), (tmp_path / "summary").read_text())


@pytest.mark.parametrize("append", [False, True])
def test_a_report_that_does_not_fit_leaves_what_there_was(tmp_path: Path, append: bool) -> None:
    """Nothing half written, nothing beside it."""
    path = tmp_path / "report"
    path.write_text("old")
    report = ReportFile(path, "--summary", append=append)
    with room_for(150_000), pytest.raises(UserError, match=r"^--summary .*/report: File too large$"):
        report.put(LARGE)
    assert ("old", ["report"]) == (path.read_text(), names(tmp_path))


def test_a_report_that_fails_on_the_way_leaves_what_there_was(tmp_path: Path) -> None:
    """Whatever makes its parts may raise."""
    path = tmp_path / "report"
    path.write_text("old")

    def parts() -> Iterator[str]:
        yield "new"
        raise UserError("the store is damaged")

    with pytest.raises(UserError, match="the store is damaged"):
        ReportFile(path).put(parts())
    assert ("old", ["report"]) == (path.read_text(), names(tmp_path))


def test_what_cannot_be_written_is_said_before_the_work_begins(tmp_path: Path) -> None:
    """No folder, no room, no file."""
    (tmp_path / "file").write_text("mine")
    for path, reason in (
        (tmp_path / "nowhere/report", "No such file or directory"),
        (tmp_path / "file/report", "Not a directory"),
        (tmp_path, "Is a directory"),
    ):
        with pytest.raises(UserError, match=f"^--json {path}: {reason}$"):
            ReportFile(path, "--json")
    with room_for(1000), pytest.raises(UserError, match="File too large"):
        ReportFile(tmp_path / "report")
    assert ["file"] == names(tmp_path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_permissions_are_looked_at_before_the_work_begins(tmp_path: Path) -> None:
    """A file that may not be written; one that may, in a folder that may not be changed, is written in place."""
    locked = tmp_path / "locked"
    locked.mkdir()
    (locked / "mine").write_text("old report")
    (locked / "others").write_text("old")
    (locked / "others").chmod(0o400)
    locked.chmod(0o500)
    try:
        for name in ("others", "none"):
            with pytest.raises(UserError, match="Permission denied"):
                ReportFile(locked / name)
        ReportFile(locked / "mine", fresh=True).put(["new"])
        assert "new" == (locked / "mine").read_text()
    finally:
        locked.chmod(0o700)


def test_a_link_stays_one(tmp_path: Path) -> None:
    """The file that it leads to is replaced."""
    (tmp_path / "link").symlink_to("file")
    ReportFile(tmp_path / "link", fresh=True).put(["new"])
    assert (tmp_path / "link").is_symlink()
    assert "new" == (tmp_path / "file").read_text()


def test_a_pipe_or_a_device_is_written_to_directly(tmp_path: Path) -> None:
    """It is never replaced, and what it refuses is said."""
    pipe, got = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: got.append(pipe.read_text()))
    reader.start()
    ReportFile(pipe, fresh=True).put(["ne", "w"])
    reader.join()
    assert (["new"], True) == (got, pipe.is_fifo())
    with pytest.raises(UserError, match=r"^--out /dev/full: No space left on device$"):
        ReportFile(Path("/dev/full"), fresh=True).put(["new"])
    assert Path("/dev/full").is_char_device()


def test_a_standard_stream_can_be_named(tmp_path: Path) -> None:
    """Also where it leads to a file, which whoever has redirected it wants to keep."""
    with (tmp_path / "output").open("w+b") as file:
        file.write(b"before, ")
        file.flush()
        ReportFile(Path(f"/dev/fd/{file.fileno()}"), append=True).put(["after"])
        assert os.fstat(file.fileno()).st_ino == (tmp_path / "output").stat().st_ino
