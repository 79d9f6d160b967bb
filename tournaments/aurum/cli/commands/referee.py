"""`arena referee`: a referee by hand, for bots that somebody starts elsewhere, or in a debugger."""

import asyncio
import secrets
import shlex
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import click
from aurum.cli.running import grace_option
from aurum.cli.sandboxes import mode_of, sandbox_option, say_shortage
from aurum.common.errors import UserError
from aurum.common.texts import printable
from aurum.processes.launch import Launch
from aurum.records.json_lines import to_line
from aurum.referee.lobby import Invitation, Lobby
from aurum.referee.unit import DAY_MS, Clock, Entrant, GameSettings, GameTask, Unit
from aurum.rules import PRESETS, deal_key, secret_of_seed
from aurum.sandbox.sandbox import Sandbox, sandbox_of
from aurum.v1 import record_pb2
from aurum.wire.faults import fault_words


@click.command()
@click.option("--listen", default="127.0.0.1:0", show_default=True, metavar="ADDRESS", help="HOST:PORT or unix:PATH.")
@click.option("--players", type=click.Choice(["3", "4"]), default="4", show_default=True)
@click.option("--games", type=click.IntRange(1), default=1, show_default=True)
@click.option(
    "--seat",
    "commands",
    multiple=True,
    metavar="SEAT=COMMAND",
    help="Launch a bot for this seat; may be repeated. Every other seat waits for a bot to dial in.",
)
@click.option("--ruleset", type=click.Choice(sorted(PRESETS)), default="designer", show_default=True)
@click.option("--seed", help="The same seed gives the same deals.  [default: drawn at random]")
@click.option("--turn-ms", type=click.IntRange(1), default=60_000, show_default=True, help="Time for a turn.")
@click.option("--setup-ms", type=click.IntRange(1), default=600_000, show_default=True, help="Time to take a seat.")
@grace_option(metavar=None)
@click.option("--debug", is_flag=True, help="For bots in a debugger: a day for each turn and to come back.")
@click.option("--games-in-flight", type=click.IntRange(1), default=1, show_default=True)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Write the records there, as JSON Lines.")
@sandbox_option
def referee(
    listen: str,
    players: str,
    games: int,
    commands: Sequence[str],
    ruleset: str,
    seed: str | None,
    turn_ms: int,
    setup_ms: int,
    reconnect_grace_ms: int,
    debug: bool,
    games_in_flight: int,
    out: Path | None,
    sandbox: str | None,
) -> None:
    """Referee games between bots that dial in.

    Prints the address and, for every seat that is not launched by --seat, the environment its bot needs.
    Plays as soon as all seats are taken.
    """
    seats = int(players)
    mode = mode_of(sandbox)
    launched = _launched(commands, seats, sandbox_of(mode, hidden=() if out is None else (str(out.absolute()),)))
    if launched:
        say_shortage(mode)
    clock = Clock(turn_ms, setup_ms=setup_ms, reconnect_grace_ms=reconnect_grace_ms)
    if debug:
        clock = Clock(DAY_MS, setup_ms=DAY_MS, reconnect_grace_ms=DAY_MS)
    secret = secret_of_seed(seed) if seed is not None else secrets.token_bytes(32)
    unit = Unit(
        entrants=tuple(Entrant(f"seat{seat}", launched.get(seat)) for seat in range(seats)),
        games=tuple(GameTask(f"referee/{d + 1}", d, deal_key(secret, d), tuple(range(seats))) for d in range(games)),
        settings=GameSettings(PRESETS[ruleset], clock),
        games_in_flight=games_in_flight,
    )
    records = _Records(out)
    try:
        asyncio.run(_play(unit, listen, records.finished))
    except OSError as error:
        raise UserError(f"--listen {listen}: {error}") from error
    finally:
        records.close()
    if records.lost:
        raise UserError(f"--out {out}: {records.lost}: the last games are not in it")


class _Records:
    """Prints each game as it ends, and writes its record into the file, if there is one; neither can end a game.

    `lost` says why the file could not take any more; empty if it has all.

    Args:
        out: the file.

    Raises:
        UserError: it cannot be opened.
    """

    def __init__(self, out: Path | None) -> None:
        self.lost = ""
        try:
            self._file = None if out is None else out.open("w", encoding="utf-8")
        except OSError as error:
            raise UserError(f"--out {out}: {error.strerror}") from error

    def finished(self, record: record_pb2.GameRecord) -> None:
        """A game is over."""
        click.echo(summary(record))
        if self._file is None or self.lost:
            return
        try:
            self._file.write(to_line(record) + "\n")
            self._file.flush()
        except OSError as error:
            self.lost = str(error.strerror)

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            with suppress(OSError):  # of what was lost already
                self._file.close()


async def _play(unit: Unit, listen: str, finished: Callable[[record_pb2.GameRecord], None]) -> None:
    async with Lobby(listen, invite=_invite) as lobby:
        await lobby.play(unit, on_record=finished)


def summary(record: record_pb2.GameRecord) -> str:
    """One line on a game: who won, the points, and the faults."""
    result = record.result
    winners = [str(side) for side, place in enumerate(result.placing) if place == 1]
    line = f"{record.id}: won by side {' and '.join(winners)}, points {' : '.join(map(str, result.points))}"
    for fault in record.faults:
        line += f"\n  seat {fault.seat}, {fault_words(fault.kind)}: {printable(fault.detail)}"
    return line


def _launched(commands: Sequence[str], seats: int, sandbox: Sandbox | None) -> dict[int, Launch]:
    launched: dict[int, Launch] = {}
    for text in commands:
        seat, equals, command = text.partition("=")
        words: list[str] = []
        with suppress(ValueError):
            words = shlex.split(command)
        if not (equals and words and seat.isdecimal() and int(seat) < seats):
            raise UserError(f"--seat {text!r}: write SEAT=COMMAND with a seat from 0 to {seats - 1}")
        if int(seat) in launched:
            raise UserError(f"--seat {text!r}: seat {seat} is given twice")
        launched[int(seat)] = Launch(tuple(words), ".", sandbox=sandbox)
    return launched


def _invite(invitations: Sequence[Invitation]) -> None:
    for invitation in invitations:
        click.echo(
            f"seat {invitation.seat}: AURUM_ADDRESS={invitation.address} AURUM_SEAT={invitation.seat} "
            f"AURUM_TOKEN={invitation.token}"
        )
