"""The languages that bots are written in, as tests need them: whether a toolchain is here, and its bots built.

Run by itself, it prints the Debian packages that would bring what is not here.

Where a toolchain lacks, tests of its language are skipped, and say so; those of the languages that are named in
ARENA_REQUIRE_LANGUAGES (`go,rust`, or `all`) fail.
"""

import fcntl
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest
from aurum.languages import Language, languages

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "example_bots"
LANGUAGES = {name: language for name, language in languages().items() if (EXAMPLES / name).is_dir()}
"""Those with an SDK whose example bots have a folder of their own: all but Python."""


def _toolchain(name: str, title: str, needs: str, packages: str, probe: str = "") -> Language:
    return Language(
        name=name,
        title=title,
        needs=tuple(needs.split()),
        packages=tuple(packages.split()),
        probe=probe,
        checks=(),
        build=(),
        command="",
        vendor=False,
        files={},
        replace={},
    )


WITHOUT_SDK = {
    toolchain.name: toolchain
    for toolchain in (
        _toolchain(
            "ruby", "Ruby", "ruby grpc_tools_ruby_protoc", "ruby ruby-grpc ruby-grpc-tools", "ruby -e 'require %(grpc)'"
        ),
        _toolchain("bash", "Bash with jq", "bash jq", "bash jq"),
        _toolchain(
            "c", "C with cJSON", "gcc", "gcc libc6-dev libcjson-dev", "echo '#include <cjson/cJSON.h>' | gcc -E -"
        ),
    )
}
"""Those whose example bots do without one: see example_bots/ruby and example_bots/bridge."""

QUICKER = {
    "CARGO_INCREMENTAL": "0",
    "CARGO_PROFILE_RELEASE_DEBUG_ASSERTIONS": "true",  # with overflow checks: unit tests use this profile, too
    "CARGO_PROFILE_RELEASE_OPT_LEVEL": "0",
    "CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS": "true",
    "CMAKE_CXX_COMPILER_LAUNCHER": f"{sys.executable};{ROOT / 'tests/compile_once.py'}",
    "CMAKE_TOOLCHAIN_FILE": str(ROOT / "tests/quicker.cmake"),
    "MAVEN_OPTS": "-XX:+UseSerialGC -XX:TieredStopAtLevel=1",
    "RUSTFLAGS": "-D warnings",  # as the SDK's checks set it: with other flags, all libraries are compiled again
    "npm_config_audit": "false",
    "npm_config_fund": "false",
    "npm_config_prefer_offline": "true",
}
"""Environment of a build: it takes longer than all that tests do with what is built, so they want it soon, not good."""

SHARED = {"rust": "target"}
"""By language: what a build leaves in its folder that spares others the libraries, where no cache does."""

BUILD_LIMIT = 900
"""Seconds that a build may take on a busy machine that has to fetch everything."""


@cache
def lack(name: str) -> str:
    """What this machine lacks for a language; empty if nothing."""
    return (LANGUAGES | WITHOUT_SDK)[name].lacks()


def required(name: str) -> bool:
    """Whether a language has to be there."""
    asked = os.environ.get("ARENA_REQUIRE_LANGUAGES", "")
    return asked == "all" or name in asked.replace(",", " ").split()


def need(name: str) -> Language:
    """The language, if its toolchain is here; otherwise the test is skipped, or fails if the language is required."""
    language = (LANGUAGES | WITHOUT_SDK)[name]
    if lack(name):
        sentence = f"{language.title}: {lack(name)}"
        if language.packages:
            sentence += f" (Debian: apt-get install {' '.join(language.packages)})"
        if required(name):
            pytest.fail(f"{sentence}; ARENA_REQUIRE_LANGUAGES asks for it", pytrace=False)
        pytest.skip(sentence)
    return language


def built(name: str, shared: Path) -> Path:
    """The folder of a language's example bots, built once in a run of the tests, whose workers share a folder."""
    language = need(name)
    folder = EXAMPLES / name
    done = shared / f"{name}.built"
    with alone(shared / f"{name}.lock"):
        if not done.exists():
            build(language, folder, shared)
            done.touch()
    return folder


def build(language: Language, folder: Path, shared: Path) -> None:
    """Build the bots in a folder."""
    if language.build:
        run(language.build, folder, BUILD_LIMIT, shared)


def build_another(language: Language, folder: Path, shared: Path) -> None:
    """Build the bots in a folder that lies elsewhere, with the libraries that the example bots were built with."""
    if left := SHARED.get(language.name):
        (folder / left).symlink_to(built(language.name, shared) / left)
    build(language, folder, shared)


def run(words: Sequence[str], folder: Path, limit: float, shared: Path | None = None) -> str:
    """What a command prints; it must end well. Builds take from the shared folder what others have compiled."""
    done = subprocess.run(
        words,
        cwd=folder,
        env=os.environ | QUICKER | ({"COMPILED": str(shared / "compiled")} if shared else {}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=limit,
        check=False,
    )
    assert 0 == done.returncode, f"{' '.join(words)}\n{done.stdout}"
    return done.stdout


@contextmanager
def alone(lock: Path) -> Iterator[None]:
    """Whoever comes later waits."""
    with lock.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def main() -> None:
    """Print the packages that lack, on one line."""
    lacking = [language for language in (LANGUAGES | WITHOUT_SDK).values() if lack(language.name)]
    print(*sorted({package for language in lacking for package in language.packages}))


if __name__ == "__main__":
    main()
