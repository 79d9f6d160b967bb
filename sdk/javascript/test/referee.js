// A referee for the tests: a gRPC server that follows a script, and bots that are started as real processes.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { Server, ServerCredentials } from "@grpc/grpc-js";
import { Phase } from "../gen/aurum/v1/game_pb.js";
import { PlayRequestSchema, PlayResponseSchema } from "../gen/aurum/v1/play_pb.js";
import { Card } from "../src/card.js";

/** @import { ServerDuplexStream } from "@grpc/grpc-js" */
/** @import { MessageInitShape } from "@bufbuild/protobuf" */
/** @import { PlayRequest, UpdateSchema } from "../gen/aurum/v1/play_pb.js" */

/** @typedef {MessageInitShape<typeof PlayResponseSchema>} Response */
/** @typedef {MessageInitShape<typeof UpdateSchema>} Update */

/** One stream, from the referee's side. */
class Seat {
  #call;
  /** @type {AsyncIterator<PlayRequest>} */
  #requests;

  /** @param {ServerDuplexStream<PlayRequest, Uint8Array>} call */
  constructor(call) {
    this.#call = call;
    this.#requests = call[Symbol.asyncIterator]();
    this.authorization = call.metadata.get("authorization");
    call.on("error", () => {}); // the connection that a test cuts
  }

  /** The next message of the bot; undefined after its half-close. */
  async hear() {
    const { value, done } = await this.#requests.next();
    return done ? undefined : /** @type {PlayRequest} */ (value);
  }

  /** The actions of the next message of the bot, as `number:card`. */
  async hearActions() {
    return (await this.hear())?.actions.map(({ number, move }) => `${number}:${move.value}`);
  }

  /** @param {Response} response */
  say(response) {
    this.sayBytes(toBinary(PlayResponseSchema, create(PlayResponseSchema, response)));
  }

  /** @param {Uint8Array} bytes */
  sayBytes(bytes) {
    this.#call.write(bytes);
  }

  /**
   * Hears the Hello and welcomes the bot, with updates in the same message.
   * @param {Update[]} updates
   */
  async welcome(updates, reconnectGraceMs = 60_000) {
    const request = await this.hear();
    this.say({ welcome: { protocolVersion: 1, seat: 0, players: 4, reconnectGraceMs }, updates });
    return request?.hello;
  }

  end() {
    this.#call.end();
  }

  /**
   * @param {number} code
   * @param {string} details
   */
  fail(code, details) {
    this.#call.emit("error", { code, details });
  }
}

/** A referee with an address; `seat()` waits for the next stream. */
export class Referee {
  /** @type {Server} */
  #server = new Server();
  #folder = mkdtempSync(`${tmpdir()}/aurum-`);
  #listen;
  /** @type {Seat[]} */
  #seats = [];
  #wake = () => {};

  /** @param {"tcp" | "unix"} kind */
  constructor(kind) {
    this.#listen = kind === "tcp" ? "127.0.0.1:0" : `unix:${this.#folder}/referee`;
    this.address = this.#listen;
  }

  /** Also after `cut`, at the same address. */
  async start() {
    const server = new Server();
    server.register(
      "/aurum.v1.RefereeService/Play",
      (/** @type {ServerDuplexStream<PlayRequest, Uint8Array>} */ call) => {
        this.#seats.push(new Seat(call));
        this.#wake();
      },
      (/** @type {Uint8Array} */ bytes) => Buffer.from(bytes),
      (bytes) => fromBinary(PlayRequestSchema, bytes),
      "bidi",
    );
    const bind = server.bindAsync.bind(server, this.#listen, ServerCredentials.createInsecure());
    const port = await new Promise((resolve, reject) => {
      bind((error, port) => (error ? reject(error) : resolve(port)));
    });
    if (!this.#listen.startsWith("unix:")) this.#listen = this.address = `127.0.0.1:${port}`;
    this.#server = server;
    return this;
  }

  /** @returns {Promise<Seat>} */
  async seat() {
    while (this.#seats.length === 0) {
      await new Promise((resolve) => {
        this.#wake = () => resolve(undefined);
      });
    }
    return /** @type {Seat} */ (this.#seats.shift());
  }

  /** Ends all connections, as when the network is lost, and listens no more. */
  cut() {
    this.#server.forceShutdown();
  }

  stop() {
    this.cut();
    rmSync(this.#folder, { recursive: true });
  }

  /**
   * Starts a bot of test/bots.
   * @param {string} name
   * @param {Record<string, string>} env
   */
  launch(name, env = {}) {
    return new Process(name, { AURUM_ADDRESS: this.address, AURUM_TOKEN: "secret", ...env });
  }
}

/** A bot's process. */
export class Process {
  /**
   * @param {string} name
   * @param {Record<string, string>} env
   */
  constructor(name, env) {
    const file = fileURLToPath(new URL(`bots/${name}.js`, import.meta.url));
    this.child = spawn(process.execPath, [file], { env, stdio: ["ignore", "pipe", "pipe"] });
  }

  /** How it ended and what it had printed. */
  async ending() {
    const { stdout, stderr } = this.child;
    const [out, err, [code, signal]] = await Promise.all([text(stdout), text(stderr), once(this.child, "exit")]);
    return { out, err, code, signal };
  }
}

/** @returns {Update} */
export function gameStart(game = 7n) {
  return { kind: { case: "gameStart", value: { game, seat: 0, players: 4, seed: 5n } } };
}

/**
 * @param {number} number
 * @returns {Update}
 */
export function turn(number, game = 7n) {
  const legalCards = [Card.parse("B1").value, Card.parse("C2").value];
  return { kind: { case: "turn", value: { game, number, phase: Phase.LEAD, legalCards, timeLeftMs: 1000 } } };
}

/** @type {Update} */
export const goodbye = { kind: { case: "goodbye", value: { reason: "the games are over" } } };
