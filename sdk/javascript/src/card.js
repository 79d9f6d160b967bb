// The cards, each of them one object: `===`, `includes` and `indexOf` compare them.

import { CardSchema } from "../gen/aurum/v1/card_pb.js";
import { ProtocolError } from "./errors.js";

/** A playing card. There is one object for each, from `Card.parse` and in everything that a turn holds. */
export class Card {
  /**
   * Not for use outside of this file: `===` relies on it.
   * @param {string} name
   * @param {number} value
   */
  constructor(name, value) {
    /** As people say it: `B7`, `Z10`, `G0`. */
    this.name = name;
    /** As on the wire: `suit * 16 + rank`. */
    this.value = value;
    /** 1 Bismuth, 2 Copper, 3 Phosphorus, 4 Silver, 5 Zinc, 6 Gold: the first letters of the names. */
    this.suit = value >> 4;
    /** 1 to 10; of gold 0 to 8. */
    this.rank = value & 15;
    /** Gold is never in a hand: it lies in the supply, in a collection or in a trick. */
    this.isGold = this.suit === 6;
    Object.freeze(this);
  }

  /**
   * The card of a name like `B7`.
   * @param {string} name
   * @returns {Card}
   */
  static parse(name) {
    const card = byName.get(name);
    if (card === undefined) {
      throw new RangeError(`${JSON.stringify(name)} is no card: B1 to B10, C, P, S, Z likewise, and G0 to G8 are`);
    }
    return card;
  }

  toString() {
    return this.name;
  }

  toJSON() {
    return this.name;
  }

  /** What `console.log` shows. */
  [Symbol.for("nodejs.util.inspect.custom")]() {
    return this.name;
  }
}

const all = CardSchema.values.filter(({ number }) => number !== 0).map(({ name, number }) => new Card(name, number));
const byName = new Map(all.map((card) => [card.name, card]));
const byValue = new Map(all.map((card) => [card.value, card]));

/**
 * The card of a field that holds one.
 * @param {number} value
 * @returns {Card}
 */
export function cardOf(value) {
  const card = byValue.get(value);
  if (card === undefined)
    throw new ProtocolError("malformed", `the referee speaks of card ${value}, which there is not`);
  return card;
}

/**
 * The card of a field that may hold none.
 * @param {number} value
 * @returns {Card | null}
 */
export function cardOrNull(value) {
  return value === 0 ? null : cardOf(value);
}

/**
 * The cards of a repeated field.
 * @param {readonly number[]} values
 * @returns {readonly Card[]}
 */
export function cardsOf(values) {
  return values.map(cardOf);
}
