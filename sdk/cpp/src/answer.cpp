#include "answer.hpp"

#include <algorithm>
#include <sstream>
#include <string_view>
#include <vector>

#include "errors.hpp"

namespace aurum {
namespace {

bool contains(const std::vector<Card>& cards, Card card) {
  return std::find(cards.begin(), cards.end(), card) != cards.end();
}

struct IsLegal {
  const Turn& turn;

  bool operator()(Card card) const { return turn.phase != Phase::Exchange && contains(turn.legal_cards, card); }
  bool operator()(const Pass&) const { return turn.may_pass; }
  bool operator()(const Exchange& exchange) const {
    return turn.phase == Phase::Exchange && contains(turn.collection(), exchange.gold) &&
           contains(turn.legal_cards, exchange.card) &&
           (exchange.seat == turn.seat() || exchange.seat == turn.partner());
  }
};

struct Write {
  v1::Action& action;

  void operator()(Card card) const { action.set_card(static_cast<v1::Card>(card.value())); }
  void operator()(const Pass&) const { action.mutable_pass(); }
  void operator()(const Exchange& exchange) const {
    v1::Exchange& message = *action.mutable_exchange();
    message.set_gold(static_cast<v1::Card>(exchange.gold.value()));
    message.set_card(static_cast<v1::Card>(exchange.card.value()));
    message.set_seat(static_cast<std::uint32_t>(exchange.seat));
  }
};

std::string objection(const Turn& turn, const Move& move) {
  std::ostringstream text;
  std::visit([&](const auto& given) { text << given; }, move);
  text << " is no legal answer to turn " << turn.number << " of game " << turn.game->id << " (" << turn.phase
       << "); legal cards:";
  for (const Card card : turn.legal_cards) text << ' ' << card;
  if (turn.legal_cards.empty()) text << " none";
  if (turn.may_pass) text << "; or pass";
  return text.str();
}

}  // namespace

v1::Action answer(const Turn& turn, const Move& move) {
  if (!std::visit(IsLegal{turn}, move)) throw BotError(objection(turn, move));
  v1::Action action;
  action.set_game(turn.game->id);
  action.set_number(static_cast<std::uint32_t>(turn.number));
  std::visit(Write{action}, move);
  return action;
}

}  // namespace aurum
