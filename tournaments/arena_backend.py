"""Builds aurum-arena: by hatchling, which is told here where aurum-bot comes from.

aurum-arena needs the aurum-bot of its own release, and pyproject.toml says so. But a clone need not wait until that one
is published: `pip install .` takes it from the clone as well. An editable install has all source roots on its path,
those of aurum-bot included, and so asks for none.
"""

import tomllib
from pathlib import Path
from typing import Any

from hatchling.build import (
    build_sdist,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
)
from hatchling.builders.wheel import WheelBuilder

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
]


def build_wheel(folder: str, _settings: object = None, _metadata: object = None) -> str:
    """Of a clone, or of an unpacked sdist, which is a release."""
    bots = None if Path("PKG-INFO").is_file() else [f"aurum-bot @ {Path('sdk/python').resolve().as_uri()}"]
    return _built(folder, "standard", bots)


def build_editable(folder: str, _settings: object = None, _metadata: object = None) -> str:
    """Of a clone."""
    return _built(folder, "editable", [])


def _built(folder: str, version: str, bots: list[str] | None) -> str:
    """The wheel's name; its requirement for aurum-bot is replaced by those given, unless that is None."""
    root = Path.cwd()
    config: dict[str, Any] = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    if bots is not None:
        project = config["project"]
        project["dependencies"] = bots + [line for line in project["dependencies"] if not line.startswith("aurum-bot=")]
    wheel: str = next(WheelBuilder(str(root), config=config).build(directory=folder, versions=[version]))
    return Path(wheel).name
