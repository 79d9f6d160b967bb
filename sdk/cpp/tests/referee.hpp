// A referee that plays a script, on a real socket.

#pragma once

#include <google/protobuf/unknown_field_set.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "aurum/v1/play.grpc.pb.h"

namespace aurum::tests {

using Wire = grpc::ServerReaderWriter<v1::PlayResponse, v1::PlayRequest>;
// What a referee does on one stream, and how it ends it.
using Script = std::function<grpc::Status(Wire&)>;

inline constexpr char kToken[] = "3q2-uSlr0x4m";
inline constexpr char kAnyPort[] = "127.0.0.1:0";

// Plays one script a stream, in their order.
class Referee final : private v1::RefereeService::Service {
 public:
  // `listen`: "host:0" or "unix:/path".
  Referee(const std::string& listen, std::vector<Script> scripts) : address_(listen), scripts_(std::move(scripts)) {
    int port = 0;
    grpc::ServerBuilder builder;
    builder.AddListeningPort(listen, grpc::InsecureServerCredentials(), &port);
    builder.RegisterService(this);
    server_ = builder.BuildAndStart();
    if (listen == kAnyPort) address_ = "127.0.0.1:" + std::to_string(port);
  }
  // Breaks off what is still going on.
  ~Referee() override { server_->Shutdown(std::chrono::system_clock::now()); }

  const std::string& address() const { return address_; }
  int streams() const { return streams_; }

 private:
  grpc::Status Play(grpc::ServerContext* context, Wire* wire) override {
    const auto found = context->client_metadata().find("authorization");
    const bool known = found != context->client_metadata().end() && found->second == std::string("Bearer ") + kToken;
    if (!known) return {grpc::StatusCode::UNAUTHENTICATED, "no seat has this token"};
    const auto stream = static_cast<std::size_t>(streams_++);
    if (stream >= scripts_.size()) return {grpc::StatusCode::OUT_OF_RANGE, "the script is over"};
    return scripts_[stream](*wire);
  }

  std::string address_;
  std::vector<Script> scripts_;
  std::atomic<int> streams_ = 0;
  std::unique_ptr<grpc::Server> server_;
};

// Hears the Hello and says Welcome.
inline void greet(Wire& wire, std::uint32_t grace_ms = 60'000) {
  v1::PlayRequest request;
  EXPECT_TRUE(wire.Read(&request));
  EXPECT_TRUE(request.has_hello());
  v1::PlayResponse response;
  response.mutable_welcome()->set_protocol_version(1);
  response.mutable_welcome()->set_reconnect_grace_ms(grace_ms);
  wire.Write(response);
}

inline void add_game_start(v1::PlayResponse& message, std::uint64_t game) {
  message.add_updates()->mutable_game_start()->set_game(game);
}

// A bid to be laid, `card` the only choice.
inline void add_turn(v1::PlayResponse& message, std::uint64_t game, std::uint32_t number, v1::Card card) {
  v1::Turn& turn = *message.add_updates()->mutable_turn();
  turn.set_game(game);
  turn.set_number(number);
  turn.set_phase(v1::PHASE_BID);
  turn.add_legal_cards(card);
}

inline v1::PlayResponse goodbye(const std::string& reason) {
  v1::PlayResponse message;
  message.add_updates()->mutable_goodbye()->set_reason(reason);
  return message;
}

// Bytes that are no PlayResponse: a Welcome that breaks off.
inline v1::PlayResponse malformed() {
  v1::PlayResponse message;
  message.GetReflection()->MutableUnknownFields(&message)->AddLengthDelimited(1, "\xff");
  return message;
}

// Says Goodbye, and hears the bot end its side.
inline grpc::Status dismiss(Wire& wire, const std::string& reason) {
  wire.Write(goodbye(reason));
  v1::PlayRequest request;
  EXPECT_FALSE(wire.Read(&request)) << request.ShortDebugString();
  return grpc::Status::OK;
}

}  // namespace aurum::tests
