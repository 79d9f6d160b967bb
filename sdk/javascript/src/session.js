// The bot's side of the conversation, without network and clock:
//
//     Hello ->  <- Welcome, then any number of updates; each Turn among them -> one Action
//
// A lost connection does not end a session: games go on where they were after another Hello, and a turn that comes
// again is given the same answer again, without asking the bot.

import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { PlayRequestSchema, PlayResponseSchema } from "../gen/aurum/v1/play_pb.js";
import { authored, printFault } from "./bot.js";
import { ProtocolError } from "./errors.js";
import { faultRecorded, Game, gameEnded, roundEnded } from "./game.js";
import { actionOf } from "./move.js";
import { Turn } from "./turn.js";

/** @import { Bot } from "./bot.js" */
/** @import { Action, PlayResponse, Welcome } from "../gen/aurum/v1/play_pb.js" */
/** @import { Fault, GameEnd, GameStart, RoundEnd, Turn as TurnMessage, Update } from "../gen/aurum/v1/play_pb.js" */

export const PROTOCOL_VERSION = 1;
export const VERSION = "0.1.0";

/** One bot, from its first Hello to the Goodbye. */
export class Session {
  /**
   * The reason the referee gave when it was done with this bot.
   * @type {string | null}
   */
  goodbye = null;

  /**
   * The last Welcome.
   * @type {Welcome | null}
   */
  welcome = null;

  /** How many updates the referee has sent. */
  updates = 0;

  #bot;
  #welcomed = false;
  /** @type {Map<bigint, {game: Game, answer: Action | null}>} */
  #games = new Map();

  /** @param {Bot} bot */
  constructor(bot) {
    this.#bot = bot;
  }

  /**
   * Begins a stream: its first message.
   * @returns {Uint8Array}
   */
  hello() {
    this.#welcomed = false;
    const { name = "", version = "" } = this.#bot;
    const sdk = `aurum-javascript/${VERSION}`;
    return toBinary(
      PlayRequestSchema,
      create(PlayRequestSchema, {
        hello: { protocolVersion: PROTOCOL_VERSION, bot: name, version, language: "javascript", sdk },
      }),
    );
  }

  /**
   * Acts on the next message of the stream, and yields the answer to each of its turns as soon as the bot has it.
   * @param {Uint8Array} bytes
   * @param {number} received when it arrived, by `performance.now()`
   * @returns {AsyncGenerator<Action, void, void>}
   */
  async *answers(bytes, received) {
    const message = parse(bytes);
    if (!this.#welcomed) this.#begin(message);
    for (const update of message.updates) {
      this.updates += 1;
      const action = await this.#take(update, received);
      if (action) yield action;
      if (this.goodbye !== null) return;
    }
  }

  /** @param {PlayResponse} first */
  #begin({ welcome }) {
    if (!welcome) throw new ProtocolError("no_welcome", "the referee's first message is no Welcome");
    if (welcome.protocolVersion !== PROTOCOL_VERSION) {
      throw new ProtocolError(
        "version",
        `the referee speaks protocol version ${welcome.protocolVersion}, this bot version ${PROTOCOL_VERSION}: ` +
          "build it with the SDK of the tournament's arena",
      );
    }
    this.welcome = welcome;
    this.#welcomed = true;
  }

  /**
   * @param {Update} update
   * @param {number} received
   * @returns {Promise<Action | undefined>} the answer, if the update is a turn
   */
  async #take(update, received) {
    const { case: kind, value } = update.kind;
    switch (kind) {
      case "turn":
        return this.#answer(value, received);
      case "gameStart":
        await this.#gameStart(value);
        break;
      case "roundEnd":
        await this.#roundEnd(value);
        break;
      case "gameEnd":
        await this.#gameEnd(value);
        break;
      case "fault":
        await this.#fault(value);
        break;
      case "goodbye":
        this.goodbye = value.reason;
        break;
      default: // a kind that a later protocol has added
    }
    return undefined;
  }

  /**
   * @param {TurnMessage} message
   * @param {number} received
   */
  async #answer(message, received) {
    const known = this.#games.get(message.game);
    if (!known) {
      throw new ProtocolError("unknown_game", `the referee speaks of game ${message.game}, which it has not started`);
    }
    if (known.answer?.number !== message.number) {
      const turn = new Turn(message, known.game, received);
      const move = await authored("choose", `at ${turn}`, () => this.#bot.choose(turn));
      known.answer = actionOf(move, turn);
    }
    return known.answer;
  }

  /** @param {GameStart} message */
  async #gameStart(message) {
    // After a reconnection a game may be announced again: it goes on as it was.
    if (this.#games.has(message.game)) return;
    const game = new Game(message);
    this.#games.set(message.game, { game, answer: null });
    await authored("gameStart", `in game ${game.id}`, () => this.#bot.gameStart?.(game));
  }

  /** @param {RoundEnd} message */
  async #roundEnd(message) {
    const game = this.#games.get(message.game)?.game;
    if (!game || !this.#bot.roundEnd) return;
    const end = roundEnded(message, game);
    await authored("roundEnd", `in game ${game.id}`, () => this.#bot.roundEnd?.(end));
  }

  /** @param {GameEnd} message */
  async #gameEnd(message) {
    const game = this.#games.get(message.game)?.game;
    if (!game) return; // to a process that was started anew in mid-game
    this.#games.delete(message.game);
    const end = gameEnded(message, game);
    await authored("gameEnd", `in game ${game.id}`, () => this.#bot.gameEnd?.(end));
  }

  /** @param {Fault} message */
  async #fault(message) {
    const fault = faultRecorded(message, this.#games.get(message.game)?.game ?? null);
    await authored("fault", `at ${fault.kind}`, () => (this.#bot.fault ? this.#bot.fault(fault) : printFault(fault)));
  }
}

/**
 * @param {Uint8Array} bytes
 * @returns {PlayResponse}
 */
function parse(bytes) {
  try {
    return fromBinary(PlayResponseSchema, bytes);
  } catch (error) {
    throw new ProtocolError(
      "malformed",
      `the referee sent bytes that are no PlayResponse: ${/** @type {Error} */ (error).message}`,
    );
  }
}
