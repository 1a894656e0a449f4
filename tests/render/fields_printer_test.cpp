#include <gmock/gmock.h>

#include <sstream>

#include "packets.hpp"
#include "printing.hpp"
#include "tshark.hpp"

namespace rocescope::render {
namespace {

using ::testing::HasSubstr;

/// Of every type and every header that the lab's captures hold.
const std::vector<std::string> kNames = {
    "frame.number",
    "frame.time",
    "frame.time_epoch",
    "frame.time_delta",
    "frame.time_relative",
    "frame.len",
    "frame.cap_len",
    "eth.dst",
    "eth.src",
    "eth.type",
    "eth.addr",
    "ip.hdr_len",
    "ip.dsfield",
    "ip.dsfield.ecn",
    "ip.len",
    "ip.id",
    "ip.flags",
    "ip.flags.df",
    "ip.frag_offset",
    "ip.ttl",
    "ip.proto",
    "ip.checksum",
    "ip.src",
    "ip.dst",
    "ip.addr",
    "ipv6.tclass",
    "ipv6.flow",
    "ipv6.plen",
    "ipv6.nxt",
    "ipv6.hlim",
    "ipv6.src",
    "ipv6.dst",
    "ipv6.addr",
    "udp.srcport",
    "udp.dstport",
    "udp.port",
    "udp.length",
    "udp.checksum",
    "infiniband.bth",
    "infiniband.bth.opcode",
    "infiniband.bth.se",
    "infiniband.bth.padcnt",
    "infiniband.bth.p_key",
    "infiniband.bth.destqp",
    "infiniband.bth.a",
    "infiniband.bth.psn",
    "infiniband.deth.q_key",
    "infiniband.deth.srcqp",
    "infiniband.reth.va",
    "infiniband.reth.r_key",
    "infiniband.reth.dmalen",
    "infiniband.aeth",
    "infiniband.aeth.syndrome",
    "infiniband.aeth.syndrome.opcode",
    "infiniband.aeth.msn",
    "infiniband.atomiceth.swapdt",
    "infiniband.atomiceth.cmpdt",
    "infiniband.atomicacketh.origremdt",
    "infiniband.mad.mgmtclass",
    "infiniband.mad.transactionid",
    "infiniband.mad.attributeid",
    "infiniband.cm.req.serviceid",
    "infiniband.cm.req.localqpn",
    "infiniband.cm.req.startpsn",
    "infiniband.cm.req.prim_localgid_ipv4",
    "infiniband.cm.rep.startpsn",
    "infiniband.invariant.crc",
};

std::string print_fields(const std::vector<std::string>& names, const FieldsOptions& options,
                         std::vector<std::vector<std::uint8_t>> frames) {
  auto printer = make_fields_printer(names, options);
  return printer ? print(**printer, std::move(frames)) : printer.error().message;
}

/// Checks every line of what we print of a lab capture against what tshark prints, with the same -E options.
void expect_like_tshark(const std::string& capture, const std::vector<std::string>& assignments) {
  FieldsOptions options;
  std::string arguments = "-T fields -r " + lab_capture(capture);
  for (const std::string& assignment : assignments) {
    ASSERT_FALSE(set_fields_option(options, assignment));
    arguments += " -E '" + assignment + "'";
  }
  for (const std::string& name : kNames) arguments += " -e " + name;
  auto printer = make_fields_printer(kNames, options);
  ASSERT_TRUE(printer) << printer.error().message;
  std::istringstream ours(print_capture(**printer, lab_capture(capture)));
  std::istringstream theirs(tshark(arguments));
  std::string our_line;
  std::string their_line;
  std::size_t lines = 0;
  while (std::getline(theirs, their_line)) {
    ASSERT_TRUE(std::getline(ours, our_line)) << "line " << lines + 1 << " is missing";
    ASSERT_EQ(our_line, their_line) << "line " << lines + 1;
    ++lines;
  }
  EXPECT_FALSE(std::getline(ours, our_line));
  EXPECT_GT(lines, 1000u);
}

TEST(FieldsLikeTshark, AreTheSameByteForByte) {
  if (!has_tshark()) GTEST_SKIP() << "tshark is not installed";
  expect_like_tshark("lab_pingpong_atomic_udaddy.pcap", {});
  expect_like_tshark("lab_rping_write_ud_atomic.pcap", {});
}

TEST(FieldsLikeTshark, TakeTheSameOptions) {
  if (!has_tshark()) GTEST_SKIP() << "tshark is not installed";
  const std::string capture = "lab_pingpong_atomic_udaddy.pcap";
  expect_like_tshark(capture, {"header=y", "separator=,", "quote=d"});
  expect_like_tshark(capture, {"separator=/s", "quote=s", "occurrence=f"});
  expect_like_tshark(capture, {"bom=y", "header=y", "occurrence=l"});
  expect_like_tshark(capture, {"separator=|", "aggregator=;"});
  expect_like_tshark(capture, {"aggregator=/s"});
}

TEST(FieldsPrinter, RefusesUnknownNamesAndSuggestsTheNearest) {
  const auto printer = make_fields_printer(std::vector<std::string>{"frame.number", "infiniband.bth.pns"}, {});
  ASSERT_FALSE(printer);
  EXPECT_EQ(printer.error().message, "unknown field 'infiniband.bth.pns'. Did you mean 'infiniband.bth.psn'?");
}

TEST(FieldsPrinter, GivesTheBytesOfAHeaderForItsName) {
  EXPECT_EQ(print_fields({"infiniband.aeth", "infiniband.reth"}, {}, {kNakRemoteAccess}), "62000003\t\n");
}

TEST(FieldsPrinter, GathersTheValuesOfAnAliasInWireOrder) {
  EXPECT_EQ(print_fields({"ip.addr", "vlan.id"}, {}, {kSendVlansIpv6, kCnpFrame}), "\t100,5\n10.0.0.1,10.0.0.2\t\n");
}

/// The name of an interface is text that a capture brings along, and so anybody's.
std::string print_hostile(PacketPrinter& printer) {
  MemorySource source({kCnpFrame, kRnrNakFrame});
  source.interface().name = "a\tb\nc\"d,'e\x1b[2J\x01 \xff \xc3\xa4 \\";
  return print(printer, source);
}

TEST(FieldsPrinter, KeepsHostileTextInItsCell) {
  const std::vector<std::string> names = {"frame.interface_name", "frame.number"};
  auto plain = make_fields_printer(names, {});
  EXPECT_EQ(line_of(print_hostile(**plain), 1), "a\\tb\\nc\"d,'e\\x1b[2J\\x01 \xEF\xBF\xBD \xc3\xa4 \\\t1");
  FieldsOptions options;
  options.quote = '"';
  auto quoted = make_fields_printer(names, options);
  EXPECT_EQ(line_of(print_hostile(**quoted), 2), "\"a\\tb\\nc\"\"d,'e\\x1b[2J\\x01 \xEF\xBF\xBD \xc3\xa4 \\\"\t\"2\"");
}

TEST(FieldsPrinter, EscapesTextOfPacketsAsTsharkDoes) {
  // tshark 4.0.17 prints the same, but for the escape character, which it passes on to the terminal.
  EXPECT_EQ(print_fields({"lldp.tlv.system.name", "lldp.port.id"}, {}, {kHostileLldp}), "a\\tb\\nc\"d,\\x1b[2J\ta/1\n");
}

TEST(CsvPrinter, QuotesWhereRfc4180AsksForIt) {
  auto csv = make_csv_printer(std::vector<std::string>{"frame.interface_name", "ip.addr", "frame.number"}, {});
  EXPECT_EQ(print_hostile(**csv),
            "frame.interface_name,ip.addr,frame.number\n"
            "\"a\\tb\\nc\"\"d,'e\\x1b[2J\\x01 \xEF\xBF\xBD \xc3\xa4 \\\",\"10.0.0.1,10.0.0.2\",1\n"
            "\"a\\tb\\nc\"\"d,'e\\x1b[2J\\x01 \xEF\xBF\xBD \xc3\xa4 \\\",\"10.0.0.1,10.0.0.2\",2\n");
}

TEST(CsvPrinter, HasColumnsForRoceWhenNoneAreNamed) {
  auto csv = make_csv_printer({}, {});
  ASSERT_TRUE(csv) << csv.error().message;
  const std::string text = print(**csv, {kNakRemoteAccess});
  EXPECT_THAT(line_of(text, 1), HasSubstr("frame.number,frame.time_epoch,rocescope.src,rocescope.dst,"));
  EXPECT_EQ(line_of(text, 2),
            "1,1795198544.102624000,10.0.0.1,10.0.0.2,49152,0,RC Acknowledge,0x000011,802345,0,62,0,98,3,,,,,good");
}

}  // namespace
}  // namespace rocescope::render
