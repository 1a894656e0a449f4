// Captures cut at every place and spoiled at every byte: the frames before are read, with a warning.
#include <gmock/gmock.h>

#include <filesystem>

#include "pcap_bytes.hpp"

namespace rocescope::testing {
namespace {

/// A capture as the pieces that its format cannot divide, and how many frames are complete after each.
struct Pieces {
  std::string name;
  std::vector<ByteVector> pieces;
  std::vector<std::size_t> frames;
};

Pieces pcap_pieces() {
  const PcapBytes make;
  return {"pcap",
          {make.header(), make.record(1, 0, some_frame(60, 1)), make.record(2, 0, some_frame(61, 2)),
           make.record(3, 0, some_frame(62, 3))},
          {0, 1, 2, 3}};
}

Pieces pcapng_pieces() {
  const PcapngBytes make{true};
  return {
      "pcapng",
      {make.section(), make.interface(1, 0, make.option(2, bytes_of("eth0"))), make.enhanced(0, 1, some_frame(60, 1)),
       make.block(0x4711, ByteVector(20)), make.simple(some_frame(61, 2), 61), make.section(), make.interface(),
       make.obsolete(0, 2, some_frame(62, 3)), make.statistics(0, make.option(5, ByteVector(8)))},
      {0, 0, 1, 1, 2, 2, 2, 3, 3}};
}

struct Damage : ::testing::TestWithParam<Pieces> {
  CaptureFolder folder;
  ByteVector whole = join(GetParam().pieces);
  std::vector<FrameCopy> frames = read_capture(folder.file("whole", whole)).frames;

  /// Frames that are complete in the first `size` bytes, and whether a piece ends there.
  [[nodiscard]] std::pair<std::size_t, bool> expected(std::size_t size) const {
    std::size_t end = 0;
    std::size_t complete = 0;
    for (std::size_t i = 0; i < GetParam().pieces.size(); ++i) {
      end += GetParam().pieces[i].size();
      if (size == end) return {GetParam().frames[i], true};
      if (size < end) return {complete, false};
      complete = GetParam().frames[i];
    }
    return {complete, true};
  }
  void expect_first_frames(const Reading& reading) const {
    ASSERT_LE(reading.frames.size(), frames.size());
    for (std::size_t i = 0; i < reading.frames.size(); ++i) EXPECT_EQ(reading.frames[i].data, frames[i].data);
  }
  static bool warns_of(const Reading& reading, std::string_view what) {
    return !reading.error.empty() || reading.warnings().find(what) != std::string::npos;
  }
};

TEST_P(Damage, OfACutLeavesTheFramesBeforeIt) {
  ASSERT_EQ(frames.size(), 3u);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    SCOPED_TRACE(size);
    const Reading reading = read_capture(folder.file("cut", first_bytes(whole, size)));
    const auto [count, between] = expected(size);
    EXPECT_EQ(reading.frames.size(), count);
    expect_first_frames(reading);
    if (size == 0) {
      EXPECT_NE(reading.error, "");
    } else {
      EXPECT_EQ(warns_of(reading, "the capture is cut at its end"), !between) << reading.warnings();
    }
  }
}

TEST_P(Damage, ByACutInCompressedDataIsReported) {
  for (const std::string program : {"gzip", "zstd", "lz4"}) {
    if (!has_program(program)) GTEST_SKIP() << program << " is not installed";
    folder.file("plain", whole);
    run(program + " -c < '" + folder.path("plain") + "' > '" + folder.path("packed") + "'");
    const ByteVector packed = read_file(folder.path("packed"));
    for (std::size_t size = 0; size < packed.size(); ++size) {
      SCOPED_TRACE(program + " " + std::to_string(size));
      const Reading reading = read_capture(folder.file("cut", first_bytes(packed, size)));
      EXPECT_TRUE(warns_of(reading, "the " + program + " data ends early, after " + std::to_string(size) + " bytes"));
      expect_first_frames(reading);
    }
    EXPECT_EQ(read_capture(folder.path("packed")).frames.size(), 3u);
  }
}

TEST_P(Damage, OfGzipLeavesWhatGzipItselfCanRead) {
  if (!has_program("gzip")) GTEST_SKIP() << "gzip is not installed";
  folder.file("plain", whole);
  run("gzip -c < '" + folder.path("plain") + "' > '" + folder.path("packed") + "'");
  const ByteVector packed = read_file(folder.path("packed"));
  for (std::size_t size = 20; size < packed.size(); ++size) {
    SCOPED_TRACE(size);
    const std::string cut = folder.file("cut", first_bytes(packed, size));
    const std::size_t bytes = run("gzip -dc < '" + cut + "'", false).size();
    EXPECT_GE(read_capture(cut).frames.size(), expected(bytes).first);
  }
}

TEST_P(Damage, OfAnyByteIsSurvived) {
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const std::uint8_t change : {std::uint8_t{0x01}, std::uint8_t{0x80}, std::uint8_t{0xFF}}) {
      ByteVector spoiled = whole;
      spoiled[at] = static_cast<std::uint8_t>(spoiled[at] ^ change);
      const Reading reading = read_capture(folder.file("spoiled", spoiled));
      EXPECT_LE(reading.frames.size(), frames.size() + 1);
    }
  }
}

TEST_P(Damage, OfAnyCompressedByteIsSurvived) {
  for (const std::string program : {"gzip", "zstd", "lz4"}) {
    if (!has_program(program)) GTEST_SKIP() << program << " is not installed";
    folder.file("plain", whole);
    run(program + " -c < '" + folder.path("plain") + "' > '" + folder.path("packed") + "'");
    const ByteVector packed = read_file(folder.path("packed"));
    for (std::size_t at = 0; at < packed.size(); ++at) {
      for (const std::uint8_t change : {std::uint8_t{0x01}, std::uint8_t{0x80}, std::uint8_t{0xFF}}) {
        ByteVector spoiled = packed;
        spoiled[at] = static_cast<std::uint8_t>(spoiled[at] ^ change);
        EXPECT_LE(read_capture(folder.file("spoiled", spoiled)).frames.size(), frames.size() + 1);
      }
    }
  }
}

TEST_P(Damage, ByWhoeverEmptiesTheFileMeanwhileIsReportedAsACut) {
  std::vector<ByteVector> pieces = {whole};
  if (GetParam().name == "pcap") {
    pieces.insert(pieces.end(), 200, PcapBytes{}.record(4, 0, some_frame(60'000)));
  } else {
    pieces.insert(pieces.end(), 200, PcapngBytes{true}.enhanced(0, 4, some_frame(60'000)));
  }
  const std::string path = folder.file("shrinking", join(pieces));
  const auto source = open_capture(path);
  ASSERT_TRUE(source);
  Frame frame;
  ASSERT_TRUE((*source)->next(frame));
  std::filesystem::resize_file(path, 0);
  std::size_t more = 0;
  for (; (*source)->next(frame); ++more) EXPECT_LE(frame.data.size(), 60'000u);
  EXPECT_LT(more, 200u);
  ASSERT_FALSE((*source)->info()[0].warnings.empty());
  EXPECT_THAT((*source)->info()[0].warnings.back(), ::testing::HasSubstr("the capture is cut at its end"));
}

INSTANTIATE_TEST_SUITE_P(Formats, Damage, ::testing::Values(pcap_pieces(), pcapng_pieces()),
                         [](const auto& pieces) { return pieces.param.name; });

}  // namespace
}  // namespace rocescope::testing
