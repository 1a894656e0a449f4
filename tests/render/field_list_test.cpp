#include "render/packets/field_list.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>
#include <vector>

namespace rocescope::render {
namespace {

using ::testing::HasSubstr;

std::string list(FieldOrder order) {
  std::string text;
  append_field_list(order, text);
  return text;
}

TEST(FieldList, HasALineForEachFieldWithNineParts) {
  std::istringstream lines(list(FieldOrder::kPacket));
  std::string line;
  std::size_t count = 0;
  while (std::getline(lines, line)) {
    EXPECT_EQ(std::ranges::count(line, '\t'), 8) << line;
    ++count;
  }
  EXPECT_GT(count, 300u);
}

TEST(FieldList, TellsTypeWidthMeaningAndValues) {
  const std::string text = list(FieldOrder::kPacket);
  EXPECT_THAT(text, HasSubstr("\ninfiniband.bth.psn\tnumber\t24\tdec\tPacket sequence number\tinfiniband.bth\tIBTA 9.2"
                              "\t-\t-\n"));
  EXPECT_THAT(text,
              HasSubstr("\ninfiniband.aeth.syndrome.opcode\tnumber\t2\tdec\tKind\tinfiniband.aeth\tIBTA 9.3.5\t-\t"
                        "0 ACK, 1 RNR NAK, 2 reserved, 3 NAK\n"));
  EXPECT_THAT(text, HasSubstr("\nip.src\tipv4\t32\t-\tSource address\tip\tRFC 791\tip.addr\t-\n"));
  EXPECT_THAT(text, HasSubstr("\ninfiniband.payload\tbytes\t*\t-\tPayload\t"));
  EXPECT_THAT(text, HasSubstr("\t0x800 IPv4, "));
}

TEST(FieldList, SortsByNameWhenAsked) {
  std::istringstream lines(list(FieldOrder::kName));
  std::string line;
  std::vector<std::string> names;
  while (std::getline(lines, line)) names.push_back(line.substr(0, line.find('\t')));
  EXPECT_TRUE(std::ranges::is_sorted(names));
}

}  // namespace
}  // namespace rocescope::render
