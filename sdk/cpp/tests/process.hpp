// A program as a process of its own: started, watched, and ended with its object.

#pragma once

#include <string>
#include <vector>

namespace aurum::tests {

class Process {
 public:
  // `environment`: all of it, as NAME=VALUE.
  Process(const std::vector<std::string>& command, const std::vector<std::string>& environment);
  // Kills it if it still runs.
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  void signal(int number) const;
  // Waits for its end. Its exit code; 128 + the number of the signal that ended it.
  int wait();
  // What it has written to standard output and error, once `wait` is over.
  const std::string& output() const { return output_; }

 private:
  int pid_ = -1;
  int read_end_ = -1;
  std::string output_;
};

}  // namespace aurum::tests
