// The answers to one message of the referee: they go out as one message, unless the bot thinks for long.

#pragma once

#include <chrono>
#include <functional>

#include "aurum/v1/play.pb.h"

namespace aurum {

class Batch {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Write = std::function<void(const v1::PlayRequest&)>;

  // Since when nothing was written: the arrival of the message.
  Batch(Time since, Write write);

  // Takes an answer that is ready `now`; it may have to wait for others.
  void add(const v1::Action& action, Time now);
  // Writes what is still waiting.
  void flush();

 private:
  Time written_;
  Write write_;
  v1::PlayRequest waiting_;
};

}  // namespace aurum
