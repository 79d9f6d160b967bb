#include "reading_json.hpp"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace aurum::tests {
namespace {

Json json(std::string text) {
  Json value;
  value.set_string_value(std::move(text));
  return value;
}

Json json(int number) {
  Json value;
  value.set_number_value(number);
  return value;
}

Json json(Card card) { return json(card.name()); }

template <class Value>
Json json(const std::optional<Value>& optional);

template <class Value>
Json json(const std::vector<Value>& values);

Json json(std::initializer_list<std::pair<const char*, Json>> fields) {
  Json object;
  for (const auto& [key, value] : fields) (*object.mutable_struct_value()->mutable_fields())[key] = value;
  return object;
}

Json truth(bool flag) {
  Json value;
  value.set_bool_value(flag);
  return value;
}

Json json(const SeatState& seat) {
  return json({{"collection", json(seat.collection)},
               {"bid", json(seat.bid)},
               {"tricks_taken", json(seat.tricks_taken)},
               {"hand_size", json(seat.hand_size)},
               {"nuggets", json(seat.nuggets)},
               {"points", json(seat.points)}});
}

Json json(const Trick& trick) { return json({{"leader", json(trick.leader)}, {"cards", json(trick.cards)}}); }

Json json(const CompletedTrick& trick) {
  return json({{"leader", json(trick.leader)},
               {"cards", json(trick.cards)},
               {"winner", json(trick.winner)},
               {"collector", json(trick.collector)},
               {"collected", json(trick.collected)}});
}

Json json(const BidChange& change) {
  return json({{"trick", json(change.trick)},
               {"seat", json(change.seat)},
               {"gold", json(change.gold)},
               {"bid_seat", json(change.bid_seat)},
               {"laid", json(change.laid)},
               {"taken", json(change.taken)}});
}

Json json(Phase phase) {
  std::ostringstream out;
  out << phase;
  std::string name = out.str();
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::toupper(c); });
  return json(name);
}

template <class Value>
Json json(const std::optional<Value>& optional) {
  if (optional) return json(*optional);
  Json value;
  value.set_null_value(google::protobuf::NULL_VALUE);
  return value;
}

template <class Value>
Json json(const std::vector<Value>& values) {
  Json list;
  list.mutable_list_value();
  for (const Value& value : values) *list.mutable_list_value()->add_values() = json(value);
  return list;
}

}  // namespace

Json reading_of(const Turn& turn, std::chrono::steady_clock::time_point received) {
  Json time_left;
  time_left.set_number_value(std::chrono::duration<double, std::milli>(turn.deadline - received).count());
  return json({{"game", json(std::to_string(turn.game->id))},
               {"number", json(turn.number)},
               {"phase", json(turn.phase)},
               {"seat", json(turn.seat())},
               {"players", json(turn.players())},
               {"partner", json(turn.partner())},
               {"hand", json(turn.hand)},
               {"own_bid", json(turn.own_bid)},
               {"legal_cards", json(turn.legal_cards)},
               {"may_pass", truth(turn.may_pass)},
               {"time_left_ms", time_left},
               {"round", json(turn.table.round)},
               {"first_player", json(turn.table.first_player)},
               {"leader", json(turn.table.leader)},
               {"to_act", json(turn.table.to_act)},
               {"leftover", json(turn.table.leftover)},
               {"supply", json(turn.table.supply)},
               {"seats", json(turn.table.seats)},
               {"trick", json(turn.table.trick)},
               {"tricks", json(turn.table.tricks)},
               {"exchanges", json(turn.table.exchanges)}});
}

}  // namespace aurum::tests
