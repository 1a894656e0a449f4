#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rocescope/host.hpp"
#include "verify/comparison.hpp"

namespace rocescope::verify {
namespace {

using Values = std::map<std::string, std::uint64_t, std::less<>>;

/// How much the counters of each host of the lab grew.
std::map<std::string, Values> growths(const truth::Truth& truth) {
  std::map<std::string, Values> before;
  std::map<std::string, Values> after;  // the last readings count
  for (const truth::Counters& counters : truth.counters) {
    if (counters.side != truth::Side::kLab) continue;
    (counters.is_after ? after : before)[counters.on] = {counters.hardware.begin(), counters.hardware.end()};
  }
  for (auto& [host, values] : after) {
    for (auto& [name, value] : values) {
      const auto old = before[host].find(name);
      if (old != before[host].end()) value -= old->second;
    }
  }
  return after;
}

/// The sum over all hosts of the lab; none: the truth has none.
std::optional<std::uint64_t> growth(const truth::Truth& truth, std::string_view name) {
  std::optional<std::uint64_t> sum;
  for (const auto& [host, values] : growths(truth)) {
    const auto found = values.find(name);
    if (found != values.end()) sum = sum.value_or(0) + found->second;
  }
  return sum;
}

const NicCounterInfo& info_of(NicCounter counter) { return nic_counter_infos()[static_cast<std::size_t>(counter)]; }

std::uint64_t difference(std::uint64_t a, std::uint64_t b) { return std::max(a, b) - std::min(a, b); }

/// The range of a counter whose device saw other packets than the capture.
struct Bounds {
  std::uint64_t least = 0;
  std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
};

/// A host of the lab: the counters of its device, and the same counters by the capture.
class CountingHost {
 public:
  CountingHost(std::string name, Values device) : name_(std::move(name)), device_(std::move(device)) {}

  void add(const Host& host) {
    const auto values = nic_counters(host);
    for (std::size_t i = 0; i < kNicCounters; ++i) captured_[i] += values[i];
  }
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] std::uint64_t captured(NicCounter counter) const noexcept {
    return captured_[static_cast<std::size_t>(counter)];
  }
  /// By the name in either driver; none: the device has no such counter.
  [[nodiscard]] const Values::value_type* counted(const NicCounterInfo& info) const {
    for (const std::string_view name : {info.rxe, info.mlx5}) {
      const auto found = name.empty() ? device_.end() : device_.find(name);
      if (found != device_.end()) return &*found;
    }
    return nullptr;
  }
  [[nodiscard]] Bounds bounds(NicCounter counter, std::uint64_t counted) const {
    const std::uint64_t others =
        others_than_captured(is_of_sent(counter) ? NicCounter::kSentPackets : NicCounter::kReceivedPackets);
    Bounds bounds{.least = counted - std::min(counted, others), .most = counted + others};
    // rxe leaves out a NAK that acknowledges nothing new.
    if (counter == NicCounter::kPacketSeqErr) bounds.most = Bounds{}.most;
    return bounds;
  }

 private:
  /// Whether it counts what the host sends; otherwise it counts what arrives.
  static bool is_of_sent(NicCounter counter) noexcept {
    return counter == NicCounter::kOutOfSequence || counter == NicCounter::kSendRnr ||
           counter == NicCounter::kImpliedNakSeqErr || counter == NicCounter::kLocalAckTimeoutErr ||
           counter == NicCounter::kCnpSent;
  }
  /// Packets that were lost or duplicated between the device and the capture: each may have been one that counts.
  [[nodiscard]] std::uint64_t others_than_captured(NicCounter packets) const {
    const auto* counted_packets = counted(info_of(packets));
    if (counted_packets == nullptr) return 0;
    return difference(counted_packets->second, captured(packets));
  }

  std::string name_;
  Values device_;
  std::array<std::uint64_t, kNicCounters> captured_{};
};

/// A host without an address in the truth counts for all addresses if it is the only one.
std::vector<CountingHost> hosts_of(const Comparison& comparison) {
  const truth::Truth& truth = comparison.truth().truth();
  std::map<std::string, Values> devices = growths(truth);
  std::vector<CountingHost> hosts;
  for (auto& device : devices) {
    const std::string& name = device.first;
    const auto is_it = [&](const truth::Host& host) { return host.name == name; };
    const auto known = std::find_if(truth.hosts.begin(), truth.hosts.end(), is_it);
    if (known == truth.hosts.end() && devices.size() > 1) continue;
    CountingHost& host = hosts.emplace_back(name, std::move(device.second));
    for (const Host& captured : comparison.report().hosts) {
      if (known == truth.hosts.end() || captured.address == known->address) host.add(captured);
    }
  }
  return hosts;
}

std::uint64_t copies_in(const Report& report) {
  std::uint64_t copies = 0;
  for (const Connection& connection : report.connections) {
    for (const ConnectionSide& side : connection.sides) copies += side.verdicts(VerdictKind::kCaptureDuplicate);
  }
  return copies;
}

/// A capture between two hosts has no fewer packets than arrived and no more than were sent; with duplicates on the way, the
/// other way round. A packet that looks like a copy made by the capture may have been sent.
Bounds bounds_of_all(const std::vector<CountingHost>& hosts, std::size_t index, NicCounter counter,
                     std::uint64_t counted, std::uint64_t copies) {
  const CountingHost& other = hosts[hosts.size() - 1 - index];
  const bool sent = counter == NicCounter::kSentPackets;
  const auto* there = other.counted(info_of(sent ? NicCounter::kReceivedPackets : NicCounter::kSentPackets));
  const std::uint64_t arrived = there == nullptr ? counted : there->second;
  const std::uint64_t least = std::min(counted, arrived);
  return {.least = least - std::min(least, copies), .most = std::max(counted, arrived)};
}

void compare_counter(Comparison& comparison, const std::vector<CountingHost>& hosts, const NicCounterInfo& info) {
  constexpr std::size_t kEnds = 2;
  const bool counts_all = info.counter == NicCounter::kSentPackets || info.counter == NicCounter::kReceivedPackets;
  if (counts_all && hosts.size() > kEnds) return;
  const std::uint64_t copies = copies_in(comparison.report());
  ComparedFact fact{.name = "counters"};
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    const CountingHost& host = hosts[i];
    const auto* counted = host.counted(info);
    if (counted == nullptr) continue;
    const auto& [name, value] = *counted;
    const std::uint64_t captured = host.captured(info.counter);
    const Bounds bounds =
        counts_all ? bounds_of_all(hosts, i, info.counter, value, copies) : host.bounds(info.counter, value);
    const std::uint64_t nearest = std::clamp(captured, bounds.least, bounds.most);
    fact.detail = name;
    fact.truth += nearest;
    fact.capture += captured;
    fact.agree += std::min(nearest, captured);
    fact.differing += difference(nearest, captured);
    if (captured == nearest) continue;
    comparison.differs(
        {.fact = fact.name,
         .what = fmt::format("{} of the {} grew by {}, by the capture it is {}", name, host.name(), value, captured),
         .truth = {}});
  }
  if (!fact.detail.empty()) comparison.add(std::move(fact));
}

/// All packets, with the copies that the capture made.
void compare_packets(Comparison& comparison) {
  const auto sent = growth(comparison.truth().truth(), "sent_pkts");
  const auto received = growth(comparison.truth().truth(), "rcvd_pkts");
  if (!sent || !received) return;
  const auto [least, most] = std::minmax(*sent, *received);
  const std::uint64_t captured = comparison.report().totals.roce.packets;
  const std::uint64_t nearest = std::clamp(captured, least, most);
  const std::uint64_t agree = std::min(captured, nearest);
  const std::uint64_t differing = std::max(captured, nearest) - agree;
  comparison.add(
      {.name = "packets", .detail = {}, .truth = nearest, .capture = captured, .agree = agree, .differing = differing});
  if (differing == 0) return;
  comparison.differs({.fact = "packets",
                      .what = fmt::format("the devices sent {} packets and received {}, {} are in the capture", *sent,
                                          *received, captured),
                      .truth = {}});
}

}  // namespace

void compare_counters(Comparison& comparison) {
  compare_packets(comparison);
  const std::vector<CountingHost> hosts = hosts_of(comparison);
  for (const NicCounterInfo& info : nic_counter_infos()) compare_counter(comparison, hosts, info);
}

}  // namespace rocescope::verify
