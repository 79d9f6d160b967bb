// The smallest bot in C++: always the first legal card, and never an exchange.
// Build it with `cmake --workflow --preset release`, then play it:
//     arena play --bot minimal="bin/minimal" --bot twin="bin/minimal"

#include <aurum/bot.hpp>

class Minimal final : public aurum::Bot {
 public:
  aurum::Move choose(const aurum::Turn& turn) override {
    if (turn.phase == aurum::Phase::Exchange || turn.legal_cards.empty()) return aurum::Pass{};
    return turn.legal_cards.front();
  }
};

int main() {
  Minimal bot;
  return aurum::run(bot, {.name = "Minimal", .version = "1"});
}
