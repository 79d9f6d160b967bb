// What a bot's process says, and how it ends.

#include <gtest/gtest.h>

#include <csignal>
#include <future>
#include <string>
#include <utility>
#include <vector>

#include "process.hpp"
#include "referee.hpp"

namespace aurum {
namespace {

using tests::kAnyPort;
using tests::kToken;
using tests::Process;
using tests::Referee;
using tests::Wire;

std::vector<std::string> environment(const Referee& referee, const std::string& token = kToken) {
  return {"AURUM_ADDRESS=" + referee.address(), "AURUM_TOKEN=" + token};
}

Process bot(const std::vector<std::string>& environment, const std::string& behaviour = "plays") {
  return Process({AURUM_SCRIPTED_BOT, behaviour}, environment);
}

// Asks for a card, hears the answer if there is one, and says Goodbye.
grpc::Status one_turn(Wire& wire) {
  tests::greet(wire);
  v1::PlayResponse message;
  tests::add_game_start(message, 7);
  tests::add_turn(message, 7, 1, v1::B7);
  wire.Write(message);
  v1::PlayRequest request;
  if (!wire.Read(&request)) return grpc::Status::OK;
  return tests::dismiss(wire, "done");
}

TEST(Run, EndsInSilenceAfterGoodbye) {
  const Referee referee(kAnyPort, {one_turn});
  Process process = bot(environment(referee));
  EXPECT_EQ(0, process.wait());
  EXPECT_EQ("", process.output());
}

TEST(Run, SaysThatItWasStartedWithoutTheArena) {
  Process without_address = bot({"AURUM_TOKEN=t"});
  EXPECT_EQ(2, without_address.wait());
  EXPECT_EQ("aurum: AURUM_ADDRESS is not set: bots are started by the arena (arena play --bot NAME=COMMAND ...)\n",
            without_address.output());
  Process without_token = bot({"AURUM_ADDRESS=127.0.0.1:1", "AURUM_TOKEN="});
  EXPECT_EQ(2, without_token.wait());
  EXPECT_EQ("aurum: AURUM_TOKEN is not set: bots are started by the arena (arena play --bot NAME=COMMAND ...)\n",
            without_token.output());
  Process with_nonsense = bot({"AURUM_ADDRESS=nowhere", "AURUM_TOKEN=t"}, "fails in setup");
  EXPECT_EQ(2, with_nonsense.wait());
  EXPECT_EQ("aurum: 'nowhere' is no address: host:port or unix:/path is expected\n", with_nonsense.output());
}

TEST(Run, SaysThatTheAuthorsCodeFailed) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"throws", "aurum: choose failed in game 7, turn 1: no idea\n"},
      {"plays an illegal card", "aurum: G8 is no legal answer to turn 1 of game 7 (bid); legal cards: B7\n"},
      {"fails in setup", "aurum: setup failed: model.bin is missing\n"},
  };
  for (const auto& [behaviour, expected] : cases) {
    const Referee referee(kAnyPort, {one_turn});
    Process process = bot(environment(referee), behaviour);
    EXPECT_EQ(1, process.wait());
    EXPECT_EQ(expected, process.output());
  }
}

TEST(Run, SaysThatTheRefereeRefused) {
  const Referee referee(kAnyPort, {});
  Process process = bot(environment(referee, "wrong"));
  EXPECT_EQ(1, process.wait());
  EXPECT_EQ("aurum: the referee refused: no seat has this token\n", process.output());
}

TEST(Run, EndsInSilenceOnASignal) {
  for (const int number : {SIGINT, SIGTERM}) {
    std::promise<void> greeted;
    const Referee referee(kAnyPort, {[&greeted](Wire& wire) {
                            tests::greet(wire);
                            greeted.set_value();
                            v1::PlayRequest request;
                            EXPECT_FALSE(wire.Read(&request));
                            return grpc::Status::OK;
                          }});
    Process process = bot(environment(referee));
    greeted.get_future().wait();
    process.signal(number);
    EXPECT_EQ(128 + number, process.wait());
    EXPECT_EQ("", process.output());
  }
}

}  // namespace
}  // namespace aurum
