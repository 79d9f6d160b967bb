import assert from "node:assert/strict";
import { test } from "node:test";
import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { ActionSchema, PlayRequestSchema } from "../gen/aurum/v1/play_pb.js";
import { ProtocolError } from "../src/errors.js";
import { PASS } from "../src/move.js";
import { Session, VERSION } from "../src/session.js";
import manifest from "./manifest.js";
import { bytes, vectors } from "./vectors.js";

/** The bot of these cases; it counts how often it is asked, and keeps the faults that it is told. */
class Witness {
  asked = 0;
  /** @type {string[]} */
  faults = [];

  /** @param {import("../src/turn.js").Turn} turn */
  choose(turn) {
    this.asked += 1;
    return turn.phase === "exchange" ? PASS : (turn.legalCards[0] ?? PASS);
  }

  /** @param {import("../src/game.js").FaultRecorded} fault */
  fault({ kind }) {
    this.faults.push(kind);
  }
}

/**
 * Feeds a session with all that a case holds; returns how it ended.
 * @param {Session} session
 * @param {{receive_wire: string, send_wire: string[]}[][]} streams
 */
async function feed(session, streams) {
  for (const stream of streams) {
    session.hello();
    for (const { receive_wire, send_wire } of stream) {
      const sent = [];
      try {
        for await (const action of session.answers(bytes(receive_wire), 0)) sent.push(toBinary(ActionSchema, action));
      } catch (error) {
        if (error instanceof ProtocolError) return error.code;
        throw error;
      }
      assert.deepEqual(send_wire.map(bytes), sent);
    }
  }
  return null;
}

for (const { name, about, streams, asked, faults, goodbye, error } of vectors("sessions").sessions) {
  test(`${name}: ${about}`, async () => {
    const bot = new Witness();
    const session = new Session(bot);
    const ending = await feed(session, streams);
    assert.deepEqual({ error, goodbye, asked, faults }, { error: ending, goodbye: session.goodbye, ...bot });
  });
}

test("a Hello says who speaks, in which version", () => {
  const { hello } = fromBinary(
    PlayRequestSchema,
    new Session({ name: "Ann", version: "7", choose: () => PASS }).hello(),
  );
  const { protocolVersion, bot, version, language, sdk } = hello ?? assert.fail("no Hello");
  assert.deepEqual([1, "Ann", "7", "javascript"], [protocolVersion, bot, version, language]);
  assert.equal(`aurum-javascript/${manifest.version}`, sdk);
  assert.equal(manifest.version, VERSION);
});
