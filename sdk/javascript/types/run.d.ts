import type { Bot } from "./bot.js";
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
export declare function run(bot: Bot): Promise<never>;
/**
 * Where the referee is and what it knows the bot by. Throws UsageError if the environment does not say so.
 * @param {Record<string, string | undefined>} env
 * @returns {{address: string, token: string}}
 */
export declare function whereabouts({ AURUM_ADDRESS: address, AURUM_TOKEN: token }: Record<string, string | undefined>): {
    address: string;
    token: string;
};
