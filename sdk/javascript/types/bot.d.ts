import type { FaultRecorded, Game, GameEnded, RoundEnded } from "./game.js";
import type { Move } from "./move.js";
import type { Turn } from "./turn.js";
export type Bot = {
    /**
     * as the bot calls itself
     */
    name?: string;
    version?: string;
    /**
     * any decision: a card, an exchange or `PASS`
     */
    choose: (turn: Turn) => Move | Promise<Move>;
    /**
     * called once, before the bot says that it is ready: load at leisure here
     */
    setup?: () => unknown;
    gameStart?: (game: Game) => unknown;
    roundEnd?: (end: RoundEnded) => unknown;
    gameEnd?: (end: GameEnded) => unknown;
    /**
     * the referee has recorded a fault of this bot;
     * without this method one line on stderr says so
     */
    fault?: (fault: FaultRecorded) => unknown;
};
/** @import { FaultRecorded, Game, GameEnded, RoundEnded } from "./game.js" */
/** @import { Move } from "./move.js" */
/** @import { Turn } from "./turn.js" */
/**
 * A player of Aurum: any object with the method `choose`, the others as you need them. All may be async.
 *
 * One object plays all games of a process, often many at a time and their turns interleaved: keep what belongs to one
 * game in `turn.game.memory`.
 * @typedef {object} Bot
 * @property {string} [name] as the bot calls itself
 * @property {string} [version]
 * @property {(turn: Turn) => Move | Promise<Move>} choose any decision: a card, an exchange or `PASS`
 * @property {() => unknown} [setup] called once, before the bot says that it is ready: load at leisure here
 * @property {(game: Game) => unknown} [gameStart]
 * @property {(end: RoundEnded) => unknown} [roundEnd]
 * @property {(end: GameEnded) => unknown} [gameEnd]
 * @property {(fault: FaultRecorded) => unknown} [fault] the referee has recorded a fault of this bot;
 *   without this method one line on stderr says so
 */
/**
 * Runs a piece of the author's code; what it throws becomes the cause of an AuthorError that says where.
 * @template T
 * @param {string} method
 * @param {string} where like `at turn 3 of game 7`
 * @param {() => T} code
 * @returns {Promise<Awaited<T>>}
 */
export declare function authored<T>(method: string, where: string, code: () => T): Promise<Awaited<T>>;
/**
 * What `fault` does for a bot that has none.
 * @param {FaultRecorded} fault
 */
export declare function printFault({ game, number, kind, detail }: FaultRecorded): void;
