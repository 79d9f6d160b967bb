"""What kind of test each is, and how tests are spread over the workers of a run.

Each test has one of four marks: its own, or that of its file in `FILES`, or `unit`. A unit test stays in the process of
the tests: one that launches a program or connects a socket fails, and says so. So a new file needs no entry until one
of its tests does such a thing, and then cannot be forgotten.
"""

import os
import re
import sys
from collections.abc import Iterator
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from xdist.scheduler import LoadScopeScheduling

# A machine that is busy is no failure.
settings.register_profile("tests", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("tests")
settings.register_profile("fast", settings.get_profile("tests"), max_examples=20)

# The hundreds of programs that tests start would each compile what it imports of ours.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

FILES = {
    "languages": {"test_bridge_examples", "test_languages"},
    "docs": {"test_docs"},
    "process": {
        "test_action",
        "test_addresses",
        "test_bridge",
        "test_bridge_faults",
        "test_building",
        "test_causes",
        "test_check",
        "test_ci",
        "test_cluster",
        "test_compare_bots",
        "test_conformance",
        "test_faults",
        "test_kill",
        "test_liveness",
        "test_lobby",
        "test_machine",
        "test_packaging",
        "test_processes",
        "test_proto",
        "test_referee",
        "test_repository",
        "test_revisions",
        "test_run_events",
        "test_sandbox",
        "test_sdk",
        "test_sdk_fork",
        "test_verifiable_deals",
        "test_worker",
    },
}
"""By mark, in the order in which a run begins them: what is begun last should not be what takes longest."""

LANGUAGES = ["rust", "java", "cpp", "javascript", "go"]
"""In that order, too, since the first take longest."""

APART = {
    "test_bridge_examples",
    "test_bridge_faults",
    "test_check",
    "test_compare_bots",
    "test_docs",
    "test_faults",
    "test_reference",
    "test_worker",
}
"""Files of long tests that share nothing: each test goes to whichever worker is free."""

LAUNCHES = {"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.system", "socket.bind", "socket.connect"}
"""Python's audit events of what no unit test does."""


def kind_of(item: pytest.Item) -> str:
    """The mark of a test: its own, or its file's."""
    own = [mark.name for mark in item.iter_markers() if mark.name in ("unit", *FILES)]
    if len(set(own)) > 1:
        raise pytest.UsageError(f"{item.nodeid} is of more than one kind: {', '.join(own)}")
    return own[0] if own else next((kind for kind, files in FILES.items() if item.path.stem in files), "unit")


def language_of(nodeid: str) -> str:
    """The language that a test of all languages is for; empty if it is for none alone."""
    found = re.search(r"test_languages\.py::.*\[(?:[34]-)?([a-z]+)\]$", nodeid)
    return found[1] if found and found[1] in LANGUAGES else ""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark each test, and put first what takes long."""
    kinds, languages = [*FILES, "unit"], [*LANGUAGES, ""]
    for item in items:
        kind = kind_of(item)
        if item.get_closest_marker(kind) is None:
            item.add_marker(kind)
    items.sort(key=lambda item: (kinds.index(kind_of(item)), languages.index(language_of(item.nodeid))))


_unit_test = ""
"""The unit test that runs; empty in a test of another kind, and between two tests."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Know whether a unit test runs, with its fixtures of any scope."""
    global _unit_test
    _unit_test = item.nodeid if item.get_closest_marker("unit") else ""
    try:
        return (yield)
    finally:
        _unit_test = ""


def _stay_here(event: str, _arguments: object) -> None:
    if event in LAUNCHES and _unit_test:
        pytest.fail(f"a unit test does {event}: list its file in tests/conftest.py, or mark the test `process`")


def _start(process: BaseProcess) -> None:
    sys.audit("os.fork")  # as os.fork does, which multiprocessing does not use
    _original_start(process)


sys.addaudithook(_stay_here)
_original_start, BaseProcess.start = BaseProcess.start, _start  # type: ignore[assignment, method-assign]


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """How many workers `-n auto` means: four for two cores, since many tests wait, for a bot's deadline above all.

    `-n logical` means one for each core, as unit tests want, which never wait.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores if config.option.numprocesses == "logical" else 2 * cores


class _Groups(LoadScopeScheduling):  # type: ignore[misc] # it is untyped
    """Gives a free worker the next group: a file's tests, for they share fixtures; those of one language; or one test.

    Groups are known by the tests' names alone: pytest-xdist 3.8 loses the marks of groups under pytest 9.2.
    """

    def _split_scope(self, nodeid: str) -> str:
        name = Path(nodeid.partition("::")[0]).stem
        return nodeid if name in APART else f"{name} {language_of(nodeid)}"


def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> _Groups:
    """How `-n` spreads tests, in the order in which they were collected."""
    config.option.loadscopereorder = False
    return _Groups(config, log)


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all workers of a run share."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
