#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "aurum/card.hpp"
#include "aurum/game.hpp"
#include "aurum/table.hpp"

namespace aurum {

// How a round was scored.
struct RoundResult {
  // Tricks taken, by seat.
  std::vector<int> tricks;
  // By side: the bid standing at the end.
  std::vector<int> bids;
  // By side, as the two below.
  std::vector<int> bid_points;
  std::vector<int> gold_points;
  std::vector<int> points;
  // Sides that got a nugget, ascending.
  std::vector<int> winners;
  // The seat that ended the round.
  int ended_by = 0;
};

// How a game was scored, by side: a team of seats 0 and 2 or 1 and 3, with three players a seat.
struct GameResult {
  std::vector<int> nuggets;
  // The sum of the rounds' points.
  std::vector<int> points;
  // By the rules, as played: 1 = won, equal = shared.
  std::vector<int> rank;
  // Sides that forfeited by faults, ascending.
  std::vector<int> forfeited;
  // What is rated: the other sides by rank, then the forfeited ones, tied.
  std::vector<int> placing;
};

// A round is over.
struct RoundEnd {
  std::shared_ptr<const Game> game;
  // As it stood at the end.
  Table table;
  RoundResult result;
  // The remaining hand of the seat that ended the round, which everyone is shown.
  std::vector<Card> shown_hand;
  // The trick that was under way, which counts for nothing.
  std::vector<Card> unfinished_trick;
};

// A game is over.
struct GameEnd {
  std::shared_ptr<const Game> game;
  GameResult result;
};

// What this bot did wrong, as the referee recorded it.
struct Fault {
  // 0 where it concerns no one game.
  std::uint64_t game = 0;
  // 0 where it concerns no turn.
  int turn = 0;
  // As in the protocol, in lower case: "illegal_move", "timeout"; of a kind that is not known here, the number.
  std::string kind;
  // A sentence for the author.
  std::string detail;
};

}  // namespace aurum
