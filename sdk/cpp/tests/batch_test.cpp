#include "batch.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace aurum {
namespace {

using std::chrono::milliseconds;

class BatchTest : public ::testing::Test {
 protected:
  void add(milliseconds after) { batch_.add(v1::Action(), kArrival + after); }

  static constexpr Batch::Time kArrival{std::chrono::hours(1)};
  std::vector<int> written_;
  Batch batch_{kArrival, [this](const v1::PlayRequest& request) { written_.push_back(request.actions_size()); }};
};

TEST_F(BatchTest, OfQuickAnswersIsOneMessage) {
  add(milliseconds(0));
  add(milliseconds(1));
  add(milliseconds(2));
  EXPECT_EQ(std::vector<int>{}, written_);
  batch_.flush();
  EXPECT_EQ(std::vector{3}, written_);
}

TEST_F(BatchTest, IsWrittenOnceTheBotThinksForLong) {
  add(milliseconds(1));
  add(milliseconds(3));
  add(milliseconds(5));
  add(milliseconds(6));
  EXPECT_EQ((std::vector{2, 2}), written_);
}

TEST_F(BatchTest, HoldsNoMoreThanTheRefereeTakes) {
  for (int i = 0; i < 2001; ++i) add(milliseconds(0));
  EXPECT_EQ((std::vector{1000, 1000}), written_);
  batch_.flush();
  EXPECT_EQ((std::vector{1000, 1000, 1}), written_);
}

TEST_F(BatchTest, OfNothingIsNotWritten) {
  batch_.flush();
  EXPECT_EQ(std::vector<int>{}, written_);
}

}  // namespace
}  // namespace aurum
