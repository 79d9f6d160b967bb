// A bot for the tests: takes longer for each turn than answers may wait for each other.

import { PASS, run } from "../../src/index.js";

run({
  choose(turn) {
    const end = performance.now() + 5;
    while (performance.now() < end);
    return turn.legalCards[0] ?? PASS;
  },
});
