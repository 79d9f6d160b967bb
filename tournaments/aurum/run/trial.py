"""The trial: bots are launched once before the first game and play a few turns, so that no typo becomes a table of
forfeits."""

from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import BrokenExecutor

from aurum.common.errors import RunError, UserError
from aurum.common.texts import counted
from aurum.referee.unit import GameTask, RefereeError, TrialOutcome, Unit
from aurum.rules import deal_key, secret_of_seed
from aurum.run.building import build_bots
from aurum.run.hidden import hidden_places
from aurum.run.in_flight import Submit, UnitsInFlight
from aurum.run.interrupts import on_interrupt
from aurum.run.progress import Progress
from aurum.schedule.jobs import entrant_of, limits_of, settings_of
from aurum.spec.spec import BotEntry, Spec
from aurum.workers.site import THIS_MACHINE, Site
from aurum.workers.worker import try_out

ATTEMPTS = 2
"""So often a bot may fail to start before it counts as one that cannot."""

_DEAL_KEY = deal_key(secret_of_seed("trial"), 0)
"""Of a deal that no tournament plays."""


class CannotPlayError(UserError):
    """Bots that are needed cannot start, and nothing was played."""


class Trial:
    """Launches bots, each alone, by `submit`, which hands a unit to a worker that tries its entrant.

    `tick` is called about once a second. `hidden` is what no bot may see.
    """

    def __init__(self, spec: Spec, tick: Callable[[], None], hidden: tuple[str, ...]) -> None:
        self._spec = spec
        self._hidden = hidden
        self._in_flight: UnitsInFlight[BotEntry, TrialOutcome] = UnitsInFlight(self._unit_of, tick)

    def interrupt(self) -> None:
        """Make `outcomes` raise Interrupted; may be called in a signal handler."""
        self._in_flight.interrupt()

    def outcomes(
        self, bots: Sequence[BotEntry], submit: Submit[TrialOutcome], most: Callable[[], int]
    ) -> dict[str, TrialOutcome]:
        """What came of trying each of these bots, by name, in their order: the last of its attempts.

        Args:
            bots: to be tried.
            submit: as above.
            most: how many may be tried at the same time.

        Raises what `UnitsInFlight.play` raises, and what a worker raises that fails by no bot's fault.
        """
        attempts: Counter[str] = Counter()
        found: dict[str, TrialOutcome] = {}
        waiting = deque(bots)
        for bot, _, future in self._in_flight.play(submit, waiting, most):
            found[bot.name] = future.result()
            attempts[bot.name] += 1
            if found[bot.name].cannot_start and attempts[bot.name] < ATTEMPTS:
                waiting.append(bot)
        return {bot.name: found[bot.name] for bot in bots}

    def _unit_of(self, bot: BotEntry) -> Unit:
        spec = self._spec
        return Unit(
            entrants=(entrant_of(spec, bot, self._hidden),),
            games=(GameTask("trial", 0, _DEAL_KEY, (0,) * spec.players),),
            settings=settings_of(spec),
            games_in_flight=spec.most_in_flight,
            limits=limits_of(spec),
        )


def try_all(spec: Spec, *, progress: Progress, site: Site = THIS_MACHINE) -> dict[str, TrialOutcome]:
    """Build all bots of a tournament and try each, alone; what came of it, by name.

    Args:
        spec: the tournament.
        progress: shows what is being done.
        site: where they are tried.

    Raises:
        UserError: a bot cannot be built, or the machine lacks something.
        Interrupted: the user ended it.
        RunError: the referee itself failed.
    """
    for sentence in site.shortages(spec):
        progress.note(sentence)
    hidden = hidden_places(spec)
    build_bots(spec, progress, hidden)
    trial = Trial(spec, progress.tick, hidden)
    progress.say(f"trying {counted(len(spec.bots), 'bot')}")
    try:
        with site.workers(spec) as executor, on_interrupt(trial.interrupt):
            return trial.outcomes(
                spec.bots, lambda unit: executor.submit(try_out, unit), lambda: site.worker_count(spec)
            )
    except BrokenExecutor as error:
        raise RunError("a worker process died, by no bot's fault") from error
    except RefereeError as error:
        raise RunError(f"{error}; no bot is to blame") from error


def refusal(spec: Spec, outcomes: Mapping[str, TrialOutcome]) -> CannotPlayError:
    """What to raise after a trial with these outcomes, of which some are bad."""
    cannot_start = {bot: outcome.cannot_start for bot, outcome in outcomes.items() if outcome.cannot_start}
    at_fault = {bot: outcome.fault for bot, outcome in outcomes.items() if outcome.fault}
    tried = counted(len(outcomes), "bot")
    sentences = [
        f"{len(bots)} of {tried} {what}: {'; '.join(f'{bot}{colon} {why}' for bot, why in bots.items())}"
        for bots, what, colon in (
            (cannot_start, "cannot start", ""),
            (at_fault, "at fault at the first turns", ":"),
        )
        if bots
    ]
    return CannotPlayError(f"{spec.source}: {'; '.join(sentences)}: mend that and give the same command again")
