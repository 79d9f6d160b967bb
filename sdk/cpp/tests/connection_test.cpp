#include "connection.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <future>
#include <optional>

#include "errors.hpp"
#include "first_legal.hpp"
#include "referee.hpp"

namespace aurum {
namespace {

using tests::add_game_start;
using tests::add_turn;
using tests::dismiss;
using tests::FirstLegal;
using tests::greet;
using tests::kAnyPort;
using tests::kToken;
using tests::Referee;
using tests::Wire;

std::string unix_address() {
  const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
  const auto path = std::filesystem::temp_directory_path() / ("aurum-" + std::to_string(getpid()) + "-" +
                                                              std::to_string(std::hash<std::string>{}(test->name())));
  std::filesystem::remove(path);
  return "unix:" + path.string();
}

// The text of the error of type `Expected` that ends a conversation.
template <class Expected>
std::string error_of(Session& session, const Whereabouts& where) {
  try {
    converse(session, where);
  } catch (const Expected& error) {
    return error.what();
  }
  return "";
}

class ConnectionTest : public ::testing::Test {
 protected:
  FirstLegal bot;
  Session session{bot, {.name = "First", .version = "1"}};
};

class OnEachSocket : public ConnectionTest, public ::testing::WithParamInterface<bool> {};

INSTANTIATE_TEST_SUITE_P(Sockets, OnEachSocket, ::testing::Bool(),
                         [](const auto& socket) { return socket.param ? "Unix" : "Tcp"; });

TEST_P(OnEachSocket, AnswersABatchAndLeavesAtGoodbye) {
  const Referee referee(GetParam() ? unix_address() : kAnyPort, {[](Wire& wire) {
                          greet(wire);
                          v1::PlayResponse batch;
                          for (const std::uint64_t game : {7, 8}) add_game_start(batch, game);
                          add_turn(batch, 7, 1, v1::B7);
                          add_turn(batch, 8, 1, v1::Z10);
                          wire.Write(batch);
                          // In one message, or in two on a machine that is busy for milliseconds.
                          std::vector<v1::Action> actions;
                          v1::PlayRequest request;
                          while (actions.size() < 2 && wire.Read(&request)) {
                            actions.insert(actions.end(), request.actions().begin(), request.actions().end());
                          }
                          EXPECT_EQ(7, actions.at(0).game());
                          EXPECT_EQ(v1::B7, actions.at(0).card());
                          EXPECT_EQ(8, actions.at(1).game());
                          EXPECT_EQ(v1::Z10, actions.at(1).card());
                          return dismiss(wire, "the games are over");
                        }});
  converse(session, {referee.address(), kToken});
  EXPECT_EQ("the games are over", session.goodbye());
  EXPECT_EQ(1, referee.streams());
}

TEST_F(ConnectionTest, SendsWhatIsReadyBeforeItThinksOn) {
  // Takes long for the first turn; the second is answered once the referee has the first answer.
  class Thinker final : public Bot {
   public:
    Move choose(const Turn& turn) override {
      if (turn.game->id == 7) {
        const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(3);
        while (std::chrono::steady_clock::now() < until) {
        }
      } else {
        in_time = first_answer.get_future().wait_for(std::chrono::seconds(20)) == std::future_status::ready;
      }
      return turn.legal_cards.front();
    }

    std::promise<void> first_answer;
    bool in_time = false;
  } thinker;
  const Referee referee(kAnyPort, {[&thinker](Wire& wire) {
                          greet(wire);
                          v1::PlayResponse batch;
                          for (const std::uint64_t game : {7, 8}) {
                            add_game_start(batch, game);
                            add_turn(batch, game, 1, v1::B7);
                          }
                          wire.Write(batch);
                          v1::PlayRequest request;
                          wire.Read(&request);
                          thinker.first_answer.set_value();
                          wire.Read(&request);
                          return dismiss(wire, "done");
                        }});
  Session thinking(thinker, {});
  converse(thinking, {referee.address(), kToken});
  EXPECT_TRUE(thinker.in_time);
}

TEST_F(ConnectionTest, ComesBackAndRepeatsTheAnswerThatWasLost) {
  const auto second_turn = [](Wire& wire) {
    v1::PlayResponse message;
    add_game_start(message, 7);
    add_turn(message, 7, 2, v1::C2);
    wire.Write(message);
    v1::PlayRequest request;
    wire.Read(&request);
    EXPECT_EQ(1, request.actions_size());
    EXPECT_EQ(2, request.actions(0).number());
    EXPECT_EQ(v1::C2, request.actions(0).card());
  };
  const Referee referee(kAnyPort, {[&](Wire& wire) {
                                     greet(wire);
                                     second_turn(wire);
                                     return grpc::Status(grpc::StatusCode::UNAVAILABLE, "gone for a while");
                                   },
                                   [&](Wire& wire) {
                                     greet(wire);
                                     second_turn(wire);
                                     return dismiss(wire, "done");
                                   }});
  converse(session, {referee.address(), kToken});
  EXPECT_EQ(1, bot.asked);
  EXPECT_EQ(2, referee.streams());
}

TEST_F(ConnectionTest, ComesBackHoweverTheConnectionWasLost) {
  const auto ends_with = [](grpc::StatusCode code) {
    return [code](Wire& wire) {
      greet(wire);
      return grpc::Status(code, "");
    };
  };
  const Referee referee(
      kAnyPort, {ends_with(grpc::StatusCode::OK), ends_with(grpc::StatusCode::CANCELLED),
                 ends_with(grpc::StatusCode::UNKNOWN), ends_with(grpc::StatusCode::INTERNAL),
                 ends_with(grpc::StatusCode::ABORTED), ends_with(grpc::StatusCode::RESOURCE_EXHAUSTED), [](Wire& wire) {
                   greet(wire);
                   return dismiss(wire, "done");
                 }});
  converse(session, {referee.address(), kToken});
  EXPECT_EQ(7, referee.streams());
}

// Plays until the bot has the Welcome and has answered a turn; then it only waits.
class VanishingReferee {
 public:
  explicit VanishingReferee(const std::string& address, std::uint32_t grace_ms) {
    referee_.emplace(address, std::vector<tests::Script>{[this, grace_ms](Wire& wire) {
                       greet(wire, grace_ms);
                       v1::PlayResponse message;
                       add_game_start(message, 7);
                       add_turn(message, 7, 1, v1::B7);
                       wire.Write(message);
                       v1::PlayRequest request;
                       wire.Read(&request);
                       answered_.set_value();
                       wire.Read(&request);
                       return grpc::Status::OK;
                     }});
  }

  // Is gone, once the bot has answered.
  void vanish() {
    answered_.get_future().wait();
    referee_.reset();
  }

 private:
  std::promise<void> answered_;
  std::optional<Referee> referee_;
};

TEST_F(ConnectionTest, ComesBackToARefereeThatWasStartedAnew) {
  const std::string address = unix_address();
  VanishingReferee first(address, 60'000);
  auto playing = std::async(std::launch::async, [&] { converse(session, {address, kToken}); });
  first.vanish();
  const Referee second(address, {[](Wire& wire) {
                         greet(wire);
                         return dismiss(wire, "done");
                       }});
  playing.get();
  EXPECT_EQ("done", session.goodbye());
}

TEST_F(ConnectionTest, WaitsForARefereeThatIsNotThereYet) {
  const std::string address = unix_address();
  auto playing = std::async(std::launch::async, [&] { converse(session, {address, kToken}); });
  const Referee referee(address, {[](Wire& wire) {
                          greet(wire);
                          return dismiss(wire, "done");
                        }});
  playing.get();
  EXPECT_EQ("done", session.goodbye());
}

TEST_F(ConnectionTest, EndsIfTheRefereeRefuses) {
  const Referee referee(kAnyPort, {});
  EXPECT_EQ("the referee refused: no seat has this token",
            error_of<RefusedError>(session, {referee.address(), "wrong"}));
}

TEST_F(ConnectionTest, EndsIfThereIsNoReferee) {
  const std::string address = unix_address();
  EXPECT_EQ("no referee at " + address + " within 0.05 s: no answer",
            error_of<UnreachableError>(session, {address, kToken, std::chrono::milliseconds(50)}));
}

TEST_F(ConnectionTest, EndsIfTheRefereeOnlyWelcomesItAgainAndAgain) {
  const tests::Script welcomes = [](Wire& wire) {
    greet(wire, 100);
    return grpc::Status(grpc::StatusCode::UNAVAILABLE, "not now");
  };
  const Referee referee(kAnyPort, std::vector(100, welcomes));
  EXPECT_EQ("no referee at " + referee.address() + " within 0.1 s: the stream ended with status 14, not now",
            error_of<UnreachableError>(session, {referee.address(), kToken}));
}

TEST_F(ConnectionTest, EndsIfTheRefereeDoesNotComeBackWithinTheGrace) {
  const std::string address = unix_address();
  VanishingReferee referee(address, 100);
  auto playing = std::async(std::launch::async, [&] { return error_of<UnreachableError>(session, {address, kToken}); });
  referee.vanish();
  const std::string expected = "no referee at " + address + " within 0.1 s: the stream ended with status ";
  EXPECT_EQ(expected, playing.get().substr(0, expected.size()));
}

TEST_F(ConnectionTest, EndsAtBytesThatAreNoMessage) {
  const Referee referee(kAnyPort, {[](Wire& wire) {
                          greet(wire);
                          wire.Write(tests::malformed());
                          v1::PlayRequest request;
                          wire.Read(&request);  // the bot cancels the stream
                          return grpc::Status::OK;
                        }});
  EXPECT_EQ("the referee sent bytes that are no PlayResponse",
            error_of<ProtocolError>(session, {referee.address(), kToken}));
}

TEST_F(ConnectionTest, LeavesThoughTheRefereeDoesNotEndTheStream) {
  std::promise<void> left;
  const Referee referee(kAnyPort, {[&left](Wire& wire) {
                          greet(wire);
                          dismiss(wire, "done");
                          left.get_future().wait();
                          return grpc::Status::OK;
                        }});
  converse(session, {referee.address(), kToken});
  EXPECT_EQ("done", session.goodbye());
  left.set_value();
}

}  // namespace
}  // namespace aurum
