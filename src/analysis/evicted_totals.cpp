#include <algorithm>
#include <cstddef>

#include "rocescope/eviction.hpp"

namespace rocescope {
namespace {

template <std::size_t Count>
void add(std::array<std::uint64_t, Count>& sum, const std::array<std::uint64_t, Count>& numbers) {
  for (std::size_t i = 0; i < Count; ++i) sum[i] += numbers[i];
}

void add(StreamTroubles& sum, const StreamTroubles& more) {
  add(sum.packets, more.packets);
  add(sum.resends, more.resends);
  sum.recoveries += more.recoveries;
  add(sum.recoveries_by_cause, more.recoveries_by_cause);
  sum.stalls += more.stalls;
  sum.longest_stall = std::max(sum.longest_stall, more.longest_stall);
  sum.stalled += more.stalled;
  sum.rnr_too_early += more.rnr_too_early;
  sum.resent_bytes += more.resent_bytes;
  sum.missing += more.missing;
  sum.lost_before += more.lost_before;
  sum.lost_after += more.lost_after;
  sum.corrupt += more.corrupt;
  sum.capture_lost += more.capture_lost;
  sum.sequence_naks += more.sequence_naks;
  sum.rnr_naks += more.rnr_naks;
  sum.fatal_naks += more.fatal_naks;
  sum.messages_refused += more.messages_refused;
  sum.messages_lost += more.messages_lost;
  sum.msn_backwards += more.msn_backwards;
  sum.credit_stalls += more.credit_stalls;
  sum.credit_stalled += more.credit_stalled;
}

/// What was in flight at an end is none of the sum; the most is the most of any.
void add(StreamTotals& sum, const StreamTotals& more) {
  sum.in_order += more.in_order;
  sum.responses += more.responses;
  sum.new_packets += more.new_packets;
  sum.payload_bytes += more.payload_bytes;
  sum.acks += more.acks;
  sum.messages += more.messages;
  sum.messages_completed += more.messages_completed;
  InFlight& most = sum.most_in_flight;
  most.bytes = std::max(most.bytes, more.most_in_flight.bytes);
  most.messages = std::max(most.messages, more.most_in_flight.messages);
  most.packets = std::max(most.packets, more.most_in_flight.packets);
  most.reads = std::max(most.reads, more.most_in_flight.reads);
  if (more.troubles.get() != nullptr) add(sum.troubles.make(), *more.troubles);
}

void add(Congestion& sum, const Congestion& more) {
  sum.marked += more.marked;
  sum.marked_unnotified += more.marked_unnotified;
  sum.cnps += more.cnps;
  sum.cnps_without_mark += more.cnps_without_mark;
  sum.most_cnps = std::max(sum.most_cnps, more.most_cnps);
  sum.reaction.looked_at += more.reaction.looked_at;
  sum.reaction.not_slower += more.reaction.not_slower;
  sum.reaction.bytes_before += more.reaction.bytes_before;
  sum.reaction.bytes_after += more.reaction.bytes_after;
}

void add(ConnectionSide& sum, const ConnectionSide& side) {
  sum.traffic.packets += side.traffic.packets;
  sum.traffic.bytes += side.traffic.bytes;
  sum.cnp_packets += side.cnp_packets;
  sum.ce_packets += side.ce_packets;
  if (side.requests.get() != nullptr) add(sum.requests.make(), *side.requests);
  for (const OperationTotals& totals : side.operations.all()) sum.operations.at(totals.operation).merge(totals);
  add(sum.ecn.packets, side.ecn.packets);
  if (side.congestion.get() != nullptr) add(sum.congestion.make(), *side.congestion);
  sum.class_changes += side.class_changes;
  sum.times.merge(side.times);
  // The one kind of evidence that is told of all senders together.
  if (const Sighting* bad = side.sightings.find(FindingId::kIcrcBad)) sum.sightings.merge(*bad);
}

}  // namespace

void EvictedTotals::add(const Connection& connection, bool is_crowded) {
  ++connections;
  if (is_crowded) ++crowded;
  for (const ConnectionSide& side : connection.sides) rocescope::add(sides, side);
}

}  // namespace rocescope
