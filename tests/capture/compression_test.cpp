// Compressed captures, made with the programs that everyone uses.
#include <gmock/gmock.h>

#include "pcap_bytes.hpp"

namespace rocescope::testing {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Compressed : ::testing::TestWithParam<std::string> {
  void SetUp() override {
    if (!has_program(GetParam())) GTEST_SKIP() << GetParam() << " is not installed";
  }
  /// The path of `from` compressed.
  [[nodiscard]] std::string compress(const std::string& from, std::string_view name,
                                     const std::string& options = "") const {
    std::string to = folder.path(name);
    run(GetParam() + " -c " + options + " < '" + from + "' > '" + to + "'");
    return to;
  }
  static void expect_same(const Reading& reading, const Reading& plain) {
    ASSERT_EQ(reading.error, "");
    EXPECT_EQ(reading.warnings(), plain.warnings());
    ASSERT_EQ(reading.frames.size(), plain.frames.size());
    for (std::size_t i = 0; i < plain.frames.size(); ++i) {
      ASSERT_EQ(reading.frames[i].data, plain.frames[i].data);
      ASSERT_EQ(reading.frames[i].frame.timestamp, plain.frames[i].frame.timestamp);
    }
  }
  /// A pcap of several hundred KiB in which nothing repeats, so that it takes many compressed blocks.
  [[nodiscard]] static ByteVector large_pcap() {
    const PcapBytes make;
    ByteVector bytes = make.header();
    std::uint32_t state = 1;
    for (std::uint32_t i = 0; i < 700; ++i) {
      ByteVector data = some_frame(1000);
      for (std::size_t k = 14; k < data.size(); ++k)
        data[k] = static_cast<std::uint8_t>((state = state * 1664525 + 1013904223) >> 24);
      const ByteVector record = make.record(i, 0, data);
      bytes.insert(bytes.end(), record.begin(), record.end());
    }
    return bytes;
  }

  CaptureFolder folder;
  std::string plain_path = shipped("lab_pingpong_atomic_udaddy.pcap");
};

TEST_P(Compressed, ReadsAsPlain) {
  const Reading reading = read_capture(compress(plain_path, "c"));
  expect_same(reading, read_capture(plain_path));
  EXPECT_EQ(reading.info.at(0).format, "pcap in " + GetParam());
}

TEST_P(Compressed, ReadsPcapng) {
  const PcapngBytes make;
  const std::string plain =
      folder.file("p", join({make.section(), make.interface(), make.enhanced(0, 1, some_frame())}));
  const Reading reading = read_capture(compress(plain, "c"));
  EXPECT_EQ(reading.frames.size(), 1u);
  EXPECT_EQ(reading.info.at(0).format, "pcapng in " + GetParam());
}

TEST_P(Compressed, ReadsEveryLevel) {
  for (const char* level : {"-1", "-5", "-9"}) {
    expect_same(read_capture(compress(plain_path, "c", level)), read_capture(plain_path));
  }
}

TEST_P(Compressed, ReadsFramesInARow) {
  const ByteVector plain = read_file(plain_path);
  ByteVector all;
  for (std::size_t at = 0; at < plain.size();) {
    const std::size_t size = std::min<std::size_t>(100'001, plain.size() - at);
    const ByteVector piece = {plain.begin() + static_cast<std::ptrdiff_t>(at),
                              plain.begin() + static_cast<std::ptrdiff_t>(at + size)};
    all = join({all, read_file(compress(folder.file("piece", piece), "c"))});
    at += size;
  }
  expect_same(read_capture(folder.file("all", all)), read_capture(plain_path));
}

TEST_P(Compressed, GivesAllThatCanBeDecompressedBeforeACut) {
  const std::string plain = folder.file("p", large_pcap());
  const ByteVector whole = read_file(compress(plain, "c"));
  for (std::size_t percent = 5; percent < 100; percent += 13) {
    const std::string cut = folder.file("cut", first_bytes(whole, whole.size() * percent / 100));
    const std::size_t bytes = run(GetParam() + " -dc < '" + cut + "'", false).size();
    const Reading reading = read_capture(cut);
    if (bytes < 24) continue;  // nothing came out: an error, tested elsewhere
    ASSERT_EQ(reading.error, "");
    EXPECT_GE(reading.frames.size(), (bytes - 24) / 1016) << percent;
    EXPECT_THAT(reading.warnings(), StartsWith("the " + GetParam() + " data ends early, after "));
    EXPECT_THAT(reading.warnings(), HasSubstr(std::to_string(reading.frames.size()) + " frame"));
  }
}

TEST_P(Compressed, GivesAllThatCanBeDecompressedBeforeDamage) {
  const std::string plain = folder.file("p", large_pcap());
  ByteVector damaged = read_file(compress(plain, "c"));
  const std::size_t middle = damaged.size() / 2;
  for (std::size_t i = 0; i < 2000; ++i)
    damaged[middle + i] = static_cast<std::uint8_t>(damaged[middle + i] ^ (0x55 + i));
  const Reading reading = read_capture(folder.file("damaged", damaged));
  EXPECT_GE(reading.frames.size(), 250u);
  EXPECT_THAT(reading.warnings(), AnyOf(HasSubstr(" data cannot be decompressed "), HasSubstr(" is damaged: ")));
}

TEST_P(Compressed, SaysWhatIsInside) {
  EXPECT_EQ(read_capture(compress(folder.file("p", bytes_of("some text\n")), "c")).error,
            "cannot read " + folder.path("c") + ": inside its " + GetParam() +
                " data, it is text, not a capture. If it is a hex dump, Wireshark's text2pcap makes a capture of it: "
                "text2pcap " +
                folder.path("c") + " new.pcapng");
  EXPECT_EQ(read_capture(compress(folder.file("p", {}), "c")).error,
            "cannot read " + folder.path("c") + ": the " + GetParam() + " data holds nothing");
  EXPECT_EQ(read_capture(compress(compress(plain_path, "once"), "c")).error,
            "cannot read " + folder.path("c") + ": inside its " + GetParam() + " data, it holds " + GetParam() +
                " data once more. Unpack it once first");
}

TEST_P(Compressed, SaysWhatFollowsTheData) {
  const ByteVector whole = read_file(compress(plain_path, "c"));
  const Reading junk = read_capture(folder.file("junk", join({whole, bytes_of("junk")})));
  EXPECT_EQ(junk.frames.size(), 1288u);
  EXPECT_EQ(junk.warnings(), "what follows the " + GetParam() + " data at byte " + std::to_string(whole.size()) +
                                 " is not " + GetParam() + " and was ignored; 1288 frames were read");
  const Reading zeros = read_capture(folder.file("zeros", join({whole, ByteVector(512)})));
  EXPECT_EQ(zeros.frames.size(), 1288u);
  EXPECT_EQ(zeros.warnings(), "");
}

INSTANTIATE_TEST_SUITE_P(Programs, Compressed, ::testing::Values("gzip", "zstd", "lz4"),
                         [](const auto& program) { return program.param; });

struct SkippableFrames : Compressed {};

TEST_P(SkippableFrames, MayComeFirstAndLast) {
  const ByteVector skippable = ByteWriter().u32(0x184D2A50).u32(4).u32(0x1234).bytes;
  const ByteVector whole = read_file(compress(plain_path, "c"));
  expect_same(read_capture(folder.file("s", join({skippable, whole, skippable}))), read_capture(plain_path));
}

INSTANTIATE_TEST_SUITE_P(Programs, SkippableFrames, ::testing::Values("zstd", "lz4"),
                         [](const auto& program) { return program.param; });

TEST(Zstd, RefusesAWindowOf2GiB) {
  const CaptureFolder folder;
  // RFC 8878, 3.1.1: magic number, a frame header with a window descriptor of 2^31, a last raw block of one byte.
  const std::string path = folder.file("c", {0x28, 0xB5, 0x2F, 0xFD, 0x00, 0xA8, 0x09, 0x00, 0x00, 0x41});
  EXPECT_EQ(read_capture(path).error, "cannot read " + path +
                                          ": the zstd data cannot be decompressed from its byte 5 on: its window is "
                                          "larger than 128 MiB. Unpack it first, with zstd -d --long=31");
}

TEST(Compressed, DamagedFromTheStartIsAnError) {
  const CaptureFolder folder;
  const std::string gzip = folder.file("gz", {0x1F, 0x8B, 0x09, 0x00, 1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_EQ(
      read_capture(gzip).error,
      "cannot read " + gzip + ": the gzip data cannot be decompressed from its byte 4 on: unknown compression method");
  const std::string lz4 = folder.file("lz4", {0x04, 0x22, 0x4D, 0x18, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF});
  EXPECT_EQ(read_capture(lz4).error,
            "cannot read " + lz4 + ": the lz4 data cannot be decompressed from its byte 0 on: ERROR_reservedFlag_set");
  const std::string cut = folder.file("cut", {0x1F, 0x8B, 0x08, 0x00});
  EXPECT_EQ(read_capture(cut).error, "cannot read " + cut + ": the gzip data ends early, after 4 bytes");
}

}  // namespace
}  // namespace rocescope::testing
