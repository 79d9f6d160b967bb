// The shared cases of sdk/vectors, which every SDK runs.

import { readFileSync } from "node:fs";
import { Card } from "../src/card.js";
import { PASS } from "../src/move.js";

/**
 * @param {string} name
 * @returns {any} what one file holds
 */
export function vectors(name) {
  return JSON.parse(readFileSync(new URL(`../../vectors/${name}.json`, import.meta.url), "utf8"));
}

/**
 * @param {string} wire base64
 * @returns {Uint8Array}
 */
export function bytes(wire) {
  return Uint8Array.from(Buffer.from(wire, "base64"));
}

/**
 * What an author returns for a move of the vectors.
 * @param {{card?: string, exchange?: {gold: string, card: string, seat: number}}} move
 */
export function moveOf({ card, exchange }) {
  if (card) return Card.parse(card);
  if (!exchange) return PASS;
  return { gold: Card.parse(exchange.gold), card: Card.parse(exchange.card), seat: exchange.seat };
}

/**
 * A reading as the vectors write it: cards by name, keys in the case of the .proto files.
 * @param {unknown} value
 * @returns {unknown}
 */
export function plain(value) {
  if (value instanceof Card) return value.name;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  const snake = (/** @type {string} */ key) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [snake(key), plain(part)]));
}
