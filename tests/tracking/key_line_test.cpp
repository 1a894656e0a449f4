// Lines that perftest 4.5 and 6.x and libibverbs' ping-pongs wrote to a socket, taken from captures.
#include "tracking/handshakes/key_line.hpp"

#include <gtest/gtest.h>

#include <string>

namespace rocescope {
namespace {

std::optional<KeyLine> parse(const std::string& text) {
  const std::vector<std::uint8_t> bytes(text.begin(), text.end());
  return parse_key_line(bytes);
}

// captures/pingpong-uc.pcapng, frame 7
const std::string kPingpong = std::string("0000:000011:417c6a:00000000000000000000ffffc0a80219") + '\0';
// captures/perftest-cmp_swap_bw.pcapng, frame 17
const std::string kPerftest =
    std::string(
        "0000:0080:000011:823662:0000029e:000055fb86169000:00:00:00:00:00:00:00:00:00:00:ff:ff:c0:a8:02:19:00000000:") +
    '\0';

TEST(KeyLine, OfAPingpong) {
  const auto line = parse(kPingpong);
  ASSERT_TRUE(line);
  EXPECT_EQ(line->form, KeyLineForm::kPingpong);
  EXPECT_EQ(line->qpn, Qpn(0x11));
  EXPECT_EQ(line->first_psn, Psn(0x417c6a));
  EXPECT_TRUE(line->gid.is_v4());
  EXPECT_EQ(line->gid.bytes[15], 0x19);
  EXPECT_EQ(line->r_key, 0U);
  EXPECT_EQ(line->size, 52U);
}

TEST(KeyLine, OfPerftest) {
  const auto line = parse(kPerftest + kPerftest);
  ASSERT_TRUE(line);
  EXPECT_EQ(line->form, KeyLineForm::kPerftest);
  EXPECT_EQ(line->qpn, Qpn(0x11));
  EXPECT_EQ(line->first_psn, Psn(0x823662));
  EXPECT_EQ(line->r_key, 0x29eU);
  EXPECT_EQ(line->address, 0x55fb86169000U);
  EXPECT_EQ(line->gid.bytes[15], 0x19);
  EXPECT_EQ(line->size, 108U);
}

TEST(KeyLine, OfPerftestThatValidatesData) {
  std::string text = kPerftest;
  text.insert(text.find(":00:00:00"), ":000055fb86170000");
  const auto line = parse(text);
  ASSERT_TRUE(line);
  EXPECT_EQ(line->address, 0x55fb86169000U);
  EXPECT_EQ(line->form, KeyLineForm::kPerftest);
  EXPECT_EQ(line->gid.bytes[15], 0x19);
  EXPECT_EQ(line->size, 125U);
}

TEST(KeyLine, IsWholeOrNone) {
  for (const std::string& text : {kPingpong, kPerftest}) {
    for (std::size_t size = 0; size < text.size(); ++size) EXPECT_FALSE(parse(text.substr(0, size))) << size;
    for (std::size_t at = 0; at < text.size(); ++at) {
      std::string other = text;
      other[at] = 'x';
      EXPECT_FALSE(parse(other)) << at;
    }
  }
}

TEST(KeyLine, NamesAQueuePairAndAGid) {
  // ibv_srq_pingpong sends its whole table, most of it empty.
  EXPECT_FALSE(parse(std::string("0000:000000:000000:00000000000000000000000000000000") + '\0'));
  EXPECT_FALSE(parse(std::string("0001:000011:417c6a:00000000000000000000000000000000") + '\0'));
}

}  // namespace
}  // namespace rocescope
