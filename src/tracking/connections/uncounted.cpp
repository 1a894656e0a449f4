#include "tracking/connections/uncounted.hpp"

#include <algorithm>
#include <utility>

#include "model/counters.hpp"

namespace rocescope {
namespace {

/// Calls `function` with each sum of `to`, and the same of two others. Leaves what is no sum.
template <class Function>
void for_each_sum(StreamTotals& to, const StreamTotals& one, const StreamTotals& other, Function function) {
  for_each_counter(to.sums, function, one.sums, other.sums);
  if (to.troubles.get() == nullptr && one.troubles.get() == nullptr && other.troubles.get() == nullptr) return;
  StreamTroubles& troubles = to.troubles.make();
  const StreamExtremes longest = troubles.longest;
  for_each_counter(troubles, function, *one.troubles, *other.troubles);
  troubles.longest = longest;
}

}  // namespace

void swap_counts(ConnectionSide& one, ConnectionSide& other) {
  std::swap(one, other);
  // What is no count stays.
  std::swap(one.address, other.address);
  std::swap(one.qpn, other.qpn);
  std::swap(one.first_packet, other.first_packet);
  std::swap(one.last_data_time, other.last_data_time);
  std::swap(one.data_class, other.data_class);
  std::swap(one.states, other.states);
  if (one.congestion.get() == nullptr && other.congestion.get() == nullptr) return;
  std::swap(one.congestion.make().running, other.congestion.make().running);
}

void add_change(const StreamTotals& before, const StreamTotals& after, StreamTotals& sum) {
  for_each_sum(sum, before, after, [](std::uint64_t& to, std::uint64_t then, std::uint64_t now) { to += now - then; });
}

StreamTotals counted_of(const StreamTotals& whole, const StreamTotals& uncounted) {
  StreamTotals counted = whole;
  for_each_sum(counted, whole, uncounted, [](std::uint64_t& to, std::uint64_t all, std::uint64_t others) {
    const std::uint64_t left = all - others;
    const bool negative = left >> 63U != 0;
    to = negative ? 0 : std::min(all, left);
  });
  if (counted.troubles.get() == nullptr) return counted;
  StreamTroubles& troubles = counted.troubles.make();
  if (troubles.stalls == 0) troubles.longest.stall = 0;
  if (troubles.silences == 0) troubles.longest.silence = 0;
  if (troubles.silences == 0) troubles.longest.tries_in_silence = 0;
  if (troubles.answered_early == 0) troubles.longest.answered_early = 0;
  return counted;
}

}  // namespace rocescope
