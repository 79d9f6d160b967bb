// A bot for the tests: plays the first legal card, and says on stdout what it is told and asked.

import { PASS, run } from "../../src/index.js";

const say = (/** @type {string} */ line) => process.stdout.write(`${line}\n`);

run({
  name: "FirstCard",
  version: "1",

  setup: async () => say("setup"),
  gameStart: ({ id, seed }) => say(`game ${id} starts, seed ${seed}`),
  roundEnd: ({ game, table, result }) => say(`round ${table.round} of game ${game.id} ended by ${result.endedBy}`),
  gameEnd: ({ game, result }) => say(`game ${game.id} ends, ranks ${result.rank}`),

  choose(turn) {
    say(`asked ${turn.number}`);
    return turn.phase === "exchange" ? PASS : (turn.legalCards[0] ?? PASS);
  },
});
