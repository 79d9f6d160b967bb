// A bot for the tests: its code fails where BREAKS says so.

import { Card, run } from "../../src/index.js";

const fail = () => {
  throw new TypeError("no such luck");
};

/** @type {Partial<import("../../src/index.js").Bot>} */
const mistakes = {
  [process.env.BREAKS ?? ""]: fail,
  ...(process.env.BREAKS === "answer" && { choose: () => Card.parse("G8") }),
};

run({ choose: (turn) => Promise.resolve(turn.legalCards[0] ?? "pass"), ...mistakes });
