// Reading turns and writing answers.

#include "aurum/turn.hpp"

#include <google/protobuf/util/message_differencer.h>
#include <gtest/gtest.h>

#include "answer.hpp"
#include "errors.hpp"
#include "reading.hpp"
#include "reading_json.hpp"
#include "vectors.hpp"

namespace aurum {
namespace {

using google::protobuf::util::MessageDifferencer;
using tests::at;
using tests::bytes_at;
using tests::Json;
using tests::reading_of;
using tests::text_at;
using tests::vectors;

constexpr std::chrono::steady_clock::time_point kReceived{std::chrono::hours(1)};

template <class Message>
Message parsed(const std::string& bytes) {
  Message message;
  if (!message.ParseFromString(bytes)) throw std::invalid_argument("a vector is no message");
  return message;
}

Turn turn_of(const Json& entry) {
  const auto game = std::make_shared<const Game>(read(parsed<v1::GameStart>(bytes_at(entry, "game_start_wire"))));
  return read(std::make_shared<const v1::Turn>(parsed<v1::Turn>(bytes_at(entry, "turn_wire"))), game, kReceived);
}

Move move_of(const Json& move) {
  const auto& fields = move.struct_value().fields();
  if (fields.contains("pass")) return Pass{};
  if (fields.contains("card")) return Card::parse(text_at(move, "card")).value();
  const Json& exchange = at(move, "exchange");
  return Exchange{Card::parse(text_at(exchange, "gold")).value(), Card::parse(text_at(exchange, "card")).value(),
                  static_cast<int>(at(exchange, "seat").number_value())};
}

TEST(TurnVectors, EveryTurnIsReadAsItStands) {
  for (const auto& entry : vectors("turns.json", "turns")) {
    SCOPED_TRACE(text_at(entry, "name"));
    std::string differences;
    MessageDifferencer differencer;
    differencer.ReportDifferencesToString(&differences);
    EXPECT_TRUE(differencer.Compare(at(entry, "reading"), reading_of(turn_of(entry), kReceived))) << differences;
  }
}

TEST(TurnVectors, EveryAnswerIsTheSameBytes) {
  for (const auto& entry : vectors("turns.json", "turns")) {
    SCOPED_TRACE(text_at(entry, "name"));
    const Turn turn = turn_of(entry);
    EXPECT_FALSE(at(entry, "answers").list_value().values().empty());
    for (const auto& given : at(entry, "answers").list_value().values()) {
      const auto expected = bytes_at(given, "action_wire");
      EXPECT_EQ(expected, answer(turn, move_of(at(given, "move"))).SerializeAsString()) << given.ShortDebugString();
    }
  }
}

TEST(TurnVectors, AnAnswerThatIsNotLegalIsRefused) {
  for (const auto& entry : vectors("turns.json", "turns")) {
    SCOPED_TRACE(text_at(entry, "name"));
    const Turn turn = turn_of(entry);
    for (const auto& refused : at(entry, "refused").list_value().values()) {
      EXPECT_THROW(answer(turn, move_of(at(refused, "move"))), BotError) << refused.ShortDebugString();
    }
  }
}

TEST(Turn, TimeRunsDown) {
  const auto now = std::chrono::steady_clock::now();
  Turn turn;
  turn.deadline = now + std::chrono::hours(1);
  EXPECT_LE(turn.time_left(), std::chrono::hours(1));
  EXPECT_GT(turn.time_left(), std::chrono::milliseconds(0));
  turn.deadline = now - std::chrono::milliseconds(1);
  EXPECT_LT(turn.time_left(), std::chrono::milliseconds(0));
}

TEST(Turn, OfACardThatThereIsNotIsRefused) {
  auto message = std::make_shared<v1::Turn>();
  message->set_phase(v1::PHASE_LEAD);
  message->add_legal_cards(static_cast<v1::Card>(250));
  try {
    read(message, std::make_shared<const Game>(), kReceived);
    FAIL();
  } catch (const ProtocolError& error) {
    EXPECT_EQ(ProtocolError::Kind::Malformed, error.kind);
    EXPECT_STREQ("the referee speaks of card number 250, and there is no such card", error.what());
  }
}

TEST(Answer, ThatIsNotLegalIsNamedWithWhatIs) {
  Turn turn;
  Game game;
  game.id = 7;
  game.players = 4;
  turn.game = std::make_shared<const Game>(game);
  turn.number = 3;
  turn.table.seats.resize(4);
  const auto objection = [&turn](const Move& move) {
    try {
      answer(turn, move);
    } catch (const BotError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  turn.phase = Phase::Follow;
  turn.legal_cards = {Card(Suit::Copper, 6), Card(Suit::Gold, 0)};
  EXPECT_EQ("pass is no legal answer to turn 3 of game 7 (follow); legal cards: C6 G0", objection(Pass{}));
  turn.legal_cards = {};
  turn.may_pass = true;
  EXPECT_EQ("B7 is no legal answer to turn 3 of game 7 (follow); legal cards: none; or pass",
            objection(Card(Suit::Bismuth, 7)));
  turn.phase = Phase::Exchange;
  turn.legal_cards = {Card(Suit::Bismuth, 9)};
  EXPECT_EQ("exchange G0 B9 @2 is no legal answer to turn 3 of game 7 (exchange); legal cards: B9; or pass",
            objection(Exchange{Card(Suit::Gold, 0), Card(Suit::Bismuth, 9), 2}));
}

}  // namespace
}  // namespace aurum
