// Which answers share a message.

import { create, toBinary } from "@bufbuild/protobuf";
import { PlayRequestSchema } from "../gen/aurum/v1/play_pb.js";

/** @import { Action } from "../gen/aurum/v1/play_pb.js" */

/** Milliseconds without a write after which answers that are ready wait no longer for a bot that thinks. */
const PATIENCE = 2;

/** In one message: under 30 KiB, of the 64 KiB that a referee takes. */
const MAX_ACTIONS = 1000;

/** The answers to one message from the referee. They go out as one message, unless the bot thinks long. */
export class Outbox {
  /** @type {Action[]} */
  #ready = [];
  #send;
  #now;
  #sent;

  /**
   * @param {(bytes: Uint8Array) => Promise<void>} send
   * @param {() => number} now milliseconds
   */
  constructor(send, now) {
    this.#send = send;
    this.#now = now;
    this.#sent = now();
  }

  /**
   * Takes an answer, and sends what is ready if that should not wait.
   * @param {Action} action
   */
  async add(action) {
    this.#ready.push(action);
    if (this.#ready.length === MAX_ACTIONS || this.#now() - this.#sent > PATIENCE) await this.flush();
  }

  /** Sends what is ready. */
  async flush() {
    if (this.#ready.length === 0) return;
    const request = create(PlayRequestSchema, { actions: this.#ready });
    this.#ready = [];
    await this.#send(toBinary(PlayRequestSchema, request));
    this.#sent = this.#now();
  }
}
