#include "messages/send_assembly.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace rocescope {

void SendAssembly::Run::append(const Part& part, std::uint64_t most) {
  if (part.bytes.size() < part.length) {
    holes.push_back({length + part.bytes.size(), part.length - part.bytes.size(), Hole::Reason::kCut});
  }
  if (bytes.size() == length && length < most) {
    const auto room = static_cast<std::size_t>(std::min<std::uint64_t>(most - length, part.length));
    const Bytes kept = part.bytes.first(std::min(room, part.bytes.size()));
    bytes.insert(bytes.end(), kept.begin(), kept.end());
    bytes.resize(static_cast<std::size_t>(length) + room);
  }
  length += part.length;
  next = part.psn + 1;
  if (part.immediate) immediate = part.immediate;
  if (part.invalidated_r_key) invalidated_r_key = part.invalidated_r_key;
}

void SendAssembly::Run::append(const Run& rest, std::optional<std::uint64_t> missing, std::uint64_t most) {
  const std::uint64_t gap = missing.value_or(0);
  if (gap > 0 || !missing) holes.push_back({length, gap, Hole::Reason::kNotSeen});
  const bool goes_on = bytes.size() == length;
  length += gap;
  for (const Hole& hole : rest.holes) holes.push_back({length + hole.offset, hole.length, hole.reason});
  if (goes_on && length < most) {
    bytes.resize(static_cast<std::size_t>(length));
    const auto room = static_cast<std::size_t>(std::min<std::uint64_t>(most - length, rest.bytes.size()));
    bytes.insert(bytes.end(), rest.bytes.begin(), rest.bytes.begin() + static_cast<std::ptrdiff_t>(room));
  }
  length += rest.length;
  next = rest.next;
  has_last = rest.has_last;
  if (rest.immediate) immediate = rest.immediate;
  if (rest.invalidated_r_key) invalidated_r_key = rest.invalidated_r_key;
}

void SendAssembly::Run::close() {
  if (!has_first) holes.insert(holes.begin(), {0, 0, Hole::Reason::kNotSeen});
  if (bytes.size() < length) holes.push_back({bytes.size(), length - bytes.size(), Hole::Reason::kBeyondCap});
  if (!has_last) holes.push_back({length, 0, Hole::Reason::kNotSeen});
  std::ranges::stable_sort(holes, {}, &Hole::offset);
}

std::optional<SendAssembly::Run> SendAssembly::add(const Part& part, std::uint64_t most) {
  const bool begins = part.position == Position::kFirst || part.position == Position::kOnly;
  const bool ends = part.position == Position::kLast || part.position == Position::kOnly;
  auto place = std::ranges::find_if(runs_, [&](const Run& run) { return part.psn.before(run.first); });
  if (!begins && place != runs_.begin() && !std::prev(place)->has_last && std::prev(place)->next == part.psn) {
    --place;
    place->append(part, most);
  } else {
    place =
        runs_.insert(place, Run{.first = part.psn, .next = part.psn, .has_first = begins, .first_frame = part.frame});
    place->append(part, most);
  }
  place->has_last = ends;
  const auto following = std::next(place);
  if (!ends && following != runs_.end() && !following->has_first && following->first == place->next) {
    place->append(*following, 0, most);
    runs_.erase(following);
  }
  if (!place->is_whole()) return std::nullopt;
  Run whole = std::move(*place);
  runs_.erase(place);
  whole.close();
  return whole;
}

std::optional<SendAssembly::Run> SendAssembly::take(Psn first, Psn last, std::uint32_t mtu, std::uint64_t most) {
  std::optional<Run> message;
  for (Run& run : runs_) {
    if (run.first.before(first) || run.first.after(last)) continue;
    if (!message) {
      message = std::move(run);
      continue;
    }
    const auto packets = static_cast<std::uint64_t>(std::max(message->next.distance_to(run.first), 0));
    message->append(run, mtu == 0 ? std::nullopt : std::optional(packets * mtu), most);
  }
  std::erase_if(runs_, [&](const Run& run) { return !run.first.before(first) && !run.first.after(last); });
  if (message) message->close();
  return message;
}

std::optional<SendAssembly::Run> SendAssembly::take_oldest() {
  if (runs_.empty()) return std::nullopt;
  Run oldest = std::move(runs_.front());
  runs_.erase(runs_.begin());
  oldest.close();
  return oldest;
}

std::uint64_t SendAssembly::kept() const noexcept {
  return std::accumulate(runs_.begin(), runs_.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const Run& run) { return sum + run.bytes.capacity(); });
}

}  // namespace rocescope
