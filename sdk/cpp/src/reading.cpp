#include "reading.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "errors.hpp"

namespace aurum {
namespace {

using std::chrono::milliseconds;

Card card(int value) {
  if (const auto known = Card::from_value(value)) return *known;
  throw ProtocolError(ProtocolError::Kind::Malformed,
                      "the referee speaks of card number " + std::to_string(value) + ", and there is no such card");
}

// Of a field that is 0 where there is no card.
std::optional<Card> optional_card(int value) { return value == 0 ? std::nullopt : std::optional(card(value)); }

std::vector<Card> cards(const google::protobuf::RepeatedField<int>& values) {
  std::vector<Card> result;
  result.reserve(static_cast<std::size_t>(values.size()));
  std::transform(values.begin(), values.end(), std::back_inserter(result), card);
  return result;
}

int number(std::uint32_t value) { return static_cast<int>(value); }

std::vector<int> numbers(const google::protobuf::RepeatedField<std::uint32_t>& values) {
  return {values.begin(), values.end()};
}

template <class Value, class Messages>
std::vector<Value> each(const Messages& messages, Value (*one)(const typename Messages::value_type&)) {
  std::vector<Value> result;
  result.reserve(static_cast<std::size_t>(messages.size()));
  std::transform(messages.begin(), messages.end(), std::back_inserter(result), one);
  return result;
}

Ruleset ruleset(const v1::Ruleset& message) {
  return {message.preset(), message.gold_zeros(), static_cast<GameEndRule>(message.game_end())};
}

Clock clock(const v1::Clock& message) {
  return {milliseconds(message.turn_ms()), milliseconds(message.bank_ms()), milliseconds(message.increment_ms())};
}

SeatState seat_state(const v1::SeatState& message) {
  return {cards(message.collection()), optional_card(message.bid()), number(message.tricks_taken()),
          number(message.hand_size()), number(message.nuggets()),    numbers(message.points())};
}

Trick trick(const v1::Trick& message) { return {number(message.leader()), cards(message.cards())}; }

CompletedTrick completed_trick(const v1::Trick& message) {
  return {trick(message), number(message.winner()), number(message.collector()), optional_card(message.collected())};
}

BidChange bid_change(const v1::BidChange& message) {
  return {number(message.trick()),    number(message.seat()), card(message.gold()),
          number(message.bid_seat()), card(message.laid()),   card(message.taken())};
}

Table table(const v1::Table& message) {
  return {
      .round = number(message.round()),
      .first_player = number(message.first_player()),
      .leader = number(message.leader()),
      .to_act = number(message.to_act()),
      .leftover = cards(message.leftover()),
      .supply = cards(message.supply()),
      .seats = each(message.seats(), seat_state),
      .trick = message.has_trick() ? std::optional(trick(message.trick())) : std::nullopt,
      .tricks = each(message.tricks(), completed_trick),
      .exchanges = each(message.exchanges(), bid_change),
  };
}

RoundResult round_result(const v1::RoundResult& message) {
  return {
      .tricks = numbers(message.tricks()),
      .bids = numbers(message.bids()),
      .bid_points = numbers(message.bid_points()),
      .gold_points = numbers(message.gold_points()),
      .points = numbers(message.points()),
      .winners = numbers(message.winners()),
      .ended_by = number(message.ended_by()),
  };
}

GameResult game_result(const v1::GameResult& message) {
  return {
      .nuggets = numbers(message.nuggets()),
      .points = numbers(message.points()),
      .rank = numbers(message.rank()),
      .forfeited = numbers(message.forfeited()),
      .placing = numbers(message.placing()),
  };
}

Phase phase(const v1::Turn& message) {
  switch (message.phase()) {
    case v1::PHASE_BID:
    case v1::PHASE_EXCHANGE:
    case v1::PHASE_LEAD:
    case v1::PHASE_FOLLOW:
      return static_cast<Phase>(message.phase());
    default:
      throw ProtocolError(ProtocolError::Kind::UnknownPhase,
                          "turn " + std::to_string(message.number()) + " of game " + std::to_string(message.game()) +
                              " is in phase " + std::to_string(message.phase()) +
                              ", which this SDK does not know: take the SDK of the tournament's arena");
  }
}

}  // namespace

Game read(const v1::GameStart& message) {
  return {
      .id = message.game(),
      .seat = number(message.seat()),
      .players = number(message.players()),
      .ruleset = ruleset(message.ruleset()),
      .seed = message.seed(),
      .clock = clock(message.clock()),
      .names = {message.names().begin(), message.names().end()},
  };
}

Turn read(const std::shared_ptr<const v1::Turn>& message, std::shared_ptr<const Game> game,
          std::chrono::steady_clock::time_point received) {
  return {
      .game = std::move(game),
      .number = number(message->number()),
      .phase = phase(*message),
      .table = table(message->table()),
      .hand = cards(message->hand()),
      .own_bid = optional_card(message->own_bid()),
      .legal_cards = cards(message->legal_cards()),
      .may_pass = message->may_pass(),
      .deadline = received + milliseconds(message->time_left_ms()),
      .message = message,
  };
}

RoundEnd read(const v1::RoundEnd& message, std::shared_ptr<const Game> game) {
  return {
      .game = std::move(game),
      .table = table(message.table()),
      .result = round_result(message.result()),
      .shown_hand = cards(message.shown_hand()),
      .unfinished_trick = cards(message.unfinished_trick()),
  };
}

GameEnd read(const v1::GameEnd& message, std::shared_ptr<const Game> game) {
  return {.game = std::move(game), .result = game_result(message.result())};
}

Fault read(const v1::Fault& message) {
  constexpr std::string_view kPrefix = "FAULT_KIND_";
  // Empty for a kind that a later protocol has added.
  std::string kind = v1::FaultKind_Name(message.kind());
  if (kind.empty()) {
    kind = std::to_string(message.kind());
  } else {
    kind.erase(0, kPrefix.size());
    std::transform(kind.begin(), kind.end(), kind.begin(), [](unsigned char c) { return std::tolower(c); });
  }
  return {message.game(), number(message.number()), std::move(kind), message.detail()};
}

}  // namespace aurum
