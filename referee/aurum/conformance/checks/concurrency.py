"""Runs coroutines at the same time until one of them fails."""

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any


async def together(parts: Iterable[Coroutine[Any, Any, None]]) -> None:
    """Run all of them at the same time. The first exception cancels the others and is raised as it is, in no group."""
    tasks = [asyncio.create_task(part) for part in parts]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
