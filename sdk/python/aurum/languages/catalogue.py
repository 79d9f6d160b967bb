"""Reads `sdk/<language>/language.toml`, which describes a language that there is an SDK for.

| key | what it means |
|---|---|
| `title` | the language's name for people |
| `needs` | programs that must be on the search path |
| `packages` | Debian packages that bring what a fresh Debian lacks |
| `probe` | a further command, for bash, that succeeds where the toolchain is complete |
| `checks` | commands, for bash in `sdk/<language>`, that look at the SDK itself |
| `build` | what builds bots, in a folder of them; no shell |
| `command` | what starts a bot there, `{bot}` being its name; no shell |
| `vendor` | whether a new bot takes the SDK with it; false where it is installed with the arena |
| `[starter]` | the files of a new bot: path = the path it is copied from, `{name}` being the bot's name |
| `[starter.replace]` | what is replaced in them; `{Name}` is the name in camel case |
"""

import shlex
import shutil
import subprocess
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from aurum.common.errors import UserError
from aurum.common.texts import guess


@dataclass(frozen=True)
class Language:
    """One language; `name` is that of its folders."""

    name: str
    title: str
    needs: tuple[str, ...]
    packages: tuple[str, ...]
    probe: str
    checks: tuple[str, ...]
    build: tuple[str, ...]
    command: str
    vendor: bool
    files: Mapping[str, str]
    replace: Mapping[str, str]

    def run(self, bot: str) -> tuple[str, ...]:
        """The words that start a bot of that name, in the folder it was built in."""
        return tuple(word.replace("{bot}", bot) for word in shlex.split(self.command))

    def lacks(self) -> str:
        """What this machine lacks for the language, in a few words; empty if nothing."""
        missing = [program for program in self.needs if shutil.which(program) is None]
        if missing:
            return f"{' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} not on the search path"
        if self.probe and subprocess.run(["bash", "-c", self.probe], capture_output=True, check=False).returncode:
            return f"`{self.probe}` fails"
        return ""


def home() -> Path:
    """The folder in which `sdk/` and `example_bots/` lie: part of an installed arena, or the checkout."""
    installed = Path(__file__).parent / "data"
    return installed if installed.is_dir() else Path(__file__).parents[4]


def languages() -> dict[str, Language]:
    """All of them, by name."""
    return {path.parent.name: _read(path) for path in sorted(home().glob("sdk/*/language.toml"))}


_OTHER_NAMES = {
    "c++": "cpp",
    "cxx": "cpp",
    "golang": "go",
    "js": "javascript",
    "node": "javascript",
    "nodejs": "javascript",
    "py": "python",
    "python3": "python",
    "rs": "rust",
    "ts": "javascript",
    "typescript": "javascript",
}
"""TypeScript has the SDK of JavaScript, which comes with its types."""


def find(name: str) -> Language:
    """The language of that name, or of another that people use for it. Raises UserError if there is none."""
    known = languages()
    found = known.get(_OTHER_NAMES.get(name.lower(), name.lower()))
    if found is None:
        raise UserError(f"no SDK for the language {name!r}: choose one of {', '.join(known)}{guess(name, known)}")
    return found


def _read(file: Path) -> Language:
    content = tomllib.loads(file.read_text(encoding="utf-8"))
    starter = content["starter"]
    return Language(
        name=file.parent.name,
        title=content["title"],
        needs=tuple(content["needs"]),
        packages=tuple(content["packages"]),
        probe=content.get("probe", ""),
        checks=tuple(content["checks"]),
        build=tuple(shlex.split(content.get("build", ""))),
        command=content["command"],
        vendor=content.get("vendor", True),
        files={path: source for path, source in starter.items() if isinstance(source, str)},
        replace=starter.get("replace", {}),
    )
