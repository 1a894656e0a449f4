#include "tracking/connections/uncounted.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>
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

/// An entry of stream_counts(), for the maxima among them.
template <auto member>
struct Maximum {
  constexpr Maximum(std::string_view, std::string_view) {}
  [[nodiscard]] constexpr Maximum packets() const { return *this; }
  [[nodiscard]] constexpr Maximum bytes() const { return *this; }
  [[nodiscard]] constexpr Maximum messages() const { return *this; }
  [[nodiscard]] constexpr Maximum nanoseconds() const { return *this; }
  [[nodiscard]] constexpr Maximum titled(std::string_view) const { return *this; }
  [[nodiscard]] constexpr Maximum max_of(std::uint64_t StreamTroubles::*counted) const {
    Maximum changed = *this;
    changed.count = counted;
    return changed;
  }

  static constexpr bool kIsMaximum = requires(StreamExtremes longest) { longest.*member; };
  /// Takes it back where none of what it is the maximum of is left.
  void settle(StreamTroubles& troubles) const {
    if constexpr (kIsMaximum) {
      if (troubles.*count == 0) troubles.longest.*member = 0;
    }
  }

  std::uint64_t StreamTroubles::*count = nullptr;
};
static_assert(stream_counts<Maximum>([](const auto&... entries) {
  return ((entries.kIsMaximum == (entries.count != nullptr)) && ...);
}));

}  // namespace

void swap_counts(ConnectionSide& one, ConnectionSide& other) {
  // Whether a new member is a count has to be said: without its name here, this does not compile.
  [[maybe_unused]] const auto& [address, qpn, traffic, first_packet, last_data_time, data_class, class_changes, rates,
                                ecn, congestion, operations, times, alone, cnp_packets, ce_packets, requests,
                                reads_outstanding, sightings, refused, breaches, states] = one;
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
  stream_counts<Maximum>([&](const auto&... entries) { (entries.settle(troubles), ...); });
  return counted;
}

}  // namespace rocescope
