// pcap files byte by byte.
#include <gmock/gmock.h>

#include "pcap_bytes.hpp"
#include "support/hex.hpp"

namespace rocescope::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Pcap : ::testing::TestWithParam<bool> {
  CaptureFolder folder;
  PcapBytes make{GetParam()};

  Reading read(const std::vector<ByteVector>& parts) { return read_capture(folder.file("c", join(parts))); }
};

TEST_P(Pcap, GivesFramesWithTimesAndLengths) {
  const Reading reading = read({make.header(), make.record(1'700'000'000, 123'456, some_frame(60, 1)),
                                make.record(1'700'000'001, 0, some_frame(61, 2), 1500)});
  ASSERT_EQ(reading.error, "");
  ASSERT_EQ(reading.frames.size(), 2u);
  EXPECT_EQ(reading.frames[0].data, some_frame(60, 1));
  EXPECT_EQ(reading.frames[0].frame.original_length, 60u);
  EXPECT_EQ(reading.frames[0].frame.timestamp, 1'700'000'000'123'456'000);
  EXPECT_EQ(reading.frames[0].frame.number, 1u);
  EXPECT_EQ(reading.frames[1].data, some_frame(61, 2));
  EXPECT_EQ(reading.frames[1].frame.original_length, 1500u);
  EXPECT_EQ(reading.frames[1].frame.number, 2u);
  EXPECT_EQ(reading.info.at(0).format, "pcap");
  EXPECT_EQ(reading.info[0].path, folder.path("c"));
  ASSERT_EQ(reading.info[0].interfaces.size(), 1u);
  EXPECT_EQ(reading.info[0].interfaces[0].snap_length, 65535u);
  EXPECT_EQ(reading.info[0].interfaces[0].ticks_per_second, 1'000'000u);
  EXPECT_EQ(reading.warnings(), "");
}

TEST_P(Pcap, KeepsNanoseconds) {
  const Reading reading =
      read({make.header(1, 65535, 0xA1B23C4D), make.record(1'700'000'000, 123'456'789, some_frame())});
  ASSERT_EQ(reading.frames.size(), 1u);
  EXPECT_EQ(reading.frames[0].frame.timestamp, 1'700'000'000'123'456'789);
  EXPECT_EQ(reading.info[0].format, "pcap (nanoseconds)");
  EXPECT_EQ(reading.info[0].interfaces[0].ticks_per_second, 1'000'000'000u);
}

TEST_P(Pcap, CountsSecondsAfter2038) {
  const Reading reading = read({make.header(), make.record(0xF0000000, 5, some_frame())});
  ASSERT_EQ(reading.frames.size(), 1u);
  EXPECT_EQ(reading.frames[0].frame.timestamp, 0xF0000000 * 1'000'000'000LL + 5'000);
}

TEST_P(Pcap, TakesFractionsAboveASecondAsTheyAre) {
  const Reading reading = read({make.header(), make.record(1, 0xFFFFFFFF, some_frame())});
  ASSERT_EQ(reading.frames.size(), 1u);
  EXPECT_EQ(reading.frames[0].frame.timestamp, 1'000'000'000 + 0xFFFFFFFFLL * 1'000);
}

TEST_P(Pcap, GivesTheLinkTypeOfTheFile) {
  // Raw IP is 101 in files, 12 and 14 in those of some systems; libpcap's own number for it is another.
  for (const auto& [in_file, given] : {std::pair{0u, 0u},
                                       {1u, 1u},
                                       {12u, 101u},
                                       {14u, 101u},
                                       {101u, 101u},
                                       {108u, 108u},
                                       {113u, 113u},
                                       {197u, 197u},
                                       {228u, 228u},
                                       {247u, 247u},
                                       {276u, 276u}}) {
    const Reading reading = read({make.header(in_file), make.record(1, 0, some_frame())});
    ASSERT_EQ(reading.frames.size(), 1u) << in_file;
    EXPECT_EQ(reading.frames[0].frame.link_type, given);
    EXPECT_EQ(reading.info[0].interfaces[0].link_type, given);
  }
}

TEST_P(Pcap, TakesTheTimeOfAnErfFrameFromItsHeader) {
  // The first frame of a capture of native InfiniBand, whose time tshark gives as 1210794479.499693535.
  const ByteVector erf = hex("60eaeb7fef412b48 1505013800000122 f002ffff0048ffff");
  const Reading reading = read({make.header(197), make.record(1210794479, 499693, erf), make.record(7, 8, hex("0102")),
                                make.record(9, 0, hex("ffffffff00000000"))});
  ASSERT_EQ(reading.frames.size(), 3u);
  EXPECT_EQ(reading.frames[0].frame.timestamp, 1'210'794'479'499'693'535);
  EXPECT_EQ(reading.frames[0].data, erf);
  EXPECT_EQ(reading.frames[1].frame.timestamp, 7'000'008'000);
  EXPECT_EQ(reading.frames[2].frame.timestamp, 1'000'000'000);
}

TEST_P(Pcap, IgnoresTheFcsLengthBesideTheLinkType) {
  const Reading reading = read({make.header(0x44000001), make.record(1, 0, some_frame())});
  ASSERT_EQ(reading.frames.size(), 1u) << reading.error;
  EXPECT_EQ(reading.frames[0].frame.link_type, link_type::kEthernet);
}

TEST_P(Pcap, KeepsFramesLongerThanTheSnapLength) {
  const Reading reading =
      read({make.header(1, 64), make.record(1, 0, some_frame(9000)), make.record(2, 0, some_frame())});
  ASSERT_EQ(reading.frames.size(), 2u);
  EXPECT_EQ(reading.frames[0].data, some_frame(9000));
  EXPECT_EQ(reading.info[0].interfaces[0].snap_length, 64u);
}

TEST_P(Pcap, ReadsEmptyFramesAndCapturesWithoutFrames) {
  const Reading none = read({make.header()});
  EXPECT_EQ(none.error + none.warnings(), "");
  EXPECT_TRUE(none.frames.empty());
  const Reading empty = read({make.header(), make.record(1, 0, {}), make.record(2, 0, some_frame())});
  ASSERT_EQ(empty.frames.size(), 2u);
  EXPECT_TRUE(empty.frames[0].data.empty());
}

TEST_P(Pcap, ReadsKuznetzovsLongerRecords) {
  ByteVector record = make.record(3, 4, some_frame());
  const ByteVector interface_index_and_protocol = {1, 0, 0, 0, 0, 8, 0, 0};
  record.insert(record.begin() + 16, interface_index_and_protocol.begin(), interface_index_and_protocol.end());
  const Reading reading = read({make.header(1, 65535, 0xA1B2CD34), record, record, first_bytes(record, 50)});
  ASSERT_EQ(reading.frames.size(), 2u);
  EXPECT_EQ(reading.frames[1].data, some_frame());
  EXPECT_EQ(reading.info[0].format, "pcap (modified)");
  EXPECT_THAT(reading.warnings(), HasSubstr("the record at byte 192 is incomplete; 2 frames were read"));
}

TEST_P(Pcap, StopsAtAnAbsurdCapturedLength) {
  for (const std::uint32_t length : {0x7FFFFFFFu, 0x80000000u, 0xFFFFFFFFu, 300'000u}) {
    ByteVector record = make.record(2, 0, some_frame());
    const ByteVector absurd = ByteWriter(GetParam()).u32(length).bytes;
    std::copy(absurd.begin(), absurd.end(), record.begin() + 8);
    const Reading reading = read({make.header(), make.record(1, 0, some_frame()), record, ByteVector(1000)});
    ASSERT_EQ(reading.frames.size(), 1u);
    EXPECT_THAT(reading.warnings(), StartsWith("the record at byte 100 is damaged: a captured length of " +
                                               std::to_string(length) + " bytes"));
    EXPECT_THAT(reading.warnings(), HasSubstr("; 1 frame was read before it"));
  }
}

TEST_P(Pcap, RefusesAHeaderThatIsCutOrOfAnotherVersion) {
  EXPECT_EQ(read({first_bytes(make.header(), 23)}).error,
            "cannot read " + folder.path("c") + ": its pcap header is cut");
  ByteVector header = make.header();
  header[GetParam() ? 5 : 4] = 9;
  EXPECT_EQ(read({header}).error,
            "cannot read " + folder.path("c") + ": libpcap says: unsupported pcap savefile version 9.4");
}

INSTANTIATE_TEST_SUITE_P(ByteOrders, Pcap, ::testing::Bool(),
                         [](const auto& order) { return order.param ? "BigEndian" : "LittleEndian"; });

}  // namespace
}  // namespace rocescope::testing
