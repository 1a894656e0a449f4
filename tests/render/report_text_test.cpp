#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "rocescope/headers.hpp"
#include "rocescope/render.hpp"
#include "support/captures.hpp"
#include "support/hosts.hpp"

namespace rocescope {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::host;
using ::testing::Not;
using ::testing::StartsWith;

std::string text_of(const Report& report, const render::ReportTextOptions& options = {.detail = true}) {
  std::string text;
  render::append_report_text(report, text, options);
  return text;
}

constexpr ProtocolId header(HeaderKind kind) { return {ProtocolId::Space::kHeader, static_cast<std::uint32_t>(kind)}; }

/// Four packets in two seconds: three RoCE, of one write with its acknowledgement, and one ARP.
Report small_report() {
  constexpr std::int64_t kStart = 1'700'000'000'123'456'000;
  Report report;
  report.packets_read = 4;
  report.totals.traffic = {4, 1260};
  report.totals.roce = {3, 1218};
  report.totals.captured_bytes = 1260;
  report.totals.first_time = kStart;
  report.totals.last_time = kStart + 2'000'000'000;
  CaptureInfo info{.path = "dir/lab.pcap", .format = "pcap", .interfaces = {}, .warnings = {}};
  info.interfaces.emplace_back();
  report.captures.push_back({info, report.totals});

  ProtocolNode eth{header(HeaderKind::kEthernet), {4, 1260}, {}};
  eth.children.push_back({header(HeaderKind::kIpv4), {3, 1218}, {}});
  eth.children.push_back({{ProtocolId::Space::kEtherType, 0x0806}, {1, 42}, {}});
  report.protocols.push_back(eth);
  report.other_packets.push_back({{ProtocolId::Space::kEtherType, 0x0806}, 1});

  report.operations.push_back({&opcode_info(0x0A), {2, 1156}, 1000});
  report.operations.push_back({&opcode_info(0x11), {1, 62}, 0});

  Flow flow;
  flow.source = host(1);
  flow.destination = host(2);
  flow.dest_qp = Qpn(0x11);
  flow.encapsulation = Encapsulation::kRoceV2Ipv4;
  flow.transports.insert(Transport::kRc);
  flow.traffic = {2, 1156};
  flow.payload_bytes = 1000;
  flow.requests = {2, Psn(0xFFFFFF), Psn(0), Psn(0xFFFFFF), Psn(0), 2};
  flow.first_time = kStart;
  flow.last_time = kStart + 1'000'000'000;
  report.flows.push_back(flow);
  std::swap(flow.source, flow.destination);
  flow.traffic = {1, 62};
  flow.payload_bytes = 0;
  flow.requests = {};
  flow.responses = {1, Psn(0), Psn(0), Psn(0), Psn(0), 1};
  flow.first_time = flow.last_time = kStart + 2'000'000'000;
  report.flows.push_back(flow);
  report.icrc.good = 3;
  return report;
}

TEST(ReportText, ShowsTheSummaryFirstAndThenTheTables) {
  EXPECT_EQ(text_of(small_report()), R"(lab.pcap: 4 packets in 2.00 s, 3 of them RoCEv2
  Traffic    RC 3; 2 flows between 2 addresses; 1.22 kB, payload 1.00 kB
  ICRC       all good
  Others     1 ARP
  Findings   nothing wrong was seen

Capture
  File       dir/lab.pcap (pcap)
  Interface  Ethernet, times in microseconds
  Packets    4, RoCE 3
  Bytes      1.26 kB on the wire, RoCE 1.22 kB
  From       2023-11-14 22:13:20.123456Z
  To         2023-11-14 22:13:22.123456Z (2.00 s)
  Rate       2 packets/s, 5.04 kb/s

Protocols
  protocol                  packets    bytes
  eth                             4  1.26 kB
    ip                            3  1.22 kB
    ethertype 0x0806 (ARP)        1     42 B

Operations
  opcode  operation           packets    bytes  payload
    0x0a  RC RDMA WRITE Only        2  1.16 kB  1.00 kB
    0x11  RC Acknowledge            1     62 B      0 B

Flows
  source    destination     to QP  transport  packets    bytes  payload  PSNs        first   last
  10.0.0.1  10.0.0.2     0x000011  RC               2  1.16 kB  1.00 kB  16777215-0  0.000  1.000
  10.0.0.2  10.0.0.1     0x000011  RC               1     62 B      0 B  rsp 0       2.000  2.000
)");
}

TEST(ReportText, SaysWhatElseThereIsInACaptureWithoutRoce) {
  Report report = small_report();
  report.totals.roce = {};
  report.flows.clear();
  report.operations.clear();
  report.icrc = {};
  report.other_packets = {{header(HeaderKind::kTcp), 176}, {header(HeaderKind::kUdp), 8}};
  EXPECT_THAT(text_of(report), AllOf(StartsWith("lab.pcap: no RoCE packets; 176 TCP, 8 UDP\n"), Not(HasSubstr("ICRC")),
                                     Not(HasSubstr("Flows")), Not(HasSubstr("Operations"))));
}

TEST(ReportText, SaysThatThereIsNothing) {
  Report report;
  report.captures.push_back({CaptureInfo{.path = "-", .format = "pcap", .interfaces = {}, .warnings = {}}, {}});
  EXPECT_THAT(text_of(report), StartsWith("standard input: no packets\n"));
  report.packets_read = 5;
  EXPECT_THAT(text_of(report), StartsWith("standard input: no packets (of 5 read)\n"));
}

TEST(ReportText, SaysHowMuchIsLeftAfterNarrowing) {
  Report report = small_report();
  report.packets_read = 90;
  EXPECT_THAT(text_of(report), StartsWith("lab.pcap: 4 packets (of 90 read) in 2.00 s, 3 of them RoCEv2\n"));
}

TEST(ReportText, KeepsBadAndUnverifiableIcrcsApart) {
  Report report = small_report();
  report.icrc.good = 0;
  report.icrc.bad = 2;
  report.icrc.unverifiable = {{StopReason::kTruncated, 1}};
  EXPECT_THAT(text_of(report), HasSubstr("ICRC       2 bad, 1 unverifiable (truncated)\n"));
  report.icrc.verified = false;
  EXPECT_THAT(text_of(report),
              HasSubstr("ICRC       not verified; a rule that only a few packets break is not reported\n"));
}

TEST(ReportText, NamesThePortThatTheCaptureRewrote) {
  Report report = small_report();
  report.icrc.rewritten = 2;
  report.flows[0].source_port = 4791;
  report.flows[0].true_source_port = 0xF7FC;
  report.flows[0].rewritten_packets = 2;
  EXPECT_THAT(text_of(report), AllOf(HasSubstr("source port rewritten by the capture in 2 packets of 1 flow"),
                                     HasSubstr("sent from port 63484 (0xf7fc)")));
}

TEST(ReportText, TellsWhatTheCaptureLost) {
  Report report = small_report();
  report.totals.cut_packets = 1;
  report.captures[0].info.interfaces[0].dropped = 7;
  report.captures[0].info.warnings = {"the file ends in the middle of a packet"};
  report.stops = {{StopReason::kMalformed, HeaderKind::kBth, 2, 17}};
  EXPECT_THAT(text_of(report),
              AllOf(HasSubstr("Cut        1 packet: not all"), HasSubstr("Dropped    7 packets"),
                    HasSubstr("Warning    the file ends in the middle of a packet"), HasSubstr("Malformed  2 packets"),
                    HasSubstr("malformed  Base Transport Header        2            17\n")));
}

TEST(ReportText, SaysOfHowManyConnectionsNothingIsKnownForCertain) {
  Report report = small_report();
  report.connections.resize(2);
  report.connections[0].unsure = true;
  EXPECT_THAT(text_of(report), AllOf(HasSubstr("Unknown    what 1 of 2 connections lost or sent again: "),
                                     HasSubstr("Findings   nothing wrong was seen in the other connections\n")));
  report.connections[1].unsure = true;
  EXPECT_THAT(text_of(report), AllOf(HasSubstr("Unknown    what 2 of 2 connections lost or sent again: "),
                                     HasSubstr("Findings   none, because nothing is known for certain\n"),
                                     Not(HasSubstr("nothing wrong"))));
}

TEST(ReportText, CutsLongListsUnlessAllIsAskedFor) {
  Report report = small_report();
  report.flows.resize(113, report.flows[0]);
  EXPECT_THAT(text_of(report), HasSubstr("\n  ... and 93 more flows (-v shows all)\n"));
  EXPECT_THAT(text_of(report, {.detail = true, .all = true}), Not(HasSubstr("more flows")));
}

TEST(ReportText, ShowsTheCountersOfManyHostsInTablesThatCanBeRead) {
  Report report = small_report();
  for (std::uint8_t number = 1; number <= 250; ++number) {
    report.hosts.push_back({.address = host(number), .sent = {.packets = number}, .received = {}});
  }
  const std::string text = text_of(report, {.detail = true, .all = true});
  std::size_t longest = 0;
  std::istringstream lines(text.substr(text.find("\nCounters")));
  for (std::string line; std::getline(lines, line);) longest = std::max(longest, line.size());
  EXPECT_LT(longest, 300U);
  for (const std::string address : {"10.0.0.1 ", "10.0.0.20\n", "10.0.0.21 ", "10.0.0.250\n"})
    EXPECT_THAT(text, HasSubstr("  " + address));
}

TEST(ReportText, SaysWhatALimitLeftOut) {
  Report report = small_report();
  report.untracked_flows = {1000, 64'000};
  report.unlisted_handshakes = 5;
  report.handshakes.resize(1);
  EXPECT_THAT(text_of(report), AllOf(HasSubstr("1,000 packets (64.0 kB) of further flows, beyond the limit"),
                                     HasSubstr("over 2 flows between over 2 addresses"),
                                     HasSubstr("5 messages of further handshakes, beyond the limit")));
}

TEST(ReportText, ListsEveryFileOfSeveral) {
  Report report = small_report();
  report.captures.push_back(report.captures[0]);
  report.captures[1].info.path = "other.pcap";
  EXPECT_THAT(text_of(report), AllOf(StartsWith("4 packets"), HasSubstr("File       dir/lab.pcap (pcap)"),
                                     HasSubstr("File       other.pcap (pcap)"), HasSubstr("All captures together")));
}

TEST(ReportText, CannotBeMadeToControlATerminal) {
  Report report = small_report();
  report.captures[0].info.path = "evil\x1b[2J.pcap";
  report.captures[0].info.interfaces[0].name = "eth0\n\x1b]0;";
  EXPECT_THAT(text_of(report), Not(HasSubstr("\x1b")));
}

TEST(ReportText, StandsTimesThatLieAsFarApartAsTheyCan) {
  Report report = small_report();
  report.totals.first_time = INT64_MIN;
  report.totals.last_time = INT64_MAX;
  EXPECT_THAT(text_of(report), Not(HasSubstr("in -")));
}

TEST(ReportText, ShowsCmMessagesWithServiceAndRetriesInDetail) {
  Report report = small_report();
  CmEvent req;
  req.time = *report.totals.first_time;
  req.packet = 1234;
  req.source = host(1);
  req.destination = host(2);
  req.local_comm_id = 0x64c0c56d;
  req.local_qpn = Qpn(0x3d);
  req.starting_psn = Psn(8176132);
  req.transport = 0;
  req.service_id = 0x1064833;
  req.ip = {host(1), 52471, host(2), 0x4833};
  req.private_data = {1, 2, 0, 0};
  report.cm_events.push_back(req);
  req.retry_of = 1234;
  req.packet = 1300;
  report.cm_events.push_back(req);
  CmEvent rej;
  rej.message = CmMessage::kRej;
  rej.time = req.time;
  rej.about = 0;
  rej.reason = 10;
  report.cm_events.push_back(rej);
  const std::string text = text_of(report, {.detail = true});
  EXPECT_THAT(text, HasSubstr("CM         2 REQ, 1 REJ; 1 retry\n"));
  EXPECT_THAT(text,
              HasSubstr("    1234  0.000  10.0.0.1  10.0.0.2     REQ      0x64c0c56d  0x00003d  8176132  RC, TCP port "
                        "18483, from port 52471, private data 0102\n"));
  EXPECT_THAT(text, HasSubstr("retry of packet 1234, RC"));
  EXPECT_THAT(text, HasSubstr("REQ rejected: stale connection\n"));
}

/// The CM's packets are 4 REQ, 5 REP, 6 RTU, 257 DREQ, 258 DREP (tshark: infiniband.mad.attributeid).
TEST(ReportText, ShowsTheStatesOfBothQueuePairsInDetail) {
  const Report report = testing::report_of({testing::shipped("killed-client.pcapng")});
  EXPECT_THAT(text_of(report),
              HasSubstr("States of the queue pairs\n"
                        "  no.  queue pair             went to, by packet                            the last at\n"
                        "    1  192.168.2.25 0x000011  INIT 4, (RTR) 6, RTS 6, ERR 257, (RESET) 258     0.733992\n"
                        "    1  192.168.2.24 0x000011  RTR 5, (RTS) 6, ERR 258, (RESET) 258             0.733992\n"
                        "  In parentheses: concluded from packets of the other side, or from silence\n"));
  EXPECT_THAT(text_of(report, {.detail = false}), Not(HasSubstr("States of the queue pairs")));
}

}  // namespace
}  // namespace rocescope
