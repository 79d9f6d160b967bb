import type { Card } from "./card.js";
import type { Table as TableMessage } from "../gen/aurum/v1/game_pb.js";
export type Table = {
    /**
     * from 1
     */
    round: number;
    /**
     * the seat that bid first and led the first trick
     */
    firstPlayer: number;
    /**
     * the seat that leads the trick under way, or the next one
     */
    leader: number;
    /**
     * the seat that is asked
     */
    toAct: number;
    /**
     * the two cards that nobody was dealt; none with three players
     */
    leftover: readonly Card[];
    /**
     * gold that nobody has, ascending
     */
    supply: readonly Card[];
    /**
     * by seat
     */
    seats: readonly TableSeat[];
    /**
     * the trick under way, in play order
     */
    trick: {
        leader: number;
        cards: readonly Card[];
    } | null;
    /**
     * of this round, in order
     */
    tricks: readonly CompletedTrick[];
    /**
     * of this round, in order
     */
    exchanges: readonly ExchangeMade[];
};
export type TableSeat = {
    /**
     * gold, ascending
     */
    collection: readonly Card[];
    /**
     * the bid card once it is face up
     */
    bid: Card | null;
    tricksTaken: number;
    /**
     * base cards, the bid card not counted
     */
    handSize: number;
    /**
     * of its side, in this game
     */
    nuggets: number;
    /**
     * of its side, one entry for each finished round
     */
    points: readonly number[];
};
export type CompletedTrick = {
    leader: number;
    /**
     * in play order: the leader's, the next seat's, and so on, clockwise
     */
    cards: readonly Card[];
    winner: number;
    /**
     * who played the lowest base card, and leads the next trick
     */
    collector: number;
    /**
     * the gold that the collector took; null where there was none of that rank
     */
    collected: Card | null;
};
export type ExchangeMade = {
    /**
     * before which it happened, from 0
     */
    trick: number;
    /**
     * who spent the gold
     */
    seat: number;
    gold: Card;
    /**
     * whose bid card was replaced
     */
    bidSeat: number;
    /**
     * the new bid card
     */
    laid: Card;
    /**
     * the old one, now in the hand of `seat`
     */
    taken: Card;
};
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
export declare function readTable(message: TableMessage): Table;
