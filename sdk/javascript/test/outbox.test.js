import assert from "node:assert/strict";
import { test } from "node:test";
import { create, fromBinary } from "@bufbuild/protobuf";
import { ActionSchema, PlayRequestSchema } from "../gen/aurum/v1/play_pb.js";
import { Outbox } from "../src/outbox.js";

/**
 * The numbers of the actions in each message that goes out when action 1 is ready after `times[0]` milliseconds, and so on.
 * @param {number[]} times
 */
async function messages(times) {
  let now = 0;
  /** @type {number[][]} */
  const sent = [];
  const outbox = new Outbox(
    async (bytes) => {
      sent.push(fromBinary(PlayRequestSchema, bytes).actions.map(({ number }) => number));
    },
    () => now,
  );
  for (const [index, time] of times.entries()) {
    now = time;
    await outbox.add(create(ActionSchema, { number: index + 1 }));
  }
  await outbox.flush();
  return sent;
}

test("quick answers share a message", async () => {
  assert.deepEqual([[1, 2, 3]], await messages([0.5, 1, 2]));
});

test("no answer waits for a bot that thinks long", async () => {
  assert.deepEqual([[1], [2], [3]], await messages([3, 6, 9]));
});

test("what is ready goes out once 2 ms have passed since the last write", async () => {
  assert.deepEqual([[1, 2], [3, 4], [5]], await messages([1, 2.1, 3, 4.2, 5]));
});

test("a message holds at most 1000 actions", async () => {
  const sizes = (await messages(Array(2001).fill(0))).map(({ length }) => length);
  assert.deepEqual([1000, 1000, 1], sizes);
});

test("nothing to say is no message", async () => {
  assert.deepEqual([], await messages([]));
});
