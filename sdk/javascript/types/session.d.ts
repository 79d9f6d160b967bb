import type { Bot } from "./bot.js";
import type { Action, Welcome } from "../gen/aurum/v1/play_pb.js";
/** @import { Bot } from "./bot.js" */
/** @import { Action, PlayResponse, Welcome } from "../gen/aurum/v1/play_pb.js" */
/** @import { Fault, GameEnd, GameStart, RoundEnd, Turn as TurnMessage, Update } from "../gen/aurum/v1/play_pb.js" */
export declare const PROTOCOL_VERSION = 1;
export declare const VERSION = "0.1.0";
/** One bot, from its first Hello to the Goodbye. */
export declare class Session {
    #private;
    /**
     * The reason the referee gave when it was done with this bot.
     * @type {string | null}
     */
    goodbye: string | null;
    /**
     * The last Welcome.
     * @type {Welcome | null}
     */
    welcome: Welcome | null;
    /** How many updates the referee has sent. */
    updates: number;
    /** @param {Bot} bot */
    constructor(bot: Bot);
    /**
     * Begins a stream: its first message.
     * @returns {Uint8Array}
     */
    hello(): Uint8Array;
    /**
     * Acts on the next message of the stream, and yields the answer to each of its turns as soon as the bot has it.
     * @param {Uint8Array} bytes
     * @param {number} received when it arrived, by `performance.now()`
     * @returns {AsyncGenerator<Action, void, void>}
     */
    answers(bytes: Uint8Array, received: number): AsyncGenerator<Action, void, void>;
}
