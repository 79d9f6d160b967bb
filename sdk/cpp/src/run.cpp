// From the environment to a running bot, and from its end to an exit code.

#include <cstdlib>
#include <iostream>
#include <string>

#include "address.hpp"
#include "aurum/bot.hpp"
#include "authors.hpp"
#include "connection.hpp"
#include "errors.hpp"
#include "session.hpp"

namespace aurum {
namespace {

std::string required(const char* variable) {
  const char* value = std::getenv(variable);
  if (value != nullptr && *value != '\0') return value;
  throw UsageError(std::string(variable) +
                   " is not set: bots are started by the arena (arena play --bot NAME=COMMAND ...)");
}

int fail(const std::exception& error, int code) {
  std::cerr << "aurum: " << error.what() << '\n';
  return code;
}

}  // namespace

int run(Bot& bot, const Identity& identity) {
  // Or gRPC prints notes among the author's own.
  setenv("GRPC_VERBOSITY", "NONE", 0);
  try {
    const Whereabouts where{required("AURUM_ADDRESS"), required("AURUM_TOKEN")};
    grpc_target(where.address);  // before the author's code, which may take long
    authors("setup", 0, 0, [&] { bot.setup(); });
    Session session(bot, identity);
    converse(session, where);
    return 0;
  } catch (const UsageError& error) {
    return fail(error, 2);
  } catch (const std::exception& error) {
    return fail(error, 1);
  }
}

}  // namespace aurum
