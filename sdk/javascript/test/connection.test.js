import assert from "node:assert/strict";
import { test } from "node:test";
import { converse } from "../src/connection.js";
import { UnreachableError } from "../src/errors.js";
import { Session } from "../src/session.js";

for (const address of ["unix:/nowhere/referee", "127.0.0.1:1", "localhost:1", "[::1]:1"]) {
  test(`a referee that never was at ${address} is given up`, async () => {
    const session = new Session({ choose: () => "pass" });
    const sentence = new RegExp(`^no referee at ${address.replace(/[[\]]/g, ".")} within 0.3 s: .+[^ ]$`);
    await assert.rejects(converse(session, address, "secret", 300), (error) => {
      assert(error instanceof UnreachableError);
      assert.match(error.message, sentence);
      return true;
    });
  });
}
