// What CopyWatch knows of packets that their sender does not count: when they came again, and after how long copies do.
#include <algorithm>
#include <cstdlib>
#include <span>

#include "analysis/points/copy_watch.hpp"
#include "rocescope/detail/elapsed.hpp"

namespace rocescope {

void CopyWatch::Earlier::add(std::int64_t time) noexcept {
  if (count == times.size()) std::shift_left(times.begin(), times.end(), 1);
  times[count < times.size() ? count++ : count - 1] = time;
}

void CopyWatch::note_return(const Packet& packet, std::size_t place, const SeenAt& at, CopyCounts& hosts,
                            std::uint64_t hash, bool answered) {
  const std::int64_t now = packet.frame.timestamp;
  Return* known = returns_.find(hash);
  if (known == nullptr || std::abs(elapsed(known->came.times[0], now)) > kLongest) {
    known = &returns_.add({.hash = hash,
                           .hosts = hosts.number,
                           .place = static_cast<std::uint8_t>(place),
                           .direction = static_cast<std::uint8_t>(direction_of(packet)),
                           .came = {}});
    known->came.add(at.time);
  }
  for (CopyCounts* const counts : {&places_[place].counts, &hosts}) {
    if (counts->delays == nullptr) counts->delays = std::make_unique<std::array<CopyDelays, 2>>();
    const std::int64_t before = known->came.all().back();
    if (answered) (*counts->delays)[direction_of(packet)].add_answered(elapsed(before, now));
  }
  known->came.add(now);
  if (!is_connected(packet) || packet.roce.opcode->request) return;
  if (SeenAt* const asked = find_asked(packet, place)) {
    asked->answered = true;
    asked->answered_at = now;
  }
}

bool CopyWatch::settle_delays(CopyCounts& counts, std::size_t place) {
  if (counts.delays == nullptr || counts.has_delays()) return false;
  std::array<Returns, 2> returns;
  returns_.visit([&](const Return& each) {
    if (each.place != place || (counts.number != 0 && each.hosts != counts.number)) return;
    returns[each.direction].times.push_back(each.came.all());
  });
  for (std::size_t i = 0; i < returns.size(); ++i) returns[i].packets = counts.plain[i];
  const Settled settled = settle(*counts.delays, returns);
  counts.unclear = settled == Settled::kUnclear;
  if (settled != Settled::kYes) return false;
  if (counts.times == 1) counts.times = (*counts.delays)[0].times();
  return true;
}

CopyWatch::Earlier CopyWatch::times_before(const Packet& packet, std::size_t place, const Fingerprint& fingerprint,
                                           bool observed) {
  Earlier earlier;
  const Return* const back = returns_.find(mix(fingerprint.hash, place));
  if (back != nullptr && elapsed(back->came.times[0], packet.frame.timestamp) <= kLongest) {
    earlier = back->came;
  } else if (const Seen* const seen = seen_.find(fingerprint.hash)) {
    for (const SeenAt& at : std::span(seen->at).first(seen->places)) {
      if (at.place == place) earlier.add(at.time);
    }
  }
  if (observed && earlier.count > 0) --earlier.count;
  return earlier;
}

CopyDelays* CopyWatch::delays_of(const Packet& packet, const HostsAtPlace& hosts,
                                 const Fingerprint& fingerprint) noexcept {
  const std::size_t direction = direction_of(packet);
  const auto found = hosts_.find(hosts);
  const bool has_own = found != hosts_.end() && found->second.has_delays();
  CopyCounts& counts = has_own ? found->second : places_[hosts.place].counts;
  if (!counts.has_delays()) return nullptr;
  const bool is_counted =
      fingerprint.identification != 0 &&
      (found == hosts_.end() || found->second.identifications[direction] != fingerprint.identification);
  return is_counted ? nullptr : &(*counts.delays)[direction];
}

CopyWatch::SeenAt* CopyWatch::find_asked(const Packet& packet, std::size_t place) {
  const Request* const request = requests_.find(request_hash(packet));
  Seen* const asked = request == nullptr ? nullptr : seen_.find(request->packet);
  if (asked == nullptr) return nullptr;
  const auto places = std::span(asked->at).first(asked->places);
  const auto found = std::ranges::find(places, place, &SeenAt::place);
  return found == places.end() ? nullptr : &*found;
}

}  // namespace rocescope
