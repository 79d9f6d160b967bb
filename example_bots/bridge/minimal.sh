#!/usr/bin/env bash
# The first legal card, always; exchanges are declined. Bash with jq.
# Its command in a tournament: arena bridge -- bash example_bots/bridge/minimal.sh

echo '{"hello": {"protocol_version": 1, "bot": "Minimal", "version": "1", "language": "bash"}}'

exec jq --compact-output --unbuffered '
    def move:
        if .phase == "PHASE_EXCHANGE" or .legal_cards == null then {pass: {}} else {card: .legal_cards[0]} end;
    [.updates[]?.turn | values | {game, number} + move] | select(. != []) | {actions: .}'
