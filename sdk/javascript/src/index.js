// The SDK, as a bot's author sees it.

export { Card } from "./card.js";
export { PASS } from "./move.js";
export { run } from "./run.js";

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
