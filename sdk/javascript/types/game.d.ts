import type { Card } from "./card.js";
import type { Table } from "./table.js";
import type { GameResult, RoundResult } from "../gen/aurum/v1/game_pb.js";
import type { Fault, GameEnd, GameStart, RoundEnd } from "../gen/aurum/v1/play_pb.js";
/** @import { Card } from "./card.js" */
/** @import { Table } from "./table.js" */
/** @import { GameResult, RoundResult } from "../gen/aurum/v1/game_pb.js" */
/** @import { Fault, GameEnd, GameStart, RoundEnd } from "../gen/aurum/v1/play_pb.js" */
/** What stays the same throughout a game, and the bot's own notes on it. */
export declare class Game {
    /** The protocol's own message. */
    message: GameStart;
    /** An opaque number. */
    id: number;
    /** The own seat, from 0; the next seat clockwise is `(seat + 1) % players`. */
    seat: number;
    /** 3 or 4. */
    players: number;
    /** The partner's seat; null with three players. */
    partner: number | null;
    /** For a bot that uses chance: the same deal and seat give the same seed. It says nothing of the cards. */
    seed: number;
    /** `gameEnd`: `first_to_two`, `best_of_three` or `three_rounds_total`. */
    ruleset: {
        preset: string;
        goldZeros: boolean;
        gameEnd: string;
    };
    /** Milliseconds: for each turn; in all, for what turns take beyond that; given back after each turn. */
    clock: {
        turnMs: number;
        bankMs: number;
        incrementMs: number;
    };
    /** By seat, if the tournament makes names known; otherwise empty. */
    names: string[];
    /**
     * For whatever the bot wants to remember from turn to turn of this game.
     * @type {Record<string, any>}
     */
    memory: Record<string, any>;
    /** @param {GameStart} message */
    constructor(message: GameStart);
}
export type RoundEnded = {
    game: Game;
    /**
     * as it stood at the end
     */
    table: Table;
    result: RoundResult;
    /**
     * the hand of the seat that ended the round, which everyone is shown
     */
    shownHand: readonly Card[];
    /**
     * the trick that was under way, which counts for nothing
     */
    unfinishedTrick: readonly Card[];
};
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
export declare function roundEnded(message: RoundEnd, game: Game): RoundEnded;
export type GameEnded = {
    game: Game;
    result: GameResult;
};
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
export declare function gameEnded(message: GameEnd, game: Game): GameEnded;
export type FaultRecorded = {
    /**
     * null where it concerns no one game
     */
    game: Game | null;
    /**
     * the turn; 0 where it concerns none
     */
    number: number;
    /**
     * as in the protocol, in lower case: `illegal_move`, `timeout`, ...
     */
    kind: string;
    /**
     * a sentence for the author
     */
    detail: string;
};
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
export declare function faultRecorded({ number, kind, detail }: Fault, game: Game | null): FaultRecorded;
