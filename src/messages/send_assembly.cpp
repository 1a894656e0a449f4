#include "messages/send_assembly.hpp"

#include <algorithm>
#include <utility>

namespace rocescope {
namespace {

constexpr std::uint64_t kAtOnce = 8;  // packets

}  // namespace

void SendAssembly::Run::extend(Bytes here, std::uint64_t extent, Hole::Reason reason, std::uint64_t most) {
  if (bytes.size() == length && length < most) {
    const auto kept = static_cast<std::size_t>(std::min(most - length, extent));
    const Bytes copied = here.first(std::min(kept, here.size()));
    // Room for some packets at once: most messages are no longer.
    if (bytes.empty()) bytes.reserve(static_cast<std::size_t>(std::min(most, kAtOnce * extent)));
    bytes.insert(bytes.end(), copied.begin(), copied.end());
    bytes.resize(static_cast<std::size_t>(length) + kept);
    if (copied.size() < kept) add_hole({length + copied.size(), kept - copied.size(), reason});
  }
  length += extent;
}

/// Those that touch are one.
void SendAssembly::Run::add_hole(const Hole& hole) {
  const bool touches = !holes.empty() && holes.back().length > 0 && holes.back().reason == hole.reason &&
                       holes.back().offset + holes.back().length == hole.offset;
  if (touches) {
    holes.back().length += hole.length;
  } else {
    holes.push_back(hole);
  }
}

void SendAssembly::Run::append(const Part& part, std::uint64_t most) {
  extend(part.bytes, part.length, Hole::Reason::kCut, most);
  next = part.psn + 1;
  ++packets;
  if (part.immediate) immediate = part.immediate;
  if (part.invalidated_r_key) invalidated_r_key = part.invalidated_r_key;
}

void SendAssembly::Run::append(const Run& rest, std::optional<std::uint64_t> missing, std::uint64_t most) {
  if (missing) extend({}, *missing, Hole::Reason::kNotSeen, most);
  if (bytes.size() == length) {
    if (!missing) add_hole({length, 0, Hole::Reason::kNotSeen});
    const std::uint64_t room = std::min<std::uint64_t>(most - std::min(most, length), rest.bytes.size());
    for (const Hole& hole : rest.holes) {
      if (hole.offset < room) {
        add_hole({length + hole.offset, std::min(hole.length, room - hole.offset), hole.reason});
      }
    }
    bytes.insert(bytes.end(), rest.bytes.begin(), rest.bytes.begin() + static_cast<std::ptrdiff_t>(room));
  }
  length += rest.length;
  next = rest.next;
  packets += rest.packets;
  has_last = rest.has_last;
  if (rest.immediate) immediate = rest.immediate;
  if (rest.invalidated_r_key) invalidated_r_key = rest.invalidated_r_key;
}

void SendAssembly::Run::close() {
  if (!has_first) holes.insert(holes.begin(), {0, 0, Hole::Reason::kNotSeen});
  if (bytes.size() < length) holes.push_back({bytes.size(), length - bytes.size(), Hole::Reason::kBeyondCap});
  if (!has_last) holes.push_back({length, 0, Hole::Reason::kNotSeen});
}

std::optional<SendAssembly::Run> SendAssembly::add(const Part& part, std::uint64_t most, Run* spare) {
  const bool begins = part.position == Position::kFirst || part.position == Position::kOnly;
  const bool ends = part.position == Position::kLast || part.position == Position::kOnly;
  auto place = std::ranges::find_if(runs_, [&](const Run& run) { return part.psn.before(run.first); });
  if (!begins && place != runs_.begin() && !std::prev(place)->has_last && std::prev(place)->next == part.psn) {
    --place;
    place->append(part, most);
  } else {
    place =
        runs_.insert(place, Run{.first = part.psn, .next = part.psn, .has_first = begins, .first_frame = part.frame});
    if (spare != nullptr) place->take_room(*spare);
    place->append(part, most);
  }
  place->has_last = ends;
  const auto following = std::next(place);
  if (!ends && following != runs_.end() && !following->has_first && following->first == place->next) {
    place->append(*following, 0, most);
    runs_.erase(following);
  }
  if (!place->is_whole() && place->packets < kMostPackets) return std::nullopt;
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
  std::uint64_t sum = 0;
  for (const Run& run : runs_) sum += run.bytes.capacity() + run.holes.capacity() * sizeof(Hole);
  return sum;
}

}  // namespace rocescope
