// A bot that always does the least, without chance or memory. Its policy, the same in every language:
//
//     bid        the lowest card of the hand
//     exchange   decline
//     play       the lowest legal base card; without one, the lowest legal gold card
//     end        never by choice: only with no legal card
//
// Lowest is by rank, and among equals by suit in the order B, C, P, S, Z.
//
//     npm ci && arena play --bot lowest_card="node lowest_card.js" --bot twin="node lowest_card.js"

import { PASS, run } from "aurum-bot";

/** @import { Card } from "aurum-bot" */

/** @param {readonly Card[]} cards */
function lowest(cards) {
  return cards.toSorted((a, b) => Number(a.isGold) - Number(b.isGold) || a.rank - b.rank || a.suit - b.suit)[0];
}

run({
  name: "LowestCard",
  version: "1",

  choose(turn) {
    if (turn.phase === "exchange") return PASS;
    return lowest(turn.legalCards) ?? PASS;
  },
});
