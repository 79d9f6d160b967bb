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


def flood() -> None:
    host, _, place = os.environ["AURUM_ADDRESS"].rpartition(":")
    with socket.socket(socket.AF_UNIX if host == "unix" else socket.AF_INET) as connection:
        connection.connect(place if host == "unix" else (host, int(place)))
        connection.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes((0, 0, 0, 4, 0, 0, 0, 0, 0)))
        connection.sendall(frame(HEADERS, b"".join(field(*each) for each in BEGINNING.items())))
        while True:
            connection.sendall(frame(CONTINUATION, field("x", "y") * 250))


class Floods(Bot):
    flooder = threading.Thread(target=flood, daemon=True)

    def game_start(self, game: GameInfo) -> None:
        if self.flooder.ident is None:
            self.flooder.start()

    def bid(self, turn: Turn) -> Card:
        return turn.hand[0]

    def play(self, turn: Turn) -> Card:
        return turn.cards[0]


run(Floods)
