"""What a program needs of this machine to run, by its command, its search path and its environment.

A bot in a virtual environment, or one that is run by a toolchain in somebody's home, has to find that in its sandbox,
and its organiser has nothing to list. So the installations that the search path leads to are shown, as is what the
command and the environment name, which the organiser has written. What the bot's own files name is nobody's word but
its author's: it is followed to a Python alone.
"""

import os
import re
from collections.abc import Mapping, Sequence
from functools import cache
from glob import escape, glob

from aurum.sandbox.mounts import followed, lies_in

_PROGRAM_FOLDERS = {"bin", "sbin", "shims", "condabin"}
"""A folder of this name is part of an installation: what is around it."""
_SHARED_BY_ALL = (".local",)
"""Folders of a home that look like an installation, and are many, with secrets among them."""
_FIRST_LINE = 256


def system_folders() -> list[str]:
    """Where the system and its packages are."""
    folders = ("usr", "bin", "sbin", "lib", "lib32", "lib64", "libx32", "opt", "nix", "gnu", "etc")
    return [f"/{name}" for name in folders if os.path.exists(f"/{name}")]


def home_folder() -> str:
    """The home of whoever runs the arena."""
    return os.path.realpath(os.path.expanduser("~"))


def too_wide(path: str) -> bool:
    """Whether a folder holds more than one thing: the root, what lies in it, a home, what homes lie in."""
    return path.count("/") < 2 or path in ("/var/tmp", "/usr/local") or lies_in(home_folder(), path)


def needed(command: Sequence[str], folder: str, variables: Mapping[str, str]) -> list[str]:
    """Files and folders outside the system and outside `folder` that a command may need.

    Args:
        command: program and arguments.
        folder: the absolute folder that it is run in.
        variables: of its environment, PATH among them.
    """
    found: list[str] = []
    for name, value in variables.items():
        for part in re.split("[=: ]", value):
            if part.startswith("/") and os.path.exists(part):
                if name == "PATH":
                    found += _of_search_path(part)
                elif not too_wide(os.path.normpath(part)):
                    found.append(part)
    for word in command:
        for part in re.split("[=:]", word):
            path = os.path.normpath(os.path.join(folder, part))
            if "/" in part and os.path.exists(path) and not lies_in(path, folder):
                found += _around(path)
    found += _own_python(command[0], folder)
    return found


@cache
def _of_search_path(folder: str) -> list[str]:
    """What a folder of the search path needs: its installation, and those that its links lead to."""
    real = os.path.realpath(folder)
    if too_wide(real) or any(lies_in(real, os.path.realpath(system)) for system in system_folders()):
        return []
    found = [folder, *_installation(real)]
    with os.scandir(real) as entries:
        links = [entry.path for entry in entries if entry.is_symlink()]
    for link in links:
        target, _ = followed(link)
        if os.path.isfile(target) and not lies_in(target, real):
            found += [link, *_installation(os.path.dirname(target))]
    return found


def _installation(programs: str) -> list[str]:
    """What belongs to the programs in a folder."""
    prefix = os.path.dirname(programs) if os.path.basename(programs) in _PROGRAM_FOLDERS else programs
    if _is_python(prefix) and not lies_in(home_folder(), prefix):  # /venv, too, as containers have it
        return [prefix, *_of_python(prefix)]
    if too_wide(prefix) or prefix in (os.path.join(home_folder(), name) for name in _SHARED_BY_ALL):
        return [] if too_wide(programs) else [programs]
    return [prefix]


def _around(path: str) -> list[str]:
    """What belongs to a file or folder that a command names."""
    if os.path.isdir(path):
        return [] if too_wide(path) else [path]
    folder = os.path.dirname(path)
    if os.path.basename(folder) in _PROGRAM_FOLDERS:
        real = os.path.realpath(path)
        return [path, *_installation(folder), *_installation(os.path.dirname(real))]
    return [path] if too_wide(folder) else [folder]


def _own_python(program: str, folder: str) -> list[str]:
    """The Python that a program in the folder is run by: the one of a virtual environment there, or a script's."""
    path = os.path.normpath(os.path.join(folder, program))
    if "/" not in program or not os.path.isfile(path):
        return []
    found = []
    for each in (path, _interpreter(path)):
        real = os.path.realpath(each)
        if os.path.basename(real).startswith("python") and not lies_in(real, os.path.realpath(folder)):
            for programs in {os.path.dirname(each), os.path.dirname(real)}:
                if (prefix := os.path.dirname(programs)) and _is_python(prefix):
                    inside = lies_in(prefix, os.path.realpath(folder))
                    found += [each, *(_base_of(prefix) if inside else [prefix, *_of_python(prefix)])]
    return [path for path in found if not too_wide(path)]


def _interpreter(path: str) -> str:
    """What a script's first line names; empty for anything else."""
    try:
        with open(path, "rb") as file:
            line = file.readline(_FIRST_LINE)
    except OSError:
        return ""
    words = os.fsdecode(line[2:]).split() if line.startswith(b"#!") else []
    return words[0] if words and words[0].startswith("/") else ""


def _is_python(prefix: str) -> bool:
    return os.path.exists(f"{prefix}/pyvenv.cfg") or bool(glob(f"{escape(prefix)}/lib/python3*/os.py"))


def _of_python(prefix: str) -> list[str]:
    """What a virtual environment needs: the Python it was made with, and what is installed in it from elsewhere."""
    installed = glob(f"{escape(prefix)}/lib/python3*/site-packages/*.pth")
    lines = [os.path.normpath(line) for file in installed for line in _lines(file) if os.path.isabs(line)]
    return [*_base_of(prefix), *(path for path in lines if os.path.exists(path) and not too_wide(path))]


def _base_of(prefix: str) -> list[str]:
    """The Python that a virtual environment was made with."""
    found = []
    for line in _lines(f"{prefix}/pyvenv.cfg"):
        key, _, programs = (part.strip() for part in line.partition("="))
        if key == "home" and os.path.isabs(programs) and _is_python(os.path.dirname(programs)):
            real = os.path.realpath(f"{programs}/python3")
            found += [os.path.dirname(programs), os.path.dirname(os.path.dirname(real))]
    return found


def _lines(file: str) -> list[str]:
    try:
        with open(file, encoding="utf-8") as lines:
            return lines.read().splitlines()
    except (OSError, ValueError):
        return []
