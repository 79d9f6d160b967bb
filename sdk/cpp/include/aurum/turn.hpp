#pragma once

#include <chrono>
#include <iosfwd>
#include <memory>
#include <optional>
#include <vector>

#include "aurum/card.hpp"
#include "aurum/game.hpp"
#include "aurum/table.hpp"

namespace aurum {

namespace v1 {
class Turn;
}

// What a player is asked for: to bid, to swap a bid card or not, to open a trick, to play to one.
enum class Phase { Bid = 1, Exchange, Lead, Follow };

std::ostream& operator<<(std::ostream& out, Phase phase);

// A decision that is asked for, with the seat's whole legal view. It is a value: it may be copied and kept.
struct Turn {
  std::shared_ptr<const Game> game;
  // Counts this bot's turns in the game, from 1.
  int number = 0;
  Phase phase = Phase::Bid;
  // Everything face up.
  Table table;
  // The own base cards, ascending; the bid card is not among them.
  std::vector<Card> hand;
  // The own bid card, also while it lies face down; nothing before it is laid.
  std::optional<Card> own_bid;
  // The cards that may be bid or played, gold included; in an exchange window those that may be laid.
  std::vector<Card> legal_cards;
  // Whether `Pass` is an answer: it declines an exchange or, when following, ends the round.
  bool may_pass = false;
  // When the time for this decision is over, the bank included.
  std::chrono::steady_clock::time_point deadline;
  // The protocol's own message, from <aurum/v1/play.pb.h>.
  std::shared_ptr<const v1::Turn> message;

  int seat() const { return game->seat; }
  // 3 or 4.
  int players() const { return game->players; }
  // The partner's seat; nothing with three players.
  std::optional<int> partner() const { return game->partner(); }
  // The own gold, ascending.
  const std::vector<Card>& collection() const { return table.seats.at(static_cast<std::size_t>(seat())).collection; }
  // Left for this decision, now; negative once it is too late.
  std::chrono::milliseconds time_left() const;
};

}  // namespace aurum
