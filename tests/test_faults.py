"""Every kind of bad bot, as a real process in a tournament with good ones (docs/protocol.md, faults)."""

import os
import sqlite3
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from aurum.records.verify import differences
from aurum.store.store import Store
from aurum.v1 import game_pb2, record_pb2
from dialing import ARENA, ROOT

EXAMPLES = ROOT / "example_bots"
TURN_MS = 4000
"""For the cases that wait for it."""


@dataclass(frozen=True)
class Case:
    """A misbehaving example, the fault it must be blamed with, and words of the sentence its author reads."""

    bot: str
    kind: str
    words: str
    setup_ms: int = 60_000

    @property
    def turn_ms(self) -> int:
        """As little as can be where the limit is what the bot exceeds; else so much that a busy machine does not."""
        return TURN_MS if self.kind == "TIMEOUT" else 60_000


CASES = [
    Case("crash_at_start", "START_FAILED", "exited with code 1 before it said Hello; the last it wrote: "),
    Case("crash_mid_game", "CRASHED", "exited with code 1 in the middle of its games; the last it wrote: IndexError"),
    Case("exits_silently", "CRASHED", "exited with code 0 in the middle of its games; it wrote nothing"),
    Case("never_answers", "TIMEOUT", f"no answer within {TURN_MS} ms"),
    Case("answers_late", "TIMEOUT", f"no answer within {TURN_MS} ms"),
    Case("illegal_card", "ILLEGAL_MOVE", "is illegal: a card of that suit is in the trick already; legal were"),
    Case("another_seats_card", "ILLEGAL_MOVE", "is illegal: the card is not in the hand; legal were"),
    Case("garbage_bytes", "MALFORMED_MESSAGE", "bytes that are no PlayRequest"),
    Case("floods", "FLOODED", "messages or answers that match no open turn; answer each Turn once"),
    Case("stderr_gigabyte", "FLOODED", "wrote more than 64 MiB to its output and error"),
    Case("wrong_version", "START_FAILED", "the bot speaks protocol version 99, this referee version 1"),
    Case("never_says_hello", "START_FAILED", "said no Hello within the set-up time of 10 s", setup_ms=10_000),
]
HEADERS = Case("endless_headers", "FLOODED", "KiB that no turn has asked for")
"""Of gRPC alone."""


def tournament(
    folder: Path,
    bots: dict[str, str],
    deals: int,
    setup_ms: int,
    players: int = 4,
    turn_ms: int = 60_000,
    sandbox: str = "auto",
) -> subprocess.CompletedProcess[str]:
    """Run a round robin of these bots (name: command) into `folder`, whether or not they can start."""
    spec = folder / "spec.toml"
    # The examples lie outside the bots' folder, which links in it and scripts do not make them see.
    entries = "".join(
        f"[[bots]]\nname = '{name}'\ncommand = '{command}'\nreads = ['{EXAMPLES}']\n" for name, command in bots.items()
    )
    spec.write_text(
        f"[tournament]\nname = 'faults'\nformat = 'round_robin'\nplayers = {players}\n"
        f"deals = {deals}\nseed = 'faults'\n"
        f"[clock]\nturn_ms = {turn_ms}\nsetup_ms = {setup_ms}\n"
        f"[run]\nworkers = 1\ngames_in_flight = 4\n{entries}",
        encoding="utf-8",
    )
    command = [*ARENA, "tournament", "run", str(spec), "--out", str(folder / "out"), "--allow-absent"]
    command += ["--sandbox", sandbox]
    return subprocess.run(command, capture_output=True, text=True, timeout=110, check=False)


def stored(folder: Path) -> list[record_pb2.GameRecord]:
    """The records of a tournament, in order."""
    with Store.read(folder / "out") as store:
        return [record_pb2.GameRecord.FromString(record) for _, record in store.records()]


def left_behind(mark: str) -> list[str]:
    """The command lines of processes that mention `mark`, this one not counted."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if mark in command and process.name != str(os.getpid()):
            found.append(command)
    return found


def test_every_misbehaving_example_is_tried() -> None:
    """A new example without a case fails here."""
    assert {path.stem for path in (EXAMPLES / "misbehaving").glob("*.py")} == {case.bot for case in (*CASES, HEADERS)}


def pairs() -> list[tuple[Case, Case]]:
    """The cases by twos that have the same limits, as far as that goes: two bad bots play at one table."""
    cases = sorted(CASES, key=lambda case: (case.turn_ms, case.setup_ms))
    return list(zip(cases[::2], cases[1::2], strict=True))


@pytest.mark.parametrize(
    ("pair", "sandbox"),
    # In a sandbox bots dial a Unix-domain socket, and without one a port.
    [*((pair, "auto") for pair in (*pairs(), (HEADERS, CASES[2]))), ((HEADERS, CASES[2]), "off")],
    ids=lambda value: value if isinstance(value, str) else "-".join(case.bot for case in value),
)
def test_a_bad_bot_hurts_only_itself(pair: tuple[Case, Case], sandbox: str, tmp_path: Path) -> None:
    """All games finish, each bad bot is blamed for what it does and for nothing else, and the good one for nothing.

    All three sit at one table, so that whatever a bad bot does is done to both others, in every game. What the other
    bad bot is blamed for shows as well as the good one whether that hurts anyone.
    """
    # A link of this test's own makes its bots' command lines unlike any other process's.
    bots_folder = tmp_path / "bots"
    bots_folder.symlink_to(EXAMPLES)
    bad = {case.bot: case for case in pair}
    bots = {"good": f"python {bots_folder}/lowest_card.py"}
    bots |= {name: f"python {bots_folder}/misbehaving/{name}.py" for name in bad}
    turn_ms, setup_ms = min(case.turn_ms for case in pair), min(case.setup_ms for case in pair)
    done = tournament(tmp_path, bots, 1, setup_ms, players=3, turn_ms=turn_ms, sandbox=sandbox)
    assert 0 == done.returncode, done.stderr
    assert "Traceback" not in done.stderr + done.stdout
    records = stored(tmp_path)
    assert 3 == len(records)
    faults: dict[str, list[record_pb2.FaultRecord]] = {name: [] for name in bots}
    for record in records:
        assert [] == differences(record)
        assert sorted({fault.seat for fault in record.faults}) == list(record.result.forfeited)
        for fault in record.faults:
            faults[record.seats[fault.seat].bot].append(fault)
            # A hang costs at most its deadline and two seconds.
            assert fault.elapsed_ms <= turn_ms + 2000
    assert [] == faults["good"]
    for name, case in bad.items():
        assert any(case.words in fault.detail for fault in faults[name]), [fault.detail for fault in faults[name]]
        kinds = {game_pb2.FaultKind.Name(fault.kind).removeprefix("FAULT_KIND_") for fault in faults[name]}
        assert case.kind in kinds
        # A bot that keeps failing to start is benched, whatever made it fail.
        assert kinds <= {case.kind, "START_FAILED"}
    assert [] == left_behind(str(tmp_path))


def test_a_missing_command_is_benched_and_said_to_be(tmp_path: Path) -> None:
    """It loses its own games, if the organiser allows that, and stops nobody else's."""
    bots = {"good": "python lowest_card.py", "ghost": "no-such-program --fast", "fair": "python random_bot.py"}
    (tmp_path / "lowest_card.py").symlink_to(EXAMPLES / "lowest_card.py")
    (tmp_path / "random_bot.py").symlink_to(EXAMPLES / "random_bot.py")
    done = tournament(tmp_path, bots, deals=4, setup_ms=60_000)
    assert 0 == done.returncode, done.stderr
    faults = [fault for record in stored(tmp_path) for fault in record.faults]
    assert {game_pb2.FAULT_KIND_START_FAILED} == {fault.kind for fault in faults}
    assert any(
        "could not be started: there is no program no-such-program on the search path" in fault.detail
        for fault in faults
    )
    assert "ghost is benched" in done.stderr
    assert [] == left_behind(str(tmp_path))


def test_a_bot_may_leave_children_and_they_end_with_it(tmp_path: Path) -> None:
    """What a bot started and left running is gone when its games are over."""
    script = tmp_path / "forking.sh"
    script.write_text(
        f"(exec -a mark-{tmp_path.name} sleep 1000) & exec python {EXAMPLES}/lowest_card.py\n", encoding="utf-8"
    )
    bots = {"forking": f"bash {script}", "good": f"python {EXAMPLES}/lowest_card.py"}
    done = tournament(tmp_path, bots, deals=1, setup_ms=60_000)
    assert 0 == done.returncode, done.stderr
    assert [] == [fault for record in stored(tmp_path) for fault in record.faults]
    assert [] == left_behind(f"mark-{tmp_path.name}")


def test_a_bot_sees_only_the_environment_of_the_contract(tmp_path: Path) -> None:
    """Address, token, seat, seed, a search path, a home of its own: nothing of ours leaks into bots."""
    bot = f"env >&2; exec python {EXAMPLES}/lowest_card.py"
    bots = {"curious": f'bash -c "{bot}"', "good": f"python {EXAMPLES}/lowest_card.py"}
    done = tournament(tmp_path, bots, deals=1, setup_ms=60_000)
    assert 0 == done.returncode, done.stderr
    with sqlite3.connect(tmp_path / "out/tournament.sqlite") as store:
        [seen, *_] = store.execute("SELECT stderr_tail FROM instances WHERE bot = 'curious'").fetchone()
    names = {line.partition("=")[0] for line in seen.splitlines()}
    shell_own = {"PWD", "SHLVL", "_"}
    contract = {"AURUM_ADDRESS", "AURUM_TOKEN", "AURUM_SEAT", "AURUM_SEED", "PATH", "HOME", "TMPDIR", "LANG"}
    assert contract == names - shell_own
