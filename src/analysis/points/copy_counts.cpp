#include "analysis/points/copy_counts.hpp"

#include <algorithm>
#include <cstdlib>

#include "model/shard_sieve.hpp"
#include "rocescope/detail/elapsed.hpp"

namespace rocescope {

void CopyShare::add(const CopyShare& other) noexcept {
  packets += other.packets;
  reached += other.reached;
  copied += other.copied;
  copies += other.copies;
  uncounted += other.uncounted;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    ways[i].packets += other.ways[i].packets;
    ways[i].reached += other.ways[i].reached;
    ways[i].copied += other.ways[i].copied;
  }
}

void CopyShare::add_copy(const Order& order, std::size_t direction, bool is_first, bool is_counted) noexcept {
  ++copies;
  if (!is_counted) ++uncounted;
  if (is_first) ++copied;
  if (is_first) ++ways[direction].copied;
  if (order.all <= reached) return;
  reached = order.all;
  ways[direction].reached = order.of_way;
  ways[1 - direction].reached = order.all - order.of_way;
}

/// A network duplicates a part of the packets, usually of one direction, by chance several in a row; hosts send a part
/// of them again. If two points see a flow, nearly all packets of both directions come twice, except those lost between
/// the points. If copies end long before the packets do, or a mirror copies only one direction, fewer packets may lack
/// copies.
std::uint8_t CopyShare::times(bool is_all) const noexcept {
  constexpr std::uint32_t kEnough = 4;
  constexpr std::uint32_t kMore = 8;
  constexpr std::uint32_t kEnoughOfOne = 32;
  if (copied < kEnough || uncounted * 2 > copies) return 1;
  const auto lacks_few = [](std::uint32_t its_copied, std::uint32_t its_reached) {
    return its_copied * 8 >= its_reached * 7;
  };
  bool is_both = true;
  bool is_one = false;
  for (const Way& way : ways) {
    is_both = is_both && way.copied > 0 && way.copied * 2 >= way.reached;
    is_one = is_one || (way.copied >= kEnoughOfOne && lacks_few(way.copied, way.reached));
  }
  const bool is_most = is_all ? reached * 2 >= packets : copied >= kMore && copied * 4 >= reached * 3;
  const bool is_nearly_all = copied >= kMore && lacks_few(copied, reached);
  const bool is_each_so_far = !is_all && copied == reached;
  if (!is_one && !is_each_so_far && !(is_both && (is_most || is_nearly_all))) return 1;
  const std::uint32_t rounded = (2 * copies + reached) / (2 * std::max(reached, 1U));
  return static_cast<std::uint8_t>(std::clamp<std::uint32_t>(1 + rounded, 2, kMostTimes));
}

bool CopyShare::is_once() const noexcept {
  constexpr std::uint32_t kEnough = 8;
  return reached >= kEnough && (copied * 2 < reached || uncounted > 0);
}

CopyShare CopyCounts::all() const noexcept {
  CopyShare all = watched;
  all.add(sampled);
  return all;
}

std::uint64_t CopyCounts::about_packets() const noexcept {
  return watched.packets + std::uint64_t{kSampledPsns} * sampled.packets;
}

/// Counts the copies that came, and the copies still to come of packets that are not remembered.
void CopyCounts::note_unknown(std::int64_t until) noexcept {
  const std::uint64_t forgotten = sampled.packets - std::min(sampled.reached, sampled.packets);
  unknown_copies =
      std::max<std::uint64_t>(watched.copies, kSampledPsns * std::uint64_t{again}) + kSampledPsns * forgotten;
  unknown_until = until;
}

void CopyCounts::settle(bool is_all) noexcept {
  if (times == 1) times = all().times(is_all);
}

bool CopyCounts::all_come_again(const CopyShare& packets, const Answers& its) const noexcept {
  constexpr std::uint32_t kEnough = 32;
  constexpr std::uint32_t kEnoughAnswers = 4;
  const bool most =
      packets.copied >= kEnough && packets.copied * 8 >= packets.reached * 7 && packets.reached * 2 >= packets.packets;
  const bool is_answered = its.again >= kEnoughAnswers && its.again == its.reached && its.reached * 2 >= its.packets;
  return most && is_answered && std::abs(elapsed(usual, its.usual)) <= std::abs(usual) / 4;
}

/// Copies come after the time that most agree on, within a quarter of it; a few answers are repeated earlier.
void CopyCounts::Answers::add_again(std::uint32_t number, std::int64_t ns) noexcept {
  if (votes == 0) usual = ns;
  const bool agrees = std::abs(elapsed(usual, ns)) <= std::abs(usual) / 4;
  votes = agrees ? votes + 1 : votes - 1;
  if (votes == 0) again = reached = 0;
  if (!agrees) return;
  ++again;
  reached = std::max(reached, number);
}

bool CopyCounts::Answers::come_again() const noexcept {
  constexpr std::uint32_t kEnough = 16;
  return again >= kEnough && again >= reached - reached / 7;
}

/// Votes for the delay that most agree on, within a quarter of it.
void CopyCounts::vote(std::int64_t delay) noexcept {
  if (votes == 0) usual = delay;
  votes = std::abs(elapsed(usual, delay)) <= std::abs(usual) / 4 ? votes + 1 : votes - 1;
}

}  // namespace rocescope
