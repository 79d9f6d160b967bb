"""The program in the docs, which shares no code with ours, derives the deals of recorded games from the secret."""

import random
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from aurum.records.json_lines import to_line
from aurum.rules import PRESETS, commitment, deal_key, secret_of_seed
from aurum.v1.record_pb2 import GameRecord
from docs_blocks import ROOT, blocks
from running import Sitting

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed")

SECRET = secret_of_seed("a seed of the tests")


def played(players: int) -> GameRecord:
    """A game of the secret's first deal, with random moves."""
    sitting = Sitting(PRESETS["german"], players, key=deal_key(SECRET, 0)).begin()
    sitting.play_on(random.Random(players).choice)
    return sitting.running.record


def checked(folder: Path, records: list[GameRecord], secret: str, committed: str) -> tuple[int, list[str]]:
    """What the program of the docs says: its exit code and its lines."""
    (program,) = (block for block in blocks(ROOT / "docs/running-a-tournament.md") if block.language == "js")
    (folder / program.noted("file")).write_text(program.text, encoding="utf-8")
    (folder / "games.jsonl").write_text("".join(f"{to_line(record)}\n" for record in records), encoding="utf-8")
    assert NODE is not None
    command = [NODE, program.noted("file"), "games.jsonl", secret, committed]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False)
    assert "" == done.stderr
    return done.returncode, done.stdout.splitlines()


def test_the_program_of_the_docs_finds_honest_deals_right(tmp_path: Path) -> None:
    """Games of three and of four: every round's cards and first player."""
    records = [played(3), played(4)]
    rounds = sum(len(record.rounds) for record in records)
    expected = (0, [f"{rounds} rounds derived again, no difference"])
    assert expected == checked(tmp_path, records, SECRET.hex(), commitment(SECRET))


def other_cards(record: GameRecord) -> None:
    """Two seats have exchanged a card."""
    one, other = record.rounds[1].hands[0].cards, record.rounds[1].hands[2].cards
    one[3], other[5] = other[5], one[3]


def other_leftover(record: GameRecord) -> None:
    """The left-over cards the other way round."""
    record.rounds[0].leftover.reverse()


def other_first_player(record: GameRecord) -> None:
    """The second round was begun by the one who began the first."""
    record.rounds[1].first_player = record.rounds[0].first_player


def other_key(record: GameRecord) -> None:
    """A key that the secret does not give."""
    record.deal_key = bytes(32)


def other_deal(record: GameRecord) -> None:
    """The game is said to be of another deal."""
    record.deal = 1


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (other_cards, "round 2: other cards"),
        (other_leftover, "round 1: other cards"),
        (other_first_player, "round 2: another first player"),
        (other_key, "another deal key"),
        (other_deal, "another deal key"),
    ],
)
def test_the_program_of_the_docs_finds_what_was_changed(
    tmp_path: Path, change: Callable[[GameRecord], None], sentence: str
) -> None:
    """It names the game, and the round."""
    record = played(4)
    change(record)
    code, lines = checked(tmp_path, [record], SECRET.hex(), commitment(SECRET))
    assert 1 == code
    assert any(line.startswith(record.id) and line.endswith(sentence) for line in lines)


def test_the_program_of_the_docs_holds_the_secret_against_the_commitment(tmp_path: Path) -> None:
    """Deals that follow from a secret are worth nothing if it was chosen afterwards."""
    expected = "the secret is not the one that was committed to"
    code, lines = checked(tmp_path, [played(4)], SECRET.hex(), commitment(bytes(32)))
    assert (1, expected) == (code, lines[0])
