#include <gmock/gmock.h>

#include "packets.hpp"
#include "printing.hpp"

namespace rocescope::render {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string print_tree(const std::vector<std::uint8_t>& frame, const TextOptions& options = {}) {
  return print(*make_tree_printer(options), {frame});
}

TEST(TreePrinter, ShowsNameValueAndMeaningOfEveryField) {
  EXPECT_THAT(print_tree(kNakRemoteAccess), HasSubstr(R"(
ACK Extended Transport Header: 4 bytes at 54, IBTA 9.3.5
  Syndrome                 98                                                     infiniband.aeth.syndrome
    Reserved               0                                                      infiniband.aeth.syndrome.reserved
    Kind                   3  NAK                                                 infiniband.aeth.syndrome.opcode
    Error code             2  remote access error                                 infiniband.aeth.syndrome.error_code
  Message sequence number  3                                                      infiniband.aeth.msn
Invariant CRC: 4 bytes at 58, IBTA 7.8.1
  Invariant CRC  0x26540472                                                       infiniband.invariant.crc
  [good]
Derived
)"));
}

TEST(TreePrinter, ShowsARealRdmaWriteFirst) {
  auto printer = make_tree_printer({});
  const std::string text = print_capture(*printer, lab_capture("lab_pingpong_atomic_udaddy.pcap"));
  EXPECT_THAT(text, HasSubstr(R"(
RDMA Extended Transport Header: 16 bytes at 54, IBTA 9.3.3
  Virtual address  0x000056371056c550                                             infiniband.reth.va
  Remote key       0x000004d5                                                     infiniband.reth.r_key
  DMA length       64                                                             infiniband.reth.dmalen
Payload: 64 bytes at 70, IBTA 9.2
)"));
  EXPECT_THAT(text, HasSubstr("\n    Starting PSN                      0x6bb978  7059832  "));
}

TEST(TreePrinter, RepeatsTheTitleForEachHeaderOfALayer) {
  const std::string text = print_tree(kSendVlansIpv6);
  EXPECT_THAT(text, HasSubstr("802.1Q VLAN tag: 4 bytes at 14, "));
  EXPECT_THAT(text, HasSubstr("802.1Q VLAN tag: 4 bytes at 18, "));
}

TEST(TreePrinter, TellsTheRightIcrcOfABadOne) {
  std::vector<std::uint8_t> broken = kNakRemoteAccess;
  broken.back() ^= 1;
  EXPECT_THAT(print_tree(broken), HasSubstr("0x26540473                                                       "
                                            "infiniband.invariant.crc\n  [bad: 0x26540472 would be right]\n"));
}

TEST(TreePrinter, TellsWhereDissectionEndedAndWhatItWanted) {
  std::vector<std::uint8_t> cut = kWriteOnlyImmediate;
  cut.resize(62);
  MemorySource source({cut});
  source.original_length = 86;
  const std::string text = print(*make_tree_printer({}), source);
  EXPECT_THAT(text, HasSubstr("Frame 1: 86 bytes on the wire, 62 captured\n"));
  EXPECT_THAT(text, HasSubstr("\n[truncated: RDMA Extended Transport Header needs 16 bytes at 54, 8 were captured]\n"
                              "[the ICRC cannot be verified: truncated]\nDerived\n"));
  EXPECT_THAT(print_tree(kWriteWithHalfItsReth),
              HasSubstr("\n[malformed: RDMA Extended Transport Header at 54 needs 16 bytes, 8 are left]\n"));
}

TEST(TreePrinter, CutsLongBytes) {
  EXPECT_THAT(print_tree(kCnpFrame), HasSubstr("  Reserved  00000000000000000000000000000000  "));
  auto printer = make_tree_printer({});
  EXPECT_THAT(print_capture(*printer, lab_capture("lab_pingpong_atomic_udaddy.pcap")),
              HasSubstr("\n  Payload  7b7b7b7b7b7b7b7b7b7b7b7b7b7b7b7b... (952 bytes)"));
}

TEST(TreePrinter, AddsAHexDumpWhenAsked) {
  EXPECT_THAT(print_tree(kNakRemoteAccess), Not(HasSubstr("\n0000  ")));
  TextOptions options;
  options.hex_dump = true;
  EXPECT_THAT(print_tree(kNakRemoteAccess, options),
              HasSubstr("\n\n0000  02 00 00 00 00 02 02 00 00 00 00 01 08 00 45 00   ..............E.\n"));
}

TEST(TreePrinter, ColoursTitlesAndNames) {
  TextOptions options;
  options.color = true;
  const std::string text = print_tree(kNakRemoteAccess, options);
  EXPECT_THAT(text, HasSubstr("\n\x1b[1mBase Transport Header\x1b[0m: 12 bytes at 42, IBTA 9.2\n"));
  EXPECT_THAT(text, HasSubstr("\x1b[2minfiniband.bth.psn\x1b[0m\n"));
}

}  // namespace
}  // namespace rocescope::render
