import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import { Card } from "../src/card.js";
import { vectors } from "./vectors.js";

const { cards, not_cards } = vectors("cards");

for (const { name, value, suit, rank, gold } of cards) {
  test(`${name} is read, and printed as it was read`, () => {
    const card = Card.parse(name);
    assert.deepEqual([value, suit, rank, gold], [card.value, card.suit, card.rank, card.isGold]);
    assert.deepEqual([name, name, `"${name}"`], [String(card), inspect(card), JSON.stringify(card)]);
    assert.equal(card, Card.parse(name));
  });
}

for (const name of not_cards) {
  test(`${JSON.stringify(name)} is no card`, () => {
    assert.throws(() => Card.parse(name), { name: "RangeError", message: /is no card/ });
  });
}
