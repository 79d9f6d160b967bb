"""How the bots' processes and the machine behaved, as far as the organiser should know.

It is computed from the reports of the stored units, in the order in which they were stored, so that a run that
continues after a kill, and standings that are printed afterwards, say the same.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, Self

from aurum.common.texts import counted, printable
from aurum.referee.last_words import reason
from aurum.referee.start_failures import StartFailures
from aurum.referee.unit import BETWEEN_GAMES, InstanceReport
from aurum.results.played_unit import UnitReport


class ProcessHealth:
    """Start failures, versions, stray answers and lack of CPU of the bots, and delays of the referee.

    Args:
        turn_ms: the clock's limit for a turn.
        units: reports of the units that are stored already.
    """

    def __init__(self, turn_ms: int, units: Iterable[UnitReport] = ()) -> None:
        self._turn_ms = turn_ms
        self._start_failures: defaultdict[str, StartFailures] = defaultdict(StartFailures)
        self._unsolicited: Counter[str] = Counter()
        self._ended_idle: defaultdict[str, list[str]] = defaultdict(list)
        """By bot, how its processes ended that did so between two games."""
        self._versions: defaultdict[str, dict[str, None]] = defaultdict(dict)
        self._delayed_games = 0
        self._longest_delay_ms = 0
        self._longest_wait: tuple[float, str] = (0.0, "")
        """For a processor, in milliseconds a turn, and whose."""
        for unit in units:
            self.add(unit)

    def begin_run(self) -> None:
        """A run begins: what has failed to start before may have been mended."""
        self._start_failures.clear()

    def bench(self, bot: str, reason: str) -> None:
        """Launch a bot no more in this run."""
        self._start_failures[bot] = StartFailures(reason)

    def add(self, unit: UnitReport) -> None:
        """Count one more stored unit."""
        for instance in unit.instances:
            self._count_starts(instance)
            self._unsolicited[instance.bot] += instance.unsolicited
            if BETWEEN_GAMES in instance.exit:
                self._ended_idle[instance.bot].append(printable(instance.exit))
            if instance.decisions:
                self._longest_wait = max(
                    self._longest_wait, (1000 * instance.wait_s / instance.decisions, instance.bot)
                )
        for version in unit.versions:
            self._versions[version.name][printable(version.version)] = None
        self._delayed_games += unit.delayed
        self._longest_delay_ms = max(self._longest_delay_ms, unit.referee_delay_ms)

    def as_json(self) -> dict[str, Any]:
        """All that it has counted, for `restored`."""
        starts = {bot: [found.in_a_row, found.benched] for bot, found in self._start_failures.items()}
        return {
            "starts": {bot: found for bot, found in starts.items() if found != [0, ""]},
            "unsolicited": {bot: count for bot, count in self._unsolicited.items() if count},
            "versions": {bot: list(versions) for bot, versions in self._versions.items()},
            "delayed_games": self._delayed_games,
            "longest_delay_ms": self._longest_delay_ms,
            "longest_wait": list(self._longest_wait),
        }

    @classmethod
    def restored(cls, turn_ms: int, counted_before: Mapping[str, Any]) -> Self:
        """The same as the one that gave this by `as_json`, but for the limit of a turn."""
        health = cls(turn_ms)
        for bot, (in_a_row, benched) in counted_before["starts"].items():
            health._start_failures[bot] = StartFailures(benched, in_a_row)
        health._unsolicited.update(counted_before["unsolicited"])
        for bot, versions in counted_before["versions"].items():
            health._versions[bot] = dict.fromkeys(versions)
        health._delayed_games = counted_before["delayed_games"]
        health._longest_delay_ms = counted_before["longest_delay_ms"]
        wait_ms, bot = counted_before["longest_wait"]
        health._longest_wait = wait_ms, bot
        return health

    def _count_starts(self, instance: InstanceReport) -> None:
        self._start_failures[instance.bot].add(
            instance.start_failures,
            came_up=instance.start_failures < instance.starts,
            reason=lambda count: (
                f"it failed to start {count} times in a row ({_cause(instance)}); it forfeits the rest of its games"
            ),
        )

    @property
    def benched(self) -> dict[str, str]:
        """Bots that are not launched any more, and why, in a sentence each."""
        return {bot: failures.benched for bot, failures in self._start_failures.items() if failures.benched}

    def notes(self) -> dict[tuple[str, str], str]:
        """Sentences for the organiser, by kind and bot: the newer one of the same kind and bot replaces the older."""
        found = {("benched", bot): f"{bot} is benched: {why}" for bot, why in self.benched.items()}
        if self._delayed_games:
            found["delayed", ""] = (
                f"the referee itself was late in {counted(self._delayed_games, 'game')}, "
                f"by up to {self._longest_delay_ms} ms: they are void and played again"
            )
        return found | self.machine_notes()

    def machine_notes(self) -> dict[tuple[str, str], str]:
        """The notes that standings do not give anyway: all but those of benched bots and of the referee's delays."""
        found: dict[tuple[str, str], str] = {}
        wait_ms, bot = self._longest_wait
        if wait_ms > self._turn_ms / 10:
            found["starved", ""] = (
                f"bots were starved of CPU ({bot} waited {wait_ms:.0f} ms for a processor at each turn of "
                f"{self._turn_ms} ms): lower workers or games_in_flight"
            )
        for bot, count in self._unsolicited.items():
            if count:
                found["unsolicited", bot] = f"{bot} sent {counted(count, 'answer')} that matched no open turn"
        for bot, endings in self._ended_idle.items():
            found["ended idle", bot] = (
                f"{bot} ended by itself when no game was on and was started again, which lost it no game ({endings[0]})"
            )
        for bot, versions in self._versions.items():
            if len(versions) > 1:
                found["versions", bot] = f"{bot} changed its version while the tournament ran: {', '.join(versions)}"
        return found


def _cause(instance: InstanceReport) -> str:
    """Why an instance was lost, with what its process wrote about it."""
    wrote = reason(instance.stderr_tail)
    if instance.exit in wrote:
        return printable(wrote)
    return printable(f"{instance.exit}: {wrote}" if wrote and wrote[:100] not in instance.exit else instance.exit)
