#include "address.hpp"

#include <gtest/gtest.h>

#include "errors.hpp"

namespace aurum {
namespace {

TEST(Address, OfTheArenaIsATargetOfGrpc) {
  EXPECT_EQ("dns:///127.0.0.1:40123", grpc_target("127.0.0.1:40123"));
  EXPECT_EQ("dns:///[::1]:1", grpc_target("[::1]:1"));
  EXPECT_EQ("dns:///unix:65535", grpc_target("unix:65535"));
  EXPECT_EQ("unix:/tmp/a:b", grpc_target("unix:/tmp/a:b"));
}

TEST(Address, ThatIsNoneIsRefused) {
  for (const char* address : {"", "localhost", ":1", "localhost:", "localhost:http", "localhost:0", "localhost:65536",
                              "localhost:-1", "localhost:+1", "localhost:1 ", "unix:relative"}) {
    EXPECT_THROW(grpc_target(address), UsageError) << address;
  }
}

TEST(Address, IsNamedWithWhatIsExpected) {
  try {
    grpc_target("nowhere");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_STREQ("'nowhere' is no address: host:port or unix:/path is expected", error.what());
  }
}

}  // namespace
}  // namespace aurum
