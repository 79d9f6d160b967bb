#include "aurum/turn.hpp"

#include <ostream>

namespace aurum {

std::ostream& operator<<(std::ostream& out, Phase phase) {
  switch (phase) {
    case Phase::Bid:
      return out << "bid";
    case Phase::Exchange:
      return out << "exchange";
    case Phase::Lead:
      return out << "lead";
    case Phase::Follow:
      return out << "follow";
  }
  return out << "phase " << static_cast<int>(phase);
}

std::chrono::milliseconds Turn::time_left() const {
  return std::chrono::floor<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
}

}  // namespace aurum
