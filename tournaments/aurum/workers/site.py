"""Where units are played."""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager
from dataclasses import dataclass

from aurum.spec.spec import Spec
from aurum.workers.channel import Channel, Receive, local_channel
from aurum.workers.local import local_workers, shortages, worker_count


@dataclass(frozen=True)
class Site:
    """Where units are played: this machine, or a cluster.

    `workers` makes an executor whose workers play one unit at a time each, and is called again when one of them has
    died; if its `with` is left by an error, the executor must end them. `worker_count` says how many there are; it is
    asked again and again, since workers of a cluster may come and go. `shortages` says in a sentence each what they
    lack, if anything, and raises UserError if nothing can be played without it. `channel` carries what they send; its
    `with` is left after that of the executor. After `silent_after` seconds without a word of a unit its worker is
    taken to have stopped; 0: somebody else watches the workers.
    """

    workers: Callable[[Spec], Executor]
    worker_count: Callable[[Spec], int] = worker_count
    shortages: Callable[[Spec], Sequence[str]] = lambda _spec: ()
    channel: Callable[[Receive], AbstractContextManager[Channel]] = local_channel
    silent_after: int = 0


THIS_MACHINE = Site(local_workers, shortages=shortages, silent_after=60)
