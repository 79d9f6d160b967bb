// The bot's side of the conversation, without the network and without a clock.
//
//     Hello ->  <- Welcome, then any number of updates; each Turn among them -> one Action
//
// A lost connection does not end a session: games go on where they were after another Hello, and a turn that comes
// again is given the same answer again, without asking the bot.

#pragma once

#include <google/protobuf/io/zero_copy_stream.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "aurum/bot.hpp"
#include "aurum/v1/play.pb.h"

namespace aurum {

class Session {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Send = std::function<void(const v1::Action&)>;

  Session(Bot& bot, Identity identity);

  // Begins a stream, the first one or another after a lost connection: the message to be sent first.
  v1::PlayRequest hello();

  // Takes the next PlayResponse of the stream, which arrived at `received`. Each answer is sent before the next turn is
  // thought about. Returns whether there were updates.
  //
  // Throws ProtocolError if the message is none of this protocol, and BotError if the author's code failed.
  bool take(google::protobuf::io::ZeroCopyInputStream& bytes, Time received, const Send& send);

  // The last Welcome; nothing before the first.
  const std::optional<v1::Welcome>& welcome() const { return welcome_; }
  // The reason that the referee gave when it was done with this bot; nothing before.
  const std::optional<std::string>& goodbye() const { return goodbye_; }

 private:
  struct RunningGame {
    std::shared_ptr<const Game> game;
    std::optional<v1::Action> last_answer;
  };

  void take(const v1::Welcome& welcome);
  void take(const v1::GameStart& message);
  void take(const std::shared_ptr<const v1::Turn>& message, Time received, const Send& send);
  void take(const v1::RoundEnd& message);
  void take(const v1::GameEnd& message);
  void take(const v1::Fault& message);

  Bot& bot_;
  Identity identity_;
  bool awaits_welcome_ = true;
  std::optional<v1::Welcome> welcome_;
  std::optional<std::string> goodbye_;
  std::unordered_map<std::uint64_t, RunningGame> games_;
};

}  // namespace aurum
