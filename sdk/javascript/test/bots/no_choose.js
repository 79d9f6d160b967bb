// A bot for the tests: a class in the place of an object, and so without `choose`.

import { run } from "../../src/index.js";

class Bot {
  choose() {
    return "pass";
  }
}

run(/** @type {any} */ (Bot));
