#include "session.hpp"

#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "errors.hpp"
#include "first_legal.hpp"
#include "vectors.hpp"

namespace aurum {
namespace {

using google::protobuf::io::ArrayInputStream;
using tests::at;
using tests::bytes_at;
using tests::FirstLegal;
using tests::from_base64;
using tests::Json;
using tests::text_at;
using tests::vectors;

std::string name_of(ProtocolError::Kind kind) {
  switch (kind) {
    case ProtocolError::Kind::Malformed:
      return "malformed";
    case ProtocolError::Kind::NoWelcome:
      return "no_welcome";
    case ProtocolError::Kind::Version:
      return "version";
    case ProtocolError::Kind::UnknownGame:
      return "unknown_game";
    case ProtocolError::Kind::UnknownPhase:
      return "unknown_phase";
  }
  return "";
}

// What a session makes of the bytes of one message.
std::vector<std::string> take(Session& session, const std::string& bytes) {
  std::vector<std::string> sent;
  ArrayInputStream stream(bytes.data(), static_cast<int>(bytes.size()));
  session.take(stream, {}, [&sent](const v1::Action& action) { sent.push_back(action.SerializeAsString()); });
  return sent;
}

std::vector<std::string> take(Session& session, const v1::PlayResponse& message) {
  return take(session, message.SerializeAsString());
}

// Plays the streams of a case to their end, or to an error: its name.
std::optional<std::string> play(Session& session, const Json& streams) {
  for (const auto& stream : streams.list_value().values()) {
    session.hello();
    for (const auto& message : stream.list_value().values()) {
      std::vector<std::string> expected;
      for (const auto& action : at(message, "send_wire").list_value().values()) {
        expected.push_back(from_base64(action.string_value()));
      }
      try {
        EXPECT_EQ(expected, take(session, bytes_at(message, "receive_wire")));
      } catch (const ProtocolError& error) {
        return name_of(error.kind);
      }
    }
  }
  return std::nullopt;
}

std::optional<std::string> optional_text(const Json& value) {
  return value.has_null_value() ? std::nullopt : std::optional(value.string_value());
}

TEST(SessionVectors, EveryConversationGoesAsWritten) {
  for (const auto& entry : vectors("sessions.json", "sessions")) {
    SCOPED_TRACE(text_at(entry, "name"));
    FirstLegal bot;
    Session session(bot, {});
    EXPECT_EQ(optional_text(at(entry, "error")), play(session, at(entry, "streams")));
    EXPECT_EQ(optional_text(at(entry, "goodbye")), session.goodbye());
    EXPECT_EQ(at(entry, "asked").number_value(), bot.asked);
    std::vector<std::string> faults;
    for (const auto& fault : at(entry, "faults").list_value().values()) faults.push_back(fault.string_value());
    EXPECT_EQ(faults, bot.faults);
  }
}

v1::PlayResponse welcome(std::uint32_t version = 1) {
  v1::PlayResponse message;
  message.mutable_welcome()->set_protocol_version(version);
  return message;
}

TEST(Session, SaysWhoItIs) {
  FirstLegal bot;
  Session session(bot, {.name = "Gilda", .version = "2.1"});
  const v1::PlayRequest request = session.hello();
  EXPECT_EQ(1, request.hello().protocol_version());
  EXPECT_EQ("Gilda", request.hello().bot());
  EXPECT_EQ("2.1", request.hello().version());
  EXPECT_EQ("cpp", request.hello().language());
  EXPECT_EQ("aurum-cpp/0.1.0", request.hello().sdk());
  EXPECT_EQ(0, request.actions_size());
}

TEST(Session, NamesBothVersions) {
  FirstLegal bot;
  Session session(bot, {});
  try {
    take(session, welcome(2));
    FAIL();
  } catch (const ProtocolError& error) {
    EXPECT_STREQ("the referee speaks protocol version 2, this bot version 1: take the SDK of the tournament's arena",
                 error.what());
  }
}

// Notes what it is told, and fails on demand.
class Listener final : public Bot {
 public:
  Move choose(const Turn& turn) override {
    heard.push_back("choose " + std::to_string(turn.number));
    if (turn.number == 2) throw 2;
    throw std::domain_error("no idea");
  }
  void game_start(const Game& game) override { heard.push_back("start " + std::to_string(game.seed)); }
  void round_end(const RoundEnd& end) override {
    heard.push_back("round " + std::to_string(end.table.round) + " ended by " + std::to_string(end.result.ended_by) +
                    ", seed " + std::to_string(end.game->seed));
    for (const Card card : end.shown_hand) heard.push_back("shown " + card.name());
    for (const Card card : end.unfinished_trick) heard.push_back("unfinished " + card.name());
  }
  void game_end(const GameEnd& end) override {
    heard.push_back("end, seed " + std::to_string(end.game->seed));
    for (const int rank : end.result.rank) heard.push_back("rank " + std::to_string(rank));
  }

  std::vector<std::string> heard;
};

class ListenerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    v1::PlayResponse first = welcome();
    v1::GameStart& start = *first.add_updates()->mutable_game_start();
    start.set_game(7);
    start.set_seed(41);
    take(session, first);
  }

  static v1::PlayResponse turn(std::uint32_t number) {
    v1::PlayResponse message;
    v1::Turn& turn = *message.add_updates()->mutable_turn();
    turn.set_game(7);
    turn.set_number(number);
    turn.set_phase(v1::PHASE_LEAD);
    return message;
  }

  Listener bot;
  Session session{bot, {}};
};

TEST_F(ListenerTest, IsToldOfRoundsAndGames) {
  v1::PlayResponse message;
  v1::RoundEnd& round = *message.add_updates()->mutable_round_end();
  round.set_game(7);
  round.mutable_table()->set_round(2);
  round.mutable_result()->set_ended_by(3);
  round.add_shown_hand(v1::B7);
  round.add_unfinished_trick(v1::C1);
  v1::GameEnd& end = *message.add_updates()->mutable_game_end();
  end.set_game(7);
  end.mutable_result()->add_rank(2);
  end.mutable_result()->add_rank(1);
  take(session, message);
  const std::vector<std::string> expected = {
      "start 41", "round 2 ended by 3, seed 41", "shown B7", "unfinished C1", "end, seed 41", "rank 2", "rank 1"};
  EXPECT_EQ(expected, bot.heard);
}

TEST_F(ListenerTest, IsBlamedForWhatItThrows) {
  try {
    take(session, turn(1));
    FAIL();
  } catch (const BotError& error) {
    EXPECT_STREQ("choose failed in game 7, turn 1: no idea", error.what());
  }
  try {
    take(session, turn(2));
    FAIL();
  } catch (const BotError& error) {
    EXPECT_STREQ("choose failed in game 7, turn 2", error.what());
  }
}

class Keeper final : public Bot {
 public:
  Move choose(const Turn& turn) override {
    kept.push_back(turn);
    return Pass{};
  }

  std::vector<Turn> kept;
};

TEST(Session, LetsAnAuthorKeepTurns) {
  Keeper bot;
  {
    Session session(bot, {});
    v1::PlayResponse message = welcome();
    message.add_updates()->mutable_game_start()->set_game(7);
    v1::Turn& turn = *message.add_updates()->mutable_turn();
    turn.set_game(7);
    turn.set_number(1);
    turn.set_phase(v1::PHASE_FOLLOW);
    turn.set_may_pass(true);
    take(session, message);
  }
  ASSERT_EQ(1, bot.kept.size());
  EXPECT_EQ(7, bot.kept.front().game->id);
  EXPECT_TRUE(bot.kept.front().message->may_pass());
}

TEST(Bot, PrintsItsFaults) {
  class Silent final : public Bot {
   public:
    Move choose(const Turn& /*turn*/) override { return Pass{}; }
  } bot;
  ::testing::internal::CaptureStderr();
  bot.fault({.game = 7, .turn = 3, .kind = "illegal_move", .detail = "B7 is not in hand"});
  bot.fault({.game = 7, .turn = 0, .kind = "disconnected", .detail = "gone"});
  bot.fault({.game = 0, .turn = 0, .kind = "flooded", .detail = "too much"});
  EXPECT_EQ(
      "aurum: illegal_move in game 7, turn 3: B7 is not in hand\n"
      "aurum: disconnected in game 7: gone\n"
      "aurum: flooded: too much\n",
      ::testing::internal::GetCapturedStderr());
}

}  // namespace
}  // namespace aurum
