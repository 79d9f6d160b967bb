"""`arena compare`."""

import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NoReturn

import click
from aurum.cli.compare_outputs import Outputs
from aurum.cli.compare_progress import CompareProgress
from aurum.cli.own_errors import own_error, refusal
from aurum.cli.running import grace_option, in_flight_chosen, site_of, speed_options, with_speed
from aurum.cli.sandboxes import in_sandbox, sandbox_option
from aurum.cli.streams import terminal_width
from aurum.common.errors import Interrupted, RunError, UserError
from aurum.compare.comparison import (
    ComparedBot,
    Repository,
    are_same,
    commit_to,
    compared_bots,
    folder_of,
    play_without,
    spec_of,
    workplace,
)
from aurum.compare.presentation import text
from aurum.compare.report import ComparisonReport, Ending, comparison_report, same_report
from aurum.compare.retries import retry
from aurum.compare.running_comparison import RunningComparison
from aurum.compare.settings import PRESETS, Settings, Statistic, default_cap
from aurum.rules import PRESETS as RULESETS
from aurum.run.interrupts import on_interrupt
from aurum.run.runner import run_tournament
from aurum.spec.spec import MOST_DEALS, Spec
from aurum.statistics.bounds import Bounds, EloModel
from aurum.store.store import FILE, Store
from aurum.workers.site import Site

DEFAULT_PRESET = "quick"

_FILE = click.Path(dir_okay=False, path_type=Path)
_OPTIONS = (
    click.option(
        "--repo",
        metavar="DIR",
        type=click.Path(path_type=Path),
        help="OLD and NEW are revisions of this git repository.",
    ),
    click.option("--build", metavar="COMMAND", help="Command that builds a revision in its folder; with --repo."),
    click.option(
        "--build-network", is_flag=True, help="Let the build reach the network from its sandbox; with --build."
    ),
    click.option("--run", metavar="COMMAND", help="Command that starts a revision in its folder; with --repo."),
    click.option(
        "--preset", type=click.Choice(list(PRESETS)), help=f"Elo bounds by name.  [default: {DEFAULT_PRESET}]"
    ),
    click.option(
        "--elo0", metavar="ELO", type=float, help="Lower bound: NEW is to be rejected if it is only so much stronger."
    ),
    click.option(
        "--elo1", metavar="ELO", type=float, help="Upper bound: NEW is to be accepted if it is so much stronger."
    ),
    click.option(
        "--elo-model",
        type=click.Choice(list(map(str, EloModel))),
        default=str(EloModel.NORMALIZED),
        show_default=True,
        help="The scale of the bounds.",
    ),
    click.option(
        "--alpha",
        metavar="P",
        type=float,
        default=0.05,
        show_default=True,
        help="Probability that NEW is wrongly accepted, at --elo0.",
    ),
    click.option(
        "--beta",
        metavar="P",
        type=float,
        default=0.05,
        show_default=True,
        help="Probability that NEW is wrongly rejected, at --elo1.",
    ),
    click.option(
        "--statistic",
        type=click.Choice(list(map(str, Statistic))),
        default=str(Statistic.WINS),
        show_default=True,
        help="How a deal is scored: by its games' results, or by the sign of its margin in card points.",
    ),
    click.option(
        "--max-deals",
        metavar="N",
        type=click.IntRange(1, MOST_DEALS),
        help="End as inconclusive after so many deals.  [default: three times the average of the longest test]",
    ),
    click.option(
        "--allow-faults", is_flag=True, help="Let faults lose games; without this, the first one ends the comparison."
    ),
    click.option(
        "--retry-faults",
        metavar="N",
        type=click.IntRange(0, 1000),
        default=0,
        show_default=True,
        help="Play so many deals again in which a bot was at fault, before a fault ends the comparison.",
    ),
    click.option("--players", type=click.Choice(["4", "3"]), default="4", show_default=True, help="Players in a game."),
    click.option("--third", metavar="COMMAND", help="The third bot, with --players 3.  [default: OLD once more]"),
    click.option("--ruleset", type=click.Choice(list(RULESETS)), default="designer", show_default=True),
    click.option("--seed", metavar="TEXT", help="A text that decides the deals.  [default: new deals each time]"),
    click.option(
        "--turn-ms", metavar="MS", type=click.IntRange(1), default=1000, show_default=True, help="Time for each turn."
    ),
    grace_option(),
    click.option(
        "--out",
        metavar="DIR",
        type=click.Path(path_type=Path),
        help="Keep the games in this folder, so that the same command can go on.",
    ),
    click.option("--json", metavar="FILE", type=_FILE, help="Write the report to this file, as JSON."),
    click.option("--junit", metavar="FILE", type=_FILE, help="Write the verdict to this file, as a JUnit test result."),
    click.option(
        "--summary",
        metavar="FILE",
        type=_FILE,
        envvar="GITHUB_STEP_SUMMARY",
        help="Append the report to this file, in Markdown.  [default: $GITHUB_STEP_SUMMARY, if it is set]",
    ),
    click.option(
        "--unit-deals",
        metavar="N",
        type=click.IntRange(1, MOST_DEALS),
        help="Deals that a worker plays in one go, at most.  [default: 1000]",
    ),
)


def _options(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@click.command("compare")
@click.argument("old")
@click.argument("new")
@_options
@sandbox_option
@speed_options
@click.pass_context
def compare(context: click.Context, /, old: str, new: str, **given: Any) -> None:
    """Find out whether NEW is better than OLD, with known error rates.

    Both are commands that start a bot, or with --repo revisions of a git repository. They play until a sequential test
    reaches a verdict. Exit codes: 0 accepted, 1 rejected, 2 wrong usage or a report that cannot be written,
    3 inconclusive, 4 a bot was at fault, 5 an error of the arena.
    """
    begun = time.monotonic()
    settings, repository = _settings(given), _repository(given)
    preset = None if given["elo0"] is not None else given["preset"] or DEFAULT_PRESET
    with on_interrupt(_interrupt):
        outputs = Outputs(given["json"], given["junit"], given["summary"])
        bots = compared_bots(old, new, given["third"], repository, settings.players)
        if are_same(bots, repository):
            seconds = time.monotonic() - begun
            same = same_report(settings, bots, preset, given["ruleset"], given["seed"], seconds)
            _show(same, outputs.write(same), "there was nothing to play")
            context.exit(same.ending.code)
        in_flight = in_flight_chosen(given["games_in_flight"], context)
        with workplace(bots, repository) as home, _folder(given["out"], bots) as (folder, go_on):
            spec = in_sandbox(spec_of(bots, settings, home, given["build"], _details(given)), given["sandbox"])
            spec = with_speed(spec, given["workers"], in_flight, given["relaunch"])
            commit_to(folder, settings)
            with site_of(given["executor"], given["workers"]) as site:
                comparison, stopped = _play_to_the_end(spec, folder, settings, bots, preset, site)
            report, lost = _report(folder, comparison, bots, preset, begun, stopped, outputs)
        if stopped is not None:
            ending, sentence = stopped
            raise (Interrupted if ending is Ending.INTERRUPTED else RunError)("; ".join([sentence, *lost, go_on]))
        assert report is not None
        _show(report, lost, go_on)
    context.exit(report.ending.code)


def _report(
    folder: Path,
    comparison: RunningComparison,
    bots: Sequence[ComparedBot],
    preset: str | None,
    begun: float,
    stopped: tuple[Ending, str] | None,
    outputs: Outputs,
) -> tuple[ComparisonReport | None, list[str]]:
    """Write the report; a sentence for each file that cannot be written. Of a run that stopped early maybe nothing."""
    report, lost = None, list[str]()
    if (folder / FILE).exists():  # unless it was stopped before it was made
        try:
            with Store.read(folder) as store:
                report = comparison_report(comparison, store, bots, preset, time.monotonic() - begun, stopped)
            lost = outputs.write(report)
        except UserError:
            if stopped is None:  # else that is what the user should know
                raise
    return report, lost


def _show(report: ComparisonReport, lost: Sequence[str], go_on: str) -> None:
    click.echo(text(report), nl=False)
    if lost:
        code = report.ending.code
        raise UserError(f"{'; '.join(lost)} (the exit code would have been {code}, {report.ending}); {go_on}")


def _play_to_the_end(
    spec: Spec, folder: Path, settings: Settings, bots: Sequence[ComparedBot], preset: str | None, site: Site
) -> tuple[RunningComparison, tuple[Ending, str] | None]:
    """Play until there is a verdict, also after faults that are to be retried; and as `_play` returns."""
    while True:
        comparison = RunningComparison(settings)
        stopped = _play(spec, folder, comparison, bots, preset, site)
        if stopped is not None or (voiding := retry(folder, comparison)) is None:
            return comparison, stopped
        click.echo(f"note: {voiding.note}", err=True)


def _play(
    spec: Spec,
    folder: Path,
    comparison: RunningComparison,
    bots: Sequence[ComparedBot],
    preset: str | None,
    site: Site,
) -> tuple[Ending, str] | None:
    """Play until there is a verdict. Returns None, or how it ended early and why in a sentence."""
    progress = CompareProgress(sys.stderr, time.monotonic, terminal_width(), comparison, preset)
    try:
        run_tournament(
            spec,
            folder,
            progress=progress,
            site=site,
            play_without=play_without(bots),
            enough=lambda games: progress.enough(comparison.add(games)),
        )
    except UserError:
        raise
    except Interrupted:
        return Ending.INTERRUPTED, "interrupted"
    except RunError as error:
        return Ending.ERROR, str(error)
    except Exception as error:
        if sentence := refusal(error):
            raise UserError(sentence) from error
        return Ending.ERROR, own_error(error)
    finally:
        progress.end()
    return None


def _interrupt() -> NoReturn:
    raise Interrupted("interrupted")


def _settings(given: Mapping[str, Any]) -> Settings:
    elo0, elo1, preset = given["elo0"], given["elo1"], given["preset"]
    if (elo0 is None) != (elo1 is None):
        raise click.UsageError("--elo0 and --elo1 belong together: give both, or a --preset")
    if elo0 is not None and preset is not None:
        raise click.UsageError(f"--preset {preset} stands for --elo0 and --elo1: give one or the other")
    if elo0 is None:
        elo0, elo1 = PRESETS[preset or DEFAULT_PRESET]
    if given["third"] is not None and given["players"] != "3":
        raise click.UsageError("--third is for a table of three: add --players 3")
    try:
        bounds = Bounds(elo0, elo1, EloModel(given["elo_model"]), given["alpha"], given["beta"])
    except ValueError as error:
        raise click.UsageError(f"--{error}") from None
    players = int(given["players"])
    cap = given["max_deals"] or default_cap(bounds, players)
    if given["allow_faults"] and given["retry_faults"]:
        raise click.UsageError("--retry-faults is for faults that end a comparison: leave out --allow-faults")
    return Settings(Statistic(given["statistic"]), bounds, players, cap, given["allow_faults"], given["retry_faults"])


def _repository(given: Mapping[str, Any]) -> Repository | None:
    if given["build_network"] and given["build"] is None:
        raise click.UsageError("--build-network is for a build: add --build COMMAND")
    if given["repo"] is None:
        for option in ("build", "run"):
            if given[option] is not None:
                raise click.UsageError(f"--{option} is for revisions: add --repo DIR")
        return None
    if given["run"] is None:
        raise click.UsageError("--repo needs --run COMMAND: how a revision is started")
    if given["executor"] is not None:
        raise click.UsageError("--repo checks out on this machine, where workers of --executor would not find it")
    return Repository(given["repo"], given["build"], given["run"])


def _details(given: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The sections of the spec that options decide."""
    return {
        "tournament": {"seed": given["seed"]} if given["seed"] is not None else {},
        "ruleset": {"preset": given["ruleset"]},
        "clock": {key: given[key] for key in ("turn_ms", "reconnect_grace_ms")},
        "run": {
            "build_network": given["build_network"],
            **({"unit_deals": given["unit_deals"]} if given["unit_deals"] else {}),
        },
    }


@contextmanager
def _folder(out: Path | None, bots: Sequence[ComparedBot]) -> Iterator[tuple[Path, str]]:
    """The folder in which the games are kept, and what to say about it to a user who interrupts."""
    if out is not None:
        folder = folder_of(out, bots)
        yield folder, f"finished games are stored in {folder}, go on with the same command"
        return
    with TemporaryDirectory(prefix="arena-compare-", ignore_cleanup_errors=True) as name:
        yield Path(name), "nothing is kept without --out"
