#include "ladder/ladder.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "ladder/packet_run.hpp"
#include "tracking/elapsed.hpp"

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

void Ladder::add(const PacketRecord& record) {
  if (const std::optional<std::uint8_t> side = scope_.sender_of(record)) return add_packet(record, *side);
  for (LadderEvent& event : setup_.add(record)) {
    close_all();
    if (last_time_) event.silence = elapsed(*last_time_, event.time);
    last_time_ = event.time;
    give_(event);
  }
}

void Ladder::finish() { close_all(); }

void Ladder::add_packet(const PacketRecord& record, std::uint8_t side) {
  const Frame& frame = record.packet->frame;
  LadderEvent packet{.time = frame.timestamp,
                     .last_time = frame.timestamp,
                     .frame = frame.number,
                     .last_frame = frame.number,
                     .sender = side,
                     .silence = {},
                     .what = packet_run(record)};
  if (last_time_) packet.silence = elapsed(*last_time_, frame.timestamp);
  last_time_ = frame.timestamp;
  const PacketRun& run = run_of(packet);
  if (!options_.fold || !continues(run, side)) close_all();
  run.extent == Extent::kPart ? add_to_message(std::move(packet), open_[side])
                              : add_alike(std::move(packet), open_[side]);
  // A run of acknowledgements may continue beside messages of many sizes.
  if (closed_.size() > kMostClosed) close_all();
}

/// Whether the open event may stay open when this packet comes.
bool Ladder::continues(const PacketRun& packet, std::uint8_t side) const {
  const Open& mine = open_[side];
  const Open& other = open_[1 - side];
  // Only responses run beside the requests that they answer.
  if (!other.empty() && is_plain_answer(packet) == is_plain_answer(other.run())) return false;
  return mine.empty() || alike(mine.run(), packet);
}

void Ladder::add_alike(LadderEvent packet, Open& open) {
  if (open.whole) return extend(*open.whole, packet);
  open.whole = std::move(packet);
}

void Ladder::add_to_message(LadderEvent packet, Open& open) {
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
  give_ready();
}

/// The current message is complete: it joins the run before, or begins a new one.
void Ladder::end_message(Open& open) {
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

void Ladder::close(std::optional<LadderEvent>& event) {
  if (event) closed_.push_back(*std::exchange(event, std::nullopt));
}

void Ladder::close_all() {
  for (Open& open : open_) {
    close(open.whole);
    close(open.part);
  }
  give_ready();
}

void Ladder::give_ready() {
  std::uint64_t first_open = std::numeric_limits<std::uint64_t>::max();
  for (const Open& open : open_) {
    if (open.whole) first_open = std::min(first_open, open.whole->frame);
    if (open.part) first_open = std::min(first_open, open.part->frame);
  }
  std::ranges::sort(closed_, {}, &LadderEvent::frame);
  const auto ready = std::ranges::find_if(closed_, [&](const LadderEvent& event) { return event.frame > first_open; });
  std::for_each(closed_.begin(), ready, give_);
  closed_.erase(closed_.begin(), ready);
}

}  // namespace rocescope
