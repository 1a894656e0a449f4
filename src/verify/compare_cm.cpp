#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "rocescope/headers/mad.hpp"
#include "verify/comparison.hpp"

namespace rocescope::verify {
namespace {

/// Compares two counts of the same thing; the surplus of one side differs.
void compare_counts(Comparison& comparison, std::string_view name, std::string detail, std::uint64_t recorded,
                    std::uint64_t captured, const std::string& what_recorded, const std::string& what_captured) {
  ComparedFact fact{.name = name, .detail = std::move(detail), .truth = recorded, .capture = captured};
  settle(fact);
  comparison.add(fact);
  if (fact.differing == 0) return;
  comparison.differs({.fact = name,
                      .what = fmt::format("{} {}, {} {}", recorded, what_recorded, captured, what_captured),
                      .truth = {}});
}

/// Compares the CM events of the truth with the CM messages at its addresses, each message once.
class CmComparer {
 public:
  explicit CmComparer(Comparison& comparison) : comparison_(comparison), book_(comparison.truth()) {}

  void compare() {
    const bool has_events = std::any_of(book_.truth().cm_events.begin(), book_.truth().cm_events.end(),
                                        [](const truth::CmEvent& event) { return event.side != truth::Side::kLab; });
    if (!has_events) return;
    const bool clients = has_events_of(truth::Side::kClient);
    compare_counts(comparison_, "cm_requests", {},
                   clients ? requested() : events(truth::Side::kServer, "CONNECT_REQUEST"),
                   captured({CmMessage::kReq, CmMessage::kSidrReq}, clients), "connections were requested",
                   "REQ and SIDR_REQ messages are in the capture");
    compare_counts(comparison_, "cm_established", {},
                   events(clients ? truth::Side::kClient : truth::Side::kServer, "ESTABLISHED"),
                   clients ? accepted() : captured({CmMessage::kRtu}, false), "connections were established",
                   clients ? "REP and good SIDR_REP messages are in the capture" : "RTU messages are in the capture");
    if (clients) compare_rejects();
    compare_disconnects();
  }

 private:
  [[nodiscard]] bool has_events_of(truth::Side side) const {
    return std::any_of(book_.truth().cm_events.begin(), book_.truth().cm_events.end(),
                       [&](const truth::CmEvent& event) { return event.side == side; });
  }
  [[nodiscard]] std::uint64_t events(truth::Side side, std::string_view type) const {
    return static_cast<std::uint64_t>(
        std::count_if(book_.truth().cm_events.begin(), book_.truth().cm_events.end(),
                      [&](const truth::CmEvent& event) { return event.side == side && event.type == type; }));
  }
  /// Connections that clients requested or were about to request. Each has a port of its own.
  [[nodiscard]] std::uint64_t requested() const {
    std::set<std::tuple<std::uint32_t, IpAddress, std::uint16_t>> ports;
    for (const truth::CmEvent& event : book_.truth().cm_events) {
      const bool resolving = event.type.starts_with("ADDR_") || event.type == "ROUTE_ERROR";
      if (event.side != truth::Side::kClient || resolving || !event.local_address) continue;
      ports.emplace(event.file, *event.local_address, event.local_port);
    }
    return ports.size();
  }
  /// Whether a party of `side` has this address.
  [[nodiscard]] bool is_of(const IpAddress& address, truth::Side side) const {
    return std::any_of(book_.parties().begin(), book_.parties().end(),
                       [&](const Party& party) { return party.side == side && party.addresses.contains(address); });
  }
  /// Messages of these kinds, without those that repeat another, from a client, or else to a server.
  [[nodiscard]] std::uint64_t captured(std::initializer_list<CmMessage> kinds, bool from_client) const {
    std::uint64_t count = 0;
    for (const CmEvent& event : comparison_.report().cm_events) {
      if (event.retry_of || std::find(kinds.begin(), kinds.end(), event.message) == kinds.end()) continue;
      count += from_client ? is_of(event.source, truth::Side::kClient) : is_of(event.destination, truth::Side::kServer);
    }
    return count;
  }
  /// REPs and SIDR_REPs that accept, to a client.
  [[nodiscard]] std::uint64_t accepted() const {
    std::uint64_t count = 0;
    for (const CmEvent& event : comparison_.report().cm_events) {
      const bool accepts =
          event.message == CmMessage::kRep || (event.message == CmMessage::kSidrRep && event.status.value_or(1) == 0);
      if (accepts && !event.retry_of && is_of(event.destination, truth::Side::kClient)) ++count;
    }
    return count;
  }

  /// REJs that clients received, by their reason.
  void compare_rejects() {
    std::map<std::int64_t, std::pair<std::uint64_t, std::uint64_t>> by_reason;  // in the truth, captured
    for (const truth::CmEvent& event : book_.truth().cm_events) {
      if (event.side == truth::Side::kClient && event.type == "REJECTED") ++by_reason[event.status].first;
    }
    for (const CmEvent& event : comparison_.report().cm_events) {
      if (event.message != CmMessage::kRej || event.retry_of || !event.reason) continue;
      if (is_of(event.destination, truth::Side::kClient)) ++by_reason[*event.reason].second;
    }
    for (const auto& [reason, counts] : by_reason) {
      compare_counts(comparison_, "cm_rejects", fmt::format("reason {}", reason), counts.first, counts.second,
                     fmt::format("requests were rejected with reason {}", reason),
                     "REJ messages with this reason are in the capture");
    }
  }

  /// Compares the connections that a side disconnected with those that have a DREQ in the capture.
  void compare_disconnects() {
    using Ends = std::set<std::pair<IpAddress, Qpn>>;  // the client's end, or the only one known
    const auto end_of = [&](const IpAddress& address, Qpn qpn) -> std::pair<IpAddress, Qpn> {
      const TruthQueuePair* queue_pair = book_.find(address, qpn);
      if (queue_pair == nullptr || !queue_pair->dest_qpn || !queue_pair->peer_address) return {address, qpn};
      return std::min(std::pair(address, qpn), std::pair(*queue_pair->peer_address, *queue_pair->dest_qpn));
    };
    Ends recorded;
    for (const truth::CmEvent& event : book_.truth().cm_events) {
      if (event.type == "DISCONNECTED" && event.qpn && event.local_address) {
        recorded.insert(end_of(*event.local_address, *event.qpn));
      }
    }
    Ends captured;
    for (const CmEvent& event : comparison_.report().cm_events) {
      if (event.message != CmMessage::kDreq || !event.remote_qpn) continue;
      if (book_.is_known(event.destination)) {
        captured.insert(end_of(event.destination, *event.remote_qpn));
      } else if (const TruthQueuePair* sender = book_.find_by_peer(event.source, *event.remote_qpn)) {
        captured.insert(end_of(event.source, sender->qpn));
      }
    }
    compare_counts(comparison_, "cm_disconnects", {}, recorded.size(), captured.size(), "connections were disconnected",
                   "connections have a DREQ in the capture");
  }

  Comparison& comparison_;
  const TruthBook& book_;
};

}  // namespace

void compare_cm(Comparison& comparison) { CmComparer(comparison).compare(); }

}  // namespace rocescope::verify
