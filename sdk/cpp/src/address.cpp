#include "address.hpp"

#include <charconv>

#include "errors.hpp"

namespace aurum {
namespace {

bool is_port(std::string_view text) {
  unsigned port = 0;
  const auto [end, error] = std::from_chars(text.begin(), text.end(), port);
  return error == std::errc() && end == text.end() && port >= 1 && port <= 65535;
}

}  // namespace

std::string grpc_target(std::string_view address) {
  if (address.starts_with("unix:/")) return std::string(address);
  const auto colon = address.rfind(':');
  if (colon == std::string_view::npos || colon == 0 || !is_port(address.substr(colon + 1))) {
    throw UsageError("'" + std::string(address) + "' is no address: host:port or unix:/path is expected");
  }
  // With its scheme, or a host might be taken for one.
  return "dns:///" + std::string(address);
}

}  // namespace aurum
