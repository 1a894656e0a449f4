#include "analysis/points/capture_points.hpp"

#include <algorithm>
#include <limits>

#include "tracking/elapsed.hpp"

namespace rocescope {

bool CapturePoints::is_new(const Frame& frame) const noexcept {
  const std::pair here{frame.capture_id, frame.interface_id};
  if (interfaces_.size() >= PlaceTable::kMost) return false;
  return std::ranges::find(interfaces_, here) == interfaces_.end();
}

void CapturePoints::note_interface(const Frame& frame) {
  const std::pair here{frame.capture_id, frame.interface_id};
  if (!interfaces_.empty() && interfaces_.front() == here) return;
  if (!is_new(frame)) return;
  interfaces_.push_back(here);
  watch_.expect_copies();
}

void CapturePoints::learn(const Packet& packet) {
  if (packet.frame.number <= learned_) return;
  learned_ = packet.frame.number;
  note_interface(packet.frame);
  const std::size_t place = places_.find(packet);
  if (watch_.wants(packet, place)) watch_.observe(packet, place, fingerprint_of(packet));
}

CapturePoints::Sight CapturePoints::observe(const Packet& packet) {
  const std::size_t place = places_.find(packet);
  const bool is_learned = packet.frame.number <= learned_;
  if (!is_learned) note_interface(packet.frame);
  const bool wanted = !is_learned && watch_.wants(packet, place);
  Fingerprint fingerprint;
  if (wanted || watch_.has_copies()) fingerprint = fingerprint_of(packet);
  if (wanted) watch_.observe(packet, place, fingerprint);
  const std::uint8_t copy =
      watch_.repeats(place) ? copy_of(packet, place, fingerprint, is_learned, wanted) : std::uint8_t{0};
  Sight sight{.capture_point = point_of({static_cast<std::uint8_t>(place), copy})};
  if (!watch_.has_copies()) return sight;
  sight.repeated = is_repeated(packet, sight.capture_point);
  // Of what is no RoCE, it may be a damaged packet.
  sight.fingerprint = packet.is_roce() ? fingerprint.hash : identification_hash(packet);
  return sight;
}

/// The points that packets pass one after the other see those of the other direction in the other order.
std::uint8_t CapturePoints::copy_of(const Packet& packet, std::size_t place, const Fingerprint& fingerprint,
                                    bool is_learned, bool watched) {
  constexpr std::int64_t kSoon = 250'000;  // ns: no timeout is that short
  if (fingerprint.hash == 0) return 0;
  const HostsAtPlace hosts = hosts_of(packet, place);
  const std::uint8_t times = watch_.times(hosts);
  if (times == 1) return 0;
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
  if (apart > 0) copy = elapsed(rank->time, packet.frame.timestamp) > apart / 2 ? 1 : 0;
  if (rank->copies < UINT8_MAX) ++rank->copies;
  const bool is_back = packet.source == hosts.higher;
  return is_back && watch_.in_path(hosts) ? static_cast<std::uint8_t>(times - 1 - copy) : copy;
}

std::uint8_t CapturePoints::point_of(const Stand& stand) {
  std::uint8_t& number = numbers_[stand.place][stand.copy];
  const auto is_it = [&](const Stand& each) { return each == stand; };
  if (number != 0) {
    Point& known = points_[number - 1U];
    // What was learned since may part it from places that came before.
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
    named.number = static_cast<std::uint8_t>(points.size());
    for (const Stand& stand : point.stands) {
      std::string name = places_.name(stand.place, captures);
      if (watch_.repeats(stand.place)) name += ", copy " + std::to_string(stand.copy + 1);
      named.places.push_back(std::move(name));
    }
  }
  return points;
}

}  // namespace rocescope
