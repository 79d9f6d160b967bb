"""Standard streams that never end a command."""

import io
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
import pytest
from aurum.cli.streams import GuardedStream, guarded_streams, terminal_width


@contextmanager
def guarded(number: int, encoding: str = "utf-8") -> Iterator[GuardedStream]:
    """A guarded stream that leads to a file descriptor."""
    with io.TextIOWrapper(io.FileIO(number, "w"), encoding=encoding) as stream:
        yield GuardedStream(stream)


def test_a_reader_who_leaves_is_no_error() -> None:
    """Nothing is lost that anyone wanted."""
    read, write = os.pipe()
    with guarded(write) as stream:
        stream.write("one\n")
        assert b"one\n" == os.read(read, 100)
        os.close(read)
        assert [4, 4] == [stream.write("two\n"), stream.write("six\n")]
        assert (False, None) == (stream.writable(), stream.lost)


def test_a_terminal_that_is_closed_is_no_error() -> None:
    """Nor is it a terminal from then on: nothing is drawn."""
    master, slave = os.openpty()
    with guarded(slave) as stream:
        assert stream.isatty()
        os.close(master)
        stream.write("one\n")
        assert (False, None) == (stream.isatty(), stream.lost)


def test_a_full_disk_loses_text() -> None:
    """The first error is kept."""
    with Path("/dev/full").open("w") as full:
        stream = GuardedStream(full)
        stream.write("one\n")
        stream.write("two\n")
    assert stream.lost is not None
    assert "No space left on device" == stream.lost.strerror


def test_no_stream_at_all() -> None:
    """As with `2>&-`, or closed by somebody."""
    closed = io.StringIO()
    closed.close()
    for stream in (GuardedStream(None), GuardedStream(closed)):
        stream.write("one\n")
        stream.flush()
        assert (False, False, None) == (stream.writable(), stream.isatty(), stream.lost)
        with pytest.raises(OSError, match="fileno"):
            stream.fileno()


@pytest.mark.parametrize(
    ("encoding", "expected"), [("utf-8", "Zoë ♥"), ("ascii", r"Zo\u00eb \u2665"), ("latin-1", r"Zoë \u2665")]
)
def test_what_the_encoding_lacks_is_escaped(encoding: str, expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By print and by click, so that JSON stays JSON."""
    read, write = os.pipe()
    with guarded(write, encoding) as stream:
        monkeypatch.setattr(sys, "stdout", stream)
        print("Zoë ♥")
        click.echo("Zoë ♥")
        monkeypatch.undo()
    assert f"{expected}\n" * 2 == os.read(read, 100).decode(encoding)
    os.close(read)


def test_a_full_pipe_is_waited_for() -> None:
    """Also if its other users have made it non-blocking: all of a large text arrives."""
    read, write = os.pipe()
    os.set_blocking(write, False)
    text, got = "0123456789" * 30_000, bytearray()

    def take() -> None:
        while len(got) < len(text):
            got.extend(os.read(read, 65536))

    reader = threading.Thread(target=take)
    reader.start()
    with guarded(write) as stream:
        stream.write(text)
        reader.join()
        assert (text.encode(), None) == (bytes(got), stream.lost)
    os.close(read)


def test_both_streams_are_guarded_and_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """The width is that of a terminal on standard error."""
    monkeypatch.setattr(sys, "stderr", None)
    output = sys.stdout
    with guarded_streams() as guarded:
        assert guarded is sys.stdout
        click.echo("lost", err=True)
        print("lost", file=sys.stderr)
        assert terminal_width() is None
    assert (output, None) == (sys.stdout, sys.stderr)
