#pragma once

#include <string>
#include <string_view>

namespace aurum {

// What gRPC calls an address of the arena: `host:port` or `unix:/path`. Throws UsageError if it is none.
std::string grpc_target(std::string_view address);

}  // namespace aurum
