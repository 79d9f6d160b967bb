// From a bot's move to the Action that is sent.

#pragma once

#include "aurum/move.hpp"
#include "aurum/turn.hpp"
#include "aurum/v1/play.pb.h"

namespace aurum {

// The Action that answers a turn with a move. Throws BotError if the move is no legal answer.
v1::Action answer(const Turn& turn, const Move& move);

}  // namespace aurum
