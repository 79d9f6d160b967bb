"""What is wrong with a bot's command, as far as a look at the files can tell."""

import errno
import os
import shutil
from collections.abc import Sequence
from pathlib import Path

_FIRST_LINE = 256
"""Bytes of a script's first line that the system reads."""


def fault_in_command(command: Sequence[str], folder: Path, path: str) -> str:
    """Why a command cannot be run, as a clause; empty if nothing is wrong that can be seen.

    Args:
        command: program and arguments.
        folder: the working folder that it is to be run in.
        path: the search path, as in PATH.
    """
    if not folder.is_dir():
        return f"there is no folder {folder}"
    program = command[0]
    if os.sep not in program:
        found = _on(path, program, folder)
        if found is not None:
            return _fault_in_first_line(program, Path(found), folder, path)
        here = (folder / program).is_file()
        hint = f"; for the one in its folder, write ./{program}" if here else _meant(command, folder)
        return f"there is no program {program} on the search path{hint}"
    file = folder / program
    if file.is_symlink() and not file.exists():
        return f"{program} is a link to a file that is not there"
    if not file.exists():
        return f"there is no {program} in {folder}{_meant(command, folder)}"
    if not file.is_file():
        return f"{program} is no file"
    if not os.access(file, os.X_OK):
        return f"{program} is not executable: chmod +x {program}"
    return _fault_in_first_line(program, file, folder, path)


def fault_in_start(number: int, command: Sequence[str], folder: Path, path: str) -> str:
    """Why the system refused to run a command, with this error, as a clause."""
    if found := fault_in_command(command, folder, path):
        return found
    if number == errno.ENOEXEC:
        return (
            f"{command[0]} is neither a program for this system nor a script whose first line names an interpreter, "
            "as #!/usr/bin/env python3 does"
        )
    if number == errno.ENOENT:
        return f"{command[0]} is there, but not the loader that it names: it was built for another system"
    return f"{command[0]}: {os.strerror(number)}"


def hint_about(command: Sequence[str], folder: Path, path: str) -> str:
    """What may be wrong with a command whose program was started, and ended or hung before it was ready, as a clause.

    Empty if nothing comes to mind. The arguments are those of `fault_in_command`.
    """
    if command and (fault := fault_in_command(command, folder, path)):
        return f"; {fault}"
    if hint := next(filter(None, (_meant(command[start:], folder) for start in range(1, len(command) - 1))), ""):
        return hint
    programs = [os.path.basename(word) for word in command]  # noqa: PTH119 - words, and no paths for sure
    tool = next((program for program in programs[:3] if program in _TOOLS), None)
    if tool is None:
        return ""
    return (
        f"; HOME is an empty folder of this process alone, so {tool} finds none of your own tools and caches there: "
        f"build before the games and start what was built, or set {_TOOLS[tool]} (protocol.md, how a bot is started)"
    )


_TOOLS = {
    "bundle": "BUNDLE_PATH",
    "cargo": "RUSTUP_HOME and CARGO_HOME",
    "dotnet": "DOTNET_CLI_HOME and NUGET_PACKAGES",
    "go": "GOPATH and GOCACHE",
    "gradle": "GRADLE_USER_HOME",
    "mvn": "MAVEN_OPTS=-Dmaven.repo.local=FOLDER",
    "npm": "npm_config_cache",
    "npx": "npm_config_cache",
    "rustup": "RUSTUP_HOME and CARGO_HOME",
    "uv": "UV_CACHE_DIR",
}
"""Programs that keep in HOME what they need to start a bot, and the variables that say otherwise."""


def _on(path: str, program: str, folder: Path) -> str | None:
    """Where a program is on the search path, whose relative parts are meant from the folder."""
    return shutil.which(program, path=os.pathsep.join(str(folder / part) for part in path.split(os.pathsep)))


def _meant(command: Sequence[str], folder: Path) -> str:
    """A hint, if the first words together are the path of a file: its blanks were taken for the ends of words."""
    for count in range(2, len(command) + 1):
        together = " ".join(command[:count])
        if (folder / together).is_file():
            return f"; a path with blanks must be quoted: '{together}'"
    return ""


def _fault_in_first_line(program: str, file: Path, folder: Path, path: str) -> str:
    """What is wrong with the interpreter that a script names; empty for anything else."""
    try:
        with file.open("rb") as opened:
            line = opened.readline(_FIRST_LINE)
    except OSError:
        return ""
    if not line.startswith(b"#!"):
        return ""
    if line.endswith(b"\r\n"):
        return f"the first line of {program} ends with CR and LF: save it with the line ends of Unix, LF alone"
    words = os.fsdecode(line[2:]).split()
    if not words:
        return ""
    interpreter = Path(words[0])
    if not (folder / interpreter).exists():
        return f"{program} is a script for {interpreter}, which is not there"
    if interpreter.name == "env" and len(words) == 2 and "=" not in words[1] and _on(path, words[1], folder) is None:
        return f"{program} is a script for {words[1]}, which is not on the search path"
    return ""
