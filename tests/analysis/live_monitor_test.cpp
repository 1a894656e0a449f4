// Looks at a capture while it is read: together they find what the report finds, and do not change the report.
#include "analysis/live_monitor.hpp"

#include <gmock/gmock.h>

#include <cctype>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analysis/live_looks.hpp"
#include "render/report/report_json.hpp"
#include "rocescope/render.hpp"
#include "support/captures.hpp"

namespace rocescope::live_monitor_test {
namespace {

using live_looks::findings_in;
using live_looks::findings_of;
using live_looks::key_of;
using live_looks::look_at;
using live_looks::Looked;
using nlohmann::json;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;

/// A LINKTYPE_LINUX_SLL2 capture of both ends, as from a tool that forgot the interface, of senders that do not count their
/// IPv4 packets: nothing but times parts a copy from a packet that was sent again.
class Uncounted : public FrameSource {
 public:
  explicit Uncounted(FrameSource& source) : source_(source) {}
  [[nodiscard]] bool next(Frame& frame) override {
    constexpr std::size_t kInterface = 4;
    constexpr std::size_t kType = 10;
    constexpr std::size_t kIdentification = 24;
    constexpr std::uint8_t kOutgoing = 4;
    if (std::exchange(is_seen_again_, false)) {
      ++again_;
      frame = frame_;
      frame.number += again_;
      return true;
    }
    if (!source_.next(frame)) return false;
    is_seen_again_ = frame.data[kType] == kOutgoing;
    data_.assign(frame.data.begin(), frame.data.end());
    std::fill_n(data_.begin() + kInterface, 4, 0);
    std::fill_n(data_.begin() + kIdentification, 2, 0);
    frame.data = data_;
    frame_ = frame;
    frame.number += again_;
    return true;
  }
  [[nodiscard]] std::span<const CaptureInfo> info() const override { return source_.info(); }

 private:
  FrameSource& source_;
  std::vector<std::uint8_t> data_;
  Frame frame_;
  bool is_seen_again_ = false;  ///< a response, which both ends saw at the same time
  std::uint64_t again_ = 0;
};

json without_rates(json connection) {
  for (json& side : connection["sides"]) side.erase("rates");
  return connection;
}

const std::vector<std::string> kCaptures = {"impaired_out-loss_heavy.pcapng",
                                            "rdmagen-cm-mixed.pcapng",
                                            "several.pcapng",
                                            "ecn-heavy.pcapng",
                                            "fault-reject.pcapng",
                                            "killed-server.pcapng",
                                            "fault-slow-receiver.pcapng",
                                            "nvme_errors.pcapng",
                                            "nvme_slow.pcapng",
                                            "pingpong-uc.pcapng"};

/// A look after every packet; under sanitizers, where that takes minutes, after every fifth.
#ifdef ROCESCOPE_SANITIZED
constexpr std::uint64_t kOften = 5;
#else
constexpr std::uint64_t kOften = 1;
#endif

std::vector<std::string> files_to_repeat(std::size_t first, const std::string& always = {}) {
  std::vector<std::string> paths;
  for (const auto& file : std::filesystem::directory_iterator(testing::shipped(""))) {
    if (file.is_regular_file()) paths.push_back(file.path());
  }
  return testing::to_repeat(std::move(paths), first, 6, always);
}

TEST(LiveMonitor, ChangesNothingOfTheReport) {
  for (const std::string& name : kCaptures) {
    EXPECT_EQ(look_at(testing::shipped(name), kOften).report, look_at(testing::shipped(name), 0).report) << name;
  }
}

TEST(LiveMonitor, TellsConnectionsAsTheReportDoes) {
  for (const std::string& name : kCaptures) {
    const Looked looked = look_at(testing::shipped(name), 50);
    std::map<std::uint32_t, json> last;
    for (json line : looked.lines) {
      if (line["type"] != "connection") continue;
      line.erase("type");
      line.erase("time");
      last[line["number"]] = without_rates(line);
    }
    std::map<std::uint32_t, json> expected;
    for (const json& connection : looked.report["connections"])
      expected[connection["number"]] = without_rates(connection);
    for (auto& [number, connection] : expected) {
      ASSERT_TRUE(last.contains(number)) << name;
      // What silence proves later is known at the end only.
      for (std::size_t side = 0; side < 2; ++side) {
        connection["sides"][side].erase("states");
        last[number]["sides"][side].erase("states");
      }
      EXPECT_EQ(last[number], connection) << name;
    }
  }
}

/// The numbers known to a reader of the lines so far.
void follow(const json& line, std::set<std::uint32_t>& known) {
  if (line["type"] == "connection") known.insert(line["number"].get<std::uint32_t>());
  if (line["type"] != "interval") return;
  for (const json& gone : line["gone"]) {
    EXPECT_EQ(known.erase(gone["number"]), 1U) << gone;
    if (gone.contains("part_of")) {
      EXPECT_TRUE(gone["part_of"].get<std::uint32_t>() > 0) << gone;
    }
  }
}

TEST(LiveMonitor, TellsWhichConnectionsTurnedOutToBePartOfAnother) {
  std::vector<std::string> captures = kCaptures;
  captures.emplace_back("two_views-loss_heavy.pcap.gz");
  std::size_t gone = 0;
  for (const std::string& name : captures) {
    const Looked looked = look_at(testing::shipped(name), kOften);
    std::set<std::uint32_t> known;
    for (const json& line : looked.lines) {
      follow(line, known);
      if (line["type"] == "interval") gone += line["gone"].size();
    }
    std::set<std::uint32_t> expected;
    for (const json& connection : looked.report["connections"])
      expected.insert(connection["number"].get<std::uint32_t>());
    EXPECT_EQ(known, expected) << name;
  }
  EXPECT_GT(gone, 0U) << "no capture has such a connection";
}

TEST(LiveMonitor, NamesConnectionsThatAreFollowedNoLonger) {
  std::uint64_t evicted = 0;
  for (const char* name : {"several.pcapng", "rdmagen_several-cm.pcapng", "lab_pingpong_atomic_udaddy.pcap"}) {
    const Looked looked = look_at(testing::shipped(name), kOften, true, 1'000'000);
    std::set<std::uint32_t> known;
    json total;
    for (const json& line : looked.lines) {
      follow(line, known);
      if (line["type"] == "interval") total = line["total"];
    }
    std::set<std::uint32_t> expected;
    for (const json& connection : looked.report["connections"])
      expected.insert(connection["number"].get<std::uint32_t>());
    EXPECT_EQ(known, expected) << name;
    EXPECT_EQ(total["evicted_idle"], looked.report["evicted"]["connections"]) << name;
    evicted += looked.report["evicted"]["connections"].get<std::uint64_t>();
  }
  EXPECT_GT(evicted, 5U);
}

TEST(LiveMonitor, CountsEachPacketInOneInterval) {
  for (const std::string& name : kCaptures) {
    const Looked looked = look_at(testing::shipped(name), 50);
    std::map<std::string, std::uint64_t> sums;
    json total;
    for (const json& line : looked.lines) {
      if (line["type"] != "interval") continue;
      total = line["total"];
      for (const auto& [key, value] : total.items()) sums[key] += line[key].get<std::uint64_t>();
    }
    EXPECT_EQ(json(sums), total) << name;
    for (const char* key : {"packets", "bytes", "roce_packets", "roce_bytes"}) {
      EXPECT_EQ(total[key], looked.report["totals"][key]) << name;
    }
    std::uint64_t naks = 0;
    std::uint64_t cnps = 0;
    std::uint64_t ce = 0;
    std::uint64_t resent = 0;
    for (const json& connection : looked.report["connections"]) {
      for (const json& side : connection["sides"]) {
        const json& requests = side["requests"];
        for (const char* key : {"sequence_naks", "rnr_naks", "fatal_naks"}) naks += requests[key].get<std::uint64_t>();
        for (const char* key : {"retransmission", "read_response_retransmission"}) {
          resent += requests["verdicts"].value(key, std::uint64_t{0});
        }
        cnps += side["cnp_packets"].get<std::uint64_t>();
        ce += side["ce_packets"].get<std::uint64_t>();
      }
    }
    EXPECT_EQ(total["naks"], naks) << name;
    EXPECT_EQ(total["cnps"], cnps) << name;
    EXPECT_EQ(total["ce_packets"], ce) << name;
    EXPECT_EQ(total["retransmitted_packets"], resent) << name;
  }
}

TEST(LiveMonitor, TellsEachFindingOnce) {
  for (const std::string& name : kCaptures) {
    const json reported = findings_in(look_at(testing::shipped(name), 50).lines);
    EXPECT_EQ(findings_of(reported).size(), reported.size()) << name;
  }
}

TEST(LiveMonitor, TellsEveryFindingOfTheReport) {
  for (const std::string& path : files_to_repeat(0)) {
    const Looked looked = look_at(path, 50);
    if (looked.report.is_null()) continue;
    EXPECT_THAT(findings_of(findings_in(looked.lines)), IsSupersetOf(findings_of(looked.report["findings"]))) << path;
  }
}

TEST(LiveMonitor, TellsNothingThatCopiesMakeUnsure) {
  const auto source = open_capture(testing::shipped("two_views-loss_heavy.pcap.gz"));
  ASSERT_TRUE(source);
  Uncounted merged(**source);
  const Looked looked = look_at(merged, {}, 1000);  // some hundred packets show that there are copies
  ASSERT_TRUE(looked.report["connections"][0]["unsure"].get<bool>());
  const std::set<std::string> found = findings_of(looked.report["findings"]);
  EXPECT_EQ(findings_of(findings_in(looked.lines)), found);
  EXPECT_THAT(found, ::testing::Not(IsEmpty()));
}

TEST(LiveMonitor, TellsFindingsOfTheConnectionsThatItIsShown) {
  const auto of_first = [](const PacketRecord& record) { return record.verdict.connection == 1; };
  for (const std::int64_t idle_timeout : {std::int64_t{0}, std::int64_t{1'000'000}}) {
    std::size_t findings = 0;
    std::set<std::string> others;
    for (const std::string name : {"several.pcapng", "rdmagen_several-cm.pcapng", "impaired_out-loss_heavy.pcapng"}) {
      for (const json& finding : findings_in(look_at(testing::shipped(name), 50, true, idle_timeout, of_first).lines)) {
        if (!finding.contains("connection")) continue;
        ++findings;
        if (finding["connection"] != 1) others.insert(name + ": " + finding.dump());
      }
    }
    EXPECT_GT(findings, 0U);
    EXPECT_THAT(others, IsEmpty());
  }
}

TEST(LiveMonitor, TellsFindingsOfTheHandshakesThatItIsShown) {
  const auto of_first = [](const PacketRecord& record) { return record.verdict.connection == 1; };
  std::set<std::string> others;
  std::size_t left_out = 0;
  for (const std::string& path : files_to_repeat(1, "smb_errors.pcapng")) {
    const Looked looked = look_at(path, 50, true, 0, of_first);
    if (looked.report.is_null()) continue;
    const std::set<std::string> reported = findings_of(findings_in(looked.lines));
    EXPECT_THAT(reported, IsSupersetOf(findings_of(looked.report["findings"]))) << path;
    std::set<json> handshakes;
    for (const json& handshake : looked.report["handshakes"]) handshakes.insert(handshake["number"]);
    for (const json& finding : findings_in(looked.lines)) {
      if (!finding.contains("handshake") || handshakes.contains(finding["handshake"])) continue;
      others.insert(std::filesystem::path(path).filename().string() + ": " + finding.dump());
    }
    for (const json& finding : findings_in(look_at(path, 50, true).lines)) {
      if (finding.contains("handshake") && !handshakes.contains(finding["handshake"])) ++left_out;
    }
  }
  EXPECT_THAT(others, IsEmpty());
  EXPECT_GT(left_out, 0U);
}

TEST(LiveMonitor, RemembersNoFindingOfWhatWasEvicted) {
  std::size_t evicted = 0;
  for (const std::string name : {"two_views-loss_heavy.pcap.gz", "rdmagen-exchange-mpi.pcapng", "dead_service.pcapng",
                                 "rdmagen-exchange-param-server.pcapng", "several.pcapng"}) {
    const Looked looked = look_at(testing::shipped(name), kOften, true, 10'000'000);
    std::set<json> followed;
    std::set<json> handshakes;
    for (const json& connection : looked.report["connections"]) followed.insert(connection["number"]);
    for (const json& handshake : looked.report["handshakes"]) handshakes.insert(handshake["number"]);
    // Of each it may be waited for the other direction, or the next message.
    std::size_t kept = followed.size() + handshakes.size();
    for (const json& finding : findings_in(looked.lines)) {
      const bool gone = finding.contains("handshake")
                            ? !handshakes.contains(finding["handshake"])
                            : finding.contains("connection") && !followed.contains(finding["connection"]);
      ++(gone ? evicted : kept);
    }
    EXPECT_LE(looked.remembered, kept) << name;
  }
  EXPECT_GT(evicted, 0U);
}

TEST(LiveMonitor, TellsBeforeTheEndWhatTakesFlowsRegionsAndStops) {
  const std::map<std::string, std::string> captures = {{"impaired_out-corrupt_heavy.pcapng", "icrc_bad"},
                                                       {"lab_pingpong_atomic_udaddy.pcap", "qpn_sequential"},
                                                       {"nvme.pcapng", "rkey_predictable"},
                                                       {"rdmagen-cm-mixed.pcapng", "rkey_in_clear"}};
  for (const auto& [name, finding] : captures) {
    const Looked looked = look_at(testing::shipped(name), 50);
    std::int64_t first = -1;
    std::int64_t last = 0;
    for (const json& line : looked.lines) {
      last = line["time"];
      if (line["type"] == "finding" && line["id"] == finding && first < 0) first = line["time"];
    }
    EXPECT_GE(first, 0) << name;
    EXPECT_LT(first, last) << name;
  }
}

TEST(LiveMonitor, DoesNotTellThatWhatIsStillGoingOnIsNotAllHere) {
  for (const std::string& name : kCaptures) {
    const Looked looked = look_at(testing::shipped(name), kOften, true);
    const std::set<std::string> expected = findings_of(looked.report["findings"]);
    for (const json& finding : findings_in(looked.lines)) {
      const std::string id = finding["id"];
      if (id != "cm_incomplete" && id != "cm_timeout" && id != "one_sided") continue;
      EXPECT_TRUE(expected.contains(key_of(finding))) << name << ' ' << finding;
    }
  }
}

TEST(LiveMonitor, SaysNothingOfConnectionsWithoutPackets) {
  const Looked looked = look_at(testing::shipped("several.pcapng"), 1);
  std::size_t most = 0;
  for (const json& line : looked.lines) {
    if (line["type"] == "interval") most = std::max(most, line["connections"].get<std::size_t>());
  }
  EXPECT_EQ(most, 1U);
}

TEST(LiveJson, HasNoMemberThatIsNotDocumented) {
  const std::string documentation =
      std::string(render::live_json_documentation()) + std::string(render::report_json_documentation());
  std::vector<json> lines = look_at(testing::shipped("impaired_out-loss_heavy.pcapng"), 50).lines;
  for (json& line : look_at(testing::shipped("two_views-loss_heavy.pcap.gz"), kOften).lines)
    lines.push_back(std::move(line));
  for (const json& line : lines) {
    for (const auto& [key, value] : line.items()) {
      EXPECT_NE(documentation.find(key), std::string::npos) << key;
      if (line["type"] != "interval" || !value.is_structured() || value.empty()) continue;
      for (const auto& [inner, ignored] : (value.is_array() ? value.front() : value).items()) {
        EXPECT_NE(documentation.find(inner), std::string::npos) << inner;
      }
    }
  }
}

}  // namespace
}  // namespace rocescope::live_monitor_test
