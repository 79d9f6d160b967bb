// What a bot's author needs: derive from `Bot`, write `choose`, and hand the bot to `run` in main.

#pragma once

#include <string>

#include "aurum/card.hpp"
#include "aurum/events.hpp"
#include "aurum/game.hpp"
#include "aurum/move.hpp"
#include "aurum/table.hpp"
#include "aurum/turn.hpp"

namespace aurum {

// A player of Aurum. One object plays all games of a process, often many at a time and their turns interleaved: what
// belongs to one game should be kept by the game's id. Everything is called on the thread of `run`.
class Bot {
 public:
  virtual ~Bot() = default;

  // The answer to a turn: one of its `legal_cards`, `Pass` if it `may_pass`, or in an exchange window an `Exchange`.
  virtual Move choose(const Turn& turn) = 0;

  // Called once, before the bot says that it is ready: the place to load and compute at leisure.
  virtual void setup() {}
  virtual void game_start(const Game& /*game*/) {}
  virtual void round_end(const RoundEnd& /*end*/) {}
  virtual void game_end(const GameEnd& /*end*/) {}
  // The referee recorded a fault of this bot. Says so on standard error unless overridden.
  virtual void fault(const Fault& fault);
};

// How a bot calls itself: it stands in the records.
struct Identity {
  std::string name;
  std::string version;
};

// Plays until the referee is done with the bot. The arena says where the referee is, in the environment: AURUM_ADDRESS
// (`host:port` or `unix:/path`) and AURUM_TOKEN.
//
// Returns the exit code for main, having said on standard error what is wrong: 0 after the referee's Goodbye; 1 if the
// bot's own code failed, or the referee refused or was not reached; 2 if the bot was started wrongly.
[[nodiscard]] int run(Bot& bot, const Identity& identity);

}  // namespace aurum
