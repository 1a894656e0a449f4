#include "messages/transfers.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>

namespace rocescope {

void Transfers::begin(Psn first, std::uint32_t packets, std::uint64_t address, std::uint32_t r_key) {
  constexpr std::int32_t kNear = 1 << 22;  // what is further away is of another round of the PSNs
  const auto is_far = [&](const Transfer& each) { return std::abs(each.first.distance_to(first)) > kNear; };
  // In their order: where the first and the last are near, all are.
  if (!transfers_.empty() && (is_far(transfers_.front()) || is_far(transfers_.back())))
    std::erase_if(transfers_, is_far);
  auto place = transfers_.end();
  while (place != transfers_.begin() && !std::prev(place)->first.before(first)) --place;
  if (place != transfers_.end() && place->first == first) return;
  transfers_.insert(place, {.first = first, .next = first, .packets = packets, .address = address, .r_key = r_key});
  if (transfers_.size() > kMost) transfers_.erase(transfers_.begin());
}

/// Whether the packet was missing; it is not any more.
bool Transfers::fill(Transfer& transfer, Psn psn) {
  const auto run = std::ranges::find_if(transfer.missing, [&](const Missing& missing) {
    const std::int32_t from = missing.first.distance_to(psn);
    return from >= 0 && static_cast<std::uint32_t>(from) < missing.count;
  });
  if (run == transfer.missing.end()) return false;
  const auto before = static_cast<std::uint32_t>(run->first.distance_to(psn));
  const Missing rest{psn + 1, run->count - before - 1};
  run->count = before;
  const auto next = before == 0 ? transfer.missing.erase(run) : run + 1;
  if (rest.count > 0) transfer.missing.insert(next, rest);
  if (transfer.missing.size() > kMostParts) transfer.missing.erase(transfer.missing.begin());
  return true;
}

std::optional<Transfers::Place> Transfers::take(Psn psn, bool last) {
  auto next = transfers_.end();
  while (next != transfers_.begin() && psn.before(std::prev(next)->first)) --next;
  if (next == transfers_.begin()) return Place{};
  const auto place = std::prev(next);
  Transfer& transfer = *place;
  const std::int32_t ahead = transfer.next.distance_to(psn);
  const auto before = static_cast<std::uint32_t>(transfer.first.distance_to(psn));
  const bool is_beyond = transfer.packets != 0 ? before >= transfer.packets : ahead >= 0 && transfer.has_last;
  if (is_beyond) return Place{};  // of one whose beginning was not seen
  if (ahead < 0 && !fill(transfer, psn)) return std::nullopt;
  Place found{.address = transfer.address,
              .r_key = transfer.r_key,
              .packets = before,
              .skipped = static_cast<std::uint32_t>(std::max(ahead, 0))};
  if (ahead > 0) {
    if (transfer.missing.size() >= kMostMissing) transfer.missing.erase(transfer.missing.begin());
    transfer.missing.push_back({transfer.next, static_cast<std::uint32_t>(ahead)});
  }
  if (ahead >= 0) transfer.next = psn + 1;
  transfer.has_last = transfer.has_last || last;
  return found;
}

}  // namespace rocescope
