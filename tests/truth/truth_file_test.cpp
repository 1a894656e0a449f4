// Files of truth: the content of the lab's, and the errors of damaged ones.
#include "truth/truth_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "support/source_dir.hpp"
#include "support/temporary_folder.hpp"

namespace rocescope::truth {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string kCaptures = rocescope::testing::source_dir() + "/captures/";

Truth truth_of(const std::string& path) {
  Result<Truth> truth = read_truth(std::vector{path});
  if (!truth) ADD_FAILURE() << truth.error().message;
  return truth ? std::move(*truth) : Truth{};
}

/// What reading a file of these lines fails with, behind the file's name.
std::string problem_of(const std::string& lines) {
  const testing::TemporaryFolder folder;
  const std::string path = folder.path("truth.ndjson");
  std::ofstream(path) << lines;
  const Result<Truth> truth = read_truth(std::vector{path});
  if (truth) return {};
  EXPECT_TRUE(truth.error().message.starts_with(path)) << truth.error().message;
  return truth.error().message.substr(path.size());
}

/// How many lines of a file have this event; the lab's own are left out.
std::map<std::string, std::size_t> events_in(const std::string& path) {
  std::map<std::string, std::size_t> counts;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.find("\"side\":\"lab\"") != std::string::npos) continue;
    const std::string key = "\"event\":\"";
    const std::size_t begin = line.find(key) + key.size();
    ++counts[line.substr(begin, line.find('"', begin) - begin)];
  }
  return counts;
}

TEST(TruthFile, HasEveryFactOfTheLabsFiles) {
  for (const auto& entry : std::filesystem::directory_iterator(kCaptures)) {
    if (entry.path().extension() != ".ndjson") continue;
    SCOPED_TRACE(entry.path());
    const Truth truth = truth_of(entry.path());
    auto events = events_in(entry.path());
    const auto by_a_side = [](const Fact& fact) { return fact.side != Side::kLab; };
    EXPECT_EQ(truth.starts.size(), events["start"]);
    EXPECT_EQ(truth.devices_opened.size(), events["device_opened"]);
    EXPECT_EQ(truth.devices.size(), events["device"]);
    EXPECT_EQ(truth.protection_domains.size(), events["pd"]);
    EXPECT_EQ(truth.completion_queues.size(), events["cq"]);
    EXPECT_EQ(truth.regions.size(), events["mr"]);
    EXPECT_EQ(truth.regions_deregistered.size(), events["mr_deregistered"]);
    EXPECT_EQ(truth.windows.size(), events["mw"]);
    EXPECT_EQ(truth.jobs.size(), events["connection"]);
    EXPECT_EQ(truth.queue_pairs.size(), events["qp"]);
    EXPECT_EQ(truth.queue_pair_states.size(), events["qp_state"]);
    EXPECT_EQ(truth.queue_pairs_destroyed.size(), events["qp_destroyed"]);
    EXPECT_EQ(truth.cm_events.size(), events["cm_event"]);
    EXPECT_EQ(truth.rejects.size(), events["reject"]);
    EXPECT_EQ(truth.exchanges.size(), events["exchange"]);
    EXPECT_EQ(truth.posts.size(), events["post"]);
    EXPECT_EQ(truth.completions.size(), events["completion"]);
    EXPECT_EQ(truth.verified.size(), events["verified"]);
    EXPECT_EQ(truth.kills.size(), events["kill"]);
    EXPECT_EQ(truth.results.size(), events["result"]);
    EXPECT_EQ(std::ranges::count_if(truth.counters, by_a_side), static_cast<std::ptrdiff_t>(events["counters"]));
    EXPECT_EQ(truth.hosts.size(), 2U);
    const auto known = [](const auto& work) { return work.opcode != WorkOpcode::kOther; };
    EXPECT_TRUE(std::ranges::all_of(truth.posts, known));
    EXPECT_TRUE(std::ranges::all_of(truth.completions, known));
  }
}

// The figures are those of the file as text.
TEST(TruthFile, KeepsNumbersWhole) {
  const Truth truth = truth_of(kCaptures + "rdmagen-cm-mixed.ndjson");
  const auto is_swap = [](const Post& post) { return post.opcode == WorkOpcode::kAtomicCmpAndSwp; };
  const auto swap = std::ranges::find_if(truth.posts, is_swap);
  ASSERT_NE(swap, truth.posts.end());
  EXPECT_EQ(swap->time, 1795217219868157809);
  EXPECT_EQ(swap->side, Side::kClient);
  EXPECT_EQ(swap->qpn, Qpn(17));
  EXPECT_EQ(swap->wr_id, 29U);
  EXPECT_EQ(swap->remote_address, 139963663369600U);
  EXPECT_EQ(swap->r_key, 635U);
  EXPECT_EQ(swap->swap, 9623788988377224260U);
  EXPECT_FALSE(swap->immediate.has_value());
  EXPECT_TRUE(swap->is_message());

  ASSERT_EQ(truth.queue_pair_states.size(), 6U);
  const QueuePairState& ready = truth.queue_pair_states[2];
  EXPECT_EQ(ready.side, Side::kServer);
  EXPECT_EQ(ready.state, "RTS");
  EXPECT_THAT(ready.via, ElementsAre("RTR"));
  EXPECT_EQ(ready.rq_psn, Psn(15573634));
  EXPECT_EQ(ready.sq_psn, Psn(6643442));
  EXPECT_EQ(ready.path_mtu, 1024U);
  const ByteArray<4> client{192, 168, 2, 25};
  EXPECT_EQ(ready.dgid, IpAddress::v4(client));
}

TEST(TruthFile, FilesOfBothSidesAreOneTruthInTheOrderOfTime) {
  const testing::TemporaryFolder folder;
  const std::vector files{folder.path("server.ndjson"), folder.path("client.ndjson")};
  std::ofstream(files[0]) << R"({"time_ns":20,"side":"server","event":"qp_destroyed","qpn":17})"
                          << "\n";
  std::ofstream(files[1]) << R"({"time_ns":30,"side":"client","event":"qp_destroyed","qpn":18})"
                          << "\n\n"
                          << R"({"time_ns":10,"side":"client","event":"qp_destroyed","qpn":19})"
                          << "\n";
  const Result<Truth> truth = read_truth(files);
  ASSERT_TRUE(truth);
  std::vector<std::uint32_t> order;
  for (const QueuePairDestroyed& each : truth->queue_pairs_destroyed) order.push_back(each.qpn.value());
  EXPECT_THAT(order, ElementsAre(19, 17, 18));
  EXPECT_EQ(truth->queue_pairs_destroyed[0].file, 1U);
  EXPECT_EQ(truth->queue_pairs_destroyed[0].line, 3U);
}

TEST(TruthFile, WhatIsNotInTheSchemaIsPassedOver) {
  EXPECT_EQ(problem_of(R"({"time_ns":1,"side":"server","event":"coffee","cups":"many"})"), "");
  EXPECT_EQ(problem_of(R"({"time_ns":1,"side":"server","event":"qp_destroyed","qpn":17,"mood":[]})"), "");
}

TEST(TruthFile, BadLineIsNamed) {
  const std::string good = R"({"time_ns":1,"side":"server","event":"qp_destroyed","qpn":17})"
                           "\n";
  EXPECT_EQ(problem_of(good + R"({"time_ns":1,"side":"ser)"), ":2: not a JSON object");
  EXPECT_EQ(problem_of(good + "[]"), ":2: not a JSON object");
  EXPECT_EQ(problem_of(R"({"side":"server","event":"kill","signal":"SIGKILL"})"), ":1: time_ns is missing");
  EXPECT_EQ(problem_of(R"({"time_ns":1,"side":"moon","event":"kill","signal":"SIGKILL"})"),
            ":1: side is neither server nor client nor lab");
  EXPECT_EQ(problem_of(R"({"time_ns":1,"side":"server","event":"qp_destroyed"})"),
            ":1: event qp_destroyed: qpn is missing");
  EXPECT_EQ(problem_of(R"({"time_ns":1,"side":"server","event":"qp_destroyed","qpn":16777216})"),
            ":1: event qp_destroyed: qpn has more than 24 bits");
  EXPECT_EQ(problem_of(R"({"time_ns":-1,"side":"server","event":"qp_destroyed","qpn":17})"),
            ":1: time_ns is before 1970");
  EXPECT_EQ(problem_of(R"({"time_ns":5,"side":"server","event":"cq","cq":1,"duration_ns":6})"),
            ":1: event cq: duration_ns cannot be");
  EXPECT_EQ(problem_of(R"({"time_ns":1,"side":"server","event":"qp_destroyed","qpn":"17"})"),
            ":1: event qp_destroyed: qpn is no whole number");
  EXPECT_EQ(problem_of(R"({"time_ns":1,"side":"server","event":"qp_state","qpn":1,"state":"RTR","dgid":"x"})"),
            ":1: event qp_state: dgid is no IP address");
}

TEST(TruthFile, FileThatIsNotThereIsAnError) {
  const Result<Truth> truth = read_truth(std::vector<std::string>{"/nowhere/truth.ndjson"});
  ASSERT_FALSE(truth);
  EXPECT_EQ(truth.error().message, "cannot open /nowhere/truth.ndjson: No such file or directory");
}

}  // namespace
}  // namespace rocescope::truth
