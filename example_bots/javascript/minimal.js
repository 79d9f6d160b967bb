// The smallest bot: it bids and plays the first legal card, passes when there is none, and never exchanges.
//
//     npm ci && arena play --bot minimal="node minimal.js" --bot twin="node minimal.js"

import { PASS, run } from "aurum-bot";

run({
  name: "Minimal",
  version: "1",

  choose(turn) {
    if (turn.phase === "exchange") return PASS;
    return turn.legalCards[0] ?? PASS;
  },
});
