#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "rocescope/host.hpp"
#include "verify/comparison.hpp"
#include "verify/device_counters.hpp"

namespace rocescope::verify {
namespace {

/// How much the counters of each host of the lab grew. Notes those without a reading before, or with a lower one after.
std::map<std::string, Values> growths(Comparison& comparison) {
  Growths growths = growths_of(comparison.truth().truth());
  for (const auto& [host, unknown] : growths.unknown) {
    comparison.note(
        fmt::format("{} counters of the {} have no reading before, or a higher one: how much they grew is not known",
                    unknown, host));
  }
  return std::move(growths.known);
}

const NicCounterInfo& info_of(NicCounter counter) { return nic_counter_infos()[static_cast<std::size_t>(counter)]; }

/// A host of the lab: the counters of its device, and the same counters by the capture.
class CountingHost {
 public:
  CountingHost(std::string name, Values device) : name_(std::move(name)), device_(std::move(device)) {}

  void add(const Host& host) {
    addresses_.insert(host.address);
    captured_.sent += host.sent;
    captured_.received += host.received;
  }
  /// Packets that the capture has twice, and that the NIC's counters count once.
  void count_copies(const Report& report) {
    for (const Connection& connection : report.connections) {
      for (std::size_t side = 0; side < 2; ++side) {
        const std::uint64_t copies = connection.sides[side].verdicts(VerdictKind::kCaptureDuplicate);
        if (addresses_.contains(connection.sides[side].address)) copies_sent_ += copies;
        if (addresses_.contains(connection.sides[1 - side].address)) copies_received_ += copies;
      }
    }
  }

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] std::uint64_t captured(NicCounter counter) const noexcept {
    return nic_counters(captured_)[static_cast<std::size_t>(counter)];
  }
  /// What the device counted, found by the counter's name in rxe or mlx5. Null: the device has no such counter.
  [[nodiscard]] const Values::value_type* counted(const NicCounterInfo& info) const {
    for (const std::string_view name : {info.rxe, info.mlx5}) {
      const auto found = name.empty() ? device_.end() : device_.find(name);
      if (found != device_.end()) return &*found;
    }
    return nullptr;
  }
  [[nodiscard]] const Values::value_type* counted(NicCounter counter) const { return counted(info_of(counter)); }

  /// Why the device may have sent other packets than the capture has.
  [[nodiscard]] std::vector<Reason> why_others_sent(const CountingHost& peer) const {
    std::vector<Reason> reasons;
    const auto* sent = counted(NicCounter::kSentPackets);
    const auto* arrived = peer.counted(NicCounter::kReceivedPackets);
    if (arrived != nullptr && sent != nullptr) {
      const std::string there = fmt::format("the device of the {} received {}", peer.name(), arrived->second);
      reasons.push_back({.part = PartOf::kTruth,
                         .at_most = surplus(sent->second, arrived->second),
                         .why = "lost before the capture point: " + there});
      reasons.push_back({.part = PartOf::kCapture,
                         .at_most = surplus(arrived->second, sent->second),
                         .why = "copies that the network made: " + there});
    }
    reasons.push_back({.part = PartOf::kTruth,
                       .at_most = copies_sent_,
                       .why = "in the capture twice, where both may have been sent: here they count once"});
    return reasons;
  }
  /// The same for those that it received.
  [[nodiscard]] std::vector<Reason> why_others_received(const CountingHost& peer) const {
    std::vector<Reason> reasons{{.part = PartOf::kTruth,
                                 .at_most = copies_received_,
                                 .why = "in the capture twice, where both may have arrived: here they count once"}};
    const auto* received = counted(NicCounter::kReceivedPackets);
    const auto* sent = peer.counted(NicCounter::kSentPackets);
    if (received == nullptr || sent == nullptr) return reasons;
    const std::string there = fmt::format("the device of the {} sent {}", peer.name(), sent->second);
    const std::uint64_t copied = surplus(received->second, sent->second);
    reasons.push_back({.part = PartOf::kTruth,
                       .at_most = surplus(copied, copies_received_),
                       .why = "copies that the network made behind the capture point: " + there});
    reasons.push_back(
        {.part = PartOf::kCapture,
         .at_most = surplus(sent->second, received->second),
         .why =
             "lost behind the capture point, or for a queue pair that was gone, which rxe does not count: " + there});
    return reasons;
  }
  /// Why it may have counted other events among those packets.
  [[nodiscard]] std::vector<Reason> why_other_events(NicCounter counter, std::string_view name) const {
    std::vector<Reason> reasons;
    if (counter == NicCounter::kPacketSeqErr && name == info_of(counter).rxe) {
      reasons.push_back({.part = PartOf::kCapture,
                         .at_most = captured_.received.repeated_naks,
                         .why = "NAKs that acknowledge nothing new: rxe leaves them out"});
    }
    const bool of_sent = is_of_sent(counter);
    const NicCounter all = of_sent ? NicCounter::kSentPackets : NicCounter::kReceivedPackets;
    const auto* packets = counted(all);
    if (packets == nullptr) return reasons;
    const std::string_view verb = of_sent ? "sent" : "received";
    const std::uint64_t copies = of_sent ? copies_sent_ : copies_received_;
    const std::uint64_t more = surplus(packets->second, captured(all));
    const std::uint64_t fewer = surplus(captured(all), packets->second);
    std::string why = fmt::format("the device {} {} packets more than the capture counts", verb, more);
    if (copies > 0) why += fmt::format(", which has {} twice", copies);
    reasons.push_back({.part = PartOf::kTruth, .at_most = more, .why = std::move(why)});
    reasons.push_back({.part = PartOf::kCapture,
                       .at_most = fewer,
                       .why = fmt::format("the device {} {} packets fewer than the capture has", verb, fewer)});
    return reasons;
  }

 private:
  /// Whether it counts what the host sends; otherwise it counts what arrives.
  static bool is_of_sent(NicCounter counter) noexcept {
    return counter == NicCounter::kOutOfSequence || counter == NicCounter::kSendRnr ||
           counter == NicCounter::kImpliedNakSeqErr || counter == NicCounter::kLocalAckTimeoutErr ||
           counter == NicCounter::kCnpSent;
  }

  std::string name_;
  Values device_;
  std::set<IpAddress> addresses_;
  Host captured_;
  std::uint64_t copies_sent_ = 0;
  std::uint64_t copies_received_ = 0;
};

/// A host without an address in the truth counts for all addresses if it is the only one.
std::vector<CountingHost> hosts_of(const Comparison& comparison, const std::map<std::string, Values>& devices) {
  const truth::Truth& truth = comparison.truth().truth();
  std::vector<CountingHost> hosts;
  for (const auto& device : devices) {
    const std::string& name = device.first;
    const auto is_it = [&](const truth::Host& host) { return host.name == name; };
    const auto known = std::find_if(truth.hosts.begin(), truth.hosts.end(), is_it);
    if (known == truth.hosts.end() && devices.size() > 1) continue;
    CountingHost& host = hosts.emplace_back(name, device.second);
    for (const Host& captured : comparison.report().hosts) {
      if (known == truth.hosts.end() || captured.address == known->address) host.add(captured);
    }
    host.count_copies(comparison.report());
  }
  return hosts;
}

void compare_counter(Comparison& comparison, const CountingHost& host, const CountingHost& peer,
                     const NicCounterInfo& info) {
  const auto* counted = host.counted(info);
  if (counted == nullptr) return;
  const auto& [name, value] = *counted;
  ComparedFact fact{.name = "counters",
                    .detail = fmt::format("{} of the {}", name, host.name()),
                    .truth = value,
                    .capture = host.captured(info.counter)};
  if (info.counter == NicCounter::kSentPackets) {
    settle(fact, host.why_others_sent(peer));
  } else if (info.counter == NicCounter::kReceivedPackets) {
    settle(fact, host.why_others_received(peer));
  } else {
    settle(fact, host.why_other_events(info.counter, name));
  }
  if (fact.differing > 0) {
    comparison.differs({.fact = fact.name,
                        .what = fmt::format("{} grew by {}, by the capture it is {}", fact.detail, value, fact.capture),
                        .truth = {}});
  }
  comparison.add(std::move(fact));
}

void compare_packets(Comparison& comparison, std::string_view verb, std::uint64_t counted,
                     const std::vector<Reason>& reasons) {
  ComparedFact fact{.name = "packets",
                    .detail = std::string(verb),
                    .truth = counted,
                    .capture = comparison.report().totals.roce.packets};
  settle(fact, reasons);
  if (fact.differing > 0) {
    comparison.differs(
        {.fact = fact.name,
         .what = fmt::format("the devices {} {} packets, {} are in the capture", verb, counted, fact.capture),
         .truth = {}});
  }
  comparison.add(std::move(fact));
}

/// All packets, with those that the capture has twice: a capture between two hosts has no fewer than arrived and no more than were
/// sent; with copies on the way, the other way round.
void compare_all_packets(Comparison& comparison, const std::map<std::string, Values>& devices) {
  const auto sum = [&](NicCounter counter) {
    std::optional<std::uint64_t> all;
    for (const auto& [host, values] : devices) {
      const auto found = values.find(info_of(counter).rxe);
      if (found != values.end()) all = all.value_or(0) + found->second;
    }
    return all;
  };
  const auto sent = sum(NicCounter::kSentPackets);
  const auto received = sum(NicCounter::kReceivedPackets);
  if (!sent || !received) return;
  std::uint64_t damaged = 0;
  for (const Host& host : comparison.report().hosts) damaged += host.received.bad_icrc;
  const std::uint64_t lost = surplus(*sent, *received);
  const std::uint64_t copied = surplus(*received, *sent);
  const std::string all_sent = fmt::format("the devices sent {}", *sent);
  const std::string all_received = fmt::format("the devices received {}", *received);
  damaged = std::min(damaged, lost);
  compare_packets(comparison, "sent", *sent,
                  {{PartOf::kTruth, lost, "lost before the capture point: " + all_received},
                   {PartOf::kCapture, copied, "copies that the network made: " + all_received}});
  compare_packets(
      comparison, "received", *received,
      {{PartOf::kCapture, damaged, "damaged: their ICRC is wrong, and devices drop them"},
       {PartOf::kCapture, lost - damaged,
        "lost behind the capture point, or for a queue pair that was gone, which rxe does not count: " + all_sent},
       {PartOf::kTruth, copied, "copies that the network made behind the capture point: " + all_sent}});
}

}  // namespace

void compare_counters(Comparison& comparison) {
  const std::map<std::string, Values> devices = growths(comparison);
  compare_all_packets(comparison, devices);
  const std::vector<CountingHost> hosts = hosts_of(comparison, devices);
  constexpr std::size_t kEnds = 2;
  for (const NicCounterInfo& info : nic_counter_infos()) {
    const bool counts_all = info.counter == NicCounter::kSentPackets || info.counter == NicCounter::kReceivedPackets;
    if (counts_all && hosts.size() > kEnds) continue;  // no device says who sent to whom
    for (std::size_t i = 0; i < hosts.size(); ++i) {
      compare_counter(comparison, hosts[i], hosts[hosts.size() - 1 - i], info);
    }
  }
}

}  // namespace rocescope::verify
