#pragma once

#include <stdexcept>

namespace aurum {

// Whatever ends a bot before its Goodbye; the text is for its author.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The bot was started wrongly.
struct UsageError : Error {
  using Error::Error;
};

// The author's code threw, or answered what is not legal.
struct BotError : Error {
  using Error::Error;
};

// The referee said something that this protocol does not have.
struct ProtocolError : Error {
  enum class Kind { Malformed, NoWelcome, Version, UnknownGame, UnknownPhase };

  ProtocolError(Kind what_kind, const std::string& text) : Error(text), kind(what_kind) {}

  Kind kind;
};

// The referee ended the stream for good.
struct RefusedError : Error {
  using Error::Error;
};

// The referee is not there, or did not come back.
struct UnreachableError : Error {
  using Error::Error;
};

}  // namespace aurum
