// What lies face up: the public part of a turn's view, the same for every seat.

import { cardOf, cardOrNull, cardsOf } from "./card.js";

/** @import { Card } from "./card.js" */
/** @import { BidChange, SeatState, Table as TableMessage, Trick } from "../gen/aurum/v1/game_pb.js" */

/**
 * Everything face up in the round under way.
 * @typedef {object} Table
 * @property {number} round from 1
 * @property {number} firstPlayer the seat that bid first and led the first trick
 * @property {number} leader the seat that leads the trick under way, or the next one
 * @property {number} toAct the seat that is asked
 * @property {readonly Card[]} leftover the two cards that nobody was dealt; none with three players
 * @property {readonly Card[]} supply gold that nobody has, ascending
 * @property {readonly TableSeat[]} seats by seat
 * @property {{leader: number, cards: readonly Card[]} | null} trick the trick under way, in play order
 * @property {readonly CompletedTrick[]} tricks of this round, in order
 * @property {readonly ExchangeMade[]} exchanges of this round, in order
 */

/**
 * What everyone can see of one seat.
 * @typedef {object} TableSeat
 * @property {readonly Card[]} collection gold, ascending
 * @property {Card | null} bid the bid card once it is face up
 * @property {number} tricksTaken
 * @property {number} handSize base cards, the bid card not counted
 * @property {number} nuggets of its side, in this game
 * @property {readonly number[]} points of its side, one entry for each finished round
 */

/**
 * @typedef {object} CompletedTrick
 * @property {number} leader
 * @property {readonly Card[]} cards in play order: the leader's, the next seat's, and so on, clockwise
 * @property {number} winner
 * @property {number} collector who played the lowest base card, and leads the next trick
 * @property {Card | null} collected the gold that the collector took; null where there was none of that rank
 */

/**
 * A bid card that was replaced.
 * @typedef {object} ExchangeMade
 * @property {number} trick before which it happened, from 0
 * @property {number} seat who spent the gold
 * @property {Card} gold
 * @property {number} bidSeat whose bid card was replaced
 * @property {Card} laid the new bid card
 * @property {Card} taken the old one, now in the hand of `seat`
 */

/**
 * @param {TableMessage} message
 * @returns {Table}
 */
export function readTable(message) {
  const { round, firstPlayer, leader, toAct, trick } = message;
  return {
    round,
    firstPlayer,
    leader,
    toAct,
    leftover: cardsOf(message.leftover),
    supply: cardsOf(message.supply),
    seats: message.seats.map(readSeat),
    trick: trick ? { leader: trick.leader, cards: cardsOf(trick.cards) } : null,
    tricks: message.tricks.map(readTrick),
    exchanges: message.exchanges.map(readExchange),
  };
}

/**
 * @param {SeatState} message
 * @returns {TableSeat}
 */
function readSeat({ collection, bid, tricksTaken, handSize, nuggets, points }) {
  return { collection: cardsOf(collection), bid: cardOrNull(bid), tricksTaken, handSize, nuggets, points };
}

/**
 * @param {Trick} message
 * @returns {CompletedTrick}
 */
function readTrick({ leader, cards, winner = 0, collector = 0, collected }) {
  return { leader, cards: cardsOf(cards), winner, collector, collected: cardOrNull(collected) };
}

/**
 * @param {BidChange} message
 * @returns {ExchangeMade}
 */
function readExchange({ trick, seat, gold, bidSeat, laid, taken }) {
  return { trick, seat, gold: cardOf(gold), bidSeat, laid: cardOf(laid), taken: cardOf(taken) };
}
