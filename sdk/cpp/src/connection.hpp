// The conversation over the network: answers go out as they are ready, and a lost connection is taken up again.

#pragma once

#include <chrono>
#include <string>

#include "session.hpp"

namespace aurum {

// Where the referee is, and what it knows this bot by.
struct Whereabouts {
  // `host:port` or `unix:/path`.
  std::string address;
  std::string token;
  // How long to wait for a referee that has never been there.
  std::chrono::milliseconds first_patience = std::chrono::seconds(10);
};

// Plays until the referee's Goodbye. Throws RefusedError if the referee ends the stream for good, UnreachableError if
// it is not there or does not come back within the grace that its Welcome granted, UsageError if the address is none,
// and what the session throws.
void converse(Session& session, const Whereabouts& where);

}  // namespace aurum
