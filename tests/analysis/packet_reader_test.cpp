#include "analysis/packet_reader.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <thread>
#include <vector>

namespace rocescope {
namespace {

/// Frames of an empty Ethernet frame each, at the given times, all from the second interface.
class FakeSource : public FrameSource {
 public:
  explicit FakeSource(std::vector<std::int64_t> times) : times_(std::move(times)), info_(1) {
    info_[0].interfaces.resize(2);
    info_[0].interfaces[1].name = "enp0s1";
    info_[0].interfaces[1].section = 1;
  }
  bool next(Frame& frame) override {
    if (at_ == times_.size()) return false;
    frame = {.data = bytes_, .original_length = 14, .timestamp = times_[at_++], .number = at_, .interface_id = 1};
    return true;
  }
  std::span<const CaptureInfo> info() const override { return info_; }
  CaptureInfo& capture() { return info_[0]; }
  void add(std::int64_t time) { times_.push_back(time); }

 private:
  std::vector<std::int64_t> times_;
  std::vector<CaptureInfo> info_;
  std::vector<std::uint8_t> bytes_ = std::vector<std::uint8_t>(14);
  std::size_t at_ = 0;
};

TEST(PacketReader, TellsTheTimesBeforeEachPacket) {
  FakeSource source({100, 90, 120});
  PacketReader reader(source);
  const PacketRecord* record = reader.next();
  EXPECT_EQ(record->first_timestamp, 100);
  EXPECT_EQ(record->previous_timestamp, std::nullopt);
  EXPECT_EQ(record->previous_displayed_timestamp, std::nullopt);
  reader.mark_displayed();
  record = reader.next();
  EXPECT_EQ(record->first_timestamp, 100);
  EXPECT_EQ(record->previous_timestamp, 100);
  EXPECT_EQ(record->previous_displayed_timestamp, 100);
  record = reader.next();
  EXPECT_EQ(record->previous_timestamp, 90);
  EXPECT_EQ(record->previous_displayed_timestamp, 100);
  EXPECT_EQ(record->packet->frame.number, 3u);
  EXPECT_EQ(reader.next(), nullptr);
}

// As a live capture does, of which next() never waits.
TEST(PacketReader, GoesOnWhereASourceHasMoreAfterItHadNone) {
  FakeSource source({100});
  PacketReader reader(source);
  ASSERT_NE(reader.next(), nullptr);
  EXPECT_EQ(reader.next(), nullptr);
  EXPECT_EQ(reader.next(), nullptr);
  source.add(120);
  const PacketRecord* record = reader.next();
  ASSERT_NE(record, nullptr);
  EXPECT_EQ(record->packet->frame.timestamp, 120);
  EXPECT_EQ(record->previous_timestamp, 100);
  EXPECT_EQ(reader.next(), nullptr);
}

TEST(PacketReader, NamesTheInterface) {
  FakeSource source({1});
  PacketReader reader(source);
  EXPECT_EQ(reader.next()->interface->name, "enp0s1");
}

TEST(PacketReader, KnowsNoInterfaceOfAPcapFile) {
  FakeSource source({1});
  source.capture().interfaces[1].section = 0;
  PacketReader reader(source);
  EXPECT_EQ(reader.next()->interface, nullptr);
}

constexpr ReadingAhead kAllWays[] = {ReadingAhead::kNothing, ReadingAhead::kBatches, ReadingAhead::kInOwnThread};

TEST(PacketReader, GivesTheSameRecordsHoweverFarAheadItReads) {
  constexpr std::int64_t kFrames = 1'000;  // more than a few batches
  std::vector<std::int64_t> times;
  for (std::int64_t i = 0; i < kFrames; ++i) times.push_back(i % 7 * 10);
  for (const ReadingAhead ahead : kAllWays) {
    FakeSource source(times);
    PacketReader reader(source, {.ahead = ahead});
    for (std::int64_t i = 0; i < kFrames; ++i) {
      const PacketRecord* record = reader.next();
      ASSERT_NE(record, nullptr);
      EXPECT_EQ(record->packet->frame.number, static_cast<std::uint64_t>(i + 1));
      EXPECT_EQ(record->packet->frame.timestamp, i % 7 * 10);
      EXPECT_EQ(record->packet->frame.data.size(), 14u);
      EXPECT_EQ(record->previous_timestamp, i == 0 ? std::nullopt : std::optional((i - 1) % 7 * 10));
      EXPECT_EQ(record->interface->name, "enp0s1");
    }
    EXPECT_EQ(reader.next(), nullptr);
    EXPECT_EQ(reader.next(), nullptr);
  }
}

/// Says now and then that there is nothing, as a live capture does, and counts on how often.
class PausingSource final : public FrameSource {
 public:
  PausingSource(std::size_t frame_size, std::size_t run) : bytes_(frame_size), run_(run), info_(1) {}
  bool next(Frame& frame) override {
    if (given_++ == run_) {
      given_ = 0;
      ++pauses_;
      return false;
    }
    frame = {.data = bytes_, .original_length = static_cast<std::uint32_t>(bytes_.size()), .number = ++number_};
    return true;
  }
  std::span<const CaptureInfo> info() const override { return info_; }
  [[nodiscard]] std::size_t pauses() const noexcept { return pauses_; }

 private:
  std::vector<std::uint8_t> bytes_;
  std::size_t run_;
  std::vector<CaptureInfo> info_;
  std::size_t given_ = 0;
  std::size_t pauses_ = 0;
  std::uint64_t number_ = 0;
};

TEST(PacketReader, TellsEachTimeThatThereIsNothing) {
  for (const std::size_t frame_size : {64U, 1086U, 4170U, 200'000U}) {
    for (const std::size_t run : {1U, 5U, 128U, 1024U}) {
      PausingSource source(frame_size, run);
      PacketReader reader(source, {.ahead = ReadingAhead::kBatches});
      for (std::size_t pause = 1; pause <= 3; ++pause) {
        for (std::size_t i = 0; i < run; ++i) ASSERT_NE(reader.next(), nullptr) << frame_size << " " << run;
        EXPECT_EQ(reader.next(), nullptr) << frame_size << " " << run;
        EXPECT_EQ(source.pauses(), pause);
      }
    }
  }
}

TEST(PacketReader, ReadsNoMorePacketsThanItIsTo) {
  for (const ReadingAhead ahead : kAllWays) {
    FakeSource source(std::vector<std::int64_t>(1'000));
    PacketReader reader(source, {.most_packets = 300, .ahead = ahead});
    std::size_t packets = 0;
    while (reader.next() != nullptr) ++packets;
    EXPECT_EQ(packets, 300u);
    Frame frame;
    ASSERT_TRUE(source.next(frame));
    EXPECT_EQ(frame.number, 301u);
  }
}

TEST(PacketReader, LeavesTheSourceAloneOnceItIsStopped) {
  for (const ReadingAhead ahead : kAllWays) {
    FakeSource source(std::vector<std::int64_t>(100'000));
    PacketReader reader(source, {.ahead = ahead});
    ASSERT_NE(reader.next(), nullptr);
    reader.stop();
    std::uint64_t packets = 1;  // and what it had read before, to learn from and in batches
    while (reader.next() != nullptr) ++packets;
    EXPECT_LE(packets, 20'000u);
    Frame frame;
    ASSERT_TRUE(source.next(frame));
    EXPECT_EQ(frame.number, packets + 1);
  }
}

/// Large frames, and how many of them were asked for.
class LargeFrames : public FrameSource {
 public:
  bool next(Frame& frame) override {
    if (asked_ == kFrames) return false;
    frame = {.data = bytes_, .original_length = kSize, .timestamp = 1, .number = ++asked_};
    return true;
  }
  std::span<const CaptureInfo> info() const override { return {}; }
  [[nodiscard]] std::size_t asked() const { return asked_; }

  static constexpr std::size_t kFrames = 6;

 private:
  static constexpr std::uint32_t kSize = 2U << 20;
  std::vector<std::uint8_t> bytes_ = std::vector<std::uint8_t>(kSize);
  std::atomic<std::size_t> asked_ = 0;
};

TEST(PacketBatch, GivesTheMemoryOfALargeFrameBack) {
  PacketBatch batch;
  batch.bytes.resize(PacketBatch::kMostKept);
  batch.shrink();
  EXPECT_EQ(batch.bytes.capacity(), PacketBatch::kMostKept);
  batch.bytes.resize(PacketBatch::kMostKept + 1);
  batch.shrink();
  EXPECT_LE(batch.bytes.capacity(), PacketBatch::kMostKept);
}

TEST(PacketReader, HoldsNoMoreThanOneLargeFrame) {
  LargeFrames source;
  PacketReader reader(source, {.ahead = ReadingAhead::kInOwnThread});
  for (std::size_t number = 1; number <= LargeFrames::kFrames; ++number) {
    ASSERT_NE(reader.next(), nullptr);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));  // for a thread that would go on
    EXPECT_EQ(source.asked(), number);
  }
  EXPECT_EQ(reader.next(), nullptr);
}

}  // namespace
}  // namespace rocescope
