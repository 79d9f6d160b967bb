"""Several things at the same time, all or none."""

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any


async def together(parts: Iterable[Coroutine[Any, Any, None]]) -> None:
    """Run all of them at the same time. The first exception ends the others, and is raised as it is."""
    tasks = [asyncio.create_task(part) for part in parts]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
