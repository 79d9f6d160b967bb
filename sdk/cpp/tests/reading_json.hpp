#pragma once

#include <chrono>

#include "aurum/turn.hpp"
#include "vectors.hpp"

namespace aurum::tests {

// All of a turn, as `reading` has it in sdk/vectors/turns.json.
Json reading_of(const Turn& turn, std::chrono::steady_clock::time_point received);

}  // namespace aurum::tests
