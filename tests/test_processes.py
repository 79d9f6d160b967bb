"""Bots as processes: what ends with them, what their limits count, what is left of them, and whose trouble it is."""

import asyncio
import errno
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, NoReturn

import pytest
from aurum.common.errors import UserError
from aurum.processes.commands import fault_in_command, fault_in_start
from aurum.processes.folders import remove
from aurum.processes.launch import Launch, Limits
from aurum.processes.process import BotProcess
from aurum.processes.scratch import scratch_folder
from aurum.processes.tree import descendants
from test_faults import left_behind

PATH = os.environ["PATH"]
linux_only = pytest.mark.skipif(sys.platform != "linux", reason="counts in /proc")


def run(use: Callable[[Path], Coroutine[Any, Any, Any]]) -> Any:
    """What comes of using a scratch folder; afterwards it must be gone."""
    with scratch_folder() as folder:
        result = asyncio.run(use(folder))
    assert not folder.exists()
    return result


def start(command: tuple[str, ...], scratch: Path, limits: Limits = Limits()) -> BotProcess:  # noqa: B008 - immutable
    """Start a process with a home of its own."""
    return BotProcess.start(Launch(command, "/"), {}, Path(tempfile.mkdtemp(dir=scratch)), limits)


def ending(source: str, limits: Limits = Limits()) -> tuple[str, str]:  # noqa: B008 - immutable
    """How a Python program ended as a bot, and the end of its output; afterwards nothing may be left of its home."""

    async def use(scratch: Path) -> tuple[str, str]:
        process = start((sys.executable, "-c", source), scratch, limits)
        sentence = await process.exited
        await process.stop(0)
        assert process.trouble is None
        assert [] == list(scratch.iterdir())
        return sentence, process.tail

    sentence, tail = run(use)
    return sentence, tail


LEAVING = """
import os, subprocess, sys
mark = ["bash", "-c", "exec -a MARK sleep 1000"]
subprocess.Popen(mark)
subprocess.Popen(mark, start_new_session=True)
if os.fork() == 0:
    if os.fork() == 0:
        os.setsid()
        os.execvp("bash", mark)
    os._exit(0)
print("all started", flush=True)
sys.exit(3)
"""


@linux_only
def test_everything_that_a_bot_has_started_ends_with_it(tmp_path: Path) -> None:
    """In a session of its own, orphaned, holding the output: its end is known at once, and nothing is left."""
    assert ("exited with code 3", "all started") == ending(LEAVING.replace("MARK", str(tmp_path)))
    assert [] == left_behind(str(tmp_path))


@linux_only
def test_everything_ends_with_the_arena_however_that_ends(tmp_path: Path) -> None:
    """Killed with SIGKILL, it leaves no process and no folder."""
    source = f"""
import asyncio, sys
from pathlib import Path
sys.path.insert(0, {str(Path(__file__).parent)!r})
from test_processes import *
async def use(scratch):
    process = start(("bash", "-c", "setsid bash -c 'exec -a {tmp_path} sleep 1000' & echo up; wait"), scratch)
    while process.tail != "up":
        await asyncio.sleep(0.01)
    print(scratch, flush=True)
    await process.exited
run(use)
"""
    with subprocess.Popen([sys.executable, "-c", source], stdout=subprocess.PIPE, text=True) as arena:
        assert arena.stdout is not None
        folder = Path(arena.stdout.readline().strip())
        assert folder.is_dir()
        wait_until(lambda: len(left_behind(str(tmp_path))) > 1)
        arena.kill()
    wait_until(lambda: not folder.exists() and not left_behind(str(tmp_path)))


def wait_until(happened: Callable[[], bool]) -> None:
    """Wait for something that other processes do."""
    give_up = time.monotonic() + 30
    while not happened():
        assert time.monotonic() < give_up
        time.sleep(0.01)


@linux_only
@linux_only
def test_a_process_that_ends_while_it_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that a bot had started may be gone before its waiting is read."""

    def gone(*_: object) -> NoReturn:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))

    async def use(scratch: Path) -> float:
        process = start((sys.executable, "-c", "print(flush=True); import time; time.sleep(60)"), scratch)
        while not process.written:
            await asyncio.sleep(0.01)
        with monkeypatch.context() as patch:
            patch.setattr(Path, "glob", gone)
            waited = process.waited()
        await process.stop(0)
        return waited

    assert run(use) >= 0


def test_a_stopped_supervisor_holds_up_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is killed with all that it has started, and so ends its bot; its folder goes with the others."""
    monkeypatch.setattr("aurum.processes.process._END_S", 0.1)

    async def use(scratch: Path) -> str:
        process = start(("sh", "-c", "echo up; sleep 1000"), scratch)
        while process.tail != "up":
            await asyncio.sleep(0.01)
        os.kill(process._supervisor.pid, signal.SIGSTOP)
        await process.stop(0)
        return process.exited.result()

    assert "was killed by SIGKILL" == run(use)


@linux_only
def test_a_guardian_that_is_killed_costs_nothing() -> None:
    """The folder is removed all the same."""
    before = set(descendants(os.getpid()))
    with scratch_folder() as folder:
        (guardian,) = set(descendants(os.getpid())) - before
        os.kill(guardian, signal.SIGKILL)
        (folder / "file").touch()
    assert not folder.exists()


@linux_only
@pytest.mark.parametrize(
    ("source", "fits"),
    [
        pytest.param("import mmap; m = mmap.mmap(-1, 64 << 30, mmap.MAP_PRIVATE | 0x4000)", True, id="reserved"),
        pytest.param("import os; os.truncate(os.memfd_create('heap'), 2 << 40)", True, id="memfd"),
        pytest.param("own = bytearray(b'x') * (200 << 20); import time; time.sleep(60)", False, id="own"),
        pytest.param(
            "import os, time\nfor _ in range(2): os.fork()\nown = bytearray(b'x') * (60 << 20); time.sleep(60)",
            False,
            id="children",
        ),
        pytest.param(
            "import os, time\nown = bytearray(b'x') * (60 << 20)\nfor _ in range(2): os.fork()\ntime.sleep(1.5)",
            True,
            id="shared",
        ),
        pytest.param(
            "import mmap, time\nm = mmap.mmap(-1, 200 << 20); m.write(b'x' * (200 << 20)); time.sleep(60)",
            False,
            id="mapped",
        ),
    ],
)
def test_the_limit_of_memory_counts_what_is_used(source: str, fits: bool) -> None:
    """By the whole tree, what it shares once; what is only reserved is not. Who ends by the limit is told which."""
    sentence, _ = ending(source, Limits(memory_mb=150))
    assert ("exited with code 0" == sentence) == fits
    assert fits or ("was ended for using" in sentence and "memory_mb = 150" in sentence), sentence


def test_the_limit_of_files_counts_what_is_used() -> None:
    """In the bot's own folder; a file that is large but empty takes nothing; 0 is no limit."""
    write = "import os, time\nwith open(os.path.join(os.environ['HOME'], 'f'), 'wb') as f:\n "
    sparse = write + "f.truncate(8 << 30)\ntime.sleep(0.5)"
    full = write + "f.write(bytes(30 << 20)); f.flush()\n time.sleep({})"
    assert "exited with code 0" == ending(sparse, Limits(disk_mb=20))[0]
    assert "exited with code 0" == ending(full.format(0.5), Limits(disk_mb=0))[0]
    assert (
        "was ended for using more than 20 MiB for files in its HOME (disk_mb = 20)"
        == (ending(full.format(60), Limits(disk_mb=20))[0])
    )


MESS = """
import os
os.chdir(os.environ["HOME"])
open(b"\\xff\\xfe", "w").close()
os.symlink("/", "root")
os.symlink("nowhere", "dangling")
os.mkfifo("pipe")
os.makedirs("closed/inner/more")
os.chmod("closed/inner", 0)
os.chmod("closed", 0o500)
for _ in range(1000):
    os.mkdir("a-folder-in-a-folder")
    os.chdir("a-folder-in-a-folder")
"""


def test_whatever_a_bot_leaves_is_removed() -> None:
    """1,000 nested folders, closed ones, names in no encoding: the clean-up raises nothing and leaves nothing."""
    assert ("exited with code 0", "") == ending(MESS)


@linux_only
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount")
def test_what_a_bot_has_mounted_is_taken_down_and_not_emptied(tmp_path: Path) -> None:
    """A folder of the organiser's that is mounted in the bot's keeps its files."""
    theirs, home = tmp_path / "theirs", tmp_path / "home"
    theirs.mkdir()
    (theirs / "kept").touch()
    (home / "a" / "mounted").mkdir(parents=True)
    if subprocess.run(["mount", "--bind", theirs, home / "a" / "mounted"], check=False).returncode:
        pytest.skip("cannot mount here")
    assert remove(str(home))
    assert [theirs / "kept"] == list(theirs.iterdir())


def test_what_the_machine_lacks_is_no_fault_of_a_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    """Too few open files, or no room in TMPDIR: one line that says what is lacking and what to do."""

    async def use(scratch: Path) -> str:
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        free = os.dup(0)  # the lowest that is free
        os.close(free)
        resource.setrlimit(resource.RLIMIT_NOFILE, (free + 4, hard))
        try:
            with pytest.raises(UserError) as error:
                start(("true",), scratch)
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        return str(error.value)

    assert run(use) == (
        "this machine cannot start a bot: Too many open files; allow more open files (ulimit -n), or lower workers. "
        "No bot is blamed, and what was finished is stored: then give the same command again"
    )
    monkeypatch.setattr(tempfile, "tempdir", "/dev/null/nowhere")
    with pytest.raises(UserError, match=r"cannot make a folder for the bots: .*set TMPDIR"), scratch_folder():
        pass


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A bot's folder, with commands that cannot be run, and one that can."""
    scripts = {
        "good": "#!/bin/sh\n",
        "windows": "#!/bin/sh\r\n",
        "typo": "#!/usr/bin/pyhton\n",
        "by-env": "#!/usr/bin/env no-such-python\n",
        "no-line": "echo\n",
        "my bot": "#!/bin/sh\n",
    }
    for name, text in scripts.items():
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    (tmp_path / "closed").write_text("#!/bin/sh\n")
    (tmp_path / "broken").symlink_to("nowhere")
    return tmp_path


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("./good", ""),
        ("sh", ""),
        ("./ghost", "there is no ./ghost in FOLDER"),
        ("ghost", "there is no program ghost on the search path"),
        ("good", "there is no program good on the search path; for the one in its folder, write ./good"),
        ("./my bot", "there is no ./my in FOLDER; a path with blanks must be quoted: './my bot'"),
        ("./closed", "./closed is not executable: chmod +x ./closed"),
        ("./broken", "./broken is a link to a file that is not there"),
        ("/", "/ is no file"),
        ("./windows", "the first line of ./windows ends with CR and LF: save it with the line ends of Unix, LF alone"),
        ("./typo", "./typo is a script for /usr/bin/pyhton, which is not there"),
        ("./by-env", "./by-env is a script for no-such-python, which is not on the search path"),
    ],
)
def test_what_is_wrong_with_a_command_is_said(command: str, words: str, folder: Path) -> None:
    """So that its author knows what to mend."""
    assert words.replace("FOLDER", str(folder)) == fault_in_command(command.split(), folder, PATH)


def test_what_the_system_says_of_a_command_is_explained(folder: Path) -> None:
    """Where the files do not show what is wrong, the system's error does."""
    assert "nor a script whose first line names an interpreter" in fault_in_start(
        errno.ENOEXEC, ["./no-line"], folder, PATH
    )
    assert "it was built for another system" in fault_in_start(errno.ENOENT, ["./good"], folder, PATH)
    assert "./good: Argument list too long" == fault_in_start(errno.E2BIG, ["./good"], folder, PATH)

    async def use(scratch: Path) -> list[str]:
        launches = [Launch(("./no-line",), str(folder)), Launch(("true",), str(folder / "gone"))]
        sentences = []
        for launch in launches:
            process = BotProcess.start(launch, {}, Path(tempfile.mkdtemp(dir=scratch)), Limits())
            sentences.append(await process.exited)
            assert process.trouble is None
            await process.stop(0)
        return sentences

    no_line, gone = run(use)
    assert no_line.startswith("could not be started: ./no-line is neither a program")
    assert f"could not be started: its folder {folder / 'gone'}: No such file or directory" == gone
