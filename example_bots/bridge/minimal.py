"""The first legal card, always; exchanges are declined. Plain Python, without any package.

Its command in a tournament: arena bridge -- python example_bots/bridge/minimal.py
"""

import json
import sys
from typing import Any

Message = dict[str, Any]


def answer(turn: Message) -> Message:
    action = {"game": turn["game"], "number": turn["number"]}
    cards = turn.get("legal_cards", [])
    if turn["phase"] == "PHASE_EXCHANGE" or not cards:
        return action | {"pass": {}}
    return action | {"card": cards[0]}


def say(message: Message) -> None:
    print(json.dumps(message), flush=True)


say({"hello": {"protocol_version": 1, "bot": "Minimal", "version": "1", "language": "python"}})
for line in sys.stdin:
    updates = json.loads(line).get("updates", [])
    answers = [answer(update["turn"]) for update in updates if "turn" in update]
    if answers:
        say({"actions": answers})
