"""Workers on other machines: a Dask cluster, through its concurrent.futures executor.

Dask keeps a unit until its outcome has arrived: one whose worker dies is played by another, and one that several
workers have died of fails, as a void unit does. What comes twice is taken once. `distributed` is imported when it is
needed: it is an extra.
"""

import logging
import os
import pickle
import re
import shutil
import socket
import sys
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from types import TracebackType
from typing import Any, TypeVar
from uuid import uuid4

from aurum.common.errors import UserError
from aurum.processes.process import environment
from aurum.referee.unit import Unit
from aurum.spec.spec import BotEntry, Spec
from aurum.workers.channel import Channel, Receive
from aurum.workers.site import Site
from aurum.workers.worker import Send, end_bots

Result = TypeVar("Result")

_CONNECT_S = 30.0
_WORKER_S = 60.0
_SHORT = 1 << 16
_CLOSE_S = 2.0


def address_of(url: str) -> str:
    """HOST:PORT of a cluster's URL. Raises ValueError if it is none."""
    found = re.fullmatch(r"dask://((?:[^\s/@:\[\]]+|\[[0-9A-Fa-f:.]+\]):(\d{1,5}))/?", url)
    if not found or not 1 <= int(found[2]) <= 65535:
        raise ValueError(f"{url!r} is not dask://HOST:PORT, the address of a Dask scheduler")
    return found[1]


@contextmanager
def connected(url: str) -> Iterator["Cluster"]:
    """The cluster whose scheduler is at `url`, while it is used. Leaving the `with` calls off what is being played.

    Raises:
        UserError: `distributed` is not installed, nobody answers, or it is of another version.
    """
    try:
        import distributed
    except ImportError:
        raise UserError(
            f"{url}: playing on a cluster needs the extra `cluster`: pip install 'aurum-arena[cluster]'"
        ) from None
    for name in ("distributed", "distributed.client"):  # our own errors say in a line what went wrong
        logging.getLogger(name).setLevel(logging.CRITICAL)
    warnings.simplefilter("ignore", distributed.versions.VersionMismatchWarning)
    address = address_of(url)
    if _is_something_else(address):
        raise UserError(f"{url}: what listens there is no Dask scheduler; its dashboard has a port of its own")
    make: Any = distributed.Client  # much of it is untyped
    try:
        client = make(address, timeout=_CONNECT_S, set_as_default=False, name="arena")
    except (OSError, ValueError):
        raise UserError(
            f"{url}: no Dask scheduler answers there: start one with `dask scheduler`, or correct the address"
        ) from None
    try:
        cluster = Cluster(url, client)
        cluster.check_versions()
        yield cluster
    finally:
        with suppress(OSError):
            client.close(_CLOSE_S)


def _is_something_else(address: str) -> bool:
    """Whether somebody listens there who does not begin with a short message, as Dask does, after its length.

    Dask's client would wait for ever for the message that it takes an answer in HTTP for.
    """
    host, _, port = address.rpartition(":")
    try:
        connection = socket.create_connection((host.strip("[]"), int(port)), _CONNECT_S)
    except OSError:  # nobody, or not yet
        return False
    with connection, suppress(OSError):
        return not 0 < int.from_bytes(connection.recv(8, socket.MSG_WAITALL), "little") < _SHORT
    return True


class Cluster:
    """A cluster that is connected: how many workers it has, and an executor of them."""

    def __init__(self, url: str, client: Any) -> None:
        self._url = url
        self._client = client

    def worker_count(self, _spec: Spec) -> int:
        """How many workers it has now: they may come and go. At least 1, since units in flight wait for new ones."""
        return max(1, len(self._ask(self._client.nthreads)))

    def workers(self, spec: Spec) -> Executor:
        """Workers for a tournament, whose bots have been built.

        Raises:
            UserError: there are none, even after a while, or some cannot play it.
        """
        try:
            self._client.wait_for_workers(1, timeout=_WORKER_S)
        except TimeoutError:
            raise UserError(
                f"{self._url}: the cluster has no workers: start some with `dask worker --nthreads 1`"
            ) from None
        except OSError:
            raise _gone(self._url) from None
        needs = needs_of(spec)
        found = self._ask(partial(self._client.run, lacking, needs, on_error="return"))
        for worker, lack in sorted(found.items()):
            if isinstance(lack, Exception):
                lack = f"lacks what plays there: install aurum-arena {version('aurum-arena')} ({lack})"
            if lack:
                raise UserError(f"{self._url}: the worker {worker} {lack}")
        return ClusterWorkers(self._url, self._client, needs)

    @property
    def site(self) -> Site:
        """The cluster, as a run takes it."""
        return Site(self.workers, self.worker_count, channel=self.channel)

    @contextmanager
    def channel(self, receive: Receive) -> Iterator[Channel]:
        """A channel through the scheduler, which keeps the order of all that a worker sends, outcomes included."""
        from distributed.client import ClosedClientError

        topic = f"aurum-run-{uuid4().hex}"
        self._client.subscribe_topic(topic, lambda entry: receive(pickle.loads(entry[1])))
        try:
            yield TopicChannel(topic)
        finally:
            with suppress(ClosedClientError, OSError):
                self._client.unsubscribe_topic(topic)
                self._client.run_on_scheduler(forget, topic)

    def check_versions(self) -> None:
        """Raise UserError unless the scheduler is of our version of Dask."""
        packages = self._ask(self._client.get_versions)["scheduler"]["packages"]
        for name, ours in _versions():
            theirs = packages.get(name, ours)
            if theirs != ours and not (name == "python" and theirs.startswith(f"{ours}.")):
                raise UserError(
                    f"{self._url}: the scheduler has {name} {theirs}, this arena {ours}: install the same version"
                )

    def _ask(self, question: Callable[[], Any]) -> Any:
        try:
            return question()
        except OSError:  # TimeoutError is one
            raise _gone(self._url) from None


def forget(topic: str, dask_scheduler: Any) -> None:
    """Free what the scheduler keeps of a topic that nobody listens to any more. Dask gives the scheduler."""
    dask_scheduler._broker.truncate(topic)


@dataclass(frozen=True)
class TopicChannel:
    """Sends through the scheduler, to those who have subscribed to a topic."""

    topic: str

    @contextmanager
    def open(self) -> Iterator[Send]:
        """In the thread of a Dask worker."""
        from distributed import get_worker

        worker = get_worker()
        yield lambda message: worker.log_event(self.topic, pickle.dumps(message))


class ClusterWorkers(Executor):
    """An executor whose units are called off when its `with` is left by an error; bots end however it is left."""

    def __init__(self, url: str, client: Any, needs: "Needs") -> None:
        self._url = url
        self._needs = needs
        self._client = client
        self._inner = client.get_executor(pure=False)  # the same unit once more is played once more

    def submit(  # type: ignore[override]
        self, play: Callable[[Unit, Callable[[], bool]], Result], unit: Unit, /
    ) -> Future[Result]:
        """Have a unit played; `play` gets it, and a function that says whether it is still wanted, as `play_unit`."""
        future: Future[Result] = Future()
        future.set_running_or_notify_cancel()  # cancelling is for `shutdown`
        self._inner.submit(play_there, play, unit, self._needs).add_done_callback(partial(self._pass_on, future))
        return future

    def _pass_on(self, future: Future[Result], played: Future[Result]) -> None:
        if played.cancelled():  # Dask forgets what a scheduler that is lost was to do
            future.set_exception(_gone(self._url))
        elif error := played.exception():
            future.set_exception(error)
        else:
            future.set_result(played.result())

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.shutdown(wait=kind is None)
        if not isinstance(error, UserError):  # perhaps of a scheduler that is gone
            with suppress(OSError):
                self._client.run(end_bots, on_error="ignore")

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Wait for what is being played, or call it off."""
        with suppress(OSError):  # of a scheduler that is gone
            self._inner.shutdown(wait and not cancel_futures)


@dataclass(frozen=True)
class Needs:
    """What a worker must have to play a tournament: versions of packages, the bots' folders, and the programs of those
    `bots` that are named in `programs`."""

    versions: tuple[tuple[str, str], ...]
    bots: tuple[BotEntry, ...]
    programs: frozenset[str]


def needs_of(spec: Spec) -> Needs:
    """What a tournament needs. A program that is missing here too is its bot's fault, else it is the worker's."""
    return Needs(_versions(), spec.bots, frozenset(bot.name for bot in spec.bots if _has_program(bot)))


def _has_program(bot: BotEntry) -> bool:
    program = bot.command[0]
    if os.sep in program:
        return os.access(bot.folder / program, os.X_OK)
    path = dict(bot.env).get("PATH") or environment({}, bot.folder)["PATH"]
    return shutil.which(program, path=path) is not None


def lacking(needs: Needs, dask_worker: Any) -> str:
    """What this worker lacks, as the end of a sentence; empty if nothing. Dask gives the worker."""
    if dask_worker.state.nthreads != 1:
        return (
            f"has {dask_worker.state.nthreads} threads, and a referee wants a process of its own: "
            "start workers with `dask worker --nthreads 1 --nworkers N`"
        )
    for (name, ours), (_, theirs) in zip(needs.versions, _versions(), strict=True):
        if theirs != ours:
            return f"has {name} {theirs}, this arena {ours}: install the same version"
    for bot in needs.bots:
        if not bot.folder.is_dir():
            return (
                f"has no folder {bot.folder} (bot {bot.name}): the bots' folders must be shared, at the same place "
                "everywhere"
            )
        if bot.name in needs.programs and not _has_program(bot):
            return f"has no program {bot.command[0]} (bot {bot.name}): install it there too"
    return ""


def play_there(play: Callable[[Unit, Callable[[], bool]], Result], unit: Unit, needs: Needs) -> Result:
    """Play a unit in a thread of a Dask worker. Raises UserError if this one, perhaps a late-comer, cannot."""
    from distributed import get_worker

    worker = get_worker()
    if lack := lacking(needs, worker):
        raise UserError(f"the worker {worker.address} {lack}")
    key = worker.get_current_task()

    def wanted() -> bool:
        # A task whose client has cancelled it, or is gone, stays here as long as its thread runs: as another state.
        task = worker.state.tasks.get(key)
        return task is not None and task.state == "executing"

    return play(unit, wanted)


def _versions() -> tuple[tuple[str, str], ...]:
    return (
        ("python", f"{sys.version_info.major}.{sys.version_info.minor}"),
        ("distributed", version("distributed")),
        ("aurum-arena", version("aurum-arena")),
    )


def _gone(url: str) -> UserError:
    return UserError(
        f"{url}: the connection to the scheduler is lost; finished games are stored: "
        "start it and its workers again and give the same command"
    )
