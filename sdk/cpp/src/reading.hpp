// From the protocol's messages to the values that an author works with.

#pragma once

#include <chrono>
#include <memory>

#include "aurum/events.hpp"
#include "aurum/game.hpp"
#include "aurum/turn.hpp"
#include "aurum/v1/play.pb.h"

namespace aurum {

Game read(const v1::GameStart& message);

// `received`: when the message arrived. Throws ProtocolError if the phase is none of the known ones.
Turn read(const std::shared_ptr<const v1::Turn>& message, std::shared_ptr<const Game> game,
          std::chrono::steady_clock::time_point received);

RoundEnd read(const v1::RoundEnd& message, std::shared_ptr<const Game> game);
GameEnd read(const v1::GameEnd& message, std::shared_ptr<const Game> game);
Fault read(const v1::Fault& message);

}  // namespace aurum
