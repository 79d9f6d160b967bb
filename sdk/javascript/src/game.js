// What a bot is told besides its turns: games that begin, rounds and games that end, its own faults.

import { create } from "@bufbuild/protobuf";
import { FaultKind, GameEndRule, GameResultSchema, RoundResultSchema, TableSchema } from "../gen/aurum/v1/game_pb.js";
import { cardsOf } from "./card.js";
import { readTable } from "./table.js";

/** @import { Card } from "./card.js" */
/** @import { Table } from "./table.js" */
/** @import { GameResult, RoundResult } from "../gen/aurum/v1/game_pb.js" */
/** @import { Fault, GameEnd, GameStart, RoundEnd } from "../gen/aurum/v1/play_pb.js" */

/** What stays the same throughout a game, and the bot's own notes on it. */
export class Game {
  /** @param {GameStart} message */
  constructor(message) {
    /** The protocol's own message. */
    this.message = message;
    /** An opaque number. */
    this.id = Number(message.game);
    /** The own seat, from 0; the next seat clockwise is `(seat + 1) % players`. */
    this.seat = message.seat;
    /** 3 or 4. */
    this.players = message.players;
    /** The partner's seat; null with three players. */
    this.partner = message.players === 4 ? message.seat ^ 2 : null;
    /** For a bot that uses chance: the same deal and seat give the same seed. It says nothing of the cards. */
    this.seed = Number(message.seed);
    const { preset = "", goldZeros = false, gameEnd = 0 } = message.ruleset ?? {};
    /** `gameEnd`: `first_to_two`, `best_of_three` or `three_rounds_total`. */
    this.ruleset = { preset, goldZeros, gameEnd: nameOf(GameEndRule, gameEnd) };
    const { turnMs = 0, bankMs = 0, incrementMs = 0 } = message.clock ?? {};
    /** Milliseconds: for each turn; in all, for what turns take beyond that; given back after each turn. */
    this.clock = { turnMs, bankMs, incrementMs };
    /** By seat, if the tournament makes names known; otherwise empty. */
    this.names = message.names;
    /**
     * For whatever the bot wants to remember from turn to turn of this game.
     * @type {Record<string, any>}
     */
    this.memory = {};
  }
}

/**
 * A round is over.
 * @typedef {object} RoundEnded
 * @property {Game} game
 * @property {Table} table as it stood at the end
 * @property {RoundResult} result
 * @property {readonly Card[]} shownHand the hand of the seat that ended the round, which everyone is shown
 * @property {readonly Card[]} unfinishedTrick the trick that was under way, which counts for nothing
 */

/**
 * @param {RoundEnd} message
 * @param {Game} game
 * @returns {RoundEnded}
 */
export function roundEnded(message, game) {
  return {
    game,
    table: readTable(message.table ?? create(TableSchema)),
    result: message.result ?? create(RoundResultSchema),
    shownHand: cardsOf(message.shownHand),
    unfinishedTrick: cardsOf(message.unfinishedTrick),
  };
}

/**
 * A game is over.
 * @typedef {object} GameEnded
 * @property {Game} game
 * @property {GameResult} result
 */

/**
 * @param {GameEnd} message
 * @param {Game} game
 * @returns {GameEnded}
 */
export function gameEnded(message, game) {
  return { game, result: message.result ?? create(GameResultSchema) };
}

/**
 * What this bot did wrong, as the referee recorded it.
 * @typedef {object} FaultRecorded
 * @property {Game | null} game null where it concerns no one game
 * @property {number} number the turn; 0 where it concerns none
 * @property {string} kind as in the protocol, in lower case: `illegal_move`, `timeout`, ...
 * @property {string} detail a sentence for the author
 */

/**
 * @param {Fault} message
 * @param {Game | null} game
 * @returns {FaultRecorded}
 */
export function faultRecorded({ number, kind, detail }, game) {
  return { game, number, kind: nameOf(FaultKind, kind), detail };
}

/**
 * The name of an enum's value in lower case; one that a later protocol has added is its number.
 * @param {Record<number, string>} names
 * @param {number} value
 * @returns {string}
 */
function nameOf(names, value) {
  return names[value]?.toLowerCase() ?? String(value);
}
