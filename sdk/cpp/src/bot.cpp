#include "aurum/bot.hpp"

#include <iostream>

#include "authors.hpp"

namespace aurum {

void Bot::fault(const Fault& fault) {
  std::cerr << "aurum: " << fault.kind << where(fault.game, fault.turn) << ": " << fault.detail << '\n';
}

}  // namespace aurum
