// `rocescope flow`: the ladder as text and as JSON, with and without truth.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "captures.hpp"
#include "process.hpp"
#include "support/source_dir.hpp"
#include "support/temporary_folder.hpp"

namespace rocescope::testing::flow_test {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const std::string kCaptures = source_dir() + "/captures/";
const std::string kWriteRead = kCaptures + "rdmagen-cm-write-read";

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) result.push_back(line);
  return result;
}

std::string flow(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "flow");
  const Outcome outcome = rocescope(arguments);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const bool verbose = std::ranges::find(arguments, "-v") != arguments.end();
  EXPECT_EQ(outcome.err.empty(), !verbose) << outcome.err;
  return outcome.out;
}

std::vector<nlohmann::json> events(std::vector<std::string> arguments) {
  arguments.emplace_back("--json");
  std::vector<nlohmann::json> result;
  for (const std::string& line : lines_of(flow(std::move(arguments)))) result.push_back(nlohmann::json::parse(line));
  return result;
}

std::uint64_t sum(const std::vector<nlohmann::json>& events, const char* member) {
  std::uint64_t total = 0;
  for (const nlohmann::json& event : events) {
    if (event["type"] == "packets") total += event[member].get<std::uint64_t>();
  }
  return total;
}

// Checked by hand against `tshark -V`: frame numbers, times, PSNs, sizes; the REQ's and the REP's starting PSNs.
TEST(Flow, a_write_that_is_read_back) {
  EXPECT_EQ(flow({kWriteRead + ".pcapng"}), R"(connection 1: RC, MTU 1024, paired by CM

  frame       time    delta 192.168.2.25 0x000011          192.168.2.24 0x000011
      6   0.000000          |-- CM REQ  RC, PSN 6434391, MTU 1024 ------------>|
                            |     TCP port 18520                               |
      7   0.052475  52.5 ms |<- CM REP  PSN 7354535 ---------------------------|
      8   0.058962  6.49 ms |-- CM RTU --------------------------------------->|
      9   0.095612  36.6 ms |-- WRITE  4,096 B, PSN 7354535-7354538 ---------->|
                            |     in 2.01 ms                                   |
     13   0.097992   370 us |<- ACK  PSN 7354538 ------------------------------|
     14   0.100863  2.87 ms |-- READ  4,096 B, PSN 7354539 ------------------->|
     15   0.101355   492 us |<- READ Response  4,096 B, PSN 7354539-7354542 ---|
     19   0.103458  2.09 ms |-- WRITE  4,096 B, PSN 7354543-7354546 ---------->|
                            |     in 1.25 ms                                   |
     23   0.104924   214 us |<- ACK  PSN 7354546 ------------------------------|
     24   0.105261   337 us |-- READ  4,096 B, PSN 7354547 ------------------->|
     25   0.105637   376 us |<- READ Response  4,096 B, PSN 7354547-7354550 ---|
     29   0.106368   723 us |-- WRITE  4,096 B, PSN 7354551-7354554 ---------->|
                            |     in 4.60 ms                                   |
     33   0.110972  6.00 us |-- READ  4,096 B, PSN 7354555 ------------------->|
     34   0.111439   467 us |<- ACK  PSN 7354554 ------------------------------|
     35   0.111472  33.0 us |<- READ Response  4,096 B, PSN 7354555-7354558 ---|
     39   0.125044  13.5 ms |-- CM DREQ -------------------------------------->|
     40   0.127969  2.92 ms |<- CM DREP ---------------------------------------|
)");
}

// Frames 37 to 44 in tshark: 10657547 is missing, a NAK asks for it, it comes with the two behind it.
TEST(Flow, a_recovery_is_marked_and_explained) {
  EXPECT_THAT(flow({kCaptures + "impaired_out-loss_heavy.pcapng"}), HasSubstr(R"(
!    37   0.000099  5.00 us |-- WRITE Middle  1,024 B, PSN 10657548 ---------->|
                            |     1 packet before it not seen                  |
     38   0.000101  2.00 us |-- WRITE Last  1,024 B, PSN 10657549 ------------>|
     39   0.005119  5.02 ms |<- ACK  PSN 10657541 -----------------------------|
!    40   0.005129  10.0 us |<- NAK PSN sequence error  PSN 10657547 ----------|
                            |     asks for packets that were not seen at the   |
                            |     capture point                                |
!    41   0.007091  1.96 ms |-- WRITE Middle  1,024 B, PSN 10657547 ---------->|
                            |     retransmission, asked for by the NAK in 40;  |
                            |     the first copy was not seen at the capture   |
                            |     point                                        |
!    42   0.007263   172 us |-- 2 x WRITE  1,024 B, PSN 10657548-10657549 ---->|
                            |     retransmission of 37-38, asked for by the NAK|
                            |     in 40                                        |
     44   0.007724   353 us |<- ACK  PSN 10657549 -----------------------------|
)"));
}

// 200 WRITEs of 4 KiB in 800 packets, each acknowledged, by the options of ib_write_bw.
TEST(Flow, equal_messages_and_their_acknowledgements_are_one_line_each) {
  const std::string text = flow({"--connection", "3", kLab});
  EXPECT_THAT(text, HasSubstr("   102   0.330337   318 ms |-- 200 x WRITE  4,096 B, PSN 10952691-10953490 -->|\n"));
  EXPECT_THAT(text, HasSubstr("   225   0.336521   399 us |<- 200 x ACK  PSN 10952694-10953490, in 335 ms ---|\n"));
  const std::string unfolded = flow({"--connection", "3", "-v", kLab});
  EXPECT_GT(lines_of(unfolded).size(), 1000U);
  EXPECT_THAT(unfolded, HasSubstr("|-- WRITE First  1,024 B, PSN 10952691 "));
}

// By the NAK in frame 11: tshark -Y infiniband.aeth.syndrome.error_code.
TEST(Flow, a_refused_message_has_its_own_line) {
  const std::string text = flow({kCaptures + "fault-out-of-range.pcapng"});
  EXPECT_THAT(text, HasSubstr("|-- WRITE  256 B, PSN 4967644 ----"));
  EXPECT_THAT(text, HasSubstr("|-- WRITE  256 B, PSN 4967645 ----"));
}

// Its server was killed: 11 WRITEs, the last two of which nobody acknowledged.
TEST(Flow, messages_without_an_answer_have_their_own_lines) {
  const std::string text = flow({kCaptures + "killed-server.pcapng"});
  EXPECT_THAT(text, HasSubstr("|-- 9 x WRITE  4,000 B, PSN 646452-646487 ----"));
  EXPECT_THAT(text, HasSubstr("|-- WRITE  4,000 B, PSN 646488-646491 ----"));
  EXPECT_THAT(text, HasSubstr("|-- WRITE  4,000 B, PSN 646492-646495 ----"));
}

TEST(Flow, each_packet_is_shown_once) {
  for (const char* name :
       {"lost-heavy", "impaired_out-reorder_heavy", "rdmagen-exchange-mixed", "pingpong-uc", "psn_wrap"}) {
    const std::string capture = kCaptures + name + ".pcapng";
    const auto report = nlohmann::json::parse(rocescope({"analyze", "-q", "--json", capture}).out);
    for (const nlohmann::json& connection : report["connections"]) {
      const std::string number = connection["number"].dump();
      std::uint64_t packets = 0;
      for (const nlohmann::json& side : connection["sides"]) packets += side["packets"].get<std::uint64_t>();
      const auto folded = events({"-q", "--connection", number, capture});
      const auto unfolded = events({"-q", "-v", "--connection", number, capture});
      EXPECT_EQ(sum(folded, "packets"), packets) << name;
      EXPECT_EQ(sum(unfolded, "packets"), packets) << name;
      EXPECT_EQ(sum(folded, "bytes"), sum(unfolded, "bytes")) << name;
      const auto later = [](const nlohmann::json& a, const nlohmann::json& b) { return a["frame"] < b["frame"]; };
      EXPECT_TRUE(std::is_sorted(folded.begin() + 1, folded.end(), later)) << name;
    }
  }
}

TEST(Flow, fits_the_terminal_and_80_columns_elsewhere) {
  for (const char* name :
       {"lost-heavy", "impaired_out-loss_heavy", "rdmagen-exchange-mixed", "fault-slow-receiver", "ipv6"}) {
    for (const std::vector<std::string>& more : std::vector<std::vector<std::string>>{{"-q"}, {"-q", "-v"}}) {
      std::vector<std::string> arguments = more;
      arguments.push_back(kCaptures + name + ".pcapng");
      for (const std::string& line : lines_of(flow(arguments))) EXPECT_LE(line.size(), 80U) << line;
    }
  }
}

TEST(Flow, shows_the_connection_with_the_most_trouble_and_says_that_there_are_others) {
  const std::string text = flow({kLab});
  EXPECT_THAT(text, StartsWith("connection 3: RC, MTU 1024, paired by CM\n"
                               "the first of 5 in `analyze`, by trouble; --connection N for another\n"));
}

TEST(Flow, from_to_and_count_narrow) {
  const std::vector<nlohmann::json> all = events({kWriteRead + ".pcapng"});
  const auto seconds = [](const nlohmann::json& event) {
    const auto time = event["time"].get<std::int64_t>();
    const std::string nanoseconds = std::to_string(1'000'000'000 + time % 1'000'000'000).substr(1);
    return std::to_string(time / 1'000'000'000) + "." + nanoseconds;
  };
  EXPECT_EQ(events({"--from", seconds(all[4]), "--to", seconds(all[6]), kWriteRead + ".pcapng"}).size(), 4U);
  const auto since_start = [](const nlohmann::json& event) {
    const Outcome first =
        rocescope({"dissect", "-c", "1", "-T", "fields", "-e", "frame.time_epoch", kWriteRead + ".pcapng"});
    // A double would not hold all digits.
    const std::string whole = first.out.substr(0, first.out.find('.'));
    const std::string fraction = first.out.substr(first.out.find('.') + 1, 9);
    const std::int64_t start = std::stoll(whole) * 1'000'000'000 + std::stoll(fraction);
    return "+" + std::to_string(event["time"].get<std::int64_t>() - start) + "ns";
  };
  EXPECT_EQ(events({"--from", since_start(all[4]), "--to", since_start(all[6]), kWriteRead + ".pcapng"}).size(), 4U);
  EXPECT_EQ(sum(events({"-c", "13", kWriteRead + ".pcapng"}), "packets"), 5U);
  EXPECT_EQ(rocescope({"flow", "--from", "+1000s", kWriteRead + ".pcapng"}).err,
            "rocescope: connection 1 has no packets between --from and --to\n");
}

TEST(Flow, truth_adds_what_the_wire_cannot_show_and_the_phases) {
  const std::string text = flow({"--truth", kWriteRead + ".ndjson", kWriteRead + ".pcapng"});
  // Figures of the truth file: created in 1795217... - see `qp`, `mr` and `qp_state` there.
  EXPECT_THAT(text, HasSubstr("                            client                                        server\n"
                              "          0.000000          == discovery, 33.3 ms =="));
  EXPECT_THAT(text, HasSubstr("* memory region of 9,216 B, R_Key 0x00000213       |\n"
                              "                            | took 673 us "));
  EXPECT_THAT(text, HasSubstr("          0.093428          |            queue pair 0x000011, RC  took 2.14 ms *\n"
                              "          0.093636          |                                          QP INIT *\n"
                              "      7   0.095725  52.5 ms |<- CM REP  PSN 7354535 "));
  EXPECT_THAT(text, EndsWith(R"(
Phases
  discovery      49.1 ms
  queue pair     27.2 ms
  memory         9.75 ms
  connection     51.6 ms
  data           18.1 ms
  tear-down       127 ms
  all             283 ms
)"));
}

TEST(Flow, ids_of_64_bits_are_written_as_in_the_report) {
  const std::string capture = kWriteRead + ".pcapng";
  const auto report = nlohmann::json::parse(rocescope({"analyze", "-q", "--json", capture}).out);
  std::map<std::uint64_t, nlohmann::json> messages;
  for (const nlohmann::json& message : report["cm_messages"]) messages[message["packet"]] = message;
  const auto ladder = events({"--truth", kWriteRead + ".ndjson", capture});
  EXPECT_EQ(ladder[0]["schema"], 2);
  std::size_t compared = 0;
  for (const nlohmann::json& event : ladder) {
    for (const char* member : {"address", "wr_id"}) {
      EXPECT_TRUE(!event.contains(member) || event[member].is_string()) << event;
    }
    if (event["type"] != "cm") continue;
    const nlohmann::json& message = messages[event["frame"]];
    for (const char* member : {"transaction_id", "service_id"}) {
      EXPECT_EQ(event.value(member, nlohmann::json()), message.value(member, nlohmann::json())) << event;
      if (event.contains(member)) ++compared;
    }
  }
  EXPECT_GT(compared, 2U);
}

// Between the first post and the last completion of either side's queue pair, in the file of truth.
TEST(Flow, phases_have_no_holes_and_data_lasts_from_the_first_post_to_the_last_completion) {
  const auto reported = events({"--truth", kWriteRead + ".ndjson", kWriteRead + ".pcapng"});
  std::int64_t first_post = 0;
  std::int64_t last_completion = 0;
  std::ifstream truth(kWriteRead + ".ndjson");
  for (std::string line; std::getline(truth, line);) {
    const auto fact = nlohmann::json::parse(line);
    if (fact["event"] == "post" && fact["opcode"] != "RECV" && first_post == 0) first_post = fact["time_ns"];
    if (fact["event"] == "completion") last_completion = fact["time_ns"];
  }
  std::int64_t end = 0;
  for (const nlohmann::json& event : reported) {
    if (event["type"] != "phase") continue;
    EXPECT_EQ(event["time"], end == 0 ? event["time"].get<std::int64_t>() : end);
    end = event["time"].get<std::int64_t>() + event["duration"].get<std::int64_t>();
    if (event["phase"] == "data") {
      EXPECT_EQ(event["time"], first_post);
      EXPECT_EQ(end, last_completion);
    }
  }
  const auto earlier = [](const nlohmann::json& a, const nlohmann::json& b) { return a["time"] < b["time"]; };
  EXPECT_TRUE(std::is_sorted(reported.begin() + 1, reported.end(), earlier));
}

/// The truth of one side in a file of its own, its clock wrong by `shift` nanoseconds.
std::string side_of_truth(const TemporaryFolder& folder, const std::string& side, std::int64_t shift) {
  std::ifstream both(kWriteRead + ".ndjson");
  const std::string path = folder.path(side + ".ndjson");
  std::ofstream one(path);
  for (std::string line; std::getline(both, line);) {
    auto fact = nlohmann::json::parse(line);
    if (fact["side"] != side) continue;
    fact["time_ns"] = fact["time_ns"].get<std::int64_t>() + shift;
    one << fact.dump() << '\n';
  }
  return path;
}

TEST(Flow, truth_may_come_in_a_file_for_each_side) {
  const TemporaryFolder folder;
  EXPECT_EQ(flow({"--truth", side_of_truth(folder, "server", 0), "--truth", side_of_truth(folder, "client", 0),
                  kWriteRead + ".pcapng"}),
            flow({"--truth", kWriteRead + ".ndjson", kWriteRead + ".pcapng"}));
}

TEST(Flow, a_clock_that_is_ahead_is_reported) {
  const TemporaryFolder folder;
  const Outcome outcome = rocescope({"flow", "--truth", side_of_truth(folder, "server", 0), "--truth",
                                     side_of_truth(folder, "client", 5'000'000), kWriteRead + ".pcapng"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.err, StartsWith("rocescope: the client's clock is ahead of the capture's by 3.85 ms or more"));
}

TEST(Flow, errors_tell_what_to_do) {
  EXPECT_EQ(rocescope({"flow", "-"}, {.input = file_bytes(kLab)}).err,
            "rocescope: standard input cannot be read twice, which this command needs. Save it to a file first\n");
  EXPECT_EQ(rocescope({"flow", "--connection", "9", kLab}).err,
            "rocescope: no connection 9: there are 5. Their numbers: rocescope analyze FILE\n");
  EXPECT_EQ(
      rocescope({"flow", kCaptures + "fault-reject.pcapng"}).err,
      "rocescope: no connection in the capture: no packets of RC, UC or XRC. What there is: rocescope analyze FILE\n");
  EXPECT_EQ(rocescope({"flow", "--truth", kCaptures + "vlan.ndjson", kLab}).exit_code, 2);
  const TemporaryFolder folder;
  std::ofstream(folder.path("bad.ndjson")) << "{}\n";
  EXPECT_THAT(rocescope({"flow", "--truth", folder.path("bad.ndjson"), kWriteRead + ".pcapng"}).err,
              EndsWith("bad.ndjson:1: event is missing\n"));
}

TEST(Flow, colours_only_where_they_are_wanted) {
  EXPECT_THAT(flow({kWriteRead + ".pcapng"}), Not(HasSubstr("\x1b")));
  EXPECT_THAT(flow({"--color", "always", kWriteRead + ".pcapng"}), HasSubstr("\x1b[36m-- CM REQ"));
  EXPECT_THAT(flow({"--color", "always", "--json", kWriteRead + ".pcapng"}), Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace rocescope::testing::flow_test
