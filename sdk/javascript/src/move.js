// The answers to a turn: what they are, whether they are legal, and how they are written.

import { inspect } from "node:util";
import { create } from "@bufbuild/protobuf";
import { ExchangeSchema, PassSchema } from "../gen/aurum/v1/game_pb.js";
import { ActionSchema } from "../gen/aurum/v1/play_pb.js";
import { Card } from "./card.js";
import { IllegalAnswerError } from "./errors.js";

/** @import { Turn } from "./turn.js" */
/** @import { Action } from "../gen/aurum/v1/play_pb.js" */

/**
 * Spend `gold` of the own collection, and lay `card` of the hand in the place of the bid card of `seat`, which is the
 * own seat or the partner's.
 * @typedef {{gold: Card, card: Card, seat: number}} Exchange
 */

/** @typedef {Card | Exchange | typeof PASS} Move */

/** In an exchange: decline. When following: end the round. */
export const PASS = "pass";

/**
 * The action that answers a turn. Throws IllegalAnswerError if the move is no legal answer to it.
 * @param {unknown} answer what the author's code returned
 * @param {Turn} turn
 * @returns {Action}
 */
export function actionOf(answer, turn) {
  if (!isLegal(answer, turn)) {
    const objection = `${show(answer)} is no legal answer to ${turn}: ${brokenRule(answer, turn)}`;
    throw new IllegalAnswerError(`${objection}; legal: ${legalAnswers(turn)}`);
  }
  return create(ActionSchema, { game: turn.message.game, number: turn.number, move: wireMove(answer) });
}

/**
 * @param {unknown} answer
 * @param {Turn} turn
 * @returns {answer is Move}
 */
function isLegal(answer, turn) {
  if (answer === PASS) return turn.mayPass;
  if (answer instanceof Card) return turn.phase !== "exchange" && turn.legalCards.includes(answer);
  if (turn.phase !== "exchange" || typeof answer !== "object" || answer === null) return false;
  const { gold, card, seat } = /** @type {Exchange} */ (answer);
  return turn.collection.includes(gold) && turn.legalCards.includes(card) && seatsToExchange(turn).includes(seat);
}

/** @param {Turn} turn */
function seatsToExchange({ seat, partner }) {
  return partner === null ? [seat] : [seat, partner];
}

/**
 * @param {Move} move
 * @returns {Action["move"]}
 */
function wireMove(move) {
  if (move === PASS) return { case: "pass", value: create(PassSchema) };
  if (move instanceof Card) return { case: "card", value: move.value };
  const { gold, card, seat } = move;
  return { case: "exchange", value: create(ExchangeSchema, { gold: gold.value, card: card.value, seat }) };
}

/**
 * What is wrong with an answer that is not legal.
 * @param {unknown} answer
 * @param {Turn} turn
 * @returns {string}
 */
function brokenRule(answer, turn) {
  if (answer === undefined || answer === null) return "a move is wanted, is a return missing?";
  if (answer === PASS) {
    return turn.phase === "follow"
      ? "whoever holds a card of a suit not yet in the trick cannot end the round"
      : "a pass is not asked for now";
  }
  if (typeof answer === "string") return "a Card is wanted, and this is a text: Card.parse makes one of it";
  if (!(answer instanceof Card)) {
    if (turn.phase !== "exchange") return "a Card is wanted";
    return "an exchange takes gold of the own collection, a card of the hand, and the own or the partner's seat";
  }
  if (turn.phase === "exchange") return "PASS or an exchange is wanted, and no card alone";
  if (!answer.isGold) {
    return turn.hand.includes(answer) ? "a card of that suit is in the trick already" : "the card is not in the hand";
  }
  if (turn.phase === "bid") return "gold cannot be a bid card";
  return turn.phase === "lead" ? "gold cannot lead a trick" : "no gold of that rank is in the collection";
}

/** @param {unknown} answer */
function show(answer) {
  return inspect(answer, { breakLength: Number.POSITIVE_INFINITY, depth: 1 });
}

/** @param {Turn} turn */
function legalAnswers(turn) {
  const cards = turn.legalCards.join(" ") || "no card";
  if (turn.phase !== "exchange") return turn.mayPass ? `${cards}, PASS` : cards;
  const seats = seatsToExchange(turn).join(" or ");
  const exchange = `{gold, card, seat} with gold ${turn.collection.join(" ")}, card ${cards}, seat ${seats}`;
  return turn.mayPass ? `PASS, ${exchange}` : exchange;
}
