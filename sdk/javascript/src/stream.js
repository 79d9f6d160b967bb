// One gRPC stream, in bytes, on a connection of its own.

import { Client, credentials, logVerbosity, Metadata, setLogVerbosity } from "@grpc/grpc-js";

/** @import { ClientDuplexStream, StatusObject } from "@grpc/grpc-js" */

setLogVerbosity(logVerbosity.NONE); // what goes wrong is said once, in a sentence of ours

const METHOD = "/aurum.v1.RefereeService/Play";

const OPTIONS = {
  "grpc.enable_http_proxy": 0, // a proxy in the environment would take even 127.0.0.1
  "grpc.service_config_disable_resolution": 1, // or DNS is asked for one
  "grpc.use_local_subchannel_pool": 1, // or a new stream would share the backoff of the one before
  "grpc.max_receive_message_length": 4 * 1024 * 1024,
  "grpc.keepalive_time_ms": 10_000,
  "grpc.keepalive_timeout_ms": 5_000,
};

/** Milliseconds that a referee has for ending a stream after our end of it. */
const FAREWELL = 500;

export class Stream {
  #client;
  /** @type {ClientDuplexStream<Uint8Array, Uint8Array>} */
  #call;
  #over = false;
  /** Lets go of the write that is under way: those of a stream that is over may never be called back. */
  #written = () => {};

  /**
   * Dials at once.
   * @param {string} address `host:port` or `unix:/path`
   * @param {string} token
   * @param {number} patience milliseconds that connecting may take
   */
  constructor(address, token, patience) {
    const target = address.startsWith("unix:") ? address : `dns:${address}`;
    this.#client = new Client(target, credentials.createInsecure(), OPTIONS);
    const metadata = new Metadata();
    metadata.set("authorization", `Bearer ${token}`);
    this.#call = this.#client.makeBidiStreamRequest(
      METHOD,
      (bytes) => Buffer.from(bytes),
      (bytes) => bytes,
      metadata,
    );
    this.#client.waitForReady(Date.now() + patience, (error) => {
      if (error) this.#call.cancel();
    });
    /**
     * How it ended.
     * @type {Promise<StatusObject>}
     */
    this.status = new Promise((resolve) => {
      this.#call.once("status", (status) => {
        this.#over = true;
        this.#written();
        resolve(status);
      });
    });
    this.#call.on("error", () => {}); // it says what the status says
  }

  /**
   * All that the referee says, until the stream is over.
   * @returns {AsyncGenerator<Uint8Array, void, void>}
   */
  async *messages() {
    try {
      yield* this.#call;
    } catch {
      // It ended otherwise than with OK: the status says how.
    }
  }

  /**
   * Resolves once the message is on its way, or will never be. If the stream is over, reading on says so, after what
   * the referee has said before.
   * @param {Uint8Array} bytes
   * @returns {Promise<void>}
   */
  write(bytes) {
    if (this.#over) return Promise.resolve();
    return new Promise((resolve) => {
      this.#written = resolve;
      this.#call.write(bytes, () => resolve());
    });
  }

  /** Says that no more will be written; the referee then ends the stream. */
  end() {
    this.#call.end();
    setTimeout(() => this.#call.cancel(), FAREWELL).unref();
  }

  /** Whatever the stream is at. */
  close() {
    this.#call.cancel();
    this.#client.close();
  }
}
