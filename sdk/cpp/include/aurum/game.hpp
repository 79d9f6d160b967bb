#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace aurum {

// When a game is over and who has won it.
enum class GameEndRule { Unspecified, FirstToTwo, BestOfThree, ThreeRoundsTotal };

// The rules of a game.
struct Ruleset {
  // A label; the other fields count.
  std::string preset;
  // Every player starts a round with a G0 in the collection.
  bool gold_zeros = false;
  GameEndRule game_end = GameEndRule::Unspecified;
};

// How long a bot may think.
struct Clock {
  // For each turn.
  std::chrono::milliseconds turn{};
  // In all, for what the turns of a game take beyond `turn`.
  std::chrono::milliseconds bank{};
  // Given back to the bank after each turn.
  std::chrono::milliseconds increment{};
};

// What stays the same throughout a game.
struct Game {
  // An opaque number that names the game.
  std::uint64_t id = 0;
  // The own seat, from 0; the next seat clockwise is `(seat + 1) % players`.
  int seat = 0;
  // 3 or 4.
  int players = 0;
  Ruleset ruleset;
  // For a bot that uses chance: the same deal and seat give the same seed. It says nothing of the cards.
  std::uint64_t seed = 0;
  Clock clock;
  // By seat, if the tournament makes names known; otherwise empty.
  std::vector<std::string> names;

  // The partner's seat; nothing with three players.
  std::optional<int> partner() const { return players == 4 ? std::optional(seat ^ 2) : std::nullopt; }
};

}  // namespace aurum
