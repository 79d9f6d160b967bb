// Calling the author's code, and saying where it failed.

#pragma once

#include <cstdint>
#include <exception>
#include <string>

#include "errors.hpp"

namespace aurum {

// " in game 7, turn 3"; 0 stands for none.
inline std::string where(std::uint64_t game, int turn) {
  if (game == 0) return "";
  return " in game " + std::to_string(game) + (turn == 0 ? "" : ", turn " + std::to_string(turn));
}

// What the author's code throws becomes a BotError.
template <class Call>
auto authors(const char* method, std::uint64_t game, int turn, Call call) {
  try {
    return call();
  } catch (const std::exception& error) {
    throw BotError(method + (" failed" + where(game, turn)) + ": " + error.what());
  } catch (...) {
    throw BotError(method + (" failed" + where(game, turn)));
  }
}

}  // namespace aurum
