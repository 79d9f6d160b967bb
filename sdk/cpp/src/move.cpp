#include "aurum/move.hpp"

#include <ostream>

namespace aurum {

std::ostream& operator<<(std::ostream& out, const Pass& /*pass*/) { return out << "pass"; }

std::ostream& operator<<(std::ostream& out, const Exchange& exchange) {
  return out << "exchange " << exchange.gold << ' ' << exchange.card << " @" << exchange.seat;
}

}  // namespace aurum
