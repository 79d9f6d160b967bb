"""Addresses: what is printed can be dialled, what is taken is refused, what a killed referee has left is replaced."""

import re
import socket
import subprocess
from pathlib import Path

import pytest
from aurum.serving.addresses import address_to_dial, address_to_listen_on
from dialing import ARENA, PATIENCE, Autoplayers, RefereeProcess


def refused(listen: str, folder: Path) -> str:
    """What `arena referee` says to an address that it cannot have, in one line, with exit code 2."""
    done = subprocess.run(
        [*ARENA, "referee", "--listen", listen],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert 2 == done.returncode
    assert 1 == len(done.stderr.splitlines())
    return done.stderr.removeprefix(f"arena: --listen {listen}: ").rstrip()


def test_a_socket_that_is_taken_is_refused_and_its_owner_plays_on(tmp_path: Path) -> None:
    """As a port is."""
    path = tmp_path / "one.sock"
    with RefereeProcess("--listen", f"unix:{path}") as referee:
        assert {f"unix:{path}"} == {address for address, _ in referee.seats.values()}
        assert f"cannot listen on unix:{path}: another process does" == refused("unix:one.sock", tmp_path)
        Autoplayers(referee.seats).join()
        referee.finish()


def test_what_a_killed_referee_has_left_is_replaced(tmp_path: Path) -> None:
    """Its socket is still there, and nobody serves it."""
    path = tmp_path / "one.sock"
    with RefereeProcess("--listen", f"unix:{path}"):
        pass
    assert path.is_socket()
    with RefereeProcess("--listen", f"unix:{path}") as referee:
        Autoplayers(referee.seats).join()
        referee.finish()


def test_a_file_that_is_no_socket_is_kept(tmp_path: Path) -> None:
    """Nobody loses it, whatever its name is."""
    path = tmp_path / "notes"
    path.write_text("kept", encoding="utf-8")
    assert f"{path} is there already, and is no socket" == refused("unix:notes", tmp_path)
    assert "kept" == path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("here", "'here' is no address: HOST:PORT or unix:PATH is expected"),
        (":1", "':1' is no address"),
        ("127.0.0.1:70000", "'127.0.0.1:70000' is no address"),
        (f"unix:/{'x' * 200}", "is too long for a socket: 103 bytes are possible"),
        ("unix:/no/such/folder/socket", "there is no folder /no/such/folder"),
    ],
)
def test_what_is_no_address_is_said_to_be_none(text: str, sentence: str) -> None:
    """Before anything listens."""
    with pytest.raises(OSError, match=re.escape(sentence)):
        address_to_listen_on(text)


@pytest.mark.parametrize("host", ["0.0.0.0", "[::]"])
def test_who_listens_everywhere_prints_an_address_of_this_machine(host: str) -> None:
    """One that another socket can be bound to."""
    printed, _, port = address_to_dial(f"{host}:0", 4711).rpartition(":")
    assert "4711" == port
    family = socket.AF_INET6 if printed.startswith("[") else socket.AF_INET
    with socket.socket(family) as own:
        try:
            own.bind((printed.strip("[]"), 0))
        except OSError:
            assert host == "[::]", "this machine has no IPv6"


def test_an_address_of_one_host_is_printed_as_it_is() -> None:
    """With the port that was found."""
    assert "127.0.0.1:4711" == address_to_dial("127.0.0.1:0", 4711)
