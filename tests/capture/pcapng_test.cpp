// pcapng files block by block.
#include <gmock/gmock.h>

#include "pcap_bytes.hpp"
#include "support/hex.hpp"

namespace rocescope::testing {
namespace {

using ::testing::ElementsAre;

struct Pcapng : ::testing::TestWithParam<bool> {
  CaptureFolder folder;
  PcapngBytes make{GetParam()};

  Reading read(const std::vector<ByteVector>& parts) { return read_capture(folder.file("c", join(parts))); }
  [[nodiscard]] ByteVector count_option(std::uint16_t code, std::uint64_t count) const {
    return make.option(code, make.writer().u64(count).bytes);
  }
};

TEST_P(Pcapng, GivesFramesWithTimesAndLengths) {
  const Reading reading =
      read({make.section(), make.interface(1, 262144), make.enhanced(0, 1'700'000'000'123'456, some_frame(61, 7))});
  ASSERT_EQ(reading.error, "");
  ASSERT_EQ(reading.frames.size(), 1u);
  EXPECT_EQ(reading.frames[0].data, some_frame(61, 7));
  EXPECT_EQ(reading.frames[0].frame.original_length, 61u);
  EXPECT_EQ(reading.frames[0].frame.timestamp, 1'700'000'000'123'456'000);
  EXPECT_EQ(reading.frames[0].frame.number, 1u);
  EXPECT_EQ(reading.info[0].format, "pcapng");
  EXPECT_EQ(reading.info[0].interfaces[0].snap_length, 262144u);
  EXPECT_EQ(reading.warnings(), "");
}

TEST_P(Pcapng, ReadsWhatAnInterfaceSaysOfItself) {
  const ByteVector options = join({make.option(1, bytes_of("a comment")), make.option(2, bytes_of("enp0s1")),
                                   make.option(3, bytes_of("port to the switch")), make.option(9, {0x89}),
                                   make.option(14, make.writer().u64(1'700'000'000).bytes),
                                   make.option(12, bytes_of("Linux")), make.option(0, {})});
  const Reading reading =
      read({make.section(), make.interface(247, 128, options), make.enhanced(0, 513, some_frame())});
  ASSERT_EQ(reading.frames.size(), 1u);
  EXPECT_EQ(reading.frames[0].frame.timestamp, 1'700'000'001'001'953'125);
  EXPECT_EQ(reading.frames[0].frame.link_type, link_type::kInfiniBand);
  const CaptureInterface& interface = reading.info[0].interfaces.at(0);
  EXPECT_EQ(interface.name, "enp0s1");
  EXPECT_EQ(interface.description, "port to the switch");
  EXPECT_EQ(interface.link_type, link_type::kInfiniBand);
  EXPECT_EQ(interface.snap_length, 128u);
  EXPECT_EQ(interface.ticks_per_second, 512u);
  EXPECT_EQ(interface.dropped, std::nullopt);
}

TEST_P(Pcapng, KeepsInterfacesAndByteOrdersOfSectionsApart) {
  const PcapngBytes other{!GetParam()};
  const Reading reading =
      read({make.section(), make.interface(1, 0, make.option(2, bytes_of("a"))),
            make.interface(101, 0, join({make.option(2, bytes_of("b")), make.option(9, {9})})),
            make.enhanced(1, 7, some_frame()), make.enhanced(0, 7, some_frame()), other.section(),
            other.interface(113, 0, other.option(2, bytes_of("c"))), other.enhanced(0, 8, some_frame())});
  ASSERT_EQ(reading.frames.size(), 3u);
  EXPECT_EQ(reading.frames[0].frame.timestamp, 7);
  EXPECT_EQ(reading.frames[0].frame.link_type, 101u);
  EXPECT_EQ(reading.frames[1].frame.timestamp, 7'000);
  EXPECT_EQ(reading.frames[2].frame.timestamp, 8'000);
  EXPECT_EQ(reading.frames[2].frame.interface_id, 2u);
  const auto& interfaces = reading.info[0].interfaces;
  ASSERT_EQ(interfaces.size(), 3u);
  EXPECT_EQ(interfaces[reading.frames[0].frame.interface_id].name, "b");
  EXPECT_EQ(interfaces[reading.frames[1].frame.interface_id].name, "a");
  EXPECT_EQ(interfaces[reading.frames[2].frame.interface_id].name, "c");
  EXPECT_EQ(interfaces[1].section, 1u);
  EXPECT_EQ(interfaces[1].number, 1u);
  EXPECT_EQ(interfaces[2].section, 2u);
  EXPECT_EQ(interfaces[2].number, 0u);
}

TEST_P(Pcapng, TakesTheTimeOfAnErfFrameFromItsHeader) {
  // The first frame of a capture of native InfiniBand, whose time tshark gives as 1210794479.499693535.
  const ByteVector erf = hex("60eaeb7fef412b48 1505013800000122 f002ffff0048ffff");
  const Reading reading = read({make.section(), make.interface(197), make.enhanced(0, 1'210'794'479'499'693, erf)});
  ASSERT_EQ(reading.frames.size(), 1u);
  EXPECT_EQ(reading.frames[0].frame.timestamp, 1'210'794'479'499'693'535);
}

TEST_P(Pcapng, ReadsObsoletePacketBlocks) {
  const Reading reading =
      read({make.section(), make.interface(), make.interface(), make.obsolete(1, 9, some_frame(62))});
  ASSERT_EQ(reading.frames.size(), 1u);
  EXPECT_EQ(reading.frames[0].data, some_frame(62));
  EXPECT_EQ(reading.frames[0].frame.timestamp, 9'000);
  EXPECT_EQ(reading.frames[0].frame.interface_id, 1u);
}

TEST_P(Pcapng, ReadsSimplePacketBlocksUpToTheSnapLength) {
  const Reading reading = read({make.section(), make.interface(1, 62), make.enhanced(0, 5, some_frame()),
                                make.simple(some_frame(61), 61), make.simple(some_frame(62), 1000)});
  ASSERT_EQ(reading.frames.size(), 3u);
  EXPECT_EQ(reading.frames[1].data, some_frame(61));
  EXPECT_EQ(reading.frames[2].data, some_frame(62));
  EXPECT_EQ(reading.frames[2].frame.original_length, 1000u);
  EXPECT_EQ(reading.frames[2].frame.timestamp, 5'000);
  EXPECT_EQ(reading.warnings(),
            "frames without a time stamp (Simple Packet Blocks), which are given the time of the frame before: 2, the "
            "first at byte 140");
}

TEST_P(Pcapng, GivesTheCommentsOfEachFrame) {
  const ByteVector options = join({make.option(1, bytes_of("first")), make.option(2, make.writer().u32(1).bytes),
                                   make.option(1, bytes_of("second one")), make.option(0, {})});
  const Reading reading =
      read({make.section(), make.interface(), make.enhanced(0, 1, some_frame(61), options),
            make.enhanced(0, 2, some_frame()), make.enhanced(0, 3, some_frame(), make.option(1, {'x'}))});
  ASSERT_EQ(reading.frames.size(), 3u);
  EXPECT_THAT(reading.frames[0].comments, ElementsAre("first", "second one"));
  EXPECT_THAT(reading.frames[1].comments, ElementsAre());
  EXPECT_THAT(reading.frames[2].comments, ElementsAre("x"));
  EXPECT_EQ(reading.warnings(), "");
}

TEST_P(Pcapng, CountsWhatTheKernelAndTheInterfaceDropped) {
  const Reading reading = read(
      {make.section(), make.interface(), make.interface(), make.interface(), make.statistics(0, count_option(5, 3)),
       make.statistics(0, join({count_option(4, 100), count_option(5, 7), count_option(7, 20)})),
       make.statistics(1, count_option(4, 5)), make.statistics(9, count_option(5, 1))});
  EXPECT_EQ(reading.info[0].interfaces[0].dropped, 27u);
  EXPECT_EQ(reading.info[0].interfaces[1].dropped, std::nullopt);
  EXPECT_EQ(reading.info[0].interfaces[2].dropped, std::nullopt);
}

TEST_P(Pcapng, PassesOverBlocksItDoesNotKnow) {
  const Reading reading =
      read({make.section(), make.block(0x40000BAD, ByteVector(101)), make.interface(), make.block(4, ByteVector(16)),
            make.enhanced(0, 1, some_frame()), make.block(0x77777777, ByteVector(300'000)), make.block(0x0A, {}),
            make.enhanced(0, 2, some_frame())});
  EXPECT_EQ(reading.frames.size(), 2u);
  EXPECT_EQ(reading.warnings(), "");
}

TEST_P(Pcapng, SkipsAndCountsFramesOfUnknownInterfaces) {
  const Reading reading =
      read({make.section(), make.simple(some_frame(), 60), make.interface(), make.enhanced(1, 1, some_frame()),
            make.enhanced(0, 2, some_frame()), make.enhanced(0xFFFFFFFF, 1, some_frame()), make.section(),
            make.enhanced(0, 1, some_frame())});
  EXPECT_EQ(reading.frames.size(), 1u);
  EXPECT_EQ(reading.warnings(),
            "frames skipped because their interface is not described before them: 4, the first at byte 28");
}

TEST_P(Pcapng, SkipsAndCountsFramesLargerThanTheirBlock) {
  ByteVector large = make.enhanced(0, 1, some_frame());
  large[8 + 12 + (GetParam() ? 2 : 1)] = 0x10;
  const Reading reading = read({make.section(), make.interface(), large, make.enhanced(0, 2, some_frame()), large});
  EXPECT_EQ(reading.frames.size(), 1u);
  EXPECT_EQ(reading.warnings(),
            "frames skipped because their captured length is more than their block holds: 2, the first at byte 48");
}

TEST_P(Pcapng, SkipsAndCountsBlocksThatAreTooShort) {
  const Reading reading =
      read({make.section(), make.interface(), make.block(6, ByteVector(16)), make.block(2, ByteVector(8)),
            make.block(3, {}), make.block(5, ByteVector(8)), make.enhanced(0, 2, some_frame())});
  EXPECT_EQ(reading.frames.size(), 1u);
  EXPECT_EQ(reading.warnings(), "blocks skipped because they are too short for their type: 4, the first at byte 48");
}

TEST_P(Pcapng, KeepsAFrameWhoseOptionsAreDamaged) {
  const ByteVector damaged = join({make.option(1, {'x'}), make.writer().u16(1).u16(5000).bytes});
  const Reading reading = read({make.section(), make.interface(), make.enhanced(0, 1, some_frame(), damaged)});
  ASSERT_EQ(reading.frames.size(), 1u);
  EXPECT_THAT(reading.frames[0].comments, ElementsAre("x"));
  EXPECT_EQ(reading.warnings(), "blocks whose damaged options were ignored: 1, the first at byte 48");
}

TEST_P(Pcapng, TakesABlockLengthThatDoesNotCountThePadding) {
  const ByteVector data = some_frame(58);
  const ByteVector odd = make.writer().u32(6).u32(90).u32(0).u64(0).u32(58).u32(58).raw(data).pad().u32(90).bytes;
  const Reading reading = read({make.section(), make.interface(), odd, make.enhanced(0, 2, some_frame())});
  ASSERT_EQ(reading.frames.size(), 2u);
  EXPECT_EQ(reading.frames[0].data, data);
  EXPECT_EQ(reading.warnings(), "");
}

TEST_P(Pcapng, StopsWhereTheLengthsOfABlockDiffer) {
  for (const std::uint32_t type : {6u, 0x12345678u}) {
    ByteVector broken = make.block(type, ByteVector(100));
    broken.back() ^= 0xFF;
    const Reading reading = read({make.section(), make.interface(), make.enhanced(0, 1, some_frame()), broken,
                                  make.enhanced(0, 2, some_frame())});
    EXPECT_EQ(reading.frames.size(), 1u);
    EXPECT_EQ(reading.warnings(),
              "the record at byte 140 is damaged: the two lengths of the block differ; 1 frame was read before it");
  }
}

TEST_P(Pcapng, StopsAtAbsurdBlockLengths) {
  const std::vector<ByteVector> start = {make.section(), make.interface(), make.enhanced(0, 1, some_frame())};
  const auto with = [&](std::uint32_t type, std::uint32_t length) {
    return read({join(start), make.writer().u32(type).u32(length).bytes, ByteVector(100)});
  };
  EXPECT_EQ(with(6, 4).warnings(), "the record at byte 140 is damaged: a block of 4 bytes; 1 frame was read before it");
  EXPECT_EQ(with(6, 0xFFFFFFFF).warnings(),
            "the record at byte 140 is damaged: a block of 4294967295 bytes; 1 frame was read before it");
  EXPECT_EQ(with(6, 0x0FFFFFFC).warnings(),
            "the capture is cut at its end: the record at byte 140 is incomplete; 1 frame was read");
  EXPECT_EQ(with(0x1234, 0xFFFFFFFF).warnings(),
            "the capture is cut at its end: the record at byte 140 is incomplete; 1 frame was read");
  EXPECT_EQ(with(6, 4).frames.size(), 1u);
}

TEST_P(Pcapng, StopsAtASectionItCannotRead) {
  ByteVector no_magic = make.section();
  no_magic[8] ^= 0xFF;
  const std::vector<ByteVector> start = {make.section(), make.interface(), make.enhanced(0, 1, some_frame())};
  EXPECT_EQ(
      read({join(start), no_magic}).warnings(),
      "the record at byte 140 is damaged: a section header without its byte-order magic; 1 frame was read before it");
  EXPECT_EQ(read({join(start), make.section(2)}).warnings(),
            "the record at byte 140 is damaged: version 2 of pcapng; only version 1 is known; 1 frame was read "
            "before it");
  EXPECT_EQ(read({make.section(2)}).error,
            "cannot read " + folder.path("c") +
                ": the record at byte 0 is damaged: version 2 of pcapng; only version 1 is known; no frame was "
                "read before it");
}

TEST_P(Pcapng, GivesNothingBehindDamage) {
  const ByteVector packet = make.enhanced(0, 1, some_frame());
  const std::vector<ByteVector> start = {make.section(), make.interface(), packet};
  const ByteVector short_interface = make.block(1, ByteVector(4));
  EXPECT_EQ(read({join(start), make.section(2), packet, packet, packet}).frames.size(), 1u);
  EXPECT_EQ(read({join(start), short_interface, packet, packet, packet}).frames.size(), 1u);
}

TEST_P(Pcapng, StopsAtTooManyInterfaces) {
  ByteVector all = make.section();
  const ByteVector interface = make.interface();
  for (int i = 0; i < 65537; ++i) all.insert(all.end(), interface.begin(), interface.end());
  const Reading reading = read({all});
  EXPECT_EQ(reading.info[0].interfaces.size(), 65536u);
  EXPECT_EQ(reading.warnings(),
            "the record at byte 1310748 is damaged: more than 65536 interfaces; no frame was read before it");
}

TEST_P(Pcapng, LimitsNamesAndComments) {
  ByteVector comments;
  for (int i = 0; i < 1000; ++i) comments = join({comments, make.option(1, {})});
  const Reading reading = read({make.section(), make.interface(1, 0, make.option(2, ByteVector(5000, 'n'))),
                                make.enhanced(0, 1, some_frame(), comments)});
  EXPECT_EQ(reading.info[0].interfaces.at(0).name, std::string(1024, 'n'));
  EXPECT_EQ(reading.frames.at(0).comments.size(), 256u);
}

INSTANTIATE_TEST_SUITE_P(ByteOrders, Pcapng, ::testing::Bool(),
                         [](const auto& order) { return order.param ? "BigEndian" : "LittleEndian"; });

}  // namespace
}  // namespace rocescope::testing
