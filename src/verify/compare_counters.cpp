#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "comparison.hpp"

namespace rocescope::verify {
namespace {

/// A counter of rdma_rxe that counts packets which are seen on the wire.
struct Counter {
  std::string_view name;
  std::string_view packets;
  std::uint64_t StreamTotals::*captured;
};

constexpr Counter kCounters[] = {
    {"out_of_seq_request", "NAKs (PSN sequence error)", &StreamTotals::sequence_naks},
    {"rcvd_rnr_err", "RNR NAKs", &StreamTotals::rnr_naks},
};

/// How much the counter grew on all hosts of the lab together; none: not told.
std::optional<std::uint64_t> growth(const truth::Truth& truth, std::string_view name) {
  std::map<std::pair<std::string, bool>, std::uint64_t> readings;  // host and whether after; the last one counts
  for (const truth::Counters& counters : truth.counters) {
    if (counters.side != truth::Side::kLab) continue;
    const auto found = counters.hardware.find(std::string(name));
    if (found != counters.hardware.end()) readings[{counters.on, counters.is_after}] = found->second;
  }
  if (readings.empty()) return std::nullopt;
  std::uint64_t sum = 0;
  for (const auto& [key, value] : readings) sum += key.second ? value : -value;
  return sum;
}

void compare_counter(Comparison& comparison, const Counter& counter) {
  const auto counted = growth(comparison.truth().truth(), counter.name);
  if (!counted) return;
  std::uint64_t captured = 0;
  for (const Connection& connection : comparison.report().connections) {
    for (const ConnectionSide& side : connection.sides) captured += side.requests.*counter.captured;
  }
  const std::uint64_t agree = std::min(*counted, captured);
  const std::uint64_t differing = std::max(*counted, captured) - agree;
  comparison.add({.name = "counters",
                  .detail = std::string(counter.name),
                  .truth = *counted,
                  .capture = captured,
                  .agree = agree,
                  .differing = differing});
  if (differing == 0) return;
  comparison.differs({.fact = "counters",
                      .what = fmt::format("{} of the devices grew by {}, {} {} are in the capture", counter.name,
                                          *counted, captured, counter.packets),
                      .truth = {}});
}

/// A capture made between two machines, which have nobody else to talk to, has no fewer packets than arrived and no more
/// than were sent; where packets are duplicated on the way it is the other way round.
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
  for (const Counter& counter : kCounters) compare_counter(comparison, counter);
}

}  // namespace rocescope::verify
