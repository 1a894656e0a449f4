#include "analysis/points/capture_points.hpp"

#include <algorithm>
#include <limits>
#include <span>

#include "rocescope/detail/elapsed.hpp"

namespace rocescope {
namespace {

InterfaceOf interface_of(const Frame& frame) noexcept { return {frame.capture_id, frame.interface_id}; }

}  // namespace

bool CapturePoints::is_new(const Frame& frame) const noexcept {
  const InterfaceOf here = rings_.first_of(interface_of(frame));
  if (interfaces_.size() >= PlaceTable::kMost) return false;
  return std::ranges::find(interfaces_, here) == interfaces_.end();
}

void CapturePoints::note_interface(const Frame& frame) {
  const InterfaceOf here = rings_.first_of(interface_of(frame));
  if (!interfaces_.empty() && interfaces_.front() == here) return;
  if (!is_new(frame)) return;
  interfaces_.push_back(here);
  watch_.expect_copies();
}

void CapturePoints::learn(const Packet& packet) {
  if (packet.frame.number <= learned_) return;
  learned_ = packet.frame.number;
  note_interface(packet.frame);
  const std::size_t place = places_.find(packet, rings_.first_of(interface_of(packet.frame)));
  uncut_.learn(packet);
  if (watch_.wants(packet, place)) watch_.observe(packet, place, fingerprint_of(packet, uncut_.value()), true);
}

bool CapturePoints::forget_learned() {
  if (uncut_.value() == UncutLength::kAny || !points_.empty()) return false;
  watch_ = CopyWatch();
  interfaces_.clear();
  learned_ = 0;
  return true;
}

CapturePoints::Sight CapturePoints::observe(const Packet& packet) {
  const std::size_t place = places_.find(packet, rings_.first_of(interface_of(packet.frame)));
  const bool is_learned = packet.frame.number <= learned_;
  if (!is_learned) note_interface(packet.frame);
  const bool wanted = !is_learned && watch_.wants(packet, place);
  Fingerprint fingerprint;
  uncut_.learn(packet);
  if (wanted || watch_.has_copies()) fingerprint = fingerprint_of(packet, uncut_.value());
  if (wanted) watch_.observe(packet, place, fingerprint, false);
  const std::uint8_t copy =
      watch_.repeats(place) ? copy_of(packet, place, fingerprint, is_learned, wanted) : std::uint8_t{0};
  Sight sight{.capture_point = point_of({static_cast<std::uint8_t>(place), copy})};
  if (!watch_.has_copies()) return sight;
  sight.repeated = is_repeated(packet, sight.capture_point);
  // What is no RoCE may be a damaged packet.
  sight.fingerprint = packet.is_roce() ? fingerprint.hash : identification_hash(packet);
  sight.uncut = uncut_.value();
  sight.capture = rings_.first_of(packet.frame.capture_id);
  return sight;
}

/// Points that packets pass one after the other see the packets of the other direction in the opposite order.
std::uint8_t CapturePoints::copy_of(const Packet& packet, std::size_t place, Fingerprint& fingerprint, bool is_learned,
                                    bool watched) {
  constexpr std::int64_t kSoon = 250'000;  // ns: no timeout is that short
  if (fingerprint.hash == 0) return 0;
  const HostsAtPlace hosts = hosts_of(packet, place);
  const std::uint8_t times = watch_.times(hosts);
  if (times == 1) return 0;
  const bool is_back = packet.source == hosts.higher;
  const auto in_order = [&](std::uint8_t copy) {
    return is_back && watch_.in_path(hosts) ? static_cast<std::uint8_t>(times - 1 - copy) : copy;
  };
  CopyDelays* const delays = watch_.delays_of(packet, hosts, fingerprint);
  if (delays != nullptr && (parted_.size() < kMostHosts || parted_.contains(hosts))) {
    Parted& parted = parted_[hosts];
    parted.times = times;
    return in_order(copy_by_delay(packet, place, fingerprint, *delays, parted, is_learned, watched));
  }
  const std::uint64_t hash = mix(fingerprint.hash, place);
  Rank* rank = ranks_.find(hash);
  const std::int64_t passed = rank == nullptr ? 0 : elapsed(rank->time, packet.frame.timestamp);
  const bool again = passed > CopyWatch::kLongest ||
                     (rank != nullptr && rank->copies >= times && fingerprint.identification == 0 && passed > kSoon);
  // The first copies may have come before it was known that there are any.
  const std::uint8_t before =
      rank == nullptr && !is_learned ? watch_.came_before(packet, place, fingerprint, watched) : std::uint8_t{0};
  const std::int64_t apart = times == 2 ? watch_.clocks_apart(hosts) : 0;
  if (rank == nullptr || again) {
    rank = &ranks_.add({hash, packet.frame.timestamp, before});
    constexpr std::int64_t kFirst = std::numeric_limits<std::int64_t>::min();
    if (before > 0) rank->time = std::max(rank->time, kFirst + apart) - apart;
  }
  auto copy = static_cast<std::uint8_t>(std::min<unsigned>(rank->copies, times - 1U));
  // What comes much sooner than the other point's copy is a duplicate that the same point saw.
  if (apart > 0) copy = elapsed(rank->time, packet.frame.timestamp) > apart / 2 ? 1U : 0U;
  if (rank->copies < UINT8_MAX) ++rank->copies;
  return in_order(copy);
}

/// The oldest that it can be the next copy of; else it was sent again.
CapturePoints::Sending& CapturePoints::Sendings::add(std::int64_t time, CopyDelays& delays) {
  Sending* before = nullptr;
  for (Sending& each : std::span(last).first(count)) {
    if (each.followed || each.copy + 1 >= hosts->times || !delays.fits(elapsed(each.time, time))) continue;
    if (before == nullptr || each.copy > before->copy) before = &each;
  }
  Sending now{.time = time};
  if (before != nullptr) {
    before->followed = true;
    delays.follow(elapsed(before->time, time));
    now.number = before->number;
    now.copy = static_cast<std::uint8_t>(before->copy + 1);
  } else {
    now.number = sent++;
    ++hosts->sent;
  }
  if (count == last.size()) {
    hosts->alone += last.front().is_alone(*hosts) ? 1U : 0U;
    std::shift_left(last.begin(), last.end(), 1);
  }
  Sending& added = last[count < last.size() ? count++ : count - 1U];
  return added = now;
}

std::uint8_t CapturePoints::copy_by_delay(const Packet& packet, std::size_t place, Fingerprint& fingerprint,
                                          CopyDelays& delays, Parted& hosts, bool is_learned, bool watched) {
  const std::uint64_t hash = mix(fingerprint.hash, place);
  const std::int64_t time = packet.frame.timestamp;
  hosts.last = std::max(hosts.last, time);
  hosts.most = std::max(hosts.most, delays.most());
  Sendings* sendings = sendings_.find(hash);
  if (sendings == nullptr || elapsed(sendings->last[sendings->count - 1U].time, time) > CopyWatch::kLongest) {
    sendings =
        &sendings_.add({.hash = hash, .hosts = &hosts}, [](const Sendings& oldest) { oldest.settle(*oldest.hosts); });
    // The first copies may have come before it was known that there are any.
    const CopyWatch::Earlier earlier =
        is_learned ? CopyWatch::Earlier() : watch_.times_before(packet, place, fingerprint, watched);
    for (const std::int64_t before : earlier.all()) static_cast<void>(sendings->add(before, delays));
  }
  const Sending& sending = sendings->add(time, delays);
  if (sending.number > 0) fingerprint.hash = mix(fingerprint.hash, sending.number);
  return sending.copy;
}

bool CapturePoints::Sending::is_alone(const Parted& hosts) const noexcept {
  return copy == 0 && !followed && elapsed(time, hosts.last) > hosts.most;
}

void CapturePoints::Sendings::settle(Parted& into) const noexcept {
  for (const Sending& each : all()) {
    const bool is_last = elapsed(each.time, hosts->last) <= hosts->most;
    if (each.is_alone(*hosts)) ++into.alone;
    if (is_last && each.copy == 0 && !each.followed) ++into.pending;
    if (is_last && each.copy > 0) ++into.last_copies;
  }
}

UnsureHosts CapturePoints::unsure_hosts() const {
  constexpr std::uint64_t kFew = 100;  // one of so many
  std::unordered_map<const Parted*, Parted> settled;
  for (const auto& [hosts, parted] : parted_) settled.emplace(&parted, parted);
  sendings_.visit([&](const Sendings& each) { each.settle(settled.at(each.hosts)); });
  UnsureHosts unsure;
  for (const auto& [hosts, counted] : parted_) {
    const Parted& parted = settled.at(&counted);
    const std::uint64_t few = 1 + parted.sent / kFew;
    // Merged files end with copies only; where a capture just ended, as many packets are pending as there are copies.
    const bool is_odd = parted.pending > few && parted.pending * 2 < parted.last_copies;
    if (parted.alone > few || is_odd) unsure.add(hosts.lower, hosts.higher);
  }
  watch_.visit_unclear([&](const HostsAtPlace& hosts) { unsure.add(hosts.lower, hosts.higher); });
  watch_.visit_late([&](const HostsAtPlace& hosts, std::int64_t until, bool many) {
    UnsureHosts::Points points;
    for (const std::uint8_t number : numbers_[hosts.place]) {
      if (number != 0) points.set(number - 1U);
    }
    unsure.add_late(hosts.lower, hosts.higher, points, until, many);
  });
  return unsure;
}

std::uint8_t CapturePoints::point_of(const Stand& stand) {
  std::uint8_t& number = numbers_[stand.place][stand.copy];
  const auto is_it = [&](const Stand& each) { return each == stand; };
  if (number != 0) {
    Point& known = points_[number - 1U];
    // What was learned since may separate it from earlier places.
    if (known.stands.size() == 1 || known.stands.front() == stand || may_join(stand, known)) return number;
    std::erase_if(known.stands, is_it);
  }
  auto point = std::ranges::find_if(points_, [&](const Point& each) { return may_join(stand, each); });
  if (point == points_.end() && points_.size() == kMostPoints) --point;
  if (point == points_.end()) point = points_.insert(point, Point());
  point->stands.push_back(stand);
  return number = static_cast<std::uint8_t>(point - points_.begin() + 1);
}

bool CapturePoints::may_join(const Stand& stand, const Point& point) const {
  return std::ranges::none_of(point.stands, [&](const Stand& other) {
    if (other == stand) return false;
    return other.place == stand.place || watch_.share(other.place, stand.place);
  });
}

bool CapturePoints::is_repeated(const Packet& packet, std::uint8_t point) {
  const HostsAtPlace hosts = hosts_of(packet, 0);
  const auto found = first_points_.find(hosts);
  if (found != first_points_.end()) return found->second != point;
  std::uint8_t first = point;  // unless they were seen before there were several points
  for (std::size_t place = 0; place < places_.size(); ++place) {
    const std::uint8_t number = numbers_[place].front();
    if (number != 0 && number < first && watch_.has_seen(hosts_of(packet, place))) first = number;
  }
  if (first_points_.size() < kMostHosts) first_points_[hosts] = first;
  return first != point;
}

std::vector<CapturePoint> CapturePoints::points(std::span<const CaptureInfo> captures) const {
  std::vector<CapturePoint> points;
  for (const Point& point : points_) {
    CapturePoint& named = points.emplace_back();
    named.number = static_cast<std::uint16_t>(points.size());
    for (const Stand& stand : point.stands) {
      const std::size_t behind = rings_.count_behind(places_.interface(stand.place));
      std::string name = places_.name(stand.place, captures, behind);
      if (watch_.repeats(stand.place)) name += ", copy " + std::to_string(stand.copy + 1);
      named.places.push_back(std::move(name));
    }
  }
  return points;
}

}  // namespace rocescope
