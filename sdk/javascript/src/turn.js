// A decision that is asked for, with everything the seat may know.

import { create } from "@bufbuild/protobuf";
import { Phase as PhaseNumber, TableSchema } from "../gen/aurum/v1/game_pb.js";
import { cardOrNull, cardsOf } from "./card.js";
import { ProtocolError } from "./errors.js";
import { readTable } from "./table.js";

/** @import { Card } from "./card.js" */
/** @import { Game } from "./game.js" */
/** @import { Table } from "./table.js" */
/** @import { Turn as TurnMessage } from "../gen/aurum/v1/play_pb.js" */

/**
 * `bid`: lay the bid card. `exchange`: before a trick, spend gold for another bid card, or pass. `lead`: open the
 * trick. `follow`: a card to the trick, or end the round.
 * @typedef {"bid" | "exchange" | "lead" | "follow"} Phase
 */

/** @type {Map<number, Phase>} */
const PHASES = new Map([
  [PhaseNumber.BID, "bid"],
  [PhaseNumber.EXCHANGE, "exchange"],
  [PhaseNumber.LEAD, "lead"],
  [PhaseNumber.FOLLOW, "follow"],
]);

/**
 * One turn. It holds the seat's whole legal view, so a bot can be a function of it: nothing has to be remembered from
 * turn to turn.
 */
export class Turn {
  /** @type {Table | undefined} */
  #table;

  /**
   * @param {TurnMessage} message
   * @param {Game} game
   * @param {number} received when it arrived, by `performance.now()`
   */
  constructor(message, game, received) {
    const phase = PHASES.get(message.phase);
    if (phase === undefined) {
      throw new ProtocolError(
        "unknown_phase",
        `the referee asks in phase ${message.phase} of game ${game.id}, which this SDK does not know: a newer one may`,
      );
    }
    /** The protocol's own message. */
    this.message = message;
    /** What stays the same in this game. */
    this.game = game;
    /** Counts this bot's turns in the game, from 1. */
    this.number = message.number;
    this.phase = phase;
    /** The own base cards, ascending; the bid card is not among them. */
    this.hand = cardsOf(message.hand);
    /** The own bid card, also while it lies face down; null before it is laid. */
    this.ownBid = cardOrNull(message.ownBid);
    /** The cards that may be bid or played, gold included; in an exchange those that may be laid. */
    this.legalCards = cardsOf(message.legalCards);
    /** Whether `PASS` is an answer. In an exchange it declines; when following it ends the round. */
    this.mayPass = message.mayPass;
    /** When the time for this decision is up, by `performance.now()`, the bank included. */
    this.deadline = received + message.timeLeftMs;
  }

  /** The own seat, from 0; the next seat clockwise is `(seat + 1) % players`. */
  get seat() {
    return this.game.seat;
  }

  /** 3 or 4. */
  get players() {
    return this.game.players;
  }

  /** The partner's seat; null with three players. */
  get partner() {
    return this.game.partner;
  }

  /** The rules of this game. */
  get ruleset() {
    return this.game.ruleset;
  }

  /** Everything face up. */
  get table() {
    this.#table ??= readTable(this.message.table ?? create(TableSchema));
    return this.#table;
  }

  /**
   * The own gold, ascending.
   * @returns {readonly Card[]}
   */
  get collection() {
    return this.table.seats[this.seat]?.collection ?? [];
  }

  /** Milliseconds left for this decision, now; negative once it is too late. */
  get timeLeft() {
    return this.deadline - performance.now();
  }

  toString() {
    return `turn ${this.number} of game ${this.game.id} (${this.phase}, seat ${this.seat})`;
  }
}
