"""What tests/conftest.py says of each test is true: of what kind it is, and with which others it is run."""

import multiprocessing
import os
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import APART, FILES, LANGUAGES, language_of
from languages import LANGUAGES as WITH_SDK

TESTS = {path.stem for path in Path(__file__).parent.glob("test_*.py")}


def bind() -> None:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))


def connect() -> None:
    with socket.socket() as found:
        found.connect(("127.0.0.1", 1))


@pytest.mark.parametrize(
    "launch",
    [
        lambda: subprocess.run(["true"], check=True),
        lambda: os.system("true"),
        lambda: multiprocessing.get_context("spawn").Process(target=bind).start(),
        bind,
        connect,
    ],
    ids=["subprocess", "system", "multiprocessing", "bind", "connect"],
)
def test_a_unit_test_stays_in_its_process(launch: Callable[[], object]) -> None:
    """This is one."""
    with pytest.raises(pytest.fail.Exception, match=r"a unit test does \S+: list its file in tests/conftest.py"):
        launch()


@pytest.mark.process
def test_a_test_of_another_kind_may_launch() -> None:
    """By its own mark, in a file of unit tests."""
    subprocess.run(["true"], check=True)
    bind()


def test_the_files_are_there() -> None:
    """A file that was renamed is renamed in the lists, too, and is in no two of them."""
    assert set() == (set().union(*FILES.values()) | APART) - TESTS
    assert sum(map(len, FILES.values())) == len(set().union(*FILES.values()))


def test_every_language_has_its_place() -> None:
    """Those with an SDK, and the tests of one are told from others."""
    assert set(WITH_SDK) == set(LANGUAGES)
    file = "tests/test_languages.py::test"
    assert ["go", "go", "", ""] == [language_of(file + name) for name in ("[go]", "[3-go]", "[3]", "[go,rust-Skipped]")]
    assert "" == language_of("tests/test_new.py::test[go]")
