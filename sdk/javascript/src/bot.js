// What an author writes, and how the SDK calls it.

import { inspect } from "node:util";
import { AuthorError } from "./errors.js";

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
export async function authored(method, where, code) {
  try {
    return await code();
  } catch (error) {
    const what = error instanceof Error ? error : inspect(error);
    throw new AuthorError(`${method} failed ${where}: ${what}`, { cause: error });
  }
}

/**
 * What `fault` does for a bot that has none.
 * @param {FaultRecorded} fault
 */
export function printFault({ game, number, kind, detail }) {
  const where = game ? ` in game ${game.id}, turn ${number}` : "";
  process.stderr.write(`aurum: ${kind}${where}: ${detail}\n`);
}
