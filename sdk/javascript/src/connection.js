// From stream to stream: answers go out as they are ready, and a lost connection is taken up again.

import { setTimeout as sleep } from "node:timers/promises";
import { status as Code } from "@grpc/grpc-js";
import { RefusedError, UnreachableError } from "./errors.js";
import { Outbox } from "./outbox.js";
import { Stream } from "./stream.js";

/** @import { StatusObject } from "@grpc/grpc-js" */
/** @import { Session } from "./session.js" */

/** Milliseconds to wait for a referee that has never been there. */
const FIRST_PATIENCE = 10_000;

/** Milliseconds between one try and the next. */
const BACKOFF = [50, 100, 200, 400, 500];

/**
 * How a stream can end that is worth taking up again: OK is one that ended without a Goodbye, RESOURCE_EXHAUSTED what the
 * library makes of a connection that was cut as too busy.
 */
const PASSING = new Set([
  Code.OK,
  Code.UNAVAILABLE,
  Code.CANCELLED,
  Code.UNKNOWN,
  Code.INTERNAL,
  Code.ABORTED,
  Code.RESOURCE_EXHAUSTED,
]);

const now = () => performance.now();

/**
 * Plays until the referee's Goodbye.
 *
 * Throws RefusedError if the referee ends a stream for good, UnreachableError if it is not there or does not come back
 * within the grace that its Welcome granted, and what `session` throws.
 * @param {Session} session
 * @param {string} address `host:port` or `unix:/path`
 * @param {string} token
 * @param {number} [firstPatience]
 */
export async function converse(session, address, token, firstPatience = FIRST_PATIENCE) {
  let failures = 0;
  let lost = now();
  let ending = "no answer";
  while (true) {
    const patience = session.welcome?.reconnectGraceMs ?? firstPatience;
    const left = lost + patience - now();
    if (left <= 0) {
      throw new UnreachableError(`no referee at ${address} within ${patience / 1000} s: ${ending}`);
    }
    const started = now();
    const { status, lived } = await talk(session, new Stream(address, token, left));
    if (session.goodbye !== null) return;
    if (!PASSING.has(status.code)) {
      throw new RefusedError(`the referee refused: ${status.details || Code[status.code]}`);
    }
    // The library's sentences end in a note on name resolution, which is mostly empty.
    ending = status.code === Code.OK ? "it ended the stream" : status.details.replace(/ Resolution note: $/, "");
    if (lived || now() - started > patience) {
      lost = now();
      failures = 0;
    }
    await sleep(BACKOFF[Math.min(failures, BACKOFF.length - 1)]);
    failures += 1;
  }
}

/**
 * One stream, from Hello to its end.
 * @param {Session} session
 * @param {Stream} stream
 * @returns {Promise<{status: StatusObject, lived: boolean}>} `lived`: whether the referee said more than a Welcome
 */
async function talk(session, stream) {
  const before = session.updates;
  try {
    await stream.write(session.hello());
    for await (const bytes of stream.messages()) {
      if (session.goodbye !== null) continue;
      const outbox = new Outbox((message) => stream.write(message), now);
      for await (const action of session.answers(bytes, now())) await outbox.add(action);
      await outbox.flush();
      if (session.goodbye !== null) stream.end();
    }
    return { status: await stream.status, lived: session.updates > before };
  } finally {
    stream.close();
  }
}
