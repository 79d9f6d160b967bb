import { Card } from "./card.js";
import type { Turn } from "./turn.js";
import type { Action } from "../gen/aurum/v1/play_pb.js";
export type Exchange = {
    gold: Card;
    card: Card;
    seat: number;
};
export type Move = Card | Exchange | typeof PASS;
/** @import { Turn } from "./turn.js" */
/** @import { Action } from "../gen/aurum/v1/play_pb.js" */
/**
 * Spend `gold` of the own collection, and lay `card` of the hand in the place of the bid card of `seat`, which is the
 * own seat or the partner's.
 * @typedef {{gold: Card, card: Card, seat: number}} Exchange
 */
/** @typedef {Card | Exchange | typeof PASS} Move */
/** In an exchange: decline. When following: end the round. */
export declare const PASS = "pass";
/**
 * The action that answers a turn. Throws IllegalAnswerError if the move is no legal answer to it.
 * @param {unknown} answer what the author's code returned
 * @param {Turn} turn
 * @returns {Action}
 */
export declare function actionOf(answer: unknown, turn: Turn): Action;
