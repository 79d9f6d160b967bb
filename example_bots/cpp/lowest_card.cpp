// A bot that always does the least, without chance or memory; the same policy in every language:
//
//     bid        the lowest card of the hand
//     exchange   decline
//     play       the lowest legal base card; without one, the lowest legal gold card
//     end        never by choice: only with no legal card
//
// Lowest is by rank, and among equals by suit in the order B, C, P, S, Z.

#include <algorithm>
#include <aurum/bot.hpp>
#include <tuple>

class LowestCard final : public aurum::Bot {
 public:
  aurum::Move choose(const aurum::Turn& turn) override {
    if (turn.phase == aurum::Phase::Exchange || turn.legal_cards.empty()) return aurum::Pass{};
    return *std::min_element(turn.legal_cards.begin(), turn.legal_cards.end(), is_lower);
  }

 private:
  static bool is_lower(aurum::Card left, aurum::Card right) {
    const auto key = [](aurum::Card card) { return std::tuple(card.is_gold(), card.rank(), card.suit()); };
    return key(left) < key(right);
  }
};

int main() {
  LowestCard bot;
  return aurum::run(bot, {.name = "LowestCard", .version = "1"});
}
