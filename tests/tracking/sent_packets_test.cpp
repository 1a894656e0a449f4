// The ring of packets in flight against a list that is searched from its beginning.
#include "tracking/requests/sent_packets.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace rocescope::sent_packets_test {
namespace {

/// What stands in the ring, with PSNs that do not wrap round.
struct Listed {
  std::int64_t position = 0;
  std::uint32_t span = 1;
  std::uint64_t frame = 0;
};

class Stream {
 public:
  explicit Stream(std::uint32_t first) : first_(first) {}

  [[nodiscard]] Psn psn(std::int64_t position) const { return first_ + static_cast<std::uint32_t>(position); }

  void send(std::int64_t position, std::uint32_t span) {
    ++frame_;
    ring_.add({.psn = psn(position), .span = span, .first_frame = frame_});
    const auto place =
        std::find_if(list_.begin(), list_.end(), [&](const Listed& other) { return other.position > position; });
    list_.insert(place, {position, span, frame_});
  }
  void prepare(std::size_t count) { ring_.prepare(count); }
  void trim(std::int64_t unacknowledged, std::size_t keep) {
    ring_.trim(psn(unacknowledged), keep);
    const auto covered = static_cast<std::size_t>(std::count_if(
        list_.begin(), list_.end(), [&](const Listed& other) { return other.position < unacknowledged; }));
    if (covered > keep) list_.erase(list_.begin(), list_.begin() + static_cast<std::ptrdiff_t>(covered - keep));
  }
  void expect_found(std::int64_t position) {
    const auto found = std::find_if(list_.begin(), list_.end(), [&](const Listed& other) {
      return other.position <= position && position < other.position + other.span;
    });
    const SentPacket* const packet = ring_.find(psn(position));
    ASSERT_EQ(packet != nullptr, found != list_.end()) << position;
    if (packet != nullptr) {
      EXPECT_EQ(packet->first_frame, found->frame) << position;
    }
  }
  void expect_visited(std::int64_t from, std::uint32_t count, std::size_t most) {
    std::vector<std::uint64_t> expected;
    for (const Listed& each : list_) {
      const bool inside = each.position >= from && each.position < from + count;
      if (inside && expected.size() < most) expected.push_back(each.frame);
    }
    std::vector<std::uint64_t> visited;
    ring_.visit(psn(from), count, most, [&](const SentPacket& packet) { visited.push_back(packet.first_frame); });
    EXPECT_EQ(visited, expected);
  }
  [[nodiscard]] bool empty() const { return ring_.empty(); }

 private:
  Psn first_;
  std::uint64_t frame_ = 0;
  SentPackets ring_;
  std::vector<Listed> list_;
};

TEST(SentPackets, AreFoundWhereverTheyStand) {
  std::mt19937 random(7);
  const auto below = [&](std::uint32_t end) {
    return std::uniform_int_distribution<std::uint32_t>(0, end - 1)(random);
  };
  for (int run = 0; run < 20; ++run) {
    Stream stream(Psn::kModulus - 200 + below(400));  // wraps round soon
    std::int64_t next = 0;
    std::int64_t unacknowledged = 0;
    std::vector<std::int64_t> holes;
    const std::uint32_t pace = 1 + below(40);  // how many are in flight between two acknowledgements
    for (int step = 0; step < 400; ++step) {
      if (below(8) == 0) holes.push_back(next++);
      if (below(8) == 0) stream.prepare(below(100));
      const std::uint32_t span = below(10) == 0 ? 1 + below(9) : 1;
      stream.send(next, span);
      next += span;
      if (!holes.empty() && below(4) == 0) {
        const std::uint32_t which = below(static_cast<std::uint32_t>(holes.size()));
        stream.send(holes[which], 1);
        holes.erase(holes.begin() + which);
      }
      if (below(pace) == 0) unacknowledged += below(static_cast<std::uint32_t>(next - unacknowledged) + 1);
      std::erase_if(holes, [&](std::int64_t hole) { return hole < unacknowledged; });
      stream.trim(unacknowledged, 64);
      for (int i = 0; i < 4; ++i) stream.expect_found(next - static_cast<std::int64_t>(below(120)));
      stream.expect_visited(unacknowledged, below(30), 1 + below(40));
      if (HasFatalFailure()) return;
    }
  }
}

/// To move all that follow one would take minutes.
TEST(SentPackets, TakeWhatComesBeforeAllOthers) {
  constexpr std::uint32_t kPackets = 300'000;
  SentPackets sent;
  for (std::uint32_t i = kPackets; i > 0; --i) sent.add({.psn = Psn(i), .first_frame = i});
  EXPECT_EQ(sent.size(), kPackets);
  for (const std::uint32_t psn : {1U, 2U, kPackets / 2, kPackets - 1, kPackets}) {
    const SentPacket* const packet = sent.find(Psn(psn));
    ASSERT_NE(packet, nullptr) << psn;
    EXPECT_EQ(packet->first_frame, psn);
  }
}

TEST(SentPackets, HaveRoomForAFew) {
  SentPackets sent;
  sent.prepare(5);
  for (std::uint32_t i = 0; i < 5; ++i) {
    EXPECT_FALSE(sent.is_full());
    sent.append() = {.psn = Psn(i), .first_frame = i + 1};
  }
  sent.prepare(1'000'000);  // not for so many
  for (std::uint32_t i = 5; !sent.is_full(); ++i) sent.append() = {.psn = Psn(i), .first_frame = i + 1};
  EXPECT_EQ(sent.size(), 64U);
  for (std::uint32_t i = 0; i < 64; ++i) EXPECT_EQ(sent.find(Psn(i))->first_frame, i + 1);
}

TEST(SentPackets, AreNoneAtFirst) {
  Stream stream(0);
  EXPECT_TRUE(stream.empty());
  stream.trim(10, 64);
  stream.expect_found(0);
  stream.expect_visited(0, 10, 10);
}

}  // namespace
}  // namespace rocescope::sent_packets_test
