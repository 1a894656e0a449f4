#include "analysis/points/copy_watch.hpp"

#include <algorithm>
#include <cstdlib>
#include <span>
#include <utility>

#include "tracking/elapsed.hpp"

namespace rocescope {
namespace {

constexpr std::int64_t kTooSoon = 250'000;         // ns: no timeout is that short
constexpr std::int64_t kLongestPath = 10'000'000;  // ns: no network keeps packets that long as a rule

bool is_connected(const Packet& packet) noexcept {
  return packet.is_roce() && packet.roce.opcode->transport != Transport::kUd;
}

}  // namespace

HostsAtPlace hosts_of(const Packet& packet, std::size_t place) noexcept {
  HostsAtPlace hosts{packet.source, packet.destination, static_cast<std::uint32_t>(place)};
  if (hosts.higher < hosts.lower) std::swap(hosts.lower, hosts.higher);
  return hosts;
}

/// A network duplicates a part of the packets, and hosts send a part of them again. Where two points see a flow, nearly all packets come
/// twice. Without IP identification a retransmission looks like a copy, so it takes more packets to decide: go-back-N sends all packets
/// of a short time again, and so does a sender after an RNR NAK. But then the responses do not come twice.
void CopyCounts::settle(bool at_end) noexcept {
  constexpr std::uint32_t kEnough = 4;
  constexpr std::uint32_t kMany = 256;
  if (times > 1 || copied < kEnough) return;
  const auto nearly_all = [](std::uint32_t some, std::uint32_t all) { return some / 3 * 4 >= all; };
  const auto come_again = [&](std::uint32_t all, std::uint32_t all_responses) {
    if (responses_copied < kEnough) return copied == packets && responses_copied > 0;
    return nearly_all(copied, all) && nearly_all(responses_copied, all_responses);
  };
  const bool is_counted = uncounted * 2 <= copies;
  const bool is_usual = is_counted ? copied * 2 >= reached
                                   : (reached >= kMany && come_again(reached, responses_reached)) ||
                                         (at_end && come_again(packets, responses));
  if (!is_usual) return;
  const auto rounded_share = [](std::uint32_t some, std::uint32_t all) {
    return (2 * some + all) / (2 * std::max(all, 1U));
  };
  const bool by_responses = !is_counted && responses_copied >= kEnough;
  const std::uint32_t rounded =
      by_responses ? rounded_share(responses_copies, responses_reached) : rounded_share(copies, reached);
  times = static_cast<std::uint8_t>(std::clamp<std::uint32_t>(1 + rounded, 2, CopyWatch::kMostTimes));
}

/// The delay that most agree with, up to a quarter.
void CopyCounts::vote(std::int64_t delay) noexcept {
  if (votes == 0) usual = delay;
  votes = std::abs(elapsed(usual, delay)) <= std::abs(usual) / 4 ? votes + 1 : votes - 1;
}

void CopyWatch::look_far() {
  seen_.keep(kManySeen);
  requests_.keep(kManySeen);
}

void CopyWatch::expect_copies() {
  if (!places_.empty()) look_far();
  for (PlaceCounts& place : places_) place.looked_at = 0;
}

CopyCounts* CopyWatch::counts_of(const Packet& packet, std::size_t place) {
  const HostsAtPlace hosts = hosts_of(packet, place);
  if (const auto known = hosts_.find(hosts); known != hosts_.end()) return &known->second;
  if (hosts_.size() >= kMostHosts) std::erase_if(hosts_, [](const auto& each) { return each.second.times == 1; });
  return hosts_.size() < kMostHosts ? &hosts_[hosts] : nullptr;
}

/// Some senders give all their packets one identification.
bool CopyWatch::is_counted(const Packet& packet, const Fingerprint& fingerprint, CopyCounts& hosts) noexcept {
  std::uint16_t& last = hosts.identifications[packet.destination < packet.source ? 1 : 0];
  return std::exchange(last, fingerprint.identification) != fingerprint.identification &&
         fingerprint.identification != 0;
}

void CopyWatch::observe(const Packet& packet, std::size_t place, const Fingerprint& fingerprint) {
  if (fingerprint.hash == 0) return;
  if (place >= places_.size()) places_.resize(place + 1);
  PlaceCounts& here = places_[place];
  ++here.looked_at;
  CopyCounts* const hosts = counts_of(packet, place);
  const std::int64_t time = packet.frame.timestamp;
  Seen* seen = seen_.find(fingerprint.hash);
  const bool counted = hosts != nullptr && is_counted(packet, fingerprint, *hosts);
  const auto begin = [&] {
    come_first(packet, place, seen_.add({.hash = fingerprint.hash, .time = time, .counted = counted}), hosts);
  };
  if (seen == nullptr) return begin();
  const auto end = seen->at.begin() + seen->places;
  const auto at = std::find_if(seen->at.begin(), end, [&](const SeenAt& each) { return each.place == place; });
  if (at != end && std::abs(elapsed(seen->time, time)) > kLongest) {
    return begin();
  }
  if (!std::exchange(has_repetitions_, true)) look_far();
  if (at == end) {
    match(*seen, place, time);
    if (seen->places < seen->at.size()) come_first(packet, place, *seen, hosts);
    return;
  }
  if (at->copies < UINT8_MAX) ++at->copies;
  constexpr std::int64_t kDisorder = 5'000;  // ns: captures order packets loosely
  const bool answered = std::exchange(at->answered, false) && elapsed(at->answered_at, time) > kDisorder;
  const std::int64_t delay = elapsed(seen->time, time);
  const bool is_response = is_connected(packet) && !packet.roce.opcode->request;
  const auto count = [&](CopyCounts& counts, std::uint32_t order, std::uint32_t responses) {
    ++counts.copies;
    counts.responses_copies += is_response ? 1 : 0;
    if (at->copies == 1) {
      ++counts.copied;
      counts.vote(delay);
      counts.responses_copied += is_response ? 1 : 0;
    }
    if (answered) ++counts.before;
    counts.soonest = std::min(counts.soonest, delay);
    if (!seen->counted) ++counts.uncounted;
    counts.reached = std::max(counts.reached, order);
    counts.responses_reached = std::max(counts.responses_reached, responses);
    counts.settle(false);
  };
  count(here.counts, at->order_in_place, at->responses_in_place);
  if (hosts != nullptr) count(*hosts, at->order, at->responses);
  note_copies(here, hosts);
}

void CopyWatch::note_copies(PlaceCounts& place, const CopyCounts* hosts) noexcept {
  place.repeats = place.repeats || place.counts.times > 1 || (hosts != nullptr && hosts->times > 1);
  has_copies_ = has_copies_ || place.repeats;
}

void CopyWatch::end_look_ahead() {
  for (PlaceCounts& place : places_) {
    place.counts.settle(true);
    note_copies(place, nullptr);
  }
  for (auto& [hosts, counts] : hosts_) {
    counts.settle(true);
    note_copies(places_[hosts.place], &counts);
  }
}

void CopyWatch::come_first(const Packet& packet, std::size_t place, Seen& seen, CopyCounts* hosts) {
  CopyCounts& here = places_[place].counts;
  const bool connected = is_connected(packet);
  if (connected && !packet.roce.opcode->request) {
    ++here.responses;
    if (hosts != nullptr) ++hosts->responses;
  }
  seen.at[seen.places++] = {.place = static_cast<std::uint8_t>(place),
                            .order = hosts == nullptr ? 0 : ++hosts->packets,
                            .order_in_place = ++here.packets,
                            .responses = hosts == nullptr ? 0 : hosts->responses,
                            .responses_in_place = here.responses};
  if (!connected) return;
  if (packet.roce.opcode->request) {
    requests_.add({request_hash(packet), seen.hash});
    return;
  }
  const Request* const request = requests_.find(request_hash(packet));
  Seen* const asked = request == nullptr ? nullptr : seen_.find(request->packet);
  if (asked == nullptr) return;
  for (SeenAt& at : std::span(asked->at).first(asked->places)) {
    if (at.place != place) continue;
    at.answered = at.copies == 0;
    at.answered_at = packet.frame.timestamp;
    if (at.answered) return;
    ++here.behind;
    if (hosts != nullptr) ++hosts->behind;
  }
}

void CopyWatch::match(const Seen& seen, std::size_t place, std::int64_t time) {
  const bool soon = std::abs(elapsed(seen.time, time)) < kTooSoon;
  for (std::size_t i = 0; i < seen.places; ++i) {
    const SeenAt& at = seen.at[i];
    if (shared_[place][at.place]) continue;
    const auto number = static_cast<std::uint32_t>(at.place * PlaceTable::kMost + place);
    if (!seen.counted && !are_copies(pairs_[number], at, soon)) continue;
    shared_[place][at.place] = shared_[at.place][place] = has_copies_ = true;
  }
}

/// Whether both places see most packets, or some too soon after each other.
bool CopyWatch::are_copies(Pair& pair, const SeenAt& at, bool soon) noexcept {
  constexpr std::uint32_t kEnoughSoon = 4;
  constexpr std::uint32_t kEnough = 32;
  if (soon) ++pair.soon;
  if (pair.matches++ == 0) pair.first = at.order_in_place;
  pair.first = std::min(pair.first, at.order_in_place);
  pair.last = std::max(pair.last, at.order_in_place);
  return pair.soon >= kEnoughSoon || (pair.matches >= kEnough && pair.matches >= (pair.last - pair.first) / 2);
}

std::uint8_t CopyWatch::times(const HostsAtPlace& hosts) const {
  constexpr std::uint32_t kEnough = 8;
  const auto found = hosts_.find(hosts);
  if (found != hosts_.end() && (found->second.times > 1 || found->second.reached >= kEnough))
    return found->second.times;
  return places_[hosts.place].counts.times;
}

std::uint8_t CopyWatch::came_before(const Packet& packet, std::size_t place, const Fingerprint& fingerprint,
                                    bool observed) {
  const Seen* const seen = seen_.find(fingerprint.hash);
  if (seen == nullptr || std::abs(elapsed(seen->time, packet.frame.timestamp)) > kLongest) return 0;
  const std::span<const SeenAt> places = std::span(seen->at).first(seen->places);
  const auto at = std::ranges::find(places, place, &SeenAt::place);
  if (at == places.end()) return 0;
  return static_cast<std::uint8_t>(std::min(at->copies + (observed ? 0 : 1), UINT8_MAX));
}

std::int64_t CopyWatch::clocks_apart(const HostsAtPlace& hosts) const {
  constexpr std::uint32_t kEnough = 4;
  const auto found = hosts_.find(hosts);
  const CopyCounts& counts = found != hosts_.end() ? found->second : places_[hosts.place].counts;
  return counts.votes >= kEnough && counts.usual > kLongestPath ? counts.usual : 0;
}

/// One after the other, a request has passed both points before its response passes any.
bool CopyWatch::in_path(const HostsAtPlace& hosts) {
  constexpr std::uint32_t kSeldom = 64;
  const auto found = hosts_.find(hosts);
  const bool is_known = found != hosts_.end() && found->second.behind + found->second.before > 0;
  CopyCounts& counts = is_known ? found->second : places_[hosts.place].counts;
  if (counts.path != 0) return counts.path == 1;
  if (counts.behind + counts.before == 0) return counts.soonest <= kLongestPath;
  const bool in_path = counts.before * kSeldom <= counts.behind;
  counts.path = in_path ? 1 : 2;
  return in_path;
}

}  // namespace rocescope
