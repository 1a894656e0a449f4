// The bytes that the writer makes, and what stays of them when writing fails. tests/cli/extract_test.cpp has other programs
// read what it wrote.
#include "capture/pcapng_writer.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "support/hex.hpp"
#include "support/temporary_folder.hpp"

namespace rocescope {
namespace {

using testing::hex;

std::vector<std::uint8_t> bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class PcapngWriterTest : public ::testing::Test {
 protected:
  std::unique_ptr<PcapngWriter> create(const PcapngSection& section = {}) {
    Result<std::unique_ptr<PcapngWriter>> writer = PcapngWriter::create(path_, section);
    if (!writer) ADD_FAILURE() << writer.error().message;
    return writer ? std::move(*writer) : nullptr;
  }

  const testing::TemporaryFolder folder_;
  const std::string path_ = folder_.path("out.pcapng");
};

// Packed by hand after draft-ietf-opsawg-pcapng, 4.1 to 4.3 and 4.6.
TEST_F(PcapngWriterTest, WritesTheBlocksOfTheSpecification) {
  const auto writer = create({.application = "test", .comment = "why"});
  writer->add_interface({.name = "eth0",
                         .snap_length = 128,
                         .ticks_per_second = 1'000'000,
                         .dropped = 7,
                         .filter = "udp",
                         .os = "Linux"});
  const std::vector<std::uint8_t> data{1, 2, 3, 4, 5};
  const std::vector<std::string> comments{"one", "", "two!"};
  const Frame frame{.data = data, .original_length = 90, .timestamp = 1'700'000'000'123'456'000};
  EXPECT_TRUE(writer->write(frame, 0, comments));
  EXPECT_TRUE(writer->finish());
  EXPECT_EQ(writer->packets(), 1U);
  EXPECT_EQ(bytes_of(path_), hex(R"(
    0a0d0d0a300000004d3c2b1a01000000ffffffffffffffff010003007768790004000400746573740000000030000000
    010000003c0000000100000080000000020004006574683009000100060000000b000400007564700c0005004c696e7578000000000000003c000000
    060000003c00000000000000240a060040222018050000005a0000000102030405000000010003006f6e65000100040074776f21000000003c000000
    050000002800000000000000240a0600402220180500080007000000000000000000000028000000)"));
  EXPECT_EQ(writer->bytes(), bytes_of(path_).size());
}

TEST_F(PcapngWriterTest, KeepsNanosecondsWhateverTheResolutionWas) {
  for (const std::uint64_t ticks : {1'000'000'000ULL, 1ULL << 30, 1'000'000'000'000ULL}) {
    const auto writer = create();
    writer->add_interface({.ticks_per_second = ticks});
    EXPECT_TRUE(writer->write({.timestamp = 123'456'789'123'456'789}, 0));
    EXPECT_TRUE(writer->finish());
    const std::vector<std::uint8_t> bytes = bytes_of(path_);
    // if_tsresol is 9, the time stamp the number of nanoseconds: 0x01b69b4bacd05f15.
    EXPECT_EQ(bytes.at(28 + 16 + 4), 9) << ticks;
    const std::vector<std::uint8_t> stamp(bytes.begin() + 28 + 32 + 12, bytes.begin() + 28 + 32 + 20);
    EXPECT_EQ(stamp, hex("4b9bb601 155fd0ac")) << ticks;
  }
}

TEST_F(PcapngWriterTest, ErfRecordsHaveTimesOfTheirOwn) {
  const auto writer = create();
  writer->add_interface({.link_type = link_type::kErf, .ticks_per_second = 1'000'000});
  EXPECT_TRUE(writer->finish());
  EXPECT_EQ(bytes_of(path_).at(28 + 16 + 4), 9);
}

TEST_F(PcapngWriterTest, PacketsAreThereOnceTheyAreFlushed) {
  const auto writer = create();
  writer->add_interface({});
  const std::uintmax_t before = std::filesystem::file_size(path_);
  writer->write({}, 0);
  EXPECT_EQ(std::filesystem::file_size(path_), before);
  EXPECT_TRUE(writer->flush());
  EXPECT_EQ(std::filesystem::file_size(path_), writer->bytes());
}

TEST_F(PcapngWriterTest, AFullDiskIsAnErrorThatStays) {
  Result<std::unique_ptr<PcapngWriter>> writer = PcapngWriter::create("/dev/full", {});
  ASSERT_FALSE(writer);
  EXPECT_EQ(writer.error().message, "cannot write /dev/full: No space left on device");
}

}  // namespace
}  // namespace rocescope
