#pragma once

#include <string>
#include <vector>

#include "aurum/bot.hpp"

namespace aurum::tests {

// Answers the first legal card, and passes in exchange windows and where there is none.
class FirstLegal final : public Bot {
 public:
  Move choose(const Turn& turn) override {
    ++asked;
    if (turn.phase == Phase::Exchange || turn.legal_cards.empty()) return Pass{};
    return turn.legal_cards.front();
  }
  void fault(const Fault& fault) override { faults.push_back(fault.kind); }

  int asked = 0;
  std::vector<std::string> faults;
};

}  // namespace aurum::tests
