import assert from "node:assert/strict";
import { test } from "node:test";
import { UsageError } from "../src/errors.js";
import { whereabouts } from "../src/run.js";

for (const address of ["127.0.0.1:1", "localhost:65535", "[::1]:50051", "a.b-c:80", "unix:/run/aurum.sock"]) {
  test(`${address} is an address`, () => {
    assert.deepEqual({ address, token: "t" }, whereabouts({ AURUM_ADDRESS: address, AURUM_TOKEN: "t" }));
  });
}

for (const address of [
  "localhost",
  "localhost:",
  ":80",
  "localhost:0",
  "localhost:65536",
  "localhost:http",
  "unix:a",
]) {
  test(`${address} is no address`, () => {
    assert.throws(() => whereabouts({ AURUM_ADDRESS: address, AURUM_TOKEN: "t" }), UsageError);
  });
}
