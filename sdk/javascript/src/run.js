// From the environment to a running bot, and from its end to an exit code.

import { inspect } from "node:util";
import { authored } from "./bot.js";
import { converse } from "./connection.js";
import { AuthorError, RunError, UsageError } from "./errors.js";
import { Session } from "./session.js";

/** @import { Bot } from "./bot.js" */

const HINT = "bots are started by the arena (arena play --bot NAME=COMMAND ...)";

/**
 * Plays as `bot` until the referee is done with it, and ends the process.
 *
 * The arena says where the referee is in the environment: AURUM_ADDRESS (`host:port` or `unix:/path`), AURUM_TOKEN,
 * AURUM_SEAT, and AURUM_SEED, a number for whatever chance a bot needs before its first game.
 *
 * Exit codes: 0 after the referee's Goodbye; 1 if the bot's code failed, or the referee refused or was not reached; 2 if
 * the bot was started wrongly.
 * @param {Bot} bot
 * @returns {Promise<never>}
 */
export async function run(bot) {
  try {
    const { address, token } = whereabouts(process.env);
    if (typeof bot?.choose !== "function") {
      throw new UsageError("run takes a bot, an object with the method choose: run({ choose(turn) { ... } })");
    }
    await authored("setup", "before the first game", () => bot.setup?.());
    await converse(new Session(bot), address, token);
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    // The sentence comes last: a fault is recorded with the last line of the output.
    if (error instanceof AuthorError) process.stderr.write(`${authorsTrace(error.cause)}\n`);
    process.stderr.write(`aurum: ${error.message}\n`);
    process.exit(error.exitCode);
  }
  process.exit(0);
}

/**
 * Where the referee is and what it knows the bot by. Throws UsageError if the environment does not say so.
 * @param {Record<string, string | undefined>} env
 * @returns {{address: string, token: string}}
 */
export function whereabouts({ AURUM_ADDRESS: address, AURUM_TOKEN: token }) {
  if (!address) throw new UsageError(`AURUM_ADDRESS is not set: ${HINT}`);
  if (!token) throw new UsageError(`AURUM_TOKEN is not set: ${HINT}`);
  const port = Number(/^.+:(\d{1,5})$/.exec(address)?.[1] ?? 0);
  if (!address.startsWith("unix:/") && !(port >= 1 && port <= 65535)) {
    throw new UsageError(`AURUM_ADDRESS is ${JSON.stringify(address)}: host:port or unix:/path is expected`);
  }
  return { address, token };
}

/**
 * What the author's code threw, without the frames of this SDK and of Node.
 * @param {unknown} error
 */
function authorsTrace(error) {
  const sdk = new URL(".", import.meta.url).href;
  const isForeign = (/** @type {string} */ line) =>
    /^ +at /.test(line) && (line.includes(sdk) || line.includes("(node:"));
  return inspect(error)
    .split("\n")
    .filter((line) => !isForeign(line))
    .join("\n");
}
