#include "ladder/packet_fold.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "ladder/packet_run.hpp"
#include "sorting/sort.hpp"

namespace rocescope {
namespace {

using Extent = PacketRun::Extent;

PacketRun& run_of(LadderEvent& event) { return std::get<PacketRun>(event.what); }

void extend(LadderEvent& event, const LadderEvent& by) {
  append(run_of(event), std::get<PacketRun>(by.what));
  event.last_time = by.last_time;
  event.last_frame = by.last_frame;
}

}  // namespace

void PacketFold::add(LadderEvent packet, bool folds, const Give& give) {
  const std::uint8_t side = packet.sender;
  const PacketRun& run = run_of(packet);
  if (!folds || !continues(run, side)) finish(give);
  run.extent == Extent::kPart ? add_to_message(std::move(packet), open_[side], give)
                              : add_alike(std::move(packet), open_[side]);
  // A run of acknowledgements may continue beside messages of many sizes.
  if (closed_.size() > most_waiting_) finish(give);
}

/// Whether the open event may stay open when this packet comes.
bool PacketFold::continues(const PacketRun& packet, std::uint8_t side) const {
  const Open& mine = open_[side];
  const Open& other = open_[1 - side];
  // Only responses run beside the requests that they answer.
  if (!other.empty() && is_plain_answer(packet) == is_plain_answer(other.run())) return false;
  return mine.empty() || alike(mine.run(), packet);
}

void PacketFold::add_alike(LadderEvent packet, Open& open) {
  if (open.whole) return extend(*open.whole, packet);
  open.whole = std::move(packet);
}

void PacketFold::add_to_message(LadderEvent packet, Open& open, const Give& give) {
  const Position position = run_of(packet).opcode->position;
  const bool begins = position == Position::kOnly || position == Position::kFirst;
  if (open.part && begins) {
    close(open.whole);
    close(open.part);
  }
  if (open.part) {
    extend(*open.part, packet);
  } else {
    open.part = std::move(packet);
  }
  if (position == Position::kOnly || position == Position::kLast) end_message(open);
  give_ready(give);
}

/// The current message is complete: it joins the run before, or begins a new one.
void PacketFold::end_message(Open& open) {
  PacketRun& message = run_of(*open.part);
  if (!message.has_first) {
    close(open.whole);
    return close(open.part);
  }
  message.extent = Extent::kMessages;
  message.messages = 1;
  message.same_size = true;
  if (open.whole && same_message(run_of(*open.whole), message)) {
    extend(*open.whole, *open.part);
  } else {
    close(open.whole);
    open.whole = std::move(open.part);
  }
  open.part.reset();
}

void PacketFold::close(std::optional<LadderEvent>& event) {
  if (event) closed_.push_back(*std::exchange(event, std::nullopt));
}

void PacketFold::finish(const Give& give) {
  for (Open& open : open_) {
    close(open.whole);
    close(open.part);
  }
  give_ready(give);
}

void PacketFold::visit(const Give& visitor) const {
  std::ranges::for_each(closed_, visitor);
  for (const Open& open : open_) {
    if (open.whole) visitor(*open.whole);
    if (open.part) visitor(*open.part);
  }
}

void PacketFold::give_ready(const Give& give) {
  if (closed_.empty()) return;
  std::uint64_t first_open = std::numeric_limits<std::uint64_t>::max();
  for (const Open& open : open_) {
    if (open.whole) first_open = std::min(first_open, open.whole->frame);
    if (open.part) first_open = std::min(first_open, open.part->frame);
  }
  sorting::sort(closed_, {}, &LadderEvent::frame);
  const auto ready = std::ranges::find_if(closed_, [&](const LadderEvent& event) { return event.frame > first_open; });
  std::for_each(closed_.begin(), ready, give);
  closed_.erase(closed_.begin(), ready);
}

}  // namespace rocescope
