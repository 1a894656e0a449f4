#include <gmock/gmock.h>

#include "packets.hpp"
#include "printing.hpp"

namespace rocescope::render {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

std::string print_line(const std::vector<std::uint8_t>& frame, const TextOptions& options = {}) {
  const std::string text = print(*make_line_printer(options), {frame});
  return text.substr(0, text.size() - 1);
}

TEST(LinePrinter, ShowsWhatMattersOfRealPackets) {
  const std::string text = print_capture(*make_line_printer({}), lab_capture("lab_pingpong_atomic_udaddy.pcap"));
  EXPECT_EQ(
      line_of(text, 15),
      "   15   3.575462  192.168.2.25 > 192.168.2.24  UD SEND Only                QP 0x000001  PSN 0          322 B"
      "  CM REQ comm 0x066854d5, RC QP 0x000011 PSN 7059832, MTU 1024, TCP port 7174 (rping)");
  EXPECT_EQ(
      line_of(text, 16),
      "   16   3.626598  192.168.2.24 > 192.168.2.25  UD SEND Only                QP 0x000001  PSN 0          322 B"
      "  CM REP comm 0x4db8c1d2 to 0x066854d5, QP 0x000011 PSN 55280");
  EXPECT_EQ(
      line_of(text, 19),
      "   19   3.657431  192.168.2.24 > 192.168.2.25  RC Acknowledge              QP 0x000011  PSN 55280       62 B"
      "  ACK MSN 1");
  EXPECT_EQ(
      line_of(text, 20),
      "   20   3.701238  192.168.2.24 > 192.168.2.25  RC RDMA READ Request        QP 0x000011  PSN 7059832     74 B"
      "  VA 0x56371056c370 R_Key 0x0000050b DMALen 64");
  EXPECT_EQ(line_of(text, 600),
            "  600  19.017207  192.168.2.24 > 192.168.2.25  RC ATOMIC Acknowledge       QP 0x000016  PSN 2994851    "
            " 70 B  ACK MSN 22, original 2443614124547536866");
}

TEST(LinePrinter, NamesWhyARequestWasRefused) {
  EXPECT_EQ(
      print_line(kNakRemoteAccess),
      "    1   0.000000      10.0.0.1 > 10.0.0.2      RC Acknowledge              QP 0x000011  PSN 802345      62 B"
      "  NAK remote access error MSN 3");
  EXPECT_THAT(print_line(kRnrNakFrame), EndsWith("  RNR NAK 0.64 ms MSN 3"));
  EXPECT_THAT(print_line(kAckWithCredits), EndsWith("  ACK MSN 4, 6 credits"));
}

TEST(LinePrinter, ShowsTheOperandsOfEachOperation) {
  EXPECT_THAT(print_line(kCmpSwap), EndsWith("  VA 0x1000 R_Key 0x00000099, compare 1 swap 18446744073709551615"));
  EXPECT_THAT(print_line(kWriteOnlyImmediate),
              EndsWith("  VA 0x7f0012345678 R_Key 0x00001234 DMALen 5, Imm 0x0000002a"));
  EXPECT_THAT(print_line(kSendInvalidate), EndsWith("  invalidate R_Key 0x00001234, payload 4"));
  EXPECT_THAT(print_line(kFlush),
              EndsWith("  persistence of memory region range, VA 0x7f0012345678 R_Key 0x00001234 DMALen 4096"));
}

TEST(LinePrinter, ShowsCongestion) {
  EXPECT_EQ(
      print_line(kCnpFrame),
      "    1   0.000000      10.0.0.1 > 10.0.0.2      CNP                         QP 0x000012  PSN 0           74 B"
      "  congestion notification");
  EXPECT_THAT(print_line(kSendCe), EndsWith("  payload 4, CE"));
  EXPECT_EQ(
      print_line(kSendVlansIpv6),
      "    1   0.000000       fe80::1 > fe80::2       RC SEND Only                QP 0x000012  PSN 11          90 B"
      "  payload 4, FECN, VLAN 100.5");
}

TEST(LinePrinter, ShowsHowConnectionsAreSetUp) {
  EXPECT_THAT(print_line(kCmRej), EndsWith("  CM REJ comm 0x000000a1 to 0x000000b2, REQ rejected: consumer reject"));
  EXPECT_THAT(print_line(kPortCounters), EndsWith("  MAD performance management GetResp PortCounters, status 0x001c"));
  EXPECT_THAT(print_line(kQpCreateReq), EndsWith("  QP_CREATE_REQ, QPN 0x00000021, QP type RC, Starting PSN 802345"));
}

TEST(LinePrinter, ShowsWhatATunnelAdds) {
  EXPECT_EQ(
      print_line(kSendInVxlan),
      "    1   0.000000      10.0.0.1 > 10.0.0.2      RC SEND Only                QP 0x000012  PSN 11         116 B"
      "  payload 4, CE on the tunnel, VLAN 7, VNI 100");
}

TEST(LinePrinter, AddsAHexDumpWhenAsked) {
  TextOptions options;
  options.hex_dump = true;
  EXPECT_THAT(print_line(kNakRemoteAccess, options),
              HasSubstr(" MSN 3\n0000  02 00 00 00 00 02 02 00 00 00 00 01 08 00 45 00   ..............E.\n"));
}

TEST(LinePrinter, TellsCutFromBroken) {
  std::vector<std::uint8_t> cut = kWriteOnlyImmediate;
  cut.resize(62);
  MemorySource source({cut});
  source.original_length = 86;
  EXPECT_THAT(print(*make_line_printer({}), source),
              EndsWith(" 86 B  truncated: RDMA Extended Transport Header needs 16 bytes at 54, 8 were captured\n"));
  EXPECT_THAT(print_line(kWriteWithHalfItsReth),
              EndsWith(" 62 B  malformed: RDMA Extended Transport Header at 54 needs 16 bytes, 8 are left"));
}

TEST(LinePrinter, SaysLittleOfAPayloadThatWasCutOff) {
  std::vector<std::uint8_t> cut = kWriteOnlyImmediate;
  cut.resize(76);
  MemorySource source({cut});
  source.original_length = 86;
  EXPECT_THAT(print(*make_line_printer({}), source), EndsWith(" DMALen 5, Imm 0x0000002a, cut\n"));
}

TEST(LinePrinter, ShowsABadIcrc) {
  std::vector<std::uint8_t> broken = kNakRemoteAccess;
  broken.back() ^= 1;
  EXPECT_THAT(print_line(broken), EndsWith("  NAK remote access error MSN 3, bad ICRC"));
}

TEST(LinePrinter, ShowsWhatIsNotRoce) {
  EXPECT_EQ(
      print_line(kTcp),
      "    1   0.000000      10.0.0.1 > 10.0.0.2      TCP 18515 > 40000                                        59 B"
      "  [P.], payload 5");
  EXPECT_THAT(print_line(kArp), HasSubstr("02:00:00:00:00:01 > 02:00:00:00:00:02  ARP  "));
  EXPECT_THAT(print_line(kArp), EndsWith("  who has 10.0.0.2, tell 10.0.0.1"));
}

TEST(LinePrinter, NamesTheVersionOfAnIpHeaderThatItCannotRead) {
  std::vector<std::uint8_t> version_0 = kTcp;
  version_0[14] = 0x05;
  EXPECT_THAT(print_line(version_0), HasSubstr("  IPv4  "));
  EXPECT_THAT(print_line(version_0), EndsWith("  malformed: Internet Protocol version 4 at 34"));
}

TEST(LinePrinter, GivesTheNumberOfAReservedNak) {
  std::vector<std::uint8_t> nak = kNakRemoteAccess;
  constexpr std::size_t kSyndrome = 54;
  nak[kSyndrome] = 0x67;
  EXPECT_THAT(print_line(nak), HasSubstr("  NAK reserved code 7 MSN 3"));
}

TEST(LinePrinter, ShowsWhoIsAskedToPause) {
  EXPECT_THAT(print_line(kPfc), HasSubstr("02:00:00:00:00:01 > 01:80:c2:00:00:01  PFC  "));
  EXPECT_THAT(print_line(kPfc), EndsWith("  60 B  priority 3 pause for 65535 quanta, priority 4 resume"));
  EXPECT_THAT(print_line(kPause), HasSubstr("  PAUSE  "));
  EXPECT_THAT(print_line(kPause), EndsWith("  60 B  pause for 100 quanta"));
}

TEST(LinePrinter, StaysOneLineWhateverTextAPacketHolds) {
  const std::string line = print_line(kHostileLldp);
  EXPECT_THAT(line, EndsWith(R"(  System name a\tb\nc"d,\x1b[2J, Port ID a/1)"));
  EXPECT_EQ(line.find('\n'), std::string::npos);
}

TEST(LinePrinter, AlignsWhatFollowsToTheWidestRocePacket) {
  const std::string text = print(*make_line_printer({}), {kSendVlansIpv6, kWriteOnlyImmediate, kArp, kCnpFrame});
  EXPECT_EQ(line_of(text, 2).find("QP"), line_of(text, 4).find("QP"));
  EXPECT_EQ(line_of(text, 2).find("10.0.0.2"), line_of(text, 4).find("10.0.0.2"));
}

TEST(LinePrinter, ColoursWhatStandsOut) {
  TextOptions options;
  options.color = true;
  EXPECT_THAT(print_line(kNakRemoteAccess, options), EndsWith("  \x1b[31;1mNAK remote access error MSN 3\x1b[0m"));
  EXPECT_THAT(print_line(kSendCe, options), EndsWith("  payload 4, \x1b[35mCE\x1b[0m"));
}

std::string time_of(TimeFormat format, std::int64_t step) {
  TextOptions options;
  options.time = format;
  MemorySource source({kCnpFrame, kCnpFrame, kCnpFrame});
  source.step = step;
  const std::string line = line_of(print(*make_line_printer(options), source), 3);
  return line.substr(6, line.find("      10.0.0.1") - 6);
}

TEST(LinePrinter, ShowsTimesAsTsharkDoes) {
  ::setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
  ::tzset();
  EXPECT_EQ(time_of(TimeFormat::kRelative, 1'000'000), "  0.002000");
  EXPECT_EQ(time_of(TimeFormat::kDelta, 1'000'000), "  0.001000");
  EXPECT_EQ(time_of(TimeFormat::kDeltaDisplayed, 1'000'000), "  0.001000");
  EXPECT_EQ(time_of(TimeFormat::kEpoch, 1'000'000), "1795198544.104624");
  EXPECT_EQ(time_of(TimeFormat::kAbsolute, 1'000'000), "19:15:44.104624");
  EXPECT_EQ(time_of(TimeFormat::kAbsoluteDate, 1'000'000), "2026-11-20 19:15:44.104624");
  EXPECT_EQ(time_of(TimeFormat::kUtc, 1'000'000), "18:15:44.104624");
  EXPECT_EQ(time_of(TimeFormat::kUtcDate, 1'000'000), "2026-11-20 18:15:44.104624");
  ::unsetenv("TZ");
  ::tzset();
}

TEST(LinePrinter, ShowsNanosecondsWhereTheCaptureHasThem) {
  EXPECT_EQ(time_of(TimeFormat::kRelative, 1'000'001), "  0.002000002");
}

TEST(LinePrinter, StandsTimesThatRunBackwards) { EXPECT_EQ(time_of(TimeFormat::kRelative, -1'000'000), " -0.002000"); }

}  // namespace
}  // namespace rocescope::render
