// What is evicted is counted all the same: a report with evictions has the sums of one without.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "rocescope/analyze.hpp"
#include "rocescope/render.hpp"
#include "schema/tables.hpp"
#include "support/all_captures.hpp"
#include "support/durations.hpp"
#include "support/source_dir.hpp"

namespace rocescope {
namespace {

using nlohmann::json;

constexpr std::size_t kUnlimited = 1'000'000;

json report_of(const std::string& path, std::int64_t idle_timeout, std::size_t most,
               std::function<bool(const PacketRecord&)> accept = {}) {
  Result<std::unique_ptr<FrameSource>> source = open_capture(path);
  if (!source) return {};
  AnalyzeOptions options;
  options.track.idle_timeout = idle_timeout;
  options.track.max_connections = most;
  options.accept = std::move(accept);
  std::string text;
  render::append_report_json(analyze(**source, options), text);
  return json::parse(text);
}

/// Adds up all numbers in `value`: those of the same name, and those of an array without regard to which is which.
void add_up(const json& value, json& sums) {
  if (value.is_number()) {
    sums = sums.is_null() ? value : json(sums.get<std::uint64_t>() + value.get<std::uint64_t>());
  } else if (value.is_object()) {
    for (const auto& [name, member] : value.items()) add_up(member, sums[name]);
  } else if (value.is_array()) {
    for (const json& element : value) add_up(element, sums["[]"]);
  }
}

std::uint64_t number(const json& object, const std::string& name) {
  return object.contains(name) ? object[name].get<std::uint64_t>() : 0;
}

/// The sum of a member over both sides of all connections, evicted ones as well.
std::uint64_t over_sides(const json& report, const std::string& name) {
  std::uint64_t sum = number(report["evicted"], name);
  for (const json& connection : report["connections"]) {
    for (const json& side : connection["sides"]) sum += number(side, name);
  }
  return sum;
}

std::uint64_t over(const json& report, const std::string& table, const std::string& name) {
  std::uint64_t sum = number(report["evicted"][table], name);
  for (const json& row : report[table]) sum += number(row, name);
  return sum;
}

/// Of each side the requests, added up by name, without what is a maximum; operations as well.
json requests_of(const json& report) {
  json sums;
  const auto add = [&](const json& side) {
    json requests = side["requests"];
    requests.erase("most_in_flight");
    for (const schema::Column& column : schema::kStream.columns) {
      if (column.merge == schema::Merge::kMax) requests.erase(std::string(column.name));
    }
    add_up(requests, sums["requests"]);
    for (const json& operation : side["operations"]) {
      json counts = operation;
      const std::string name = counts["operation"];
      counts.erase("operation");
      for (const json& row : counts["sizes"]) {
        add_up(row["messages"], sums["operations"][name]["sizes"][std::to_string(number(row, "at_least"))]);
      }
      counts.erase("sizes");
      add_up(counts, sums["operations"][name]);
    }
  };
  add(report["evicted"]);
  for (const json& connection : report["connections"]) {
    for (const json& side : connection["sides"]) add(side);
  }
  return sums;
}

/// By name, connection and handshake: the findings about one of them alone.
std::vector<json> findings_of(const json& report) {
  std::vector<json> findings;
  for (const json& finding : report["findings"]) {
    if (finding.contains("connection") || finding.contains("handshake")) findings.push_back(finding);
  }
  std::sort(findings.begin(), findings.end());
  return findings;
}

/// What holds however often a connection begins anew.
void expect_packets_counted(const json& report, const json& whole, const std::string& what) {
  for (const char* name : {"totals", "captures", "protocols", "other_packets", "operations", "cm_messages", "icrc",
                           "stops", "untracked", "pauses", "packets_read"}) {
    EXPECT_EQ(report[name], whole[name]) << name << " of " << what;
  }
  // A CNP to a queue pair that nothing else was seen of since its connection was evicted is of no connection.
  const auto packets = [](const json& each) {
    return over_sides(each, "packets") + number(each["congestion"], "untracked_cnps");
  };
  EXPECT_EQ(packets(report), packets(whole)) << what;
  EXPECT_EQ(report["congestion"]["ecn"], whole["congestion"]["ecn"]) << what;
  for (const char* name : {"packets", "wire_bytes", "payload_bytes"}) {
    EXPECT_EQ(report["rates"][name], whole["rates"][name]) << name << " of " << what;
  }
  for (const char* name : {"packets", "bytes", "payload_bytes", "cnp_packets", "icrc_bad_packets"}) {
    EXPECT_EQ(over(report, "flows", name), over(whole, "flows", name)) << name << " of flows of " << what;
  }
  for (const char* name : {"messages", "bytes", "payload_bytes", "immediate_messages"}) {
    EXPECT_EQ(over(report, "ud_flows", name), over(whole, "ud_flows", name)) << name << " of datagrams of " << what;
  }
}

void expect_the_same_regions(const json& report, const json& whole, const std::string& what) {
  for (const char* name : {"reads", "read_bytes", "writes", "written_bytes", "atomics", "flushes", "refused"}) {
    EXPECT_EQ(over(report, "memory_regions", name), over(whole, "memory_regions", name)) << name << " of " << what;
  }
}

/// Whether a handshake was idle for so long before the first packet of its connection that it was evicted, and what
/// it says of that with it.
bool forgets_a_handshake(const json& whole, std::int64_t idle_timeout) {
  return std::ranges::any_of(whole["handshakes"], [&](const json& each) {
    if (!each.contains("first_data_time") || each["messages"].empty()) return false;
    const auto said = each["messages"].back()["time"].get<std::int64_t>();
    return each["first_data_time"].get<std::int64_t>() - said > idle_timeout;
  });
}

/// What holds besides where none begins anew.
void expect_the_same_sums(const json& report, const json& whole, const std::string& what) {
  EXPECT_EQ(over_sides(report, "cnp_packets"), over_sides(whole, "cnp_packets")) << what;
  EXPECT_EQ(over_sides(report, "ce_packets"), over_sides(whole, "ce_packets")) << what;
  EXPECT_EQ(over_sides(report, "damaged_packets"), over_sides(whole, "damaged_packets")) << what;
  EXPECT_EQ(requests_of(report), requests_of(whole)) << what;
  for (const char* name :
       {"times", "rates", "host_rates", "nic_counters", "congestion", "command_totals", "command_failures"}) {
    EXPECT_EQ(report[name], whole[name]) << name << " of " << what;
  }
  expect_the_same_regions(report, whole, what);
}

TEST(Eviction, LosesNoPacketFromTheSums) {
  std::uint64_t evicted = 0;
  for (const std::string& path : testing::captures_to_repeat()) {
    const json whole = report_of(path, 0, kUnlimited);
    if (whole.is_null()) continue;
    EXPECT_EQ(whole["evicted"]["connections"], 0);
    for (const std::int64_t idle_timeout : {std::int64_t{1}, kMillisecond, 1000 * kMillisecond}) {
      for (const std::size_t most : {std::size_t{1}, std::size_t{3}, kUnlimited}) {
        const json report = report_of(path, idle_timeout, most);
        const std::string what = path + ", " + std::to_string(idle_timeout) + " ns, " + std::to_string(most);
        expect_packets_counted(report, whole, what);
        evicted += number(report["evicted"], "connections");
        EXPECT_LE(report["connections"].size(), most + 1) << what;
      }
    }
  }
  EXPECT_GT(evicted, 100U);
}

TEST(Eviction, OfConnectionsThatAreOverChangesNoSumAndNoFinding) {
  std::uint64_t evicted = 0;
  for (const std::string& path : testing::captures_to_repeat(1)) {
    const json whole = report_of(path, 0, kUnlimited);
    if (whole.is_null()) continue;
    for (std::int64_t idle_timeout = kMillisecond; idle_timeout < 100'000 * kMillisecond; idle_timeout *= 10) {
      const json report = report_of(path, idle_timeout, kUnlimited);
      const std::uint64_t gone = number(report["evicted"], "connections");
      const std::uint64_t handshakes = number(report["evicted"], "handshakes");
      const bool anew = gone + report["connections"].size() != whole["connections"].size() ||
                        handshakes + report["handshakes"].size() != whole["handshakes"].size();
      if (anew || gone == 0) continue;
      evicted += gone;
      const std::string what = path + ", " + std::to_string(idle_timeout) + " ns";
      expect_the_same_sums(report, whole, what);
      if (!forgets_a_handshake(whole, idle_timeout)) {
        EXPECT_EQ(report["carried"], whole["carried"]) << what;
      }
      EXPECT_EQ(findings_of(report), findings_of(whole)) << what;
      EXPECT_EQ(report["evicted"]["unlisted_findings"], 0);
    }
  }
  EXPECT_GT(evicted, 10U);
}

/// How many packets a capture may have missed unnoticed rests on all that it has: also on those of connections that are over.
TEST(Eviction, LeavesWhatACaptureShowsOfItself) {
  const std::string path = std::string(testing::source_dir()) + "/captures/nfs_network-41.pcapng";
  const json whole = report_of(path, 0, kUnlimited);
  const json report = report_of(path, 1000 * kMillisecond, kUnlimited);
  EXPECT_EQ(report["evicted"]["connections"], 1);
  const auto losses = [](const json& of) {
    std::vector<std::string> all;
    for (const json& finding : of["findings"]) {
      if (finding["id"] == "packet_loss_before") all.push_back(finding["what"]);
    }
    return all;
  };
  EXPECT_EQ(losses(whole).size(), 1U);
  EXPECT_EQ(losses(report), losses(whole));
}

/// The packets of `first`, and those of `second` directly behind them.
class BothCaptures final : public FrameSource {
 public:
  BothCaptures(FrameSource& first, FrameSource& second) : first_(first), second_(second) {}
  [[nodiscard]] bool next(Frame& frame) override {
    if (first_.next(frame)) {
      last_ = std::max(last_, frame.timestamp);
      number_ = frame.number;
      return true;
    }
    if (!second_.next(frame)) return false;
    if (!start_) start_ = frame.timestamp;
    frame.timestamp += last_ + kMillisecond - *start_;
    frame.number += number_;
    return true;
  }
  [[nodiscard]] std::span<const CaptureInfo> info() const override { return first_.info(); }

 private:
  FrameSource& first_;
  FrameSource& second_;
  std::int64_t last_ = 0;
  std::uint64_t number_ = 0;
  std::optional<std::int64_t> start_;
};

TEST(Eviction, OfTheAcceptedServiceTakesTheRejectedTryWithIt) {
  const auto path = [](const char* name) { return std::string(testing::source_dir()) + "/captures/" + name; };
  for (const std::size_t most : {std::size_t{1}, kUnlimited}) {
    auto smb = open_capture(path("smb_io.pcapng"));  // port 5445 rejects, then port 445 accepts
    auto others = open_capture(path("rdmagen-cm-mixed.pcapng"));
    ASSERT_TRUE(smb && others);
    BothCaptures both(**smb, **others);
    AnalyzeOptions options;
    options.track.idle_timeout = 3'600'000 * kMillisecond;
    options.track.max_connections = most;
    const Report report = analyze(both, options);
    EXPECT_EQ(report.evicted.crowded, most == 1 ? 1U : 0U);
    const auto has = [&](FindingId id) {
      return std::ranges::any_of(report.findings, [&](const Finding& finding) { return finding.info->id == id; });
    };
    EXPECT_TRUE(has(FindingId::kCmProbe)) << most;
    EXPECT_FALSE(has(FindingId::kCmReject)) << most;
  }
}

/// A region that more than one connection uses may be evicted between them.
bool has_shared_regions(const json& report) {
  return std::ranges::any_of(report["memory_regions"],
                             [](const json& region) { return region["connections"].size() > 1; });
}

TEST(Eviction, LosesNoRegionOfTheConnectionsThatAFilterShows) {
  std::uint64_t evicted = 0;
  std::uint64_t stayed = 0;
  for (const std::string& path : testing::captures_to_repeat(2, 3, "nvme_refused.pcapng")) {
    if (report_of(path, 0, kUnlimited).is_null()) continue;
    for (const std::uint32_t shown : {1U, 2U, 5U}) {
      const auto accept = [=](const PacketRecord& record) { return record.verdict.connection == shown; };
      const json whole = report_of(path, 0, kUnlimited, accept);
      if (has_shared_regions(whole)) continue;
      for (const auto& [seconds, most] : {std::pair{100, std::size_t{1}}, {100, 2}, {1, kUnlimited}}) {
        const json report = report_of(path, seconds * 1000 * kMillisecond, most, accept);
        if (report["totals"] != whole["totals"]) continue;  // the rest of it is another connection
        expect_the_same_regions(report, whole, path);
        evicted += number(report["evicted"]["memory_regions"], "regions");
        if (number(report["evicted"], "connections") > 0) stayed += report["memory_regions"].size();
      }
    }
  }
  EXPECT_GT(evicted, 0U);
  EXPECT_GT(stayed, 0U);
}

}  // namespace
}  // namespace rocescope
