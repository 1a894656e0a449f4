// `rocescope dissect` on real captures: what is read, which packets are shown, in which form.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "captures.hpp"
#include "process.hpp"
#include "support/hex.hpp"
#include "support/source_dir.hpp"
#include "support/temporary_folder.hpp"

namespace rocescope::testing {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string bytes_from_hex(std::string_view text) {
  const std::vector<std::uint8_t> bytes = hex(text);
  return {bytes.begin(), bytes.end()};
}

/// A capture of one packet that starts at its IP header (link type 101).
std::string pcap_of(std::string_view packet) {
  const std::string bytes = bytes_from_hex(packet);
  const auto length = static_cast<char>(bytes.size());
  std::string file = bytes_from_hex("d4c3b2a1 0200 0400 00000000 00000000 00000400 65000000 0000000000000000");
  for (int i = 0; i < 2; ++i) file += std::string{length, '\0', '\0', '\0'};
  return file + bytes;
}

/// The numbers of the packets that `arguments` show, one a line.
std::string numbers(std::vector<std::string> arguments, const Surroundings& surroundings = {}) {
  arguments.insert(arguments.begin(), {"dissect", "-T", "fields", "-e", "frame.number"});
  const Outcome outcome = rocescope(arguments, surroundings);
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  return outcome.out;
}

long count(const std::vector<std::string>& arguments) { return lines(numbers(arguments)); }

class Dissect : public ::testing::Test {
 protected:
  [[nodiscard]] std::string file(const std::string& name, const std::string& bytes) const {
    std::string path = folder_.path(name);
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }

  const TemporaryFolder folder_;
};

TEST_F(Dissect, shows_one_line_per_packet) {
  const Outcome outcome = rocescope({"dissect", kLab});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(lines(outcome.out), kLabPackets);
}

TEST_F(Dissect, reads_a_file_as_operand_as_option_and_as_standard_input) {
  const std::string expected = numbers({kLab});
  EXPECT_EQ(lines(expected), kLabPackets);
  EXPECT_EQ(numbers({"-r", kLab}), expected);
  EXPECT_EQ(numbers({"-r" + kLab}), expected);
  EXPECT_EQ(numbers({"--read-file=" + kLab}), expected);
  EXPECT_EQ(numbers({"--", kLab}), expected);
  EXPECT_EQ(numbers({"-"}, {.input_file = kLab}), expected);
  EXPECT_EQ(numbers({"-r", "-"}, {.input = file_bytes(kLab)}), expected);
}

TEST_F(Dissect, reads_compressed_captures_from_files_and_pipes) {
  const std::string expected = numbers({kLab});
  for (const char* program : {"gzip", "zstd", "lz4"}) {
    if (!has_program(program)) continue;
    const Outcome compressed = run({program, "-c", kLab});
    ASSERT_EQ(compressed.exit_code, 0);
    EXPECT_EQ(numbers({file(program, compressed.out)}), expected) << program;
    EXPECT_EQ(numbers({"-"}, {.input = compressed.out}), expected) << program;
  }
}

TEST_F(Dissect, shows_several_captures_as_one_in_the_order_of_time) {
  const Outcome outcome = rocescope({"dissect", "-T", "fields", "-e", "frame.time_epoch", kOtherLab, "-r", kLab});
  EXPECT_EQ(lines(outcome.out), kLabPackets + kOtherLabPackets);
  std::vector<double> times;
  for (std::size_t at = 0; at < outcome.out.size(); at = outcome.out.find('\n', at) + 1) {
    times.push_back(std::stod(outcome.out.substr(at)));
  }
  EXPECT_TRUE(std::is_sorted(times.begin(), times.end()));
}

TEST_F(Dissect, options_may_stand_after_files_and_be_combined) {
  const Outcome expected = rocescope({"dissect", "-V", "-x", "-c", "3", kLab});
  EXPECT_THAT(expected.out, HasSubstr("frame.number"));
  EXPECT_EQ(rocescope({"dissect", kLab, "-Vxc3"}).out, expected.out);
  EXPECT_EQ(rocescope({"dissect", "-xV", kLab, "--count=3"}).out, expected.out);
}

TEST_F(Dissect, of_an_option_given_twice_the_last_counts) { EXPECT_EQ(count({"-c5", "-c", "2", kLab}), 2); }

TEST_F(Dissect, count_limits_the_packets_read_not_those_shown) {
  EXPECT_EQ(numbers({"-c", "3", kLab}), "1\n2\n3\n");
  EXPECT_EQ(numbers({"-c", "3", "--qpn", "0x13", kLab}), "");
}

// The numbers of packets are those that tshark -Y gives: infiniband.bth.destqp == 0x13, and so on.
TEST_F(Dissect, narrows_to_queue_pairs_hosts_and_times) {
  EXPECT_EQ(count({"--qpn", "0x13", kLab}), 1000);
  EXPECT_EQ(count({"--qpn", "19", kLab}), 1000);
  EXPECT_EQ(count({"--qpn", "0x13", "--qpn", "0x14", kLab}), 1010);
  EXPECT_EQ(count({"--host", "192.168.2.24", kLab}), 1252);
  EXPECT_EQ(count({"--host", "192.168.0.0/16", kLab}), 1252);
  EXPECT_EQ(count({"--host", "192.168.2.24", "--host", "::/0", kLab}), 1268);
  EXPECT_EQ(count({"--host", "fe80::/10", kLab}), 10);
  EXPECT_EQ(count({"--from", "1795196410", "--to", "1795196415.5", kLab}), 45);
  EXPECT_EQ(count({"--from", "2026-11-20T17:40:10Z", "--to", "2026-11-20T17:40:15.5Z", kLab}), 45);
  const std::string relative = numbers({"-Y", "frame.time_relative >= 4.5 && frame.time_relative <= 9.75", kLab});
  EXPECT_EQ(numbers({"--from", "+4.5", "--to", "+9.75", kLab}), relative);
  EXPECT_EQ(lines(relative), 45);
  EXPECT_EQ(count({"--from", "+0", kLab}), kLabPackets);
  EXPECT_EQ(count({"--to", "+0", kLab}), 1);
  EXPECT_EQ(count({"--from", "+4.5", "--to", "1795196415.5", kLab}), 45);
  EXPECT_EQ(count({"--qpn", "0x14", "--host", "10.0.0.0/8", kLab}), 0);
  EXPECT_EQ(count({"--connection", "3", kLab}), 1000);  // both directions between 0x13 and 0x13
  EXPECT_EQ(count({"--connection", "3", "--connection", "1", kLab}), 1036);
}

// Of some of its packets it was not known yet that they are of the same connection.
TEST_F(Dissect, shows_all_packets_that_analyze_counts_for_a_connection) {
  for (const std::string& name : {std::string("loss_heavy"), std::string("corrupt"), std::string("duplicate")}) {
    const std::string file = source_dir() + "/captures/two_views-" + name + ".pcap.gz";
    const auto report = nlohmann::json::parse(rocescope({"analyze", "--json", file}).out);
    for (const auto& connection : report["connections"]) {
      int packets = 0;
      for (const auto& side : connection["sides"]) packets += side["packets"].get<int>();
      const std::string number = connection["number"].dump();
      EXPECT_EQ(count({"--connection", number, file}), packets) << name << ' ' << number;
      const Outcome narrowed = rocescope({"analyze", "--json", "--connection", number, file});
      EXPECT_EQ(nlohmann::json::parse(narrowed.out)["totals"]["packets"], packets) << name << ' ' << number;
      const std::string filter = "rocescope.connection == " + number;
      EXPECT_EQ(count({"-Y", filter, file}), packets) << name << ' ' << number;
      const Outcome filtered = rocescope({"analyze", "--json", "-Y", filter, file});
      EXPECT_EQ(filtered.out, narrowed.out) << name << ' ' << number;
    }
  }
}

TEST_F(Dissect, shows_the_numbers_that_analyze_gives_connections) {
  for (const std::string name : {"loss_heavy", "corrupt", "duplicate"}) {
    const std::string file = capture("two_views-" + name + ".pcap.gz");
    const auto report = nlohmann::json::parse(rocescope({"analyze", "--json", file}).out);
    std::set<std::string> expected{""};  // of packets that are none's
    for (const auto& connection : report["connections"]) expected.insert(connection["number"].dump());
    const auto shown = [](const Outcome& outcome) {
      std::istringstream rows(outcome.out);
      std::set<std::string> found{""};
      for (std::string row; std::getline(rows, row);) found.insert(row);
      return found;
    };
    const std::vector<std::string> columns{"dissect", "-T", "fields", "-e", "rocescope.connection"};
    std::vector<std::string> words = columns;
    words.push_back(file);
    EXPECT_EQ(shown(rocescope(words)), expected) << name;
    words.back() = "-";  // cannot be read twice
    EXPECT_GT(shown(rocescope(words, {.input_file = file})).size(), expected.size()) << name;
  }
}

// One pass prints the first number of a packet's connection: it names the connection that the report has under another one.
TEST_F(Dissect, and_all_others_take_the_number_that_a_direction_had_first) {
  const std::string file = capture("two_views-loss_heavy.pcap.gz");
  const std::vector<std::string> columns{"dissect", "-Y", "frame.number == 1",   "-T",
                                         "fields",  "-e", "rocescope.connection"};
  const auto number_of_the_first = [&](const std::string& input) {
    std::vector<std::string> words = columns;
    words.push_back(input);
    const std::string number = rocescope(words, {.input_file = input == "-" ? file : std::string()}).out;
    return number.substr(0, number.find('\n'));
  };
  const std::string first = number_of_the_first("-");
  const std::string last = number_of_the_first(file);
  ASSERT_NE(first, last);
  for (const std::string command : {"analyze", "dissect", "flow"}) {
    const Outcome expected = rocescope({command, "--connection", last, file});
    const Outcome found = rocescope({command, "--connection", first, file});
    EXPECT_EQ(found.exit_code, 0) << command << found.err;
    EXPECT_EQ(found.out, expected.out) << command;
  }
  EXPECT_EQ(rocescope({"dissect", "--connection", first, "--connection", last, file}).out,
            rocescope({"dissect", "--connection", last, file}).out);
}

// What is evicted was known to be of one connection before.
TEST_F(Dissect, shows_them_of_connections_that_are_evicted) {
  const TemporaryFolder folder;
  const std::string roce = folder.path("roce.pcapng");
  const std::string pingpong = source_dir() + "/captures/pingpong-srq.pcapng";
  ASSERT_EQ(rocescope({"extract", "-q", "-Y", "infiniband.bth", "-w", roce, pingpong}).exit_code, 0);
  const std::string later = source_dir() + "/captures/several.pcapng";
  const auto packets = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"analyze", "--json", "--connection", "2", roce, later});
    return nlohmann::json::parse(rocescope(options).out)["totals"]["packets"].get<int>();
  };
  EXPECT_EQ(packets({}), 8);
  EXPECT_EQ(packets({"--idle-timeout", "5s"}), 8);
}

TEST_F(Dissect, shows_what_passes_the_filter) {
  EXPECT_EQ(count({"-Y", "infiniband.bth.destqp == 0x13", kLab}), 1000);
  EXPECT_EQ(count({"-Yinfiniband.bth.opcode in {6..8} && ip.src == 192.168.2.25/32", kLab}), 800);
  EXPECT_EQ(count({"-Y", "infiniband.bth.destqp == 0x13", "--host", "fe80::/10", kLab}), 0);
  EXPECT_EQ(count({"-Y", "", kLab}), kLabPackets);
  EXPECT_EQ(numbers({"-Y", "tcp", "-c", "30", kLab}), numbers({"-Y", "tcp && frame.number <= 30", kLab}));
}

TEST_F(Dissect, a_time_without_a_zone_is_local_as_in_the_time_column) {
  const Surroundings berlin{.environment = {{"TZ", "Europe/Berlin"}}};
  EXPECT_EQ(lines(numbers({"--from", "2026-11-20 18:40:10", "--to", "2026-11-20 18:40:15.5", kLab}, berlin)), 45);
  EXPECT_THAT(rocescope({"dissect", "-t", "ad", "-c1", kLab}, berlin).out, HasSubstr("2026-11-20 18:40:05.657126"));
}

TEST_F(Dissect, data_formats_show_what_they_are_asked_for) {
  const std::vector<std::string> fields{"-e", "frame.number", "-e", "frame.len", "-c", "2", kLab};
  const auto shown = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "dissect");
    arguments.insert(arguments.end(), fields.begin(), fields.end());
    return rocescope(arguments).out;
  };
  EXPECT_EQ(shown({"-T", "fields"}), "1\t90\n2\t86\n");
  EXPECT_EQ(shown({"-Tfields", "-Eseparator=,", "-E", "header=y", "-E", "quote=d"}),
            "frame.number,frame.len\n\"1\",\"90\"\n\"2\",\"86\"\n");
  EXPECT_EQ(shown({"-T", "csv"}), "frame.number,frame.len\n1,90\n2,86\n");
  EXPECT_EQ(lines(shown({"-T", "ndjson"})), 2);
  EXPECT_THAT(shown({"-T", "ndjson"}), StartsWith("{\"type\":\"packet\","));
  EXPECT_THAT(shown({"-T", "json"}), StartsWith("["));
  EXPECT_THAT(shown({"-T", "json"}), EndsWith("]\n"));
}

TEST_F(Dissect, fields_are_what_tshark_prints) {
  if (!has_program("tshark")) GTEST_SKIP() << "tshark is not installed";
  const std::vector<std::string> what{"-r", kLab,
                                      "-T", "fields",
                                      "-e", "frame.number",
                                      "-e", "ip.src",
                                      "-e", "udp.srcport",
                                      "-e", "infiniband.bth.opcode",
                                      "-e", "infiniband.bth.psn",
                                      "-e", "infiniband.bth.destqp",
                                      "-E", "header=y",
                                      "-E", "separator=|",
                                      "-E", "quote=d"};
  std::vector<std::string> theirs{"tshark"};
  theirs.insert(theirs.end(), what.begin(), what.end());
  std::vector<std::string> ours{"dissect"};
  ours.insert(ours.end(), what.begin(), what.end());
  EXPECT_EQ(rocescope(ours).out, run(theirs).out);
}

TEST_F(Dissect, a_cut_file_gives_a_warning_and_all_that_is_there) {
  const std::string cut = file_bytes(kLab).substr(0, 5000);
  const std::string path = file("cut.pcap", cut);
  const Outcome outcome = rocescope({"dissect", path});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(lines(outcome.out), 45);
  EXPECT_THAT(outcome.err, StartsWith("rocescope: " + path + ": the capture is cut "));
  EXPECT_THAT(rocescope({"dissect", "-"}, {.input = cut}).err, StartsWith("rocescope: standard input: "));
  EXPECT_EQ(rocescope({"dissect", "-q", path}).err, "");
}

TEST_F(Dissect, packets_that_the_capture_cut_are_counted) {
  // The first record's lengths, behind the 24 bytes of the file's header and its time: 60 of 90 bytes captured.
  std::string bytes = file_bytes(kLab);
  bytes.erase(24 + 16 + 60, 30);
  bytes[24 + 8] = 60;
  const std::string path = file("snapped.pcap", bytes);
  EXPECT_EQ(rocescope({"dissect", path}).err,
            "rocescope: 1 of 1,272 packets cut: the capture did not keep all of their bytes\n");
}

// Made with scapy: IP(src='10.0.0.1', dst='10.0.0.2', proto=47) / GRE(proto=0x9999) / 8 bytes of 0xee / Ether() /
// IP(src='10.9.0.1', dst='10.9.0.2') / UDP(dport=9), as raw IP.
TEST_F(Dissect, gre_skip_finds_the_frame_in_an_unknown_mirror) {
  const std::string path =
      file("mirror.pcap",
           pcap_of("4500004a00010000402f66820a0000010a00000200009999eeeeeeeeeeeeeeee02000000000202000000000108004500"
                   "001c00010000401166bc0a0900010a090002000700090008ebb9"));
  EXPECT_EQ(lines(numbers({"--host", "10.9.0.1", path})), 0);
  EXPECT_EQ(lines(numbers({"--host", "10.9.0.1", "--gre-skip", "0x9999:8", path})), 1);
}

// IP() / UDP(dport=4791) / BTH(opcode=0x44, dqpn=5): DC SEND Only, or RD SEND Only as the specification has it.
TEST_F(Dissect, reliable_datagram_is_read_on_request) {
  const std::string path =
      file("rd.pcap",
           pcap_of("4500005400010000401166960a0000010a000002c35012b7004000004400ffff00000005000000000000000000000000"
                   "000000000000000000000000000000000000000000000000000000000000000061174a79"));
  EXPECT_THAT(rocescope({"dissect", path}).out, HasSubstr("DC SEND Only"));
  EXPECT_THAT(rocescope({"dissect", "--reliable-datagram", path}).out, HasSubstr("RD SEND Only"));
}

TEST_F(Dissect, packets_that_were_lost_while_capturing_are_reported) {
  // A pcapng section with one interface and its statistics: isb_ifdrop (5) is 12.
  const std::string path =
      file("dropped.pcapng",
           bytes_from_hex("0a0d0d0a 1c000000 4d3c2b1a 01000000 ffffffffffffffff 1c000000"
                          "01000000 14000000 01000000 00000400 14000000"
                          "05000000 28000000 00000000 00000000 00000000 0500 0800 0c00000000000000 00000000 28000000"));
  EXPECT_EQ(rocescope({"dissect", path}).err,
            "rocescope: 12 packets lost while capturing: they are not in the capture\n");
}

TEST_F(Dissect, verbose_tells_what_was_read) {
  EXPECT_EQ(rocescope({"dissect", "-v", kLab}).err,
            "rocescope: " + kLab + ": pcap, Ethernet\nrocescope: 1,272 packets read, 1,241 of them RoCE\n");
  EXPECT_THAT(rocescope({"dissect", "-vc1", kLab}).err, HasSubstr("rocescope: 1 packet read, 0 of them RoCE\n"));
}

TEST_F(Dissect, what_is_no_capture_is_refused) {
  const Outcome outcome = rocescope({"dissect", file("notes.txt", "packets, packets, packets\n")});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, StartsWith("rocescope: cannot read "));
  EXPECT_EQ(rocescope({"dissect", "-"}).err, "rocescope: cannot read standard input: it is empty\n");
}

}  // namespace
}  // namespace rocescope::testing
