// `rocescope analyze` on real captures: what it reads, what it leaves out, in which form.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "captures.hpp"
#include "process.hpp"
#include "support/source_dir.hpp"
#include "support/temporary_folder.hpp"

namespace rocescope::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string report(std::vector<std::string> arguments, const Surroundings& surroundings = {}) {
  arguments.insert(arguments.begin(), "analyze");
  const Outcome outcome = rocescope(arguments, surroundings);
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  return outcome.out;
}

nlohmann::json json(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "--json");
  return nlohmann::json::parse(report(std::move(arguments)));
}

TEST(Analyze, begins_with_what_to_know_at_one_glance) {
  EXPECT_THAT(report({kLab}),
              StartsWith("lab_rping_write_ud_atomic.pcap: 1,272 packets in 21.3 s, 1,241 of them RoCEv2\n"
                         "  Traffic    RC 1,204, UD 37; 14 flows between 2 addresses; 916 kB, payload "
                         "839 kB\n"
                         "  ICRC       all good\n"
                         "  CM         5 REQ, 5 REP, 5 RTU, 6 DREQ, 6 DREP\n"));
}

TEST(Analyze, reads_standard_input) {
  EXPECT_THAT(report({"-"}, {.input = file_bytes(kLab)}), StartsWith("standard input: 1,272 packets"));
}

TEST(Analyze, takes_several_files_for_one_capture) {
  const nlohmann::json both = json({kLab, kOtherLab});
  EXPECT_EQ(both["totals"]["packets"], kLabPackets + kOtherLabPackets);
  EXPECT_EQ(both["captures"][0]["packets"], kLabPackets);
  EXPECT_EQ(both["captures"][1]["packets"], kOtherLabPackets);
}

TEST(Analyze, looks_at_the_packets_that_the_options_leave) {
  EXPECT_EQ(json({"-c", "100", kLab})["packets_read"], 100);
  const nlohmann::json filtered = json({"-Y", "infiniband.bth.opcode == 17", kLab});
  EXPECT_EQ(filtered["packets_read"], kLabPackets);
  ASSERT_EQ(filtered["operations"].size(), 1u);
  EXPECT_EQ(filtered["operations"][0]["name"], "RC Acknowledge");
  EXPECT_EQ(filtered["operations"][0]["packets"], filtered["totals"]["packets"]);
  const nlohmann::json one = json({"--qpn", "0x11", "--host", "192.168.2.24", kLab});
  for (const nlohmann::json& flow : one["flows"]) EXPECT_EQ(flow["dest_qp"], 0x11);
  EXPECT_THAT(report({"--qpn", "0x999", kLab}),
              StartsWith("lab_rping_write_ud_atomic.pcap: no packets (of 1,272 read)\n"));
}

TEST(Analyze, counts_times_from_the_first_packet_read) {
  // The R_Key was sent before the first packet of its connection.
  const std::string text = report({"--connection", "1", source_dir() + "/captures/fault-wrong-rkey.pcapng"});
  EXPECT_THAT(text, HasSubstr("rkey_in_clear"));
  EXPECT_THAT(text, Not(HasSubstr(" -0.")));
}

TEST(Analyze, and_all_others_refuse_a_capture_point_that_is_not_there) {
  const std::string kError = "rocescope: no capture point 9: there is 1. Their numbers: rocescope analyze FILE\n";
  const TemporaryFolder folder;
  const std::string written = folder.path("written.pcapng");
  for (std::vector<std::string> command :
       {std::vector<std::string>{"analyze"}, {"dissect"}, {"extract", "-w", written}}) {
    command.insert(command.end(), {"--capture-point", "1", "--capture-point", "9", kLab});
    const Outcome outcome = rocescope(command);
    EXPECT_EQ(outcome.exit_code, 2) << command.front();
    EXPECT_EQ(outcome.out, "") << command.front();
    EXPECT_EQ(outcome.err, kError) << command.front();
  }
  EXPECT_FALSE(std::filesystem::exists(written));
  // What comes through a pipe is known at its end.
  for (const std::string command : {"analyze", "dissect"}) {
    const Outcome outcome = rocescope({command, "--capture-point", "9", "-"}, {.input = file_bytes(kLab)});
    EXPECT_EQ(outcome.exit_code, 2) << command;
    EXPECT_THAT(outcome.err, HasSubstr(kError)) << command;
  }
}

TEST(Analyze, and_all_others_refuse_a_connection_that_is_not_there) {
  const std::string kError = "rocescope: no connection 99: there are 5. Their numbers: rocescope analyze FILE\n";
  const TemporaryFolder folder;
  const std::string written = folder.path("written.pcapng");
  for (std::vector<std::string> command : {std::vector<std::string>{"analyze"},
                                           {"analyze", "--max-connections", "2"},
                                           {"dissect"},
                                           {"flow"},
                                           {"extract", "-w", written}}) {
    command.insert(command.end(), {"--connection", "99", kLab});
    const Outcome outcome = rocescope(command);
    EXPECT_EQ(outcome.exit_code, 2) << command.front();
    EXPECT_EQ(outcome.out, "") << command.front();
    if (command.front() != "analyze" || command.size() == 4) {
      EXPECT_EQ(outcome.err, kError) << command.front();
    }
  }
  EXPECT_FALSE(std::filesystem::exists(written));
  // What comes through a pipe is known at its end.
  for (const std::string command : {"analyze", "dissect"}) {
    const Outcome outcome = rocescope({command, "--connection", "99", "-"}, {.input = file_bytes(kLab)});
    EXPECT_EQ(outcome.exit_code, 2) << command;
    EXPECT_THAT(outcome.err, HasSubstr(kError)) << command;
  }
}

TEST(Analyze, says_what_a_pipe_keeps_from_a_connection) {
  // Of its first packets it is not known yet that they are of one connection.
  const std::string path = source_dir() + "/captures/several.pcapng";
  const nlohmann::json whole_report = json({path});
  for (const nlohmann::json& connection : whole_report["connections"]) {
    const std::string number = connection["number"].dump();
    const Outcome outcome = rocescope({"analyze", "--json", "--connection", number, "-"}, {.input = file_bytes(path)});
    EXPECT_EQ(outcome.exit_code, 0);
    const bool whole = nlohmann::json::parse(outcome.out)["connections"][0] == connection;
    EXPECT_EQ(outcome.err.find("lacks packets of one direction") == std::string::npos, whole) << number;
  }
}

TEST(Analyze, says_what_was_there_instead_of_roce) {
  EXPECT_THAT(report({"-Y", "tcp", kLab}),
              StartsWith("lab_rping_write_ud_atomic.pcap: 11 packets (of 1,272 read), none of them RoCE; 11 TCP\n"));
}

TEST(Analyze, verifies_no_icrc_with_no_icrc) {
  const nlohmann::json icrc = json({"--no-icrc", kLab})["icrc"];
  EXPECT_EQ(icrc["verified"], false);
  EXPECT_EQ(icrc["good"], 0);
  EXPECT_EQ(json({kLab})["icrc"]["good"], 1241);
}

TEST(Analyze, says_how_fast_it_was_and_what_took_the_express_lane) {
  const std::string kLane =
      "rocescope: express lane: 1,143 packets, 89.9 % of all\n"
      "rocescope:   not 40 packets, 3.1 % of all: an operation that does not take it\n"
      "rocescope:   not 37 packets, 2.9 % of all: another transport than RC\n";
  const Surroundings closed{.environment = {{"ROCESCOPE_EXPRESS", "off"}}};
  const Outcome stats = rocescope({"analyze", "--stats", kLab});
  EXPECT_EQ(stats.out, report({kLab}));
  EXPECT_THAT(stats.err, AllOf(StartsWith(kLane), HasSubstr("rocescope: 1,272 packets and 939 kB in "),
                               HasSubstr(" s of processor time, "), HasSubstr(" of memory at most\n")));
  EXPECT_THAT(rocescope({"analyze", "-v", kLab}).err, AllOf(HasSubstr(kLane), Not(HasSubstr("processor time"))));
  EXPECT_THAT(rocescope({"analyze", "--stats", kLab}, closed).err,
              AllOf(HasSubstr("1,272 packets and 939 kB in "), Not(HasSubstr("express lane"))));
}

TEST(Analyze, says_how_fast_shards_and_jobs_were) {
  const Outcome jobs = rocescope({"analyze", "--stats", "--jobs", "2", kLab});
  EXPECT_EQ(jobs.out, report({kLab}));
  EXPECT_THAT(jobs.err, AllOf(StartsWith("rocescope: 1,272 packets and 939 kB in "),
                              HasSubstr(" of memory at most in one of 3 processes\n")));
  const Outcome shard = rocescope({"analyze", "-v", "--stats", "--shard", "2/2", kLab});
  EXPECT_THAT(shard.err, AllOf(HasSubstr("rocescope: 1,272 packets read; the report is of 1,241, 1,241 of them RoCE\n"),
                               HasSubstr("rocescope: 1,272 packets and 939 kB in ")));
}

TEST(Analyze, says_how_fast_the_run_was_and_not_those_before) {
  TemporaryFolder folder;
  const std::string state = folder.path("state");
  EXPECT_EQ(rocescope({"analyze", "-q", "--save-state", state, kLab}).exit_code, 0);
  const Outcome resumed = rocescope({"analyze", "-v", "--stats", "--resume", state, kOtherLab});
  EXPECT_THAT(resumed.err,
              AllOf(HasSubstr("rocescope: 1,288 packets read; the report is of 2,560, 2,476 of them RoCE\n"),
                    HasSubstr("rocescope: 1,288 packets and ")));
}

TEST(Analyze, colours_text_only_where_asked_and_json_never) {
  EXPECT_THAT(report({kLab}), Not(HasSubstr("\x1b[")));
  EXPECT_THAT(report({"--color", "always", kLab}), HasSubstr("\x1b[1mlab_rping"));
  EXPECT_THAT(report({"--color", "always", "--json", kLab}), Not(HasSubstr("\x1b[")));
}

TEST(Analyze, shows_all_rows_with_v) {
  const Outcome outcome = rocescope({"analyze", "-v", kOtherLab});
  EXPECT_THAT(outcome.out,
              AllOf(Not(HasSubstr("(-v shows all)")), HasSubstr("request PSNs"), HasSubstr("CM messages")));
  const std::string pingpong = source_dir() + "/captures/pingpong-srq.pcapng";  // 16 queue pairs; the other has 11
  EXPECT_THAT(report({kOtherLab, pingpong}), HasSubstr("... and 7 more handshakes (-v shows all)"));
}

TEST(Analyze, fits_its_tables_and_findings_to_the_width_but_not_for_scripts) {
  const std::vector<std::string> lossy{capture("impaired_out-loss_heavy.pcapng")};
  const std::string whole = report(lossy);
  EXPECT_THAT(whole, HasSubstr("  transport  paired   MTU  packets   bytes  messages  resent  lost before  NAK\n"));
  const std::string narrow = report(lossy, {.environment = {{"COLUMNS", "80"}}});
  EXPECT_THAT(narrow, HasSubstr("  no.  side                   peer                   resent  lost before  NAK\n"));
  EXPECT_THAT(narrow, HasSubstr("  no room here for: paired, transport, MTU, bytes, messages, packets\n"));
  std::istringstream lines(narrow);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
  for (const char* nonsense : {"", "0", "wide", "-80"}) {
    EXPECT_EQ(report(lossy, {.environment = {{"COLUMNS", nonsense}}}), whole);
  }
}

TEST(Analyze, reports_the_packets_before_the_place_where_a_capture_is_cut) {
  const std::string bytes = file_bytes(kLab);
  const Outcome outcome = rocescope({"analyze", "-"}, {.input = bytes.substr(0, bytes.size() - 5)});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, AllOf(StartsWith("standard input: 1,271 packets"), HasSubstr("Warning")));
  EXPECT_THAT(outcome.err, HasSubstr("rocescope: "));
}

TEST(Analyze, fails_for_a_file_that_is_not_there) {
  const Outcome outcome = rocescope({"analyze", "no-such-file.pcap"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, HasSubstr("cannot open no-such-file.pcap"));
}

}  // namespace
}  // namespace rocescope::testing
