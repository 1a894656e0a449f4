#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "rocescope/text.hpp"
#include "verify/comparison.hpp"

namespace rocescope::verify {
namespace {

using Endpoint = std::pair<IpAddress, Qpn>;

const truth::Fact& fact_of(const TruthQueuePair& queue_pair) {
  if (queue_pair.created != nullptr) return *queue_pair.created;
  if (queue_pair.ready != nullptr) return *queue_pair.ready;
  return *queue_pair.requests.front().post;
}

/// The captured datagram queue pairs at addresses of the truth.
std::set<Endpoint> datagram_endpoints(const Comparison& comparison) {
  std::set<Endpoint> endpoints;
  for (const UdFlow& flow : comparison.report().ud_flows) {
    if (comparison.truth().is_known(flow.source)) endpoints.emplace(flow.source, flow.source_qp);
    if (comparison.truth().is_known(flow.destination)) endpoints.emplace(flow.destination, flow.dest_qp);
  }
  return endpoints;
}

void compare_presence(Comparison& comparison) {
  const TruthBook& truth = comparison.truth();
  std::set<Endpoint> datagrams = datagram_endpoints(comparison);
  ComparedFact fact{.name = "queue_pairs"};
  const auto missing = [&](const TruthQueuePair& queue_pair) {
    ++fact.differing;
    comparison.differs({.fact = fact.name,
                        .what = fmt::format("{} is not in the capture, though it posted {} messages",
                                            truth.name_of(queue_pair), queue_pair.requests.size()),
                        .truth = truth.place_of(fact_of(queue_pair))});
  };
  for (const MatchedQueuePair& matched : comparison.matcher().matched()) {
    const TruthQueuePair& queue_pair = *matched.truth;
    bool seen = matched.wire.has_value();
    if (queue_pair.is_datagram()) {
      for (const IpAddress& address : truth.parties()[queue_pair.party].addresses) {
        seen |= datagrams.erase({address, queue_pair.qpn}) > 0;
      }
    }
    ++fact.truth;
    if (seen) {
      ++fact.capture;
      ++fact.agree;
    } else if (queue_pair.must_have_sent()) {
      missing(queue_pair);
    } else {
      fact.explain(PartOf::kTruth, 1, kNeedNotBeSeen);
    }
  }
  const auto unknown = [&](const IpAddress& address, std::optional<Qpn> qpn, std::uint32_t connection) {
    ++fact.capture;
    ++fact.differing;
    comparison.differs({.fact = fact.name,
                        .what = fmt::format("{} QP {} is in the capture, and the truth has no such queue pair",
                                            to_text(address), qpn ? to_text(*qpn) : "unknown"),
                        .truth = {},
                        .connection = connection});
  };
  for (const WireSide& wire : comparison.matcher().unknown()) {
    unknown(wire.own().address, wire.own().qpn, wire.connection->number);
  }
  for (const auto& [address, qpn] : datagrams) unknown(address, qpn, 0);
  comparison.add(fact);
}

/// Counts a fact of a queue pair that the truth has, and says why the capture lacks it. Whether there is something to compare.
bool is_shown(ComparedFact& fact, const MatchedQueuePair& matched, bool shown, std::string_view why_not) {
  ++fact.truth;
  if (matched.wire && shown) return true;
  if (matched.wire) {
    fact.explain(PartOf::kTruth, 1, why_not);
  } else {
    count_absent(fact, *matched.truth, 1);
  }
  return false;
}

/// Compares one fact of a queue pair that the truth and the capture have.
template <class Value, class ToText>
void compare_value(Comparison& comparison, ComparedFact& fact, const MatchedQueuePair& matched, std::string_view what,
                   const Value& truth, const Value& capture, ToText to_text) {
  ++fact.capture;
  if (truth == capture) {
    ++fact.agree;
    return;
  }
  ++fact.differing;
  const TruthBook& book = comparison.truth();
  comparison.differs(
      {.fact = fact.name,
       .what = fmt::format("{}: {} {} in the truth, {} in the capture", book.name_of(*matched.truth), what,
                           to_text(truth), to_text(capture)),
       .truth = book.place_of(matched.truth->ready != nullptr ? *matched.truth->ready : fact_of(*matched.truth)),
       .connection = matched.wire->connection->number});
}

}  // namespace

void compare_queue_pairs(Comparison& comparison) {
  compare_presence(comparison);
  ComparedFact addresses{.name = "addresses"};
  ComparedFact psns{.name = "starting_psns"};
  ComparedFact mtus{.name = "path_mtus"};
  const auto number = [](std::uint32_t value) { return std::to_string(value); };
  for (const MatchedQueuePair& matched : comparison.matcher().matched()) {
    const TruthQueuePair& truth = *matched.truth;
    if (truth.is_datagram()) continue;
    const WireSide wire = matched.wire.value_or(WireSide{});
    if (truth.peer_address && is_shown(addresses, matched, true, {})) {
      compare_value(comparison, addresses, matched, "its peer's address is", *truth.peer_address, wire.peer().address,
                    [](const IpAddress& address) { return to_text(address); });
    }
    std::vector<Message> messages;
    if (matched.wire) messages = comparison.messages().of(wire.connection->number, wire.side);
    const bool begins = !messages.empty() && messages.front().has_first;
    if (truth.first_psn && is_shown(psns, matched, begins, "the first request is not in the capture")) {
      compare_value(comparison, psns, matched, "the PSN of its first request is", truth.first_psn->value(),
                    messages.front().first_psn.value(), number);
    }
    const bool has_mtu = matched.wire && wire.connection->path_mtu != 0;
    if (truth.path_mtu && is_shown(mtus, matched, has_mtu, "no message that shows it is in the capture")) {
      compare_value(comparison, mtus, matched, "its path MTU is", *truth.path_mtu,
                    std::uint32_t{wire.connection->path_mtu}, number);
    }
  }
  comparison.add(addresses);
  comparison.add(psns);
  comparison.add(mtus);
}

}  // namespace rocescope::verify
