"""How the bots' processes and the machine behaved, as far as the organiser should know.

Fed with the reports of units in the order in which they are stored, so that a run that goes on after a kill, and a
table printed later, say the same.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable

from aurum.common.texts import counted, printable
from aurum.referee.unit import START_LIMIT
from aurum.results.outcome import Instance, UnitReport


class Conduct:
    """What was seen so far. `turn_ms` is the clock's."""

    def __init__(self, turn_ms: int, units: Iterable[UnitReport] = ()) -> None:
        self._turn_ms = turn_ms
        self._failures: Counter[str] = Counter()
        self._benched: dict[str, str] = {}
        self._unsolicited: Counter[str] = Counter()
        self._versions: defaultdict[str, dict[str, None]] = defaultdict(dict)
        self._delayed = 0
        self._latest_ms = 0
        self._hungriest: tuple[float, str] = (0.0, "")
        for unit in units:
            self.add(unit)

    def add(self, unit: UnitReport) -> None:
        """Take note of one more stored unit."""
        for instance in unit.instances:
            self._count_starts(instance)
            self._unsolicited[instance.bot] += instance.unsolicited
            if instance.decisions:
                self._hungriest = max(self._hungriest, (1000 * instance.wait_s / instance.decisions, instance.bot))
        for version in unit.versions:
            self._versions[version.name][printable(version.version)] = None
        self._delayed += unit.delayed
        self._latest_ms = max(self._latest_ms, unit.referee_delay_ms)

    def _count_starts(self, instance: Instance) -> None:
        if instance.start_failures < instance.starts:  # it came up at least once
            self._failures[instance.bot] = 0
        self._failures[instance.bot] += instance.start_failures
        if self._failures[instance.bot] >= START_LIMIT and instance.bot not in self._benched:
            self._benched[instance.bot] = (
                f"it failed to start {self._failures[instance.bot]} times in a row ({_last_words(instance)}); "
                "it forfeits the rest of its games"
            )

    @property
    def benched(self) -> dict[str, str]:
        """By bot that is launched no more: why, in a sentence."""
        return dict(self._benched)

    def notes(self) -> dict[tuple[str, str], str]:
        """Sentences for the organiser, by what they are about (kind and bot): a later one replaces an earlier one."""
        found = {("benched", bot): f"{bot} is benched: {why}" for bot, why in self._benched.items()}
        if self._delayed:
            found["delayed", ""] = (
                f"the referee itself was late in {counted(self._delayed, 'game')}, by up to {self._latest_ms} ms: "
                "their times are not to be trusted; lower workers or games_in_flight"
            )
        return found | self.machine_notes()

    def machine_notes(self) -> dict[tuple[str, str], str]:
        """Those of the notes that standings do not say of themselves."""
        found: dict[tuple[str, str], str] = {}
        waited_ms, hungriest = self._hungriest
        if waited_ms > self._turn_ms / 10:
            found["starved", ""] = (
                f"bots were starved of CPU ({hungriest} waited {waited_ms:.0f} ms for a processor at each turn of "
                f"{self._turn_ms} ms): lower workers or games_in_flight"
            )
        for bot, count in self._unsolicited.items():
            if count:
                found["unsolicited", bot] = f"{bot} sent {counted(count, 'answer')} that matched no open turn"
        for bot, versions in self._versions.items():
            if len(versions) > 1:
                found["versions", bot] = f"{bot} changed its version while the tournament ran: {', '.join(versions)}"
        return found


def _last_words(instance: Instance) -> str:
    """How its process ended, with the last line that it wrote."""
    lines = instance.stderr_tail.splitlines()
    return f"{instance.exit}: {printable(lines[-1])}" if lines else instance.exit
