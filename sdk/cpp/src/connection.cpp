#include "connection.hpp"

#include <grpcpp/create_channel.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/proto_buffer_reader.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <thread>

#include "address.hpp"
#include "batch.hpp"
#include "errors.hpp"
#include "stream.hpp"

namespace aurum {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// For the end of the stream after a Goodbye: the referee kills a bot that is still there after a second.
constexpr milliseconds kLeave{500};
// Between the end of a stream and the next try, by how many there were without success.
constexpr std::array kBackoff = {milliseconds(50), milliseconds(100), milliseconds(200), milliseconds(400),
                                 milliseconds(500)};

std::shared_ptr<grpc::Channel> dial(const std::string& address) {
  grpc::ChannelArguments arguments;
  // A proxy in the environment would hijack even 127.0.0.1.
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 50);
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, 1000);  // how long one try may take
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 500);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, 10'000);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 5'000);
  // A long wait for the own turn is no reason to stop asking whether the referee is there.
  arguments.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  arguments.SetMaxReceiveMessageSize(4 * 1024 * 1024);
  return grpc::CreateCustomChannel(grpc_target(address), grpc::InsecureChannelCredentials(), arguments);
}

// Whether a stream that ended so is worth taking up again.
bool is_passing(grpc::StatusCode code) {
  switch (code) {
    case grpc::StatusCode::OK:  // ended without a Goodbye
    case grpc::StatusCode::UNAVAILABLE:
    case grpc::StatusCode::CANCELLED:
    case grpc::StatusCode::UNKNOWN:
    case grpc::StatusCode::INTERNAL:
    case grpc::StatusCode::ABORTED:
    case grpc::StatusCode::RESOURCE_EXHAUSTED:  // what the library makes of a connection that was cut as too busy
      return true;
    default:
      return false;
  }
}

// How a stream went.
struct Outcome {
  // Whether the referee said more than a Welcome.
  bool lived = false;
  // How it ended, if without a Goodbye.
  grpc::Status status;
};

// Talks on one stream until the Goodbye or the end of the stream.
Outcome talk(grpc::GenericStub& stub, const std::string& token, Session& session) {
  Stream stream(stub, token);
  stream.write(session.hello());
  bool lived = false;
  grpc::ByteBuffer message;
  while (stream.read(message)) {
    const auto received = steady_clock::now();
    // If the stream is over, a write does nothing: reading on says so, after what the referee has said before.
    Batch batch(received, [&stream](const v1::PlayRequest& answers) { stream.write(answers); });
    grpc::ProtoBufferReader bytes(&message);
    lived |=
        session.take(bytes, received, [&batch](const v1::Action& action) { batch.add(action, steady_clock::now()); });
    batch.flush();
    if (session.goodbye()) {
      stream.leave(kLeave);
      return {};
    }
  }
  return {lived, stream.status()};
}

std::string seconds(milliseconds time) {
  std::ostringstream text;
  text << std::chrono::duration<double>(time).count() << " s";
  return text.str();
}

}  // namespace

void converse(Session& session, const Whereabouts& where) {
  const auto channel = dial(where.address);
  grpc::GenericStub stub(channel);
  std::string ending = "no answer";
  std::size_t failures = 0;
  auto lost = steady_clock::now();
  while (true) {
    const auto& welcome = session.welcome();
    const auto patience = welcome ? milliseconds(welcome->reconnect_grace_ms()) : where.first_patience;
    const auto left = lost + patience - steady_clock::now();
    if (left <= left.zero() || !channel->WaitForConnected(std::chrono::system_clock::now() + left)) {
      throw UnreachableError("no referee at " + where.address + " within " + seconds(patience) + ": " + ending);
    }
    const auto started = steady_clock::now();
    const auto [lived, status] = talk(stub, where.token, session);
    if (session.goodbye()) return;
    const std::string& detail = status.error_message();
    ending =
        "the stream ended with status " + std::to_string(status.error_code()) + (detail.empty() ? "" : ", ") + detail;
    if (!is_passing(status.error_code())) {
      throw RefusedError("the referee refused: " + (detail.empty() ? ending : detail));
    }
    if (lived || steady_clock::now() > started + patience) {
      lost = steady_clock::now();
      failures = 0;
    }
    std::this_thread::sleep_for(kBackoff.at(std::min(failures, kBackoff.size() - 1)));
    ++failures;
  }
}

}  // namespace aurum
