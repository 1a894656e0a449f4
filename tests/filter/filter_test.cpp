// What tshark cannot witness: fields that it does not have, and where this language goes further than Wireshark 4.0.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <string>
#include <vector>

#include "filter_fixture.hpp"

namespace rocescope::filter {
namespace {

TEST_F(Filters, EmptyFilterPassesEverything) {
  EXPECT_TRUE(passes(""));
  EXPECT_TRUE(passes(" \t\n"));
}

TEST_F(Filters, InnermostAddressHasTheTypeThatFitsIt) {
  EXPECT_TRUE(passes("rocescope.src == 10.22.116.220"));
  EXPECT_TRUE(passes("rocescope.src == 10.22.0.0/16"));
  EXPECT_TRUE(passes("rocescope.addr == 10.22.116.221"));
  EXPECT_FALSE(passes("rocescope.src == fe80::1"));
  EXPECT_TRUE(passes("rocescope.src != fe80::1")) << "an IPv4 address is not that IPv6 address";
  EXPECT_TRUE(passes("rocescope.src in {fe80::/10, 10.0.0.0/8}"));
  use(kNak6);
  EXPECT_TRUE(passes("rocescope.src == fe80::1"));
  EXPECT_TRUE(passes("rocescope.src == fe80::/64"));
  EXPECT_FALSE(passes("rocescope.src == 10.22.116.220"));
  EXPECT_TRUE(passes("rocescope.dst == 10.0.0.9")) << "an IPv4-mapped address is an IPv4 address";
  EXPECT_TRUE(passes("string(rocescope.src) == \"fe80::1\""));
}

TEST_F(Filters, MaskOfIpv6AddressesCountsEveryBit) {
  use(kNak6);
  EXPECT_TRUE(passes("ipv6.src & ffff:: == fe80::"));
  EXPECT_TRUE(passes("ipv6.src & ::1"));
  EXPECT_FALSE(passes("ipv6.src & ::2"));
  EXPECT_TRUE(passes("ipv6.src == fe80::3/126"));
  EXPECT_FALSE(passes("ipv6.src == fe80::3/127"));
}

TEST_F(Filters, ValuesGoByTheirNamesInEitherCase) {
  use(kNak6);
  EXPECT_TRUE(passes("infiniband.aeth.syndrome.opcode == \"NAK\""));
  EXPECT_TRUE(passes("infiniband.aeth.syndrome.opcode == nak"));
  EXPECT_TRUE(passes("infiniband.aeth.syndrome.opcode in {ACK, \"RNR NAK\", NAK}"));
  EXPECT_TRUE(passes("infiniband.aeth.syndrome.error_code == \"remote operational error\""));
  EXPECT_TRUE(passes("infiniband.bth.opcode == \"RC Acknowledge\""));
}

TEST_F(Filters, NameOfManyValuesMeansAnyOfThem) {
  use(kNak6);
  EXPECT_FALSE(passes("infiniband.aeth.syndrome.error_code == reserved"));
  EXPECT_TRUE(passes("infiniband.aeth.syndrome.error_code != reserved"));
  auto reserved = kNak6;
  reserved[74] = 0x6A;
  use(reserved);
  EXPECT_TRUE(passes("infiniband.aeth.syndrome.error_code == reserved"));
  EXPECT_FALSE(passes("infiniband.aeth.syndrome.error_code != reserved"));
}

TEST_F(Filters, TextsCompareWithWordsAndStrings) {
  EXPECT_TRUE(passes("rocescope.transport == DC"));
  EXPECT_TRUE(passes("rocescope.transport == \"DC\""));
  EXPECT_FALSE(passes("rocescope.transport == \"dc\""));
  EXPECT_TRUE(passes("rocescope.transport matches \"^dc$\""));
  EXPECT_TRUE(passes("rocescope.opcode.name contains \"WRITE\""));
  EXPECT_TRUE(passes("rocescope.operation[0:4] == \"RDMA\""));
  EXPECT_TRUE(passes("lower(rocescope.position) in {\"first\", \"only\"}"));
  EXPECT_TRUE(passes("len(rocescope.transport) == 2"));
}

TEST_F(Filters, BeginningOfANameAsksForAnyFieldBelowIt) {
  EXPECT_FALSE(passes("rocescope.stop"));
  EXPECT_TRUE(passes("rocescope.icrc"));
  use({kDcWrite.begin(), kDcWrite.begin() + 50});
  EXPECT_TRUE(passes("rocescope.stop"));
}

TEST_F(Filters, ExclusiveOrBindsBetweenAndAndOr) {
  EXPECT_FALSE(passes("ip xor udp"));
  EXPECT_TRUE(passes("ip ^^ ipv6"));
  EXPECT_TRUE(passes("ip xor udp xor eth"));
  EXPECT_TRUE(passes("ip xor udp and ipv6")) << "ip xor (udp and ipv6)";
  EXPECT_TRUE(passes("ip or udp xor udp")) << "ip or (udp xor udp)";
  EXPECT_FALSE(passes("not ip xor not udp"));
}

TEST_F(Filters, SetsTakeSpacesForCommas) {
  EXPECT_TRUE(passes("udp.port in {1 2 4791}"));
  EXPECT_TRUE(passes("udp.port in {1 4000..5000}"));
  EXPECT_TRUE(passes("udp.port in {1,2 4791}"));
  EXPECT_FALSE(passes("udp.port in {1 2..3}"));
  EXPECT_TRUE(passes("len(udp) in {7..9}")) << "functions as well";
  EXPECT_TRUE(passes("eth.src[0:3] in {00:b2:00 01:02:03}")) << "and slices";
}

TEST_F(Filters, ParenthesesMayHoldAnOperand) {
  EXPECT_TRUE(passes("(infiniband.bth.opcode & 0x1f) == 10"));
  EXPECT_TRUE(passes("((ip.src)) == 10.22.116.220"));
  EXPECT_TRUE(passes("not (udp.port & 1) == 0"));
}

TEST_F(Filters, HeadersAreByteSequences) {
  EXPECT_TRUE(passes("infiniband.bth[0] == 4a"));
  EXPECT_TRUE(passes("len(infiniband.bth) == 12"));
  EXPECT_FALSE(passes("infiniband.bth[12]"));
  EXPECT_TRUE(passes("infiniband.payload contains 08:3b"));
  EXPECT_TRUE(passes("infiniband.payload[-4:] == 84:6c:13:c4"));
}

TEST_F(Filters, HeadersThatWereCutAreThere) {
  const std::vector<std::uint8_t> cut(kDcWrite.begin(), kDcWrite.begin() + 50);
  use(cut);
  EXPECT_TRUE(passes("infiniband.bth"));
  EXPECT_TRUE(passes("infiniband"));
  EXPECT_TRUE(passes("infiniband.bth.destqp == 0x807fff")) << "it is here";
  EXPECT_FALSE(passes("infiniband.bth.psn")) << "it is not";
  EXPECT_TRUE(passes("len(infiniband.bth) == 8"));
  const std::vector<std::uint8_t> stump(kDcWrite.begin(), kDcWrite.begin() + 7);
  use(stump);
  EXPECT_TRUE(passes("eth contains e8:eb"));
}

TEST_F(Filters, TimesWithoutAZoneAreLocalTimes) {
  setenv("TZ", "EST5", 1);
  tzset();
  EXPECT_TRUE(passes("frame.time == \"1969-12-31 19:00:01.5\""));
  EXPECT_TRUE(passes("frame.time == \"1970-01-01 00:00:01.5Z\""));
  EXPECT_TRUE(passes("frame.time == \"1970-01-01T02:00:01.500000000+02:00\""));
  EXPECT_TRUE(passes("frame.time < 1970-01-02"));
  setenv("TZ", "UTC", 1);
  tzset();
  EXPECT_TRUE(passes("frame.time == \"Jan  1, 1970 00:00:01.5\""));
}

TEST_F(Filters, LongestAndShortestTimesCompareRight) {
  EXPECT_TRUE(passes("frame.time_epoch == 1.5"));
  EXPECT_TRUE(passes("frame.time_epoch > -9223372035"));
  EXPECT_TRUE(passes("frame.time_epoch < 9223372035.999999999"));
  packet_.frame.timestamp = -1;
  EXPECT_TRUE(passes("frame.time_epoch == -0.000000001"));
  EXPECT_TRUE(passes("abs(frame.time_epoch) == 0.000000001"));
}

TEST_F(Filters, SixtyFourBitNumbersCompareWithoutSign) {
  EXPECT_TRUE(passes("infiniband.reth.va > 0x7fb200000000"));
  EXPECT_TRUE(passes("infiniband.reth.va < 0xffffffffffffffff"));
}

TEST_F(Filters, HoldAfterTheyMoved) {
  auto filter = compile("udp.port == 4791 and eth.src[0,2] == 00:00");
  ASSERT_TRUE(filter);
  Filter moved = std::move(*filter);
  Filter again = std::move(moved);
  EXPECT_TRUE(again.matches(record_));
}

TEST_F(Filters, ManyTermsForOneFieldPassWhatEachPasses) {
  const std::vector<std::string> terms{"rocescope.connection == 1",
                                       "rocescope.connection == 2 && infiniband.bth.psn > 3",
                                       "infiniband.bth.psn == 2 && rocescope.connection == 3",
                                       "rocescope.connection == 3 && infiniband.bth.psn == 278780",
                                       "rocescope.connection == 4 && !infiniband",
                                       "rocescope.connection == 5 || infiniband.bth.psn == 5",
                                       "rocescope.connection === 6",
                                       "rocescope.connection != 7 && ip.src == 1.2.3.4",
                                       "rocescope.connection in {8 .. 9}",
                                       "not rocescope.connection < 12",
                                       "rocescope.connection == 10 xor rocescope.connection == 2",
                                       "rocescope.connection & 3 == 8",
                                       "rocescope.connection == 11 && (udp.port == 4791 || udp.port == 1)",
                                       "udp.srcport == 9 && rocescope.connection == 11"};
  std::string all;
  for (const std::string& term : terms) all += (all.empty() ? "(" : " || (") + term + ")";
  for (record_.verdict.connection = 0; record_.verdict.connection < 14; ++record_.verdict.connection) {
    const bool any = std::any_of(terms.begin(), terms.end(), [this](const std::string& term) { return passes(term); });
    EXPECT_EQ(passes(all), any) << record_.verdict.connection;
    EXPECT_EQ(passes("not (" + all + ")"), !any) << record_.verdict.connection;
    EXPECT_EQ(passes("infiniband.bth.psn == 1 && (" + all + ")"), false);
  }
}

/// `extract --finding` asks for the packets of a finding on each connection that has it.
TEST_F(Filters, ThousandsOfConnectionsCostAboutAsMuchAsAFew) {
  const auto nanoseconds = [this](int connections) {
    std::string text;
    for (int i = 1; i <= connections; ++i) {
      text += fmt::format("{}(rocescope.connection == {} && infiniband.bth.psn == 0)", i == 1 ? "" : " || ", i);
    }
    const auto filter = compile(text);
    std::chrono::nanoseconds least = std::chrono::hours(1);
    for (int run = 0; run < 5; ++run) {
      const auto start = std::chrono::steady_clock::now();
      for (int i = 0; i < 100; ++i) EXPECT_FALSE(filter->matches(record_));
      least = std::min<std::chrono::nanoseconds>(least, std::chrono::steady_clock::now() - start);
    }
    return least.count();
  };
  record_.verdict.connection = 7;
  EXPECT_LT(nanoseconds(10'000), 100 * nanoseconds(10));
}

TEST_F(Filters, KnowWhetherExpectedPacketsMayPass) {
  const auto may_pass = [](std::string_view text) { return compile(text)->may_pass_expected(); };
  for (
      const char* text : {
          "rocescope.verdict.lost == \"before\"",
          "rocescope.connection == 3 && rocescope.verdict.retransmission",
          "infiniband.aeth.syndrome.opcode == 3 && infiniband.aeth.syndrome.error_code in {1, 4}",
          "infiniband.aeth.syndrome.opcode in {1, 3}",
          "infiniband.bth.opcode == 129 || ip.dsfield.ecn == 3",
          "rocescope.verdict.cause contains \"nak\"",
          "rocescope.verdict.missing != 2",
          "rocescope.connection == 1 && rocescope.verdict.gap || rocescope.connection == 2 && rocescope.verdict.gap || "
          "rocescope.connection == 3 && rocescope.verdict.gap || rocescope.connection == 4 && rocescope.verdict.gap || "
          "rocescope.connection == 5 && rocescope.verdict.gap",
      }) {
    EXPECT_FALSE(may_pass(text)) << text;
  }
  for (const char* text : {
           "",
           "rocescope.connection == 3",
           "!rocescope.verdict.gap",
           "rocescope.verdict.gap || rocescope.verdict.in_order",
           "rocescope.verdict.gap xor frame.number == 3",
           "infiniband.aeth.syndrome.opcode == 0",
           "infiniband.aeth.syndrome.opcode in {0, 3}",
           "infiniband.aeth.syndrome.opcode in {1 .. 3}",
           "infiniband.aeth.syndrome.opcode != 3",
           "infiniband.bth.opcode == 17",
           "count(rocescope.verdict.gap) == 0",
       }) {
    EXPECT_TRUE(may_pass(text)) << text;
  }
}

TEST_F(Filters, KnowWhatOfAPacketTheyRead) {
  struct Case {
    std::string_view text;
    bool icrc;
    bool verdict;
  };
  for (const auto& [text, icrc, verdict] : {Case{"", false, false},
                                            {"infiniband.bth.psn == 1 && frame.len > 3", false, false},
                                            {"infiniband", false, false},
                                            {"rocescope.icrc.status == \"bad\"", true, false},
                                            {"rocescope.source_port > 3", true, false},
                                            {"ip && not rocescope.verdict.retransmission", true, true},
                                            {"len(rocescope.verdict) == 3 || arp", true, true},
                                            {"frame.number in {rocescope.verdict.related}", true, true},
                                            {"rocescope", true, true}}) {
    const auto filter = compile(text);
    ASSERT_TRUE(filter) << text;
    EXPECT_EQ(filter->parts().icrc, icrc) << text;
    EXPECT_EQ(filter->parts().verdict, verdict) << text;
  }
}

}  // namespace
}  // namespace rocescope::filter
