"""A git repository of a bot with two revisions, the newer of which plays better."""

import shutil
import subprocess
from pathlib import Path

from docs_blocks import ROOT


def git(folder: Path, *arguments: str) -> str:
    """What git prints."""
    identity = ("-c", "user.name=Ann", "-c", "user.email=ann@club.example", "-c", "init.defaultBranch=main")
    local = ("-c", "protocol.file.allow=always")  # for submodules
    return subprocess.run(
        ["git", *identity, *local, *arguments], cwd=folder, capture_output=True, text=True, check=True
    ).stdout.strip()


def begin(folder: Path) -> Path:
    """Make the repository in a new folder; the bot is `my_bot.py`."""
    folder.mkdir()
    git(folder, "init", "--quiet")
    for name in ("lowest_card.py", "heuristic.py"):
        shutil.copy(ROOT / "example_bots" / name, folder / "my_bot.py")
        git(folder, "add", ".")
        git(folder, "commit", "--quiet", "-m", name)
    return folder
