"""Each check of `arena check` by itself: a bot that keeps the protocol passes it, one with the very flaw does not."""

import asyncio
import re
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path

import pytest
from aurum.conformance.checks.registry import Check
from aurum.conformance.scripted.referee import CheckedBot
from aurum.conformance.suite import CHECKS, Result, run
from docs_blocks import ROOT, blocks, code, rows, sections

WAYWARD = Path(__file__).parent / "wayward.py"
AT_ONCE = 4
pytestmark = pytest.mark.timeout(400)  # the first to ask waits for all of them, on however busy a machine


@dataclass(frozen=True)
class Case:
    """A check, what a bot may do wrong about it, and words of what its author reads."""

    check: str
    flaw: str
    words: str


CASES = [
    Case("hello", "talks unasked", "nothing, since no Turn has asked for it"),
    Case("hello", "forgets its token", "send the metadata `authorization: Bearer TOKEN`"),
    Case("unix-socket", "dials hosts alone", "where is that?"),
    Case("late-referee", "never dials twice", "no referee: StatusCode.UNAVAILABLE"),
    Case("slow-start", "reads for five seconds", "to stay connected"),
    Case("bid", "passes its bid", "pass is illegal: this kind of move is not asked for now"),
    Case("lead", "leads gold", "play G8 is illegal: gold cannot lead a trick"),
    Case("follow", "follows with anything", "is illegal: a card of that suit is in the trick already"),
    Case("exchange", "swaps for an opponent", "@1 is illegal: only a bid card of the own side can be replaced"),
    Case("four-players", "plays one round", "NotImplementedError: round two"),
    Case("three-players", "looks for a partner", "IndexError"),
    Case("end-of-round", "says nothing at the end", "the action holds no move (card, exchange or pass)"),
    Case("turn-twice", "counts for itself", "after turn 1 had come again"),
    Case("old-turn", "names the latest turn", "an answer to turn 4 of game"),
    Case("large-batch", "has one game in mind", "and to 254 more"),
    Case("reconnect-early", "never dials twice", "it exited with code 1"),
    Case("reconnect-between-turns", "starts a game once", "a game that was begun already"),
    Case("reconnect-in-a-turn", "answers once", "an answer to turn"),
    Case("reconnect-stream", "leaves at any end", "it exited with code 0"),
    Case("reconnect-stream", "is easily exhausted", "it exited with code 1"),
    Case("unknown-fields", "knows all fields", "a Turn with more fields than there are"),
    Case("unknown-updates", "knows all updates", "an update without a kind"),
    Case("faults", "knows all faults", "ValueError"),
    Case("leave", "stays", "it ran on"),
    Case("leave", "leaves in anger", "it exited with code 3"),
    Case("leave-mid-game", "leaves when its games are over", "it ran on"),
    Case("other-version", "speaks every version", "it ran on"),
    Case("refusal", "is refused without a word", "exited with code 1 without saying so"),
    Case("no-way-back", "calls it a success", "it exited with code 0"),
    Case("games-of-four", "tires", "is illegal: the card is not in the hand"),
    Case("games-of-four", "answers twice", "messages or answers that match no open turn"),
    Case("games-of-three", "tires", "is illegal: the card is not in the hand"),
]
RAW = [Case(check.name, "raw", "") for check in CHECKS if check.must]
"""What the bot of docs/protocol.md has to pass."""
HARMLESS = [Case(check.name, "none", "") for check in CHECKS]
BY_NAME = {check.name: check for check in CHECKS}


class _Silent:
    """Listens and does nothing."""

    def begun(self, check: Check) -> None: ...

    def counted(self, check: Check, games: int) -> None: ...

    def ended(self, result: Result) -> None: ...


def judged() -> dict[Case, str]:
    """What all cases come to, run in a process of its own, since grpc.aio does not survive its first event loop."""
    return asyncio.run(_judged())


async def _judged() -> dict[Case, str]:
    slots = asyncio.Semaphore(AT_ONCE)

    def checked(flaw: str, turn_ms: int) -> CheckedBot:
        return CheckedBot((sys.executable, str(WAYWARD), flaw), ".", games=16, turn_ms=turn_ms, setup_ms=60_000)

    async def flawed(case: Case) -> Result:
        async with slots:
            (result,) = await run(checked(case.flaw, 5_000), [replace(BY_NAME[case.check], needs=())], _Silent())
            return result

    flawless = asyncio.create_task(run(checked("none", 60_000), CHECKS, _Silent()))
    results = [*await asyncio.gather(*map(flawed, CASES)), *await flawless]
    raw_bot = next(block.text for block in blocks(ROOT / "docs/protocol.md") if block.noted("file") == "raw_bot.py")
    raw = CheckedBot((sys.executable, "-c", raw_bot), ".", games=16, turn_ms=60_000, setup_ms=60_000)
    results += await run(raw, [check for check in CHECKS if check.must], _Silent())
    return {case: _verdict(result) for case, result in zip([*CASES, *HARMLESS, *RAW], results, strict=True)}


def _verdict(result: Result) -> str:
    failure = result.failure
    if failure is None:
        return result.skipped
    return "\n".join((failure.sent, failure.came, failure.expected, failure.why, failure.ending, failure.output))


@pytest.fixture(scope="module")
def verdicts() -> dict[Case, str]:
    """By case: empty where the bot passed, else everything that its author reads."""
    with ProcessPoolExecutor(1, get_context("spawn")) as executor:
        return executor.submit(judged).result()


def test_every_check_has_a_flaw_that_it_catches() -> None:
    """A new check without a case fails here."""
    assert set(BY_NAME) == {case.check for case in CASES}


def test_every_check_is_documented() -> None:
    """In order, with the sentence that the checklist shows."""
    table = rows(sections(ROOT / "docs/checking-a-bot.md")["What is checked"])
    assert [[f"`{check.name}`", check.level, check.demand] for check in CHECKS] == table


def test_the_protocol_demands_what_is_checked() -> None:
    """Each check stands on its page once, among what a bot must do or what it should."""
    demands = sections(ROOT / "docs/protocol.md")["What a bot must do, and what it should"]
    _, must, should = re.split(r"^A bot (?:must|should)$", demands, flags=re.M)
    for level, text in (("must", must), ("should", should)):
        names = sorted(name for name in code(text) if name in BY_NAME)
        assert sorted(check.name for check in CHECKS if check.level == level) == names


def test_what_a_bot_must_do_needs_nothing_that_it_only_should() -> None:
    """Else a warning would keep a check of what matters from being made."""
    assert [] == [need for check in CHECKS if check.must for need in check.needs if not BY_NAME[need].must]


@pytest.mark.parametrize("case", RAW, ids=lambda case: case.check)
def test_the_bot_of_the_protocols_page_does_what_it_must(case: Case, verdicts: dict[Case, str]) -> None:
    """The page is all that it takes to write one."""
    assert "" == verdicts[case]


@pytest.mark.parametrize("case", HARMLESS, ids=lambda case: case.check)
def test_a_bot_that_keeps_the_protocol_passes(case: Case, verdicts: dict[Case, str]) -> None:
    """Without an SDK, on generated code alone."""
    assert "" == verdicts[case]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.check}-{case.flaw}")
def test_a_flaw_is_caught(case: Case, verdicts: dict[Case, str]) -> None:
    """And its author reads what it is."""
    assert case.words in verdicts[case]
