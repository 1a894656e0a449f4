#include "tracking/connections/uncounted.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>
#include <utility>

namespace rocescope {
namespace {

/// Shows `visit` each sum of three totals at the same place.
template <class A, class B, class C, class Visit>
void visit_troubles(A& a, const B& b, const C& c, const Visit& visit) {
  for (std::size_t i = 0; i < a.packets.size(); ++i) visit(a.packets[i], b.packets[i], c.packets[i]);
  for (std::size_t i = 0; i < a.resends.size(); ++i) {
    visit(a.resends[i], b.resends[i], c.resends[i]);
    visit(a.recoveries_by_cause[i], b.recoveries_by_cause[i], c.recoveries_by_cause[i]);
  }
  visit(a.recoveries, b.recoveries, c.recoveries);
  visit(a.stalls, b.stalls, c.stalls);
  visit(a.stalled, b.stalled, c.stalled);
  visit(a.rnr_too_early, b.rnr_too_early, c.rnr_too_early);
  visit(a.resent_bytes, b.resent_bytes, c.resent_bytes);
  visit(a.missing, b.missing, c.missing);
  visit(a.lost_before, b.lost_before, c.lost_before);
  visit(a.lost_after, b.lost_after, c.lost_after);
  visit(a.corrupt, b.corrupt, c.corrupt);
  visit(a.capture_lost, b.capture_lost, c.capture_lost);
  visit(a.sequence_naks, b.sequence_naks, c.sequence_naks);
  visit(a.rnr_naks, b.rnr_naks, c.rnr_naks);
  visit(a.fatal_naks, b.fatal_naks, c.fatal_naks);
  visit(a.messages_refused, b.messages_refused, c.messages_refused);
  visit(a.messages_lost, b.messages_lost, c.messages_lost);
  visit(a.msn_backwards, b.msn_backwards, c.msn_backwards);
  visit(a.credit_stalls, b.credit_stalls, c.credit_stalls);
  visit(a.credit_stalled, b.credit_stalled, c.credit_stalled);
}

template <class Visit>
void visit_sums(StreamTotals& a, const StreamTotals& b, const StreamTotals& c, const Visit& visit) {
  visit(a.in_order, b.in_order, c.in_order);
  visit(a.responses, b.responses, c.responses);
  visit(a.new_packets, b.new_packets, c.new_packets);
  visit(a.payload_bytes, b.payload_bytes, c.payload_bytes);
  visit(a.acks, b.acks, c.acks);
  visit(a.messages, b.messages, c.messages);
  visit(a.messages_completed, b.messages_completed, c.messages_completed);
  const bool any = a.troubles.get() != nullptr || b.troubles.get() != nullptr || c.troubles.get() != nullptr;
  if (any) visit_troubles(a.troubles.make(), *b.troubles, *c.troubles, visit);
}

}  // namespace

void swap_counts(ConnectionSide& one, ConnectionSide& other) {
  std::swap(one.traffic, other.traffic);
  std::swap(one.class_changes, other.class_changes);
  std::swap(one.ecn, other.ecn);
  std::swap(one.operations, other.operations);
  std::swap(one.times, other.times);
  std::swap(one.alone, other.alone);
  std::swap(one.cnp_packets, other.cnp_packets);
  std::swap(one.ce_packets, other.ce_packets);
  std::swap(one.reads_outstanding, other.reads_outstanding);
  std::swap(one.sightings, other.sightings);
  std::swap(one.refused, other.refused);
  std::swap(one.breaches, other.breaches);
  if (one.congestion.get() == nullptr && other.congestion.get() == nullptr) return;
  std::swap(one.congestion, other.congestion);
  std::swap(one.congestion.make().running, other.congestion.make().running);
}

void add_change(const StreamTotals& before, const StreamTotals& after, StreamTotals& sum) {
  visit_sums(sum, before, after, [](auto& to, auto from, auto now) {
    using Bits = std::uint64_t;
    to = static_cast<std::decay_t<decltype(to)>>(static_cast<Bits>(to) + static_cast<Bits>(now) -
                                                 static_cast<Bits>(from));
  });
}

StreamTotals counted_of(const StreamTotals& whole, const StreamTotals& uncounted) {
  StreamTotals counted = whole;
  visit_sums(counted, whole, uncounted, [](auto& to, auto all, auto others) {
    const auto left = static_cast<std::int64_t>(static_cast<std::uint64_t>(all) - static_cast<std::uint64_t>(others));
    to = left < 0 ? 0 : std::min(all, static_cast<std::decay_t<decltype(to)>>(left));
  });
  if (counted.troubles->stalls == 0 && counted.troubles.get() != nullptr) counted.troubles.make().longest_stall = 0;
  return counted;
}

}  // namespace rocescope
