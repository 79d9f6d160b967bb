"""Which line of what a program wrote says why it ended, as the runtimes themselves write it."""

import os
import sys
from pathlib import Path

import pytest
from aurum.processes.commands import hint_about
from aurum.referee.last_words import last_words, reason
from hypothesis import given
from hypothesis import strategies as st

OUTPUTS = {
    "node, syntax": (
        "/club/bad.js:3\n  return 1;\n         ^\n\nSyntaxError: Unexpected number\n"
        "    at wrapSafe (node:internal/modules/cjs/loader:1464:18)\n    at node:internal/main:28:49\n\n"
        "Node.js v20.20.2\n",
        "SyntaxError: Unexpected number (bad.js, line 3)",
    ),
    "node, module": (
        "file:///club/t.mjs:1\nnull.x\n     ^\n\nTypeError: Cannot read properties of null (reading 'x')\n"
        "    at file:///club/t.mjs:1:6\n\nNode.js v20.20.2\n",
        "TypeError: Cannot read properties of null (reading 'x') (t.mjs, line 1)",
    ),
    "rust": (
        "thread 'main' panicked at src/main.rs:12:9:\nindex out of bounds: the len is 1 but the index is 6\n"
        "note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n",
        "index out of bounds: the len is 1 but the index is 6 (src/main.rs:12:9)",
    ),
    "rust 1.90": (
        "\nthread 'main' (3797) panicked at p.rs:1:94:\noops\nstack backtrace:\n   0: __rustc::rust_begin_unwind\n",
        "oops (p.rs:1:94)",
    ),
    "rust 1.70": (
        "thread 'main' panicked at 'oops', src/main.rs:2:5\nnote: run with `RUST_BACKTRACE=1` environment variable\n",
        "thread 'main' panicked at 'oops', src/main.rs:2:5",
    ),
    "go": (
        "panic: runtime error: index out of range [3] with length 0\n\ngoroutine 1 [running]:\nmain.main()\n"
        "\t/club/x.go:2 +0x9\nexit status 2\n",
        "panic: runtime error: index out of range [3] with length 0",
    ),
    "java": (
        'Exception in thread "main" java.lang.IllegalStateException: no model\n\tat T.main(T.java:1)\n'
        "Caused by: java.io.FileNotFoundException: model.bin\n\t... 1 more\n",
        "Caused by: java.io.FileNotFoundException: model.bin",
    ),
    "c++": (
        "terminate called after throwing an instance of 'std::out_of_range'\n  what():  vector::at\n",
        "std::out_of_range: vector::at",
    ),
    "c": ("bot: bot.c:7: main: Assertion `x == 3' failed.\n", "bot: bot.c:7: main: Assertion `x == 3' failed."),
    "ruby": (
        "r.rb:1:in `<main>': undefined method `foo' for nil:NilClass (NoMethodError)\n\nnil.foo\n   ^^^^\n",
        "r.rb:1:in `<main>': undefined method `foo' for nil:NilClass (NoMethodError)",
    ),
    "python, printed late": (
        'Traceback (most recent call last):\n  File "/club/my_bot.py", line 8, in <module>\n    import torch\n'
        "ModuleNotFoundError: No module named 'torch'\nthinking about turn 3\n",
        "ModuleNotFoundError: No module named 'torch' (my_bot.py, line 8)",
    ),
    "python, a name of one's own": (
        'Traceback (most recent call last):\n  File "/club/my_bot.py", line 8, in play\n    raise NoCard(turn)\n'
        "NoCard: at turn 3\n",
        "NoCard: at turn 3 (my_bot.py, line 8)",
    ),
    "python, syntax": (
        "  File \"/club/my_bot.py\", line 3\n    def play(\n            ^\nSyntaxError: '(' was never closed\n",
        "SyntaxError: '(' was never closed (my_bot.py, line 3)",
    ),
    "the Python SDK": (
        "aurum: Mine.play failed at <Turn 2 of game 9: FOLLOW of seat 2, hand B7>\n"
        "aurum.bot.errors.IllegalAnswer: Mine.play (my_bot.py, line 8) returned None, where a Card is wanted\n",
        "Mine.play (my_bot.py, line 8) returned None, where a Card is wanted",
    ),
    "the Python SDK, in the author's code": (
        "aurum: Mine.play failed at <Turn 2 of game 9: FOLLOW of seat 2, hand B7>\nTraceback (most recent call last):\n"
        '  File "/club/my_bot.py", line 8, in play\n    sys.exit(0)\n'
        "aurum.bot.errors.ExitCalled: sys.exit(0) was called: a bot ends only at the referee's Goodbye\n",
        "sys.exit(0) was called: a bot ends only at the referee's Goodbye (my_bot.py, line 8)",
    ),
    "an SDK": ("#0 Foo.choose (bot.js)\naurum: the bot's choose failed: x\nbye\n", "aurum: the bot's choose failed: x"),
    "a refusal": (
        "aurum bridge: the referee refused: no Hello\nTraceback (most recent call last):\nEOFError: EOF\n",
        "aurum bridge: the referee refused: no Hello",
    ),
    "cargo": (
        "error: rustup could not choose a version of cargo to run\nhelp: run 'rustup default stable'\n",
        "error: rustup could not choose a version of cargo to run",
    ),
    "nothing known": ("hello\nno luck today\n\n", "no luck today"),
    "nothing": ("\n", ""),
}


@pytest.mark.parametrize("case", OUTPUTS)
def test_the_reason_is_found(case: str) -> None:
    """And not the version, hint, frames or prints that come after it."""
    output, expected = OUTPUTS[case]
    assert expected == reason(output)


def test_the_reason_is_told_from_the_last_line() -> None:
    """Only what was last is called that."""
    assert "; it wrote nothing" == last_words("")
    assert "; the last it wrote: no luck" == last_words("hello\nno luck")
    trace = 'Traceback (most recent call last):\n  File "a.py", line 8, in x\n    y()\nKeyError: 3'
    assert "; the last it wrote: KeyError: 3 (a.py, line 8)" == last_words(trace)
    assert "; it wrote: panic: no luck" == last_words("panic: no luck\n\ngoroutine 1 [running]:")


@given(st.text(alphabet=st.sampled_from("aE: \n\t(")) | st.text(), st.integers(1, 200))
def test_whatever_was_written_is_no_trouble(text: str, times: int) -> None:
    """Long lines neither."""
    assert len(reason(text * times)) <= 300


PATH = os.environ["PATH"]


def test_a_blank_in_a_path_is_seen(tmp_path: Path) -> None:
    """Where the program is there, and what it is to run was taken for two words."""
    (tmp_path / "my bot.py").touch()
    command = [sys.executable, "my", "bot.py", "-v"]
    assert "; a path with blanks must be quoted: 'my bot.py'" == hint_about(command, tmp_path, PATH)
    assert "" == hint_about([sys.executable, "bot.py"], tmp_path, PATH)
    assert "" == hint_about([], tmp_path, PATH)


def test_the_line_ends_of_windows_are_seen_in_a_script(tmp_path: Path) -> None:
    """`env` is there, and is asked for a program whose name ends with CR: the system sees nothing wrong."""
    script = tmp_path / "bot"
    script.write_bytes(b"#!/usr/bin/env python3\r\nprint(1)\r\n")
    script.chmod(0o755)
    expected = "; the first line of ./bot ends with CR and LF: save it with the line ends of Unix, LF alone"
    assert expected == hint_about(["./bot"], tmp_path, PATH)


def test_tools_that_live_in_home_are_named(tmp_path: Path) -> None:
    """With the variables that help."""
    for name in ("cargo", "go"):
        (tmp_path / name).touch(0o755)
    for command, words in (
        (["cargo", "run"], "so cargo finds none of your own tools and caches there"),
        ([f"{tmp_path}/go", "run", "."], "set GOPATH and GOCACHE"),
        (["env", "X=1", "cargo", "run"], "set RUSTUP_HOME and CARGO_HOME"),
    ):
        assert words in hint_about(command, tmp_path, f"{tmp_path}:{PATH}")
