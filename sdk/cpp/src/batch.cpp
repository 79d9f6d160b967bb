#include "batch.hpp"

#include <utility>

namespace aurum {
namespace {

// Without a write for so long, what is ready does not wait for the bot to think about the next turn.
constexpr std::chrono::milliseconds kFlushAfter{2};
// In one message: under 30 KiB, of the 64 KiB that a referee takes.
constexpr int kMaxActions = 1000;

}  // namespace

Batch::Batch(Time since, Write write) : written_(since), write_(std::move(write)) {}

void Batch::add(const v1::Action& action, Time now) {
  *waiting_.add_actions() = action;
  if (waiting_.actions_size() == kMaxActions || now - written_ > kFlushAfter) {
    flush();
    written_ = now;
  }
}

void Batch::flush() {
  if (waiting_.actions().empty()) return;
  write_(waiting_);
  waiting_.clear_actions();
}

}  // namespace aurum
