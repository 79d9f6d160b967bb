"""Committed games are still played, scored and written down as they were (see make_goldens.py)."""

from pathlib import Path

import pytest
from aurum.records.json_lines import from_line, to_line
from aurum.records.verify import differences, run_again
from aurum.rules import Deal, Game, RoundEnd, Ruleset
from aurum.v1 import record_pb2
from aurum.wire.game import read_ruleset
from aurum.wire.records import read_move_record
from make_goldens import ENDINGS, FOLDER, RULESETS, Played, main
from strategies import COMBINATIONS

LINES = (FOLDER / "records.jsonl").read_text(encoding="utf-8").splitlines()
RECORDS = {record.id.split("/")[1]: record for record in map(from_line, LINES)}


def played(record: record_pb2.GameRecord, ruleset: Ruleset) -> Played:
    """The game of a record, its moves fed to the rules one after another."""
    game = Game(ruleset, Deal(record.deal_key, len(record.seats)))
    rounds = []
    for round_record in record.rounds:
        for entry in round_record.moves:
            if not entry.by_referee:
                assert entry.seat == game.to_act
                game.play(read_move_record(entry))
        assert game.finished is not None
        assert game.finished.end is not None
        assert (game.finished.end is RoundEnd.FORCED) == round_record.moves[-1].by_referee
        rounds.append(game.finished)
    return Played(game, rounds)


@pytest.mark.parametrize("name", RECORDS)
def test_a_golden_record_is_what_the_rules_give(name: str) -> None:
    """Cards, moves and results, byte for byte but for the names of the players."""
    record = RECORDS[name]
    assert [] == differences(record)
    again = run_again(record).record
    again.seats.extend(record.seats)
    assert to_line(record) == to_line(again)


@pytest.mark.parametrize("name", ENDINGS)
def test_every_kind_of_ending_has_its_record(name: str) -> None:
    """And the game has come to it."""
    _, ruleset, come_to = ENDINGS[name]
    assert come_to(played(RECORDS[name], ruleset))


def test_every_number_of_players_and_ruleset_has_its_record() -> None:
    """Every preset by its name, and every way of playing; nothing else is in the file."""
    names = {f"{label}-{players}p" for label in RULESETS for players in (3, 4)}
    assert names | set(ENDINGS) == set(RECORDS)
    covered = {(players, ruleset.gold_zeros, ruleset.game_end) for ruleset in RULESETS.values() for players in (3, 4)}
    assert {(players, ruleset.gold_zeros, ruleset.game_end) for players, ruleset in COMBINATIONS} == covered
    for players in (3, 4):
        for label, ruleset in RULESETS.items():
            record = RECORDS[f"{label}-{players}p"]
            assert (players, ruleset) == (len(record.seats), read_ruleset(record.ruleset))


def test_the_script_makes_the_files_that_are_committed(tmp_path: Path) -> None:
    """Whoever changes the rules or the record runs it again and looks at the difference."""
    main(tmp_path)
    for name in ("records.jsonl", "deals.json"):
        assert (FOLDER / name).read_text(encoding="utf-8") == (tmp_path / name).read_text(encoding="utf-8")


def test_a_changed_record_is_noticed() -> None:
    """A trick more in a result, and a card of another suit."""
    record = record_pb2.GameRecord()
    record.CopyFrom(RECORDS["designer-4p"])
    record.rounds[0].result.tricks[0] += 1
    assert differences(record) != []
    record.CopyFrom(RECORDS["designer-4p"])
    hand = record.rounds[0].hands[0].cards
    hand[0], hand[1] = hand[1], hand[0]
    assert differences(record) != []
