#pragma once

#include <iosfwd>
#include <variant>

#include "aurum/card.hpp"

namespace aurum {

// In an exchange window: decline. When following: end the round.
struct Pass {
  friend bool operator==(const Pass&, const Pass&) = default;
};

// In an exchange window: spend `gold` and lay `card` in place of the bid card of `seat`.
struct Exchange {
  Card gold;
  Card card;
  int seat;

  friend bool operator==(const Exchange&, const Exchange&) = default;
};

// What answers a turn. A card is bid, led or followed with.
using Move = std::variant<Card, Exchange, Pass>;

std::ostream& operator<<(std::ostream& out, const Pass& pass);
std::ostream& operator<<(std::ostream& out, const Exchange& exchange);

}  // namespace aurum
