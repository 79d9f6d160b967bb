"""How many cores a process may use: control groups as Linux shows them, written into a folder."""

import math
from pathlib import Path

import pytest
from aurum.processes.cores import cores, quota, usable_cores


@pytest.mark.parametrize(
    ("own", "files", "expected"),
    [
        ("0::/a/b\n", {"a/b/cpu.max": "150000 100000\n"}, 1.5),
        ("0::/a/b\n", {"a/b/cpu.max": "max 100000\n", "a/cpu.max": "50000 100000\n"}, 0.5),
        ("0::/\n", {"cpu.max": "200000 100000\n"}, 2.0),
        ("0::/../..\n", {"cpu.max": "max 100000\n"}, math.inf),
        ("3:cpu,cpuacct:/a\n", {"cpu/a/cpu.cfs_quota_us": "25000\n", "cpu/a/cpu.cfs_period_us": "100000\n"}, 0.25),
        ("3:cpu,cpuacct:/a\n", {"cpu/a/cpu.cfs_quota_us": "-1\n", "cpu/a/cpu.cfs_period_us": "100000\n"}, math.inf),
        ("3:memory:/a\n0::/\n", {}, math.inf),
        ("0::/a\n", {"a/cpu.max": "no number\n"}, math.inf),
    ],
)
def test_the_smallest_quota_counts(tmp_path: Path, own: str, files: dict[str, str], expected: float) -> None:
    """Of its own control group and of those above it, in both versions of control groups."""
    (tmp_path / "own").write_text(own, encoding="utf-8")
    for name, text in files.items():
        path = tmp_path / "groups" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert quota(tmp_path / "own", tmp_path / "groups") == expected


def test_without_control_groups_there_is_no_quota(tmp_path: Path) -> None:
    """As on other systems than Linux."""
    assert quota(tmp_path / "none", tmp_path) == math.inf


def test_at_least_one_core_is_usable(monkeypatch: pytest.MonkeyPatch) -> None:
    """However short its time is; and no more than there are."""
    for share, expected in ((0.3, 1), (math.inf, len(cores()))):
        monkeypatch.setattr("aurum.processes.cores.quota", lambda share=share: share)
        assert usable_cores() == expected
