export { Card } from "./card.js";
export { PASS } from "./move.js";
export { run } from "./run.js";
export type Bot = import("./bot.js").Bot;
export type FaultRecorded = import("./game.js").FaultRecorded;
export type Game = import("./game.js").Game;
export type GameEnded = import("./game.js").GameEnded;
export type RoundEnded = import("./game.js").RoundEnded;
export type Exchange = import("./move.js").Exchange;
export type Move = import("./move.js").Move;
export type Table = import("./table.js").Table;
export type Phase = import("./turn.js").Phase;
export type Turn = import("./turn.js").Turn;
/** @typedef {import("./bot.js").Bot} Bot */
/** @typedef {import("./game.js").FaultRecorded} FaultRecorded */
/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("./game.js").GameEnded} GameEnded */
/** @typedef {import("./game.js").RoundEnded} RoundEnded */
/** @typedef {import("./move.js").Exchange} Exchange */
/** @typedef {import("./move.js").Move} Move */
/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("./turn.js").Phase} Phase */
/** @typedef {import("./turn.js").Turn} Turn */
