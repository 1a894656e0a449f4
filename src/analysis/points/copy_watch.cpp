#include "analysis/points/copy_watch.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <span>
#include <utility>

#include "rocescope/detail/elapsed.hpp"

namespace rocescope {
namespace {

constexpr std::int64_t kTooSoon = 250'000;         // ns: no timeout is that short
constexpr std::int64_t kDisorder = 5'000;          // ns: captures order packets loosely
constexpr std::int64_t kLongestPath = 10'000'000;  // ns: no network keeps packets that long as a rule

/// So many ns after a time; neither before it nor beyond all times.
std::int64_t behind(std::int64_t time, std::int64_t ns) noexcept {
  constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();
  return ns <= 0 ? time : time > kLast - ns ? kLast : time + ns;
}

}  // namespace

HostsAtPlace hosts_of(const Packet& packet, std::size_t place) noexcept {
  HostsAtPlace hosts{packet.source, packet.destination, static_cast<std::uint32_t>(place)};
  if (hosts.higher < hosts.lower) std::swap(hosts.lower, hosts.higher);
  return hosts;
}

std::size_t direction_of(const Packet& packet) noexcept { return packet.destination < packet.source ? 1 : 0; }

bool CopyWatch::is_connected(const Packet& packet) noexcept {
  return packet.is_roce() && packet.roce.opcode->transport != Transport::kUd;
}

bool CopyWatch::is_answer(const Packet& packet) noexcept {
  return is_connected(packet) && packet.roce.opcode->transport == Transport::kRc && !packet.roce.opcode->request;
}

void CopyWatch::look_far() {
  seen_.keep(kManySeen);
  returns_.keep(kManySeen);
  requests_.keep(kManySeen);
}

void CopyWatch::expect_copies() {
  if (!places_.empty()) look_far();
  for (PlaceCounts& place : places_) place.looked_at = 0;
}

CopyCounts* CopyWatch::counts_of(const Packet& packet, std::size_t place) {
  const HostsAtPlace hosts = hosts_of(packet, place);
  if (const auto known = hosts_.find(hosts); known != hosts_.end()) return &known->second;
  if (hosts_.size() >= kMostHosts)
    std::erase_if(hosts_, [](const auto& each) { return each.second.times == 1 && each.second.unknown_copies == 0; });
  if (hosts_.size() >= kMostHosts) return nullptr;
  CopyCounts& counts = hosts_[hosts];
  counts.number = ++last_hosts_;
  return &counts;
}

/// Some senders give all their packets one identification.
bool CopyWatch::is_counted(const Packet& packet, const Fingerprint& fingerprint, CopyCounts& hosts) noexcept {
  std::uint16_t& last = hosts.identifications[direction_of(packet)];
  return std::exchange(last, fingerprint.identification) != fingerprint.identification &&
         fingerprint.identification != 0;
}

CopyShare* CopyWatch::PlaceCounts::share_of(const Packet& packet, CopyCounts& its) const noexcept {
  if (!is_sampled) return &its.watched;
  return packet.is_roce() && wants(packet.roce.psn) ? &its.sampled : nullptr;
}

CopyShare* CopyWatch::PlaceCounts::share_of(const SeenAt& at, CopyCounts& its) const noexcept {
  if (is_sampled != (at.number > watched)) return nullptr;  // not all copies of those are looked at
  return is_sampled ? &its.sampled : &its.watched;
}

void CopyWatch::observe(const Packet& packet, std::size_t place, const Fingerprint& fingerprint, bool ahead) {
  if (fingerprint.hash == 0) return;
  if (place >= places_.size()) places_.resize(place + 1);
  PlaceCounts& here = places_[place];
  if (!here.is_sampled) here.watched = here.packets;
  here.is_sampled = here.is_sampled || here.looked_at == kWatched;
  ++here.looked_at;
  CopyCounts* const hosts = counts_of(packet, place);
  const std::int64_t time = packet.frame.timestamp;
  if (hosts != nullptr) {
    hosts->latest = std::max(hosts->latest, time);
    if (!ahead) hosts->placed_until = hosts->latest;
  }
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
  const bool answered = std::exchange(at->answered, false) && elapsed(at->answered_at, time) > kDisorder;
  const std::int64_t delay = elapsed(at->time, time);
  if (!seen->counted && hosts != nullptr) {
    note_return(packet, place, *at, *hosts, mix(seen->hash, place), answered);
    if (at->copies == 1 && is_answer(packet)) note_answer(packet, place, *at, *hosts);
  }
  const std::size_t direction = direction_of(packet);
  const bool is_first = at->copies == 1;
  const bool comes_always = packet.is_roce() && wants(packet.roce.psn);
  const auto count = [&](CopyCounts& counts, const CopyShare::Order& order) {
    if (is_first) counts.vote(delay);
    if (comes_always) ++counts.again;
    if (answered) ++counts.before;
    counts.soonest = std::min(counts.soonest, delay);
    CopyShare* const share = order.all == 0 ? nullptr : here.share_of(*at, counts);
    if (share != nullptr) share->add_copy(order, direction, is_first, seen->counted);
    if (share != nullptr && !ahead) counts.settle(false);
    // Go-back-N sends all packets of a short time again: more packets are needed to decide.
    constexpr std::uint32_t kMany = 256;
    const std::uint32_t reached = counts.watched.reached + counts.sampled.reached;
    if (counts.has_delays() || reached < std::max(kMany, 2 * counts.looked_at)) return;
    counts.looked_at = reached;
    static_cast<void>(settle_delays(counts, place));
  };
  const bool was_once = here.counts.times == 1;
  const bool were_once = hosts != nullptr && times_of(*hosts, here.counts) == 1;
  count(here.counts, at->order_in_place);
  if (hosts != nullptr) count(*hosts, at->order);
  note_copies(here, hosts);
  if (ahead) return;
  const std::int64_t until = behind(time, delay);  // copies of what came before come until then
  if (were_once && times_of(*hosts, here.counts) > 1) hosts->note_unknown(until);
  if (was_once && here.counts.times > 1) note_unknown(place, hosts, until);
}

void CopyWatch::note_unknown(std::size_t place, const CopyCounts* noted, std::int64_t until) noexcept {
  for (auto& [hosts, counts] : hosts_) {
    const bool follows_place = counts.times == 1 && times_of(counts, places_[place].counts) > 1;
    if (hosts.place == place && &counts != noted && follows_place) counts.note_unknown(until);
  }
}

/// An answer comes for the first time, or for the second.
void CopyWatch::note_answer(const Packet& packet, std::size_t place, SeenAt& at, CopyCounts& hosts) const noexcept {
  CopyCounts::Answers& watched = hosts.watched_answers;
  CopyCounts::Answers& sampled = hosts.sampled_answers;
  const bool again = at.copies > 0;
  const std::int64_t ns = elapsed(at.time, packet.frame.timestamp);
  if (wants(packet.roce.psn)) {
    if (!again) ++sampled.packets;
    if (again) sampled.add_again(sampled.packets, ns);
  }
  if (!wants_all(place)) return;
  if (!again) at.answer = ++watched.packets;
  if (again && at.answer != 0) watched.add_again(at.answer, ns);
}

void CopyWatch::note_copies(PlaceCounts& place, const CopyCounts* hosts) noexcept {
  place.repeats = place.repeats || place.counts.times > 1 || (hosts != nullptr && hosts->times > 1);
  has_copies_ = has_copies_ || place.repeats;
}

void CopyWatch::end_look_ahead() {
  if (!has_repetitions_) return;
  // Hosts of which some packets were placed before it was known that there are copies, or while copies of these came.
  std::vector<std::pair<std::size_t, CopyCounts*>> unknown;
  for (auto& [hosts, counts] : hosts_) {
    const bool is_placed = counts.placed_until != std::numeric_limits<std::int64_t>::min();
    const bool is_since = counts.unknown_copies > 0 && counts.unknown_until >= counts.placed_until;
    if (is_placed && (is_since || times(hosts) == 1)) unknown.emplace_back(hosts.place, &counts);
  }
  for (const auto& [number, pair] : pairs_) match_at_end(number / PlaceTable::kMost, number % PlaceTable::kMost, pair);
  for (std::size_t place = 0; place < places_.size(); ++place) {
    places_[place].counts.settle(true);
    static_cast<void>(settle_delays(places_[place].counts, place));
    note_copies(places_[place], nullptr);
  }
  for (auto& [hosts, counts] : hosts_) {
    counts.settle(true);
    // Few hosts have few packets each; many are settled by the place.
    if (hosts_.size() <= kMostSettled) static_cast<void>(settle_delays(counts, hosts.place));
    note_copies(places_[hosts.place], &counts);
  }
  for (const auto& [place, counts] : unknown) {
    if (times_of(*counts, places_[place].counts) > 1) counts->note_unknown(behind(counts->latest, counts->usual));
  }
}

void CopyWatch::come_first(const Packet& packet, std::size_t place, Seen& seen, CopyCounts* hosts) {
  PlaceCounts& all = places_[place];
  CopyCounts& here = all.counts;
  const bool connected = is_connected(packet);
  const std::size_t direction = direction_of(packet);
  const bool is_plain = !seen.counted;
  if (is_plain) ++here.plain[direction];
  if (is_plain && hosts != nullptr) ++hosts->plain[direction];
  const auto order_in = [&](CopyCounts* counts) {
    CopyShare* const share = counts == nullptr ? nullptr : all.share_of(packet, *counts);
    return share == nullptr ? CopyShare::Order() : share->add(direction);
  };
  seen.at[seen.places++] = {.place = static_cast<std::uint8_t>(place),
                            .time = packet.frame.timestamp,
                            .number = ++all.packets,
                            .order = order_in(hosts),
                            .order_in_place = order_in(&here)};
  if (!connected) return;
  if (is_plain && hosts != nullptr && is_answer(packet)) note_answer(packet, place, seen.at[seen.places - 1U], *hosts);
  if (packet.roce.opcode->request) {
    requests_.add({request_hash(packet), seen.hash});
    return;
  }
  SeenAt* const asked = find_asked(packet, place);
  if (asked == nullptr) return;
  const std::int64_t waited = elapsed(asked->time, packet.frame.timestamp);
  here.answers[1 - direction].add(waited);
  if (hosts != nullptr) hosts->answers[1 - direction].add(waited);
  asked->answered = asked->copies == 0;
  asked->answered_at = packet.frame.timestamp;
  if (asked->answered) return;
  ++here.behind;
  if (hosts != nullptr) ++hosts->behind;
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

/// Two places share packets if both saw nearly all of both directions. One place may have seen only a short time: then the other saw nearly
/// all of that, and this one saw most of what the other did meanwhile. That takes more packets, since a host may send READs again on another
/// path, and the answers come again too.
void CopyWatch::match_at_end(std::size_t a, std::size_t b, const Pair& pair) noexcept {
  constexpr std::uint32_t kEnough = 4;
  constexpr std::uint32_t kEnoughOfFew = 16;
  const auto packets_of = [this](std::size_t place) {
    const auto& [up, down] = places_[place].counts.plain;
    return up > 0 && down > 0 ? up + down : UINT32_MAX;
  };
  const auto [fewer, more] = std::minmax({packets_of(a), packets_of(b)});
  const auto has_nearly_all = [&](std::uint32_t packets) {
    return packets != UINT32_MAX && pair.matches >= packets - packets / 4;
  };
  const bool is_all = pair.matches >= kEnough && has_nearly_all(more);
  const bool is_meanwhile =
      pair.matches >= kEnoughOfFew && has_nearly_all(fewer) && pair.matches >= (pair.last - pair.first) / 2;
  if (is_all || is_meanwhile) shared_[a][b] = shared_[b][a] = has_copies_ = true;
}

/// Whether both places see most packets, or some too soon after each other.
bool CopyWatch::are_copies(Pair& pair, const SeenAt& at, bool soon) noexcept {
  constexpr std::uint32_t kEnoughSoon = 4;
  constexpr std::uint32_t kEnough = 32;
  if (soon) ++pair.soon;
  if (pair.matches++ == 0) pair.first = at.number;
  pair.first = std::min(pair.first, at.number);
  pair.last = std::max(pair.last, at.number);
  return pair.soon >= kEnoughSoon || (pair.matches >= kEnough && pair.matches >= (pair.last - pair.first) / 2);
}

std::uint8_t CopyWatch::times(const HostsAtPlace& hosts) const {
  const auto found = hosts_.find(hosts);
  const CopyCounts& place = places_[hosts.place].counts;
  return found == hosts_.end() ? place.times : times_of(found->second, place);
}

std::uint8_t CopyWatch::times_of(const CopyCounts& hosts, const CopyCounts& place) noexcept {
  return hosts.times > 1 || hosts.all().is_once() ? hosts.times : place.times;
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

/// If packets pass one point after the other, a request passes both before its response passes any.
bool CopyWatch::in_path(const HostsAtPlace& hosts) {
  constexpr std::uint32_t kSeldom = 64;
  const auto found = hosts_.find(hosts);
  const bool is_known = found != hosts_.end() && found->second.behind + found->second.before > 0;
  CopyCounts& counts = is_known ? found->second : places_[hosts.place].counts;
  if (counts.path == 0 && counts.has_delays()) {
    for (const std::size_t direction : {0U, 1U}) {  // if an answer came too soon in one direction, that decides both
      if (counts.answers[direction].empty()) continue;
      const CopyDelays& delays = (*counts.delays)[direction];
      const bool in_path = counts.answers[direction].soonest() >= delays.least() - kDisorder;
      counts.path = in_path && !delays.is_answered_between() && counts.path != 2 ? 1 : 2;
    }
  }
  if (counts.path != 0) return counts.path == 1;
  if (counts.behind + counts.before == 0) return counts.soonest <= kLongestPath;
  const bool in_path = counts.before * kSeldom <= counts.behind;
  counts.path = in_path ? 1 : 2;
  return in_path;
}

}  // namespace rocescope
