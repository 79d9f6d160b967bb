"""Make tests/golden anew: `python tests/make_goldens.py [FOLDER]`.

`records.jsonl` holds one random game for each number of players and ruleset and one for each kind of ending, as
`arena export` writes them; `deals.json` holds deals worked out by the naive reference. Both change only if the rules,
the record or the derivation of deals do, or what random play does: look at the difference before committing it.
"""

import hashlib
import hmac
import json
import sys
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from random import Random
from typing import NamedTuple

from aurum.records.json_lines import to_line
from aurum.records.listener import announce_deal, announce_round_end
from aurum.records.recorder import Recorder
from aurum.rules import PRESETS, Game, GameEnd, Round, RoundEnd, Ruleset, deal_key, secret_of_seed, side_of
from aurum.rules.deal import Deal
from aurum.v1 import record_pb2
from reference import deal, draw, name, numbers
from strategies import kind_first

FOLDER = Path(__file__).parent / "golden"
SEED = "golden"


class Played(NamedTuple):
    """A finished game and its rounds."""

    game: Game
    rounds: list[Round]


RULESETS = {
    **PRESETS,
    "designer+zeros": Ruleset(True, GameEnd.FIRST_TO_TWO, "designer"),
    "designer+total": Ruleset(False, GameEnd.THREE_ROUNDS_TOTAL, "designer"),
    "pandasaurus-zeros": Ruleset(False, GameEnd.BEST_OF_THREE, "pandasaurus"),
    "gigamic-zeros": Ruleset(False, GameEnd.BEST_OF_THREE, "gigamic"),
    "german+total": Ruleset(True, GameEnd.THREE_ROUNDS_TOTAL, "german"),
}
"""Every preset, and variants of them such that each way of playing occurs."""


def _last(end: RoundEnd) -> Callable[[Played], bool]:
    return lambda played: played.rounds[-1].end is end


def _tied_at_the_top(game: Game) -> int:
    return game.nuggets.count(max(game.nuggets))


ENDINGS: dict[str, tuple[int, Ruleset, Callable[[Played], bool]]] = {
    "round-forced": (4, PRESETS["designer"], _last(RoundEnd.FORCED)),
    "round-declined": (4, PRESETS["german"], _last(RoundEnd.DECLINED)),
    "round-no-lead": (3, PRESETS["gigamic"], _last(RoundEnd.NO_LEAD)),
    "round-ends-on-spent-gold": (
        3,
        PRESETS["german"],
        lambda played: any(card.is_gold for card in played.rounds[-1].unfinished),
    ),
    "round-of-12-tricks": (4, PRESETS["german"], lambda played: any(len(each.tricks) >= 12 for each in played.rounds)),
    "round-shared-at-0": (
        4,
        PRESETS["designer"],
        lambda played: any(not any(each.points) for each in played.game.results),
    ),
    "game-of-2-rounds": (4, PRESETS["designer"], lambda played: len(played.rounds) == 2),
    "game-of-4-rounds": (3, PRESETS["designer"], lambda played: len(played.rounds) == 4),
    "game-shared-by-2": (3, PRESETS["german"], lambda played: played.game.result().rank.count(1) == 2),
    "game-shared-by-3": (3, PRESETS["designer"], lambda played: played.game.result().rank.count(1) == 3),
    "game-third-round-at-2-2": (4, PRESETS["pandasaurus"], lambda played: min(played.game.nuggets) >= 2),
    "game-decided-by-the-bid": (
        3,
        PRESETS["gigamic"],
        lambda played: played.game.result().rank.count(1) < _tied_at_the_top(played.game),
    ),
    "game-tied-bids-too": (4, PRESETS["pandasaurus"], lambda played: played.game.result().rank == (1, 1)),
    "total-won": (4, RULESETS["designer+total"], lambda played: played.game.result().rank.count(1) == 1),
    "total-shared": (3, RULESETS["german+total"], lambda played: played.game.result().rank.count(1) == 2),
}
"""By kind of ending: players, ruleset, and what the game must have come to."""


def play(players: int, ruleset: Ruleset, number: int) -> tuple[Played, record_pb2.GameRecord]:
    """Random game `number`, its deal of the same number."""
    game = Game(ruleset, Deal(deal_key(secret_of_seed(SEED), number), players))
    recorder = Recorder(game, "", number)
    announce_deal(game, (recorder,))
    rng = Random(number)
    rounds = []
    while not game.over:
        seat, move = game.to_act, kind_first(rng, game.legal_moves())
        game.play(move)
        recorder.moved(seat, move)
        if game.finished:
            rounds.append(game.finished)
            announce_round_end(game, (recorder,))
    recorder.game_over(game.result())
    for seat in range(players):
        recorder.record.seats.add(bot=f"side-{side_of(seat, players)}")
    return Played(game, rounds), recorder.record


def first(players: int, ruleset: Ruleset, wanted: Callable[[Played], bool]) -> record_pb2.GameRecord:
    """The first random game that has come to what is wanted."""
    games = (play(players, ruleset, number) for number in count())
    return next(record for played, record in games if wanted(played))


def records() -> Iterator[record_pb2.GameRecord]:
    """Every golden record; its id says what it is for."""
    for players in (3, 4):
        for number, (label, ruleset) in enumerate(RULESETS.items()):
            _, record = play(players, ruleset, number)
            record.id = f"golden/{label}-{players}p/{record.deal}/0"
            yield record
    for label, (players, ruleset, wanted) in ENDINGS.items():
        record = first(players, ruleset, wanted)
        record.id = f"golden/{label}/{record.deal}/0"
        yield record


def deals() -> Iterator[dict[str, str | int | list[str]]]:
    """Deals of a seed, as docs/rules.md section 13 derives them, without a line of the engine."""
    secret = hashlib.sha256(SEED.encode()).digest()
    for players in (3, 4):
        for number in (0, 1, 1000000):
            key = hmac.new(secret, b"deal:" + str(number).encode(), hashlib.sha256).digest()
            rounds = []
            for r in (1, 2, 3):
                hands, leftover = deal(key, players, r)
                rounds.append(" ".join(name(card) for part in (*hands, leftover) for card in part))
            yield {
                "id": f"{players}p-{number}",
                "seed": SEED,
                "players": players,
                "deal": number,
                "secret": secret.hex(),
                "commitment": hashlib.sha256(secret).hexdigest(),
                "key": key.hex(),
                "first_player": draw(numbers(key, 0), players),
                "rounds": rounds,
            }


def main(folder: Path) -> None:
    """Write both files."""
    (folder / "records.jsonl").write_text("".join(to_line(record) + "\n" for record in records()), encoding="utf-8")
    (folder / "deals.json").write_text(json.dumps(list(deals()), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
