#include "session.hpp"

#include <utility>

#include "answer.hpp"
#include "authors.hpp"
#include "errors.hpp"
#include "reading.hpp"

namespace aurum {
namespace {

constexpr std::uint32_t kProtocolVersion = 1;

}  // namespace

Session::Session(Bot& bot, Identity identity) : bot_(bot), identity_(std::move(identity)) {}

v1::PlayRequest Session::hello() {
  awaits_welcome_ = true;
  v1::PlayRequest request;
  v1::Hello& hello = *request.mutable_hello();
  hello.set_protocol_version(kProtocolVersion);
  hello.set_bot(identity_.name);
  hello.set_version(identity_.version);
  hello.set_language("cpp");
  hello.set_sdk("aurum-cpp/0.1.0");
  return request;
}

bool Session::take(google::protobuf::io::ZeroCopyInputStream& bytes, Time received, const Send& send) {
  // Shared, because a Turn keeps its part of the message, and an author may keep the Turn.
  const auto response = std::make_shared<v1::PlayResponse>();
  if (!response->ParseFromZeroCopyStream(&bytes)) {
    throw ProtocolError(ProtocolError::Kind::Malformed, "the referee sent bytes that are no PlayResponse");
  }
  if (std::exchange(awaits_welcome_, false)) {
    if (!response->has_welcome()) {
      throw ProtocolError(ProtocolError::Kind::NoWelcome, "the referee's first message is no Welcome");
    }
    take(response->welcome());
  }
  for (const v1::Update& update : response->updates()) {
    switch (update.kind_case()) {
      case v1::Update::kGameStart:
        take(update.game_start());
        break;
      case v1::Update::kTurn:
        take(std::shared_ptr<const v1::Turn>(response, &update.turn()), received, send);
        break;
      case v1::Update::kRoundEnd:
        take(update.round_end());
        break;
      case v1::Update::kGameEnd:
        take(update.game_end());
        break;
      case v1::Update::kFault:
        take(update.fault());
        break;
      case v1::Update::kGoodbye:
        goodbye_ = update.goodbye().reason();
        return true;
      case v1::Update::KIND_NOT_SET:  // also a kind that a later protocol has added: nothing to answer
        break;
    }
  }
  return !response->updates().empty();
}

void Session::take(const v1::Welcome& welcome) {
  if (welcome.protocol_version() != kProtocolVersion) {
    throw ProtocolError(ProtocolError::Kind::Version, "the referee speaks protocol version " +
                                                          std::to_string(welcome.protocol_version()) +
                                                          ", this bot version " + std::to_string(kProtocolVersion) +
                                                          ": take the SDK of the tournament's arena");
  }
  welcome_ = welcome;
}

void Session::take(const v1::GameStart& message) {
  // After a reconnection a game may be announced again: it goes on as it was.
  const auto [entry, is_new] = games_.try_emplace(message.game());
  if (!is_new) return;
  const auto game = entry->second.game = std::make_shared<const Game>(read(message));
  authors("game_start", game->id, 0, [&] { bot_.game_start(*game); });
}

void Session::take(const std::shared_ptr<const v1::Turn>& message, Time received, const Send& send) {
  const auto found = games_.find(message->game());
  if (found == games_.end()) {
    throw ProtocolError(ProtocolError::Kind::UnknownGame,
                        "the referee speaks of game " + std::to_string(message->game()) + ", which it has not started");
  }
  auto& [game, last_answer] = found->second;
  if (!last_answer || last_answer->number() != message->number()) {
    const Turn turn = read(message, game, received);
    const Move move = authors("choose", game->id, turn.number, [&] { return bot_.choose(turn); });
    last_answer = answer(turn, move);
  }
  send(*last_answer);
}

void Session::take(const v1::RoundEnd& message) {
  // Of an unknown game: this process was started anew in mid-game, and the game is none of its own.
  const auto found = games_.find(message.game());
  if (found == games_.end()) return;
  const RoundEnd end = read(message, found->second.game);
  authors("round_end", end.game->id, 0, [&] { bot_.round_end(end); });
}

void Session::take(const v1::GameEnd& message) {
  const auto ended = games_.extract(message.game());
  if (!ended) return;
  const GameEnd end = read(message, ended.mapped().game);
  authors("game_end", end.game->id, 0, [&] { bot_.game_end(end); });
}

void Session::take(const v1::Fault& message) {
  const Fault fault = read(message);
  authors("fault", fault.game, fault.turn, [&] { bot_.fault(fault); });
}

}  // namespace aurum
