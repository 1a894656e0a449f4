// Requests that were seen with a wrong ICRC: which PSNs they had.
#include <algorithm>

#include "tracking/requests/recoveries.hpp"

namespace rocescope {
namespace {

constexpr bool lies_in(Psn psn, Psn first, Psn end) noexcept { return !psn.before(first) && psn.before(end); }

}  // namespace

/// The PSN that comes next, be it new or sent again.
Psn Recoveries::due(const RequestOrder& order) const noexcept {
  if (recovery_ && recovery_->next.before(order.next())) return recovery_->next;
  if (!recovery_ && evidence_ && !evidence_->followed && evidence_->psn.before(order.next())) return evidence_->psn;
  return order.next();
}

bool Recoveries::add_corrupt(const DamagedRequest& request, RequestOrder& order, const StreamLog& log) {
  constexpr std::size_t kMost = 64;
  ++log.troubles().corrupt;
  std::vector<CorruptPacket>& packets = corrupt_.make();
  if (packets.size() == kMost) packets.erase(packets.begin());
  const bool goes_on = !packets.empty() && !packets.back().placed;
  const Psn next = goes_on ? packets.back().due + packets.back().span : due(order);
  constexpr std::int32_t kNear = 64;
  const std::int32_t ahead = next.distance_to(request.psn);
  const bool likely = (ahead >= 0 && ahead < kNear) || order.sent().find(request.psn) != nullptr;
  packets.push_back(
      {.psn = request.psn, .due = likely ? request.psn : next, .span = request.span, .frame = request.frame});
  return likely;
}

bool Recoveries::adopt_corrupt(DamagedRequest request, Psn end, bool whatever_psn, const RequestOrder& order) {
  const Psn first = missing_before(end, order);
  if (!first.before(end)) return false;
  if (!lies_in(request.psn, first, end)) {
    if (!whatever_psn) return false;
    request.psn = first;
  }
  corrupt_.make().push_back({.psn = request.psn, .due = request.psn, .span = request.span, .frame = request.frame});
  return true;
}

/// Each damaged packet took the place of one of the PSNs between the last request and `psn`: of the one that it shows if that is
/// among them, else of the first that none shows.
void Recoveries::place_corrupt(Psn psn, const RequestOrder& order) {
  std::vector<CorruptPacket>& packets = *corrupt_.get();
  const Psn first = missing_before(psn, order);
  const auto shows = [&](Psn free) {
    return std::any_of(packets.begin(), packets.end(),
                       [=](const CorruptPacket& packet) { return !packet.placed && packet.psn == free; });
  };
  Psn free = first;
  for (CorruptPacket& packet : packets) {
    if (packet.placed) continue;
    if (!lies_in(packet.psn, first, psn)) {
      while (free.before(psn) && shows(free)) free = free + 1;
      if (!free.before(psn)) break;
      packet.psn = free;
      packet.span = std::min(packet.span, static_cast<std::uint32_t>(free.distance_to(psn)));
    }
    packet.due = packet.psn;
  }
  for (CorruptPacket& packet : packets) packet.placed = true;
}

std::uint32_t Recoveries::mark_corrupt(Psn first, std::uint32_t count, MissingPsns& missing) const {
  std::uint32_t marked = 0;
  for (const CorruptPacket& packet : *corrupt_) {
    const Psn from = packet.psn.before(first) ? first : packet.psn;
    const Psn end = first + count;
    const Psn to = end.before(packet.psn + packet.span) ? end : packet.psn + packet.span;
    if (from.before(to)) marked += missing.damage(from, static_cast<std::uint32_t>(from.distance_to(to)));
  }
  return marked;
}

bool Recoveries::has_corrupt(Psn psn) const noexcept {
  return std::any_of(corrupt_->begin(), corrupt_->end(),
                     [=](const CorruptPacket& packet) { return packet.psn == psn; });
}

/// The frame that began the recovery under way: packets damaged since then belong to it.
std::uint64_t Recoveries::corrupt_since() const noexcept {
  const Recovery* facts = current();
  if (facts == nullptr) return 0;
  return facts->trigger_frame != 0 ? facts->trigger_frame : facts->first_frame;
}

/// Whether `psn` was seen with a wrong ICRC in this recovery.
bool Recoveries::was_corrupt(Psn psn) const noexcept {
  const std::uint64_t since = corrupt_since();
  return std::any_of(corrupt_->begin(), corrupt_->end(),
                     [=](const CorruptPacket& packet) { return packet.psn == psn && packet.frame > since; });
}

/// How many of these PSNs were seen with a wrong ICRC in this recovery.
std::uint64_t Recoveries::count_corrupt(Psn first, std::uint32_t psns) const noexcept {
  const std::uint64_t since = corrupt_since();
  const auto count = std::count_if(corrupt_->begin(), corrupt_->end(), [&](const CorruptPacket& packet) {
    return packet.frame > since && lies_in(packet.psn, first, first + psns);
  });
  return static_cast<std::uint64_t>(count);
}

std::uint64_t Recoveries::take_corrupt(Psn psn) noexcept {
  if (corrupt_.get() == nullptr) return 0;
  std::vector<CorruptPacket>& packets = *corrupt_.get();
  std::uint64_t frame = 0;
  const auto take = [&](auto is_its) {
    for (const CorruptPacket& packet : packets) {
      if (is_its(packet)) frame = packet.frame;
    }
    std::erase_if(packets, is_its);
  };
  take([=](const CorruptPacket& packet) { return packet.psn == psn; });
  if (frame == 0) take([=](const CorruptPacket& packet) { return packet.due == psn; });
  return frame;
}

}  // namespace rocescope
