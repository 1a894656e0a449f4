#include "ladder/ladder.hpp"

#include <algorithm>
#include <utility>

#include "ladder/packet_run.hpp"
#include "rocescope/detail/elapsed.hpp"

namespace rocescope {

void Ladder::add(const PacketRecord& record) {
  if (const std::optional<std::uint8_t> side = scope_.sender_of(record)) return add_packet(record, *side);
  for (LadderEvent& event : setup_.add(record)) {
    fold_.finish(give_);
    if (last_time_) event.silence = elapsed(*last_time_, event.time);
    last_time_ = event.time;
    give_(event);
  }
}

void Ladder::finish() { fold_.finish(give_); }

void Ladder::add_packet(const PacketRecord& record, std::uint8_t side) {
  LadderEvent packet = packet_event(record, side);
  if (last_time_) packet.silence = elapsed(*last_time_, packet.time);
  last_time_ = packet.time;
  PacketRun& run = std::get<PacketRun>(packet.what);
  if (options_.commands != nullptr) run.ends = options_.commands->at(packet.frame);
  run.apart |= !run.ends.empty() || std::ranges::binary_search(options_.apart, record.verdict.message);
  fold_.add(std::move(packet), options_.fold, give_);
}

}  // namespace rocescope
