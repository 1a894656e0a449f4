// Following connections that are known allocates nothing: operator new is replaced by one that counts.
#include <gtest/gtest.h>

#include "analysis/packet_reader.hpp"
#include "idle_connections.hpp"
#include "support/count_allocations.hpp"

namespace rocescope {
namespace {

using testing::allocations;

/// A capture whose frames were made before, so that only their reader allocates.
class Frames final : public FrameSource {
 public:
  explicit Frames(FrameSource& source) {
    Frame frame;
    while (source.next(frame)) {
      bytes_.emplace_back(frame.data.begin(), frame.data.end());
      frames_.push_back(frame);
      frames_.back().data = bytes_.back();
    }
    info_.assign(source.info().begin(), source.info().end());
  }
  bool next(Frame& frame) override {
    if (next_ == frames_.size()) return false;
    frame = frames_[next_++];
    return true;
  }
  [[nodiscard]] std::span<const CaptureInfo> info() const override { return info_; }

 private:
  std::vector<testing::Buffer> bytes_;
  std::vector<Frame> frames_;
  std::vector<CaptureInfo> info_;
  std::size_t next_ = 0;
};

TEST(Memory, IsAllocatedForNewThingsOnly) {
  constexpr std::uint32_t kConnections = 64;
  constexpr std::uint32_t kRounds = 2'000;
  testing::IdleConnections source(kConnections, kRounds);
  Frames frames(source);
  PacketReader reader(frames);
  constexpr std::uint64_t kPackets = std::uint64_t{2} * kConnections * kRounds;
  // Until then connections are made, and what remembers their last packets grows as long as it will be.
  for (std::uint64_t i = 0; i < kPackets / 2; ++i) ASSERT_NE(reader.next(), nullptr);
  const std::size_t before = allocations;
  for (std::uint64_t i = kPackets / 2; i < kPackets; ++i) ASSERT_NE(reader.next(), nullptr);
  // The series of rates go on: one allocation for each doubling of their buckets.
  const std::size_t most = 3 * kConnections;
  EXPECT_LE(allocations - before, most) << "for " << kPackets / 2 << " packets";
}

}  // namespace
}  // namespace rocescope
