// Several captures as one.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "pcap_bytes.hpp"

namespace rocescope::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Merge : ::testing::Test {
  CaptureFolder folder;
  PcapBytes pcap;
  PcapngBytes pcapng;

  /// A pcap whose frames come at these seconds, each frame filled with `fill`.
  [[nodiscard]] std::string capture(std::string_view name, std::uint8_t fill,
                                    const std::vector<std::uint32_t>& times) const {
    ByteVector bytes = pcap.header();
    for (const std::uint32_t time : times) bytes = join({bytes, pcap.record(time, 0, some_frame(60, fill))});
    return folder.file(name, bytes);
  }
  /// `a1 b1 a2`: fill and seconds of each frame.
  static std::string order(const Reading& reading) {
    std::string text;
    for (const FrameCopy& copy : reading.frames) {
      if (!text.empty()) text += ' ';
      text += static_cast<char>(copy.data.back());
      text += std::to_string(copy.frame.timestamp / 1'000'000'000);
    }
    return text;
  }
};

TEST_F(Merge, GoesByTimeAndNumbersTheResult) {
  const Reading reading =
      read_captures({capture("a", 'a', {1, 4, 6}), capture("b", 'b', {2, 3, 7}), capture("c", 'c', {5})});
  EXPECT_EQ(order(reading), "a1 b2 b3 a4 c5 a6 b7");
  for (std::size_t i = 0; i < reading.frames.size(); ++i) EXPECT_EQ(reading.frames[i].frame.number, i + 1);
  ASSERT_EQ(reading.info.size(), 3u);
  EXPECT_EQ(reading.info[1].path, folder.path("b"));
  EXPECT_EQ(reading.frames[1].frame.capture_id, 1u);
  EXPECT_EQ(reading.frames[4].frame.capture_id, 2u);
}

TEST_F(Merge, TakesTheFirstNamedAtTheSameTime) {
  const std::string a = capture("a", 'a', {1, 1, 2});
  const std::string b = capture("b", 'b', {1, 2, 2});
  EXPECT_EQ(order(read_captures({a, b})), "a1 a1 b1 a2 b2 b2");
  EXPECT_EQ(order(read_captures({b, a})), "b1 a1 a1 b2 b2 a2");
  EXPECT_EQ(order(read_captures({a, a})), "a1 a1 a1 a1 a2 a2");
}

TEST_F(Merge, KeepsTheOrderOfACaptureWhoseTimesRunBackwards) {
  EXPECT_EQ(order(read_captures({capture("a", 'a', {5, 2, 6}), capture("b", 'b', {1, 3, 6})})), "b1 b3 a5 a2 a6 b6");
}

TEST_F(Merge, ReadsCapturesWithoutFrames) {
  EXPECT_EQ(order(read_captures({capture("a", 'a', {}), capture("b", 'b', {1})})), "b1");
  EXPECT_EQ(order(read_captures({capture("a", 'a', {}), capture("b", 'b', {})})), "");
}

TEST_F(Merge, KeepsFormatsInterfacesAndCommentsApart) {
  const std::string a = capture("a", 'a', {1, 3});
  const std::string b =
      folder.file("b", join({pcapng.section(), pcapng.interface(1, 0, pcapng.option(2, bytes_of("x"))),
                             pcapng.interface(101, 0, pcapng.option(2, bytes_of("y"))),
                             pcapng.enhanced(1, 2'000'000, some_frame(60, 'b'), pcapng.option(1, bytes_of("noted")))}));
  const Reading reading = read_captures({a, b});
  ASSERT_EQ(order(reading), "a1 b2 a3");
  EXPECT_THAT(reading.frames[0].comments, ElementsAre());
  EXPECT_THAT(reading.frames[1].comments, ElementsAre("noted"));
  EXPECT_THAT(reading.frames[2].comments, ElementsAre());
  EXPECT_EQ(reading.frames[1].frame.capture_id, 1u);
  EXPECT_EQ(reading.frames[1].frame.interface_id, 1u);
  EXPECT_EQ(reading.frames[1].frame.link_type, 101u);
  EXPECT_EQ(reading.frames[2].frame.link_type, 1u);
  EXPECT_EQ(reading.info[0].format, "pcap");
  EXPECT_EQ(reading.info[1].format, "pcapng");
  EXPECT_EQ(reading.info[1].interfaces.at(1).name, "y");
}

TEST_F(Merge, GoesOnWithTheOthersWhereOneIsCut) {
  const std::string a = capture("a", 'a', {1, 3, 5});
  const ByteVector bytes = read_file(a);
  const std::string cut = folder.file("cut", first_bytes(bytes, bytes.size() - 1));
  const Reading reading = read_captures({cut, capture("b", 'b', {2, 4, 6})});
  EXPECT_EQ(order(reading), "a1 b2 a3 b4 b6");
  EXPECT_THAT(reading.info[0].warnings,
              ElementsAre("the capture is cut at its end: the record at byte 176 is incomplete; 2 frames were read"));
  EXPECT_THAT(reading.info[1].warnings, ElementsAre());
}

/// The newest file of a ring has no byte until its first packets are written.
TEST_F(Merge, GoesOnWithTheOthersWhereOneIsEmpty) {
  const Reading reading = read_captures({folder.file("a", {}), capture("b", 'b', {2, 4}), capture("c", 'c', {3})});
  EXPECT_EQ(reading.error, "");
  EXPECT_EQ(order(reading), "b2 c3 b4");
  EXPECT_EQ(reading.info[0].format, "empty");
  EXPECT_THAT(reading.info[0].warnings, ElementsAre("it is empty"));
  EXPECT_EQ(read_captures({folder.path("a"), folder.path("a")}).error,
            "cannot read " + folder.path("a") + ": it is empty");
}

TEST_F(Merge, GoesOnWithTheOthersWhereOneThatIsCompressedHoldsNothing) {
  const std::string good = capture("b", 'b', {2, 4});
  for (const std::string_view program : {"gzip", "zstd", "lz4"}) {
    if (!has_program(program)) GTEST_SKIP() << program << " is not installed";
    const std::string empty = folder.path("empty");
    run(fmt::format("{} -c < /dev/null > {}", program, empty));
    const std::string why = fmt::format("the {} data holds nothing", program);
    const Reading reading = read_captures({empty, good});
    EXPECT_EQ(order(reading), "b2 b4");
    EXPECT_THAT(reading.info[0].warnings, ElementsAre(why));
    EXPECT_EQ(read_captures({empty, empty}).error, fmt::format("cannot read {}: {}", empty, why));
    const std::string cut = folder.path("cut");
    run(fmt::format("head -c 23 {} | {} -c > {}", good, program, cut));
    EXPECT_THAT(read_captures({cut, good}).info.at(0).warnings, ElementsAre("its header is cut"));
  }
}

/// It may hold packets that nobody would miss in the report.
TEST_F(Merge, FailsWhereOneCannotBeDecompressed) {
  const std::string good = capture("b", 'b', {2, 4});
  run(fmt::format("gzip -c < {} > {}", good, folder.path("whole")));
  ByteVector bytes = read_file(folder.path("whole"));
  const std::string cut = folder.file("cut", first_bytes(bytes, 12));
  EXPECT_THAT(read_captures({good, cut}).error, StartsWith("cannot read " + cut + ": the gzip data ends early"));
  bytes[10] = 0xFF;
  const std::string damaged = folder.file("damaged", bytes);
  EXPECT_THAT(read_captures({good, damaged}).error, HasSubstr("the gzip data cannot be decompressed"));
}

/// Whoever wrote it was stopped before the first packet.
TEST_F(Merge, GoesOnWithTheOthersWhereTheHeaderOfOneIsCut) {
  const std::string good = capture("b", 'b', {2, 4});
  const std::string options = folder.file("e", pcapng.section(1, pcapng.option(4, bytes_of("dumpcap"))));
  const std::pair<std::string, std::size_t> cuts[] = {
      {good, 23}, {good, 4}, {folder.file("d", pcapng.section()), 27}, {options, 29}, {options, 39}};
  for (const auto& [whole, size] : cuts) {
    const std::string cut = folder.file("a", first_bytes(read_file(whole), size));
    const Reading reading = read_captures({cut, good});
    EXPECT_EQ(reading.error, "");
    EXPECT_EQ(order(reading), "b2 b4");
    EXPECT_THAT(reading.info[0].warnings, ElementsAre("its header is cut"));
    EXPECT_EQ(read_captures({cut, cut}).error, "cannot read " + cut + ": its header is cut");
  }
  EXPECT_THAT(read_captures({folder.file("a", {0xD4, 0xC3, 0xB2}), good}).error, HasSubstr("no capture"));
}

TEST_F(Merge, FailsWhereOneCannotBeRead) {
  const std::string error = read_captures({capture("a", 'a', {1}), folder.file("b", {'x', '\n'})}).error;
  EXPECT_THAT(error, StartsWith("cannot read " + folder.path("b") + ": it is text, not a capture"));
}

}  // namespace
}  // namespace rocescope::testing
