"""The trial start: bots are launched once before the first game, so that a typo does not become a table of forfeits."""

from collections import Counter, deque
from collections.abc import Callable, Sequence

from aurum.common.errors import UserError
from aurum.common.texts import counted
from aurum.referee.unit import GameTask, Unit
from aurum.rules import deal_key, secret_of_seed
from aurum.run.in_flight import Submit, UnitsInFlight
from aurum.schedule.jobs import entrant_of, limits_of, settings_of
from aurum.spec.spec import BotEntry, Spec

ATTEMPTS = 2
"""So often a bot may fail to start before it counts as one that cannot."""

_DEAL_KEY = deal_key(secret_of_seed("trial start"), 0)
"""Of a deal that no tournament plays, nor does the trial."""


class CannotStartError(UserError):
    """Bots cannot start, and nothing was played."""


class Trial:
    """Launches bots, each alone, by `submit`, which hands a unit to a worker that tries to start its entrant.

    `tick` is called about once a second.
    """

    def __init__(self, spec: Spec, tick: Callable[[], None]) -> None:
        self._spec = spec
        self._in_flight: UnitsInFlight[BotEntry, str] = UnitsInFlight(self._unit_of, tick)

    def interrupt(self) -> None:
        """Make `reasons` raise Interrupted; may be called in a signal handler."""
        self._in_flight.interrupt()

    def reasons(self, bots: Sequence[BotEntry], submit: Submit[str], most: Callable[[], int]) -> dict[str, str]:
        """Why bots cannot start, in a sentence each, by name; none for those that can.

        Args:
            bots: to be tried.
            submit: as above; the future gets the reason, empty if the bot starts.
            most: how many may be tried at the same time.

        Raises what `UnitsInFlight.play` raises, and what a worker raises that fails by no bot's fault.
        """
        failures: Counter[str] = Counter()
        reasons: dict[str, str] = {}
        waiting = deque(bots)
        for bot, _, future in self._in_flight.play(submit, waiting, most):
            reason = future.result()
            failures[bot.name] += bool(reason)
            if reason and failures[bot.name] < ATTEMPTS:
                waiting.append(bot)
            elif reason:
                reasons[bot.name] = reason
        return {bot.name: reasons[bot.name] for bot in bots if bot.name in reasons}

    def _unit_of(self, bot: BotEntry) -> Unit:
        spec = self._spec
        return Unit(
            entrants=(entrant_of(bot),),
            games=(GameTask("trial start", 0, _DEAL_KEY, (0,) * spec.players),),
            settings=settings_of(spec),
            games_in_flight=spec.most_in_flight,
            limits=limits_of(spec),
        )


def refusal(spec: Spec, tried: int, reasons: dict[str, str]) -> CannotStartError:
    """What to raise if so many bots were tried, and these cannot start."""
    found = "; ".join(f"{bot} {reason}" for bot, reason in reasons.items())
    return CannotStartError(
        f"{spec.source}: {len(reasons)} of {counted(tried, 'bot')} cannot start: {found}: "
        "mend that and give the same command again"
    )
