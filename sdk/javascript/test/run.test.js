// Bots as real processes, against a referee that follows a script.

import assert from "node:assert/strict";
import { test } from "node:test";
import { status } from "@grpc/grpc-js";
import { FaultKind } from "../gen/aurum/v1/game_pb.js";
import { gameStart, goodbye, Process, Referee, turn } from "./referee.js";

/**
 * A test with a referee of its own.
 * @param {string} name
 * @param {(referee: Referee) => Promise<void>} body
 * @param {"tcp" | "unix"} kind
 */
function play(name, body, kind = "unix") {
  test(name, async () => {
    const referee = await new Referee(kind).start();
    try {
      await body(referee);
    } finally {
      referee.stop();
    }
  });
}

for (const kind of /** @type {const} */ (["tcp", "unix"])) {
  play(
    `a bot says Hello, answers its turns, is told what happens and exits after the Goodbye (${kind})`,
    async (referee) => {
      const bot = referee.launch("first_card").ending();
      const seat = await referee.seat();
      const hello = await seat.welcome([gameStart(), turn(1)]);
      assert.deepEqual(["FirstCard", "1", "javascript"], [hello?.bot, hello?.version, hello?.language]);
      assert.deepEqual(["Bearer secret"], seat.authorization);
      assert.deepEqual(["1:17"], await seat.hearActions());
      const table = { round: 2 };
      seat.say({ updates: [{ kind: { case: "roundEnd", value: { game: 7n, table, result: { endedBy: 3 } } } }] });
      seat.say({ updates: [{ kind: { case: "gameEnd", value: { game: 7n, result: { rank: [1, 2] } } } }, goodbye] });
      assert.equal(undefined, await seat.hear());
      seat.end();
      const told = [
        "setup",
        "game 7 starts, seed 5",
        "asked 1",
        "round 2 of game 7 ended by 3",
        "game 7 ends, ranks 1,2",
      ];
      assert.deepEqual({ out: `${told.join("\n")}\n`, err: "", code: 0, signal: null }, await bot);
    },
    kind,
  );

  play(
    `a bot comes back after a lost connection, and gives an answer again without thinking (${kind})`,
    async (referee) => {
      const bot = referee.launch("first_card").ending();
      const first = await referee.seat();
      await first.welcome([gameStart(), turn(1)]);
      assert.deepEqual(["1:17"], await first.hearActions());
      referee.cut();
      await referee.start();
      const second = await referee.seat();
      assert.equal("FirstCard", (await second.welcome([gameStart(), turn(1)]))?.bot);
      assert.deepEqual(["1:17"], await second.hearActions());
      second.say({ updates: [turn(2)] });
      assert.deepEqual(["2:17"], await second.hearActions());
      second.say({ updates: [goodbye] });
      second.end();
      const told = ["setup", "game 7 starts, seed 5", "asked 1", "asked 2"];
      assert.deepEqual({ out: `${told.join("\n")}\n`, err: "", code: 0, signal: null }, await bot);
    },
    kind,
  );
}

play("a bot waits for a referee that comes later", async (referee) => {
  referee.cut();
  const bot = referee.launch("first_card");
  const ending = bot.ending();
  await new Promise((resolve) => bot.child.stdout.once("data", resolve)); // its setup is over
  await referee.start();
  const seat = await referee.seat();
  await seat.welcome([goodbye]);
  seat.end();
  assert.equal(0, (await ending).code);
});

const passing = /** @type {const} */ ([
  "OK",
  "UNAVAILABLE",
  "CANCELLED",
  "UNKNOWN",
  "INTERNAL",
  "ABORTED",
  "RESOURCE_EXHAUSTED",
]);
for (const name of passing) {
  play(`a stream that ends with ${name} is taken up again`, async (referee) => {
    const bot = referee.launch("first_card").ending();
    const first = await referee.seat();
    await first.welcome([]);
    if (name === "OK") first.end();
    else first.fail(status[name], "for now");
    const second = await referee.seat();
    await second.welcome([goodbye]);
    second.end();
    assert.equal(0, (await bot).code);
  });
}

for (const name of /** @type {const} */ (["UNAUTHENTICATED", "FAILED_PRECONDITION", "INVALID_ARGUMENT"])) {
  play(`a referee that refuses with ${name} is believed`, async (referee) => {
    const bot = referee.launch("first_card").ending();
    const seat = await referee.seat();
    await seat.hear();
    seat.fail(status[name], "no seat for this token");
    const err = "aurum: the referee refused: no seat for this token\n";
    assert.deepEqual({ out: "setup\n", err, code: 1, signal: null }, await bot);
  });
}

play("a referee that does not come back within its grace is given up", async (referee) => {
  const bot = referee.launch("first_card").ending();
  const seat = await referee.seat();
  await seat.welcome([gameStart(), turn(1)], 300);
  await seat.hear();
  referee.cut();
  const { err, code } = await bot;
  assert.match(err, new RegExp(`^aurum: no referee at ${referee.address} within 0.3 s: .+\n$`));
  assert.equal(1, code);
});

play("a referee that says nothing but Welcome, again and again, is given up", async (referee) => {
  const bot = referee.launch("first_card").ending();
  let streams = 0;
  const welcoming = (async () => {
    while (true) {
      const seat = await referee.seat();
      streams += 1;
      await seat.welcome([], 1000);
      seat.end();
    }
  })();
  const { err, code } = await Promise.race([bot, welcoming]);
  assert.match(err, /^aurum: no referee at .+ within 1 s: it ended the stream\n$/);
  assert.equal(1, code);
  assert(streams > 1);
});

play("bytes that are no message end the bot", async (referee) => {
  const bot = referee.launch("first_card").ending();
  const seat = await referee.seat();
  await seat.welcome([]);
  seat.sayBytes(Buffer.from("garbage"));
  const { err, code } = await bot;
  assert.match(err, /^aurum: the referee sent bytes that are no PlayResponse: .+\n$/);
  assert.equal(1, code);
});

play("a bot that thinks long sends each answer when it is ready", async (referee) => {
  const bot = referee.launch("slow").ending();
  const seat = await referee.seat();
  await seat.welcome([gameStart(), turn(1), turn(2), turn(3)]);
  for (const number of [1, 2, 3]) assert.deepEqual([`${number}:17`], await seat.hearActions());
  seat.say({ updates: [goodbye] });
  seat.end();
  assert.equal(0, (await bot).code);
});

play("a bot without a method for it prints its faults", async (referee) => {
  const bot = referee.launch("first_card").ending();
  const seat = await referee.seat();
  const fault = { game: 7n, number: 3, kind: FaultKind.ILLEGAL_MOVE, detail: "B1 is not in the hand" };
  const other = { kind: 99, detail: "something new" };
  const faults = [fault, other].map((value) => ({ kind: { case: /** @type {const} */ ("fault"), value } }));
  await seat.welcome([gameStart(), ...faults, goodbye]);
  seat.end();
  const err = "aurum: illegal_move in game 7, turn 3: B1 is not in the hand\naurum: 99: something new\n";
  assert.deepEqual([err, 0], [(await bot).err, (await bot).code]);
});

for (const [breaks, sentence] of [
  ["setup", "setup failed before the first game: TypeError: no such luck"],
  ["gameStart", "gameStart failed in game 7: TypeError: no such luck"],
  ["choose", "choose failed at turn 1 of game 7 (lead, seat 0): TypeError: no such luck"],
]) {
  play(`an exception in ${breaks} is shown with the author's own lines, and last the sentence`, async (referee) => {
    const bot = referee.launch("breaks", { BREAKS: breaks ?? "" }).ending();
    if (breaks !== "setup") await (await referee.seat()).welcome([gameStart(), turn(1)]);
    const { err, code } = await bot;
    const lines = err.trimEnd().split("\n");
    assert.equal(`aurum: ${sentence}`, lines.at(-1));
    assert(lines.some((line) => line.includes("breaks.js:")));
    assert(!lines.some((line) => /src\/|node:/.test(line)), err);
    assert.equal(1, code);
  });
}

play("an illegal answer is not sent: it ends the bot with a sentence", async (referee) => {
  const bot = referee.launch("breaks", { BREAKS: "answer" }).ending();
  const seat = await referee.seat();
  await seat.welcome([gameStart(), turn(1)]);
  const err =
    "aurum: G8 is no legal answer to turn 1 of game 7 (lead, seat 0): gold cannot lead a trick; legal: B1 C2\n";
  assert.deepEqual({ out: "", err, code: 1, signal: null }, await bot);
});

for (const signal of /** @type {const} */ (["SIGTERM", "SIGINT"])) {
  play(`${signal} ends a bot quietly`, async (referee) => {
    const bot = referee.launch("first_card");
    const ending = bot.ending();
    await (await referee.seat()).welcome([]);
    bot.child.kill(signal);
    assert.deepEqual({ out: "setup\n", err: "", code: null, signal }, await ending);
  });
}

for (const [env, complaint] of /** @type {[Record<string, string>, string][]} */ ([
  [{}, "AURUM_ADDRESS is not set: bots are started by the arena (arena play --bot NAME=COMMAND ...)"],
  [
    { AURUM_ADDRESS: "localhost:1" },
    "AURUM_TOKEN is not set: bots are started by the arena (arena play --bot NAME=COMMAND ...)",
  ],
  [
    { AURUM_ADDRESS: "localhost", AURUM_TOKEN: "secret" },
    'AURUM_ADDRESS is "localhost": host:port or unix:/path is expected',
  ],
])) {
  test(`a bot that is started wrongly says so: ${complaint}`, async () => {
    const ending = await new Process("first_card", env).ending();
    assert.deepEqual({ out: "", err: `aurum: ${complaint}\n`, code: 2, signal: null }, ending);
  });
}

test("what is no bot is not run", async () => {
  const { err, code } = await new Process("no_choose", {
    AURUM_ADDRESS: "localhost:1",
    AURUM_TOKEN: "secret",
  }).ending();
  assert.equal("aurum: run takes a bot, an object with the method choose: run({ choose(turn) { ... } })\n", err);
  assert.equal(2, code);
});
