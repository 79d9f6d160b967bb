"""How tests are spread over workers (`--dist loadgroup`): a file's tests stay together, unless a group is named."""

import math
import os
from pathlib import Path

import pytest

FIRST = "test_languages.py"
"""Has the longest groups, one for each language: what is begun last should not be what takes longest."""


def pytest_xdist_auto_num_workers() -> int:
    """How many workers `-n auto` means: three for two cores, since many tests wait, for a bot's deadline above all."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return math.ceil(1.5 * cores)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Name each test's group."""
    for item in items:
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(item.path.name))
    items.sort(key=lambda item: item.path.name != FIRST)


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all workers of a run share."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
