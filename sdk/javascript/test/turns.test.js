import assert from "node:assert/strict";
import { test } from "node:test";
import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { ActionSchema, GameStartSchema, TurnSchema } from "../gen/aurum/v1/play_pb.js";
import { Card } from "../src/card.js";
import { IllegalAnswerError } from "../src/errors.js";
import { Game } from "../src/game.js";
import { actionOf, PASS } from "../src/move.js";
import { Turn } from "../src/turn.js";
import { bytes, moveOf, plain, vectors } from "./vectors.js";

const RECEIVED = 1234;

/** @param {{game_start_wire: string, turn_wire: string}} vector */
function turnOf({ game_start_wire, turn_wire }) {
  const game = new Game(fromBinary(GameStartSchema, bytes(game_start_wire)));
  return new Turn(fromBinary(TurnSchema, bytes(turn_wire)), game, RECEIVED);
}

/** @param {Turn} turn */
function reading(turn) {
  const { number, seat, players, partner, hand, ownBid, legalCards, mayPass, table } = turn;
  const timeLeftMs = turn.deadline - RECEIVED;
  const own = { number, seat, players, partner, hand, ownBid, legalCards, mayPass, timeLeftMs, ...table };
  return plain({ game: String(turn.game.id), phase: turn.phase.toUpperCase(), ...own });
}

const { turns } = vectors("turns");

for (const vector of turns) {
  test(`${vector.name} is read`, () => {
    const turn = turnOf(vector);
    assert.deepEqual(vector.reading, reading(turn));
    assert.deepEqual(vector.reading.seats[turn.seat].collection, plain(turn.collection));
  });

  for (const { move, action_wire } of vector.answers) {
    test(`${vector.name} is answered with ${JSON.stringify(move)}`, () => {
      assert.deepEqual(bytes(action_wire), toBinary(ActionSchema, actionOf(moveOf(move), turnOf(vector))));
    });
  }

  for (const { move } of vector.refused) {
    test(`${vector.name} is not answered with ${JSON.stringify(move)}`, () => {
      assert.throws(() => actionOf(moveOf(move), turnOf(vector)), IllegalAnswerError);
    });
  }
}

/** @param {string} phase */
const turnIn = (phase) => turnOf(turns.find((/** @type {any} */ { turn }) => turn.phase === `PHASE_${phase}`));

test("what is no move at all is no answer either", () => {
  for (const phase of ["BID", "EXCHANGE", "LEAD", "FOLLOW"]) {
    for (const answer of [undefined, null, "B7", 23, {}, { gold: null, card: null, seat: null }]) {
      assert.throws(() => actionOf(answer, turnIn(phase)), IllegalAnswerError);
    }
  }
});

test("a refusal names the answer, the turn and what would be legal", () => {
  const turn = turnIn("BID");
  const cards = turn.legalCards.join(" ");
  const message = `'B0' is no legal answer to turn ${turn.number} of game ${turn.game.id} (bid, seat ${turn.seat}): a Card is wanted, and this is a text: Card.parse makes one of it; legal: ${cards}`;
  assert.throws(() => actionOf("B0", turn), { message });
});

test("a refusal names the rule that is broken", () => {
  const [bid, exchange] = [turnIn("BID"), turnIn("EXCHANGE")];
  const [lead, follow] = [turnIn("LEAD"), turnIn("FOLLOW")];
  const elsewhere = ["B1", "C1"].map(Card.parse).find((card) => !lead.hand.includes(card));
  for (const [answer, turn, words] of /** @type {[unknown, Turn, string][]} */ ([
    [undefined, bid, "a move is wanted, is a return missing?"],
    [7, bid, "a Card is wanted; legal"],
    [PASS, bid, "a pass is not asked for now"],
    [Card.parse("G0"), bid, "gold cannot be a bid card"],
    [Card.parse("G0"), lead, "gold cannot lead a trick"],
    [elsewhere, lead, "the card is not in the hand"],
    [exchange.legalCards[0], exchange, "PASS or an exchange is wanted, and no card alone"],
    [{ gold: Card.parse("B1"), card: exchange.legalCards[0], seat: exchange.seat }, exchange, "an exchange takes gold"],
    [Card.parse("G8"), follow, "no gold of that rank is in the collection"],
  ])) {
    assert.throws(
      () => actionOf(answer, turn),
      ({ message }) => message.includes(words),
      words,
    );
  }
});

test("the time that is left counts down from the arrival", () => {
  const [{ game_start_wire, turn_wire }] = turns;
  const game = new Game(fromBinary(GameStartSchema, bytes(game_start_wire)));
  const message = fromBinary(TurnSchema, bytes(turn_wire));
  assert(new Turn(message, game, performance.now()).timeLeft <= message.timeLeftMs);
  assert(new Turn(message, game, performance.now() - message.timeLeftMs).timeLeft <= 0);
});

test("a game is read", () => {
  const [{ game_start, game_start_wire }] = turns;
  const { seat, players, partner, seed, ruleset, clock, names } = new Game(
    fromBinary(GameStartSchema, bytes(game_start_wire)),
  );
  assert.deepEqual([game_start.seat, game_start.players, game_start.seed], [seat, players, String(seed)]);
  assert.deepEqual([seat ^ 2, []], [partner, names]);
  assert.deepEqual({ preset: "designer", goldZeros: false, gameEnd: "first_to_two" }, ruleset);
  assert.deepEqual({ turnMs: 1000, bankMs: 0, incrementMs: 0 }, clock);
});
