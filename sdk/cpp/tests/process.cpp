#include "process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

namespace aurum::tests {
namespace {

void require(int error, const char* what) {
  if (error != 0) throw std::system_error(error, std::generic_category(), what);
}

// As C takes them; they live as long as `texts`.
std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (const std::string& text : texts) result.push_back(const_cast<char*>(text.c_str()));
  result.push_back(nullptr);
  return result;
}

}  // namespace

Process::Process(const std::vector<std::string>& command, const std::vector<std::string>& environment) {
  std::array<int, 2> ends{};
  require(pipe2(ends.data(), O_CLOEXEC) == 0 ? 0 : errno, "pipe2");
  read_end_ = ends[0];
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  const int error = posix_spawn(&pid_, command.front().c_str(), &actions, nullptr, pointers(command).data(),
                                pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  require(error, "posix_spawn");
}

Process::~Process() {
  if (pid_ != -1) {
    signal(SIGKILL);
    wait();
  }
  close(read_end_);
}

void Process::signal(int number) const { kill(pid_, number); }

int Process::wait() {
  std::array<char, 4096> chunk{};
  for (ssize_t size = 0; (size = read(read_end_, chunk.data(), chunk.size())) > 0;) {
    output_.append(chunk.data(), static_cast<std::size_t>(size));
  }
  int status = 0;
  waitpid(pid_, &status, 0);
  pid_ = -1;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace aurum::tests
