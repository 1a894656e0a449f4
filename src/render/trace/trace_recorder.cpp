#include "render/trace/trace_recorder.hpp"

#include <algorithm>

#include "rocescope/headers/extended_transport.hpp"
#include "tracking/watchers/packet_role.hpp"

namespace rocescope::render {
namespace {

/// What is kept rather stands first.
bool is_kept_rather(const TracedMessage& a, const TracedMessage& b) {
  return std::pair(ends_well(a.message), a.message.number) < std::pair(ends_well(b.message), b.message.number);
}

bool shows_trouble(VerdictKind kind) {
  switch (kind) {
    case VerdictKind::kGap:
    case VerdictKind::kOutOfOrder:
    case VerdictKind::kRetransmission:
    case VerdictKind::kUsedPsn:
    case VerdictKind::kReadResponseGap:
    case VerdictKind::kReadResponseRetransmission:
      return true;
    default:
      return false;
  }
}

}  // namespace

void TraceRecorder::add(const Connection& connection, std::size_t side, const Message& message) {
  const auto& sides = connection.sides;
  if (messages_.size() == limit_) {
    ++messages_left_out_;
    if (limit_ == 0) return;
    if (messages_left_out_ == 1) std::make_heap(messages_.begin(), messages_.end(), is_kept_rather);
  }
  TracedMessage traced{.message = message,
                       .connection = connection.number,
                       .overlay_id = connection.overlay_id,
                       .side = static_cast<std::uint8_t>(side),
                       .addresses = {sides[0].address, sides[1].address},
                       .qpns = {sides[0].qpn, sides[1].qpn}};
  if (messages_.size() < limit_) return messages_.push_back(traced);
  if (!is_kept_rather(traced, messages_.front())) return;
  std::pop_heap(messages_.begin(), messages_.end(), is_kept_rather);
  messages_.back() = traced;
  std::push_heap(messages_.begin(), messages_.end(), is_kept_rather);
}

void TraceRecorder::add(const PacketRecord& record) {
  const Packet& packet = *record.packet;
  const Verdict& verdict = record.verdict;
  if (!packet.is_roce() || verdict.damaged || verdict.kind == VerdictKind::kCaptureDuplicate) return;
  const Direction direction{packet.source, packet.destination, packet.overlay_id};
  if (is_ce_marked(packet) && !record.repeated) {
    auto marked = marked_.find(direction);
    if (marked == marked_.end() && marked_.size() < kMostMarked) marked = marked_.try_emplace(direction).first;
    if (marked == marked_.end()) {
      ++marked_left_out_;
    } else {
      marked->second.add(packet.frame.timestamp, {.packets = 1}, interval_);
    }
  }
  TracedPacket traced{.number = packet.frame.number,
                      .time = packet.frame.timestamp,
                      .source = packet.source,
                      .destination = packet.destination,
                      .overlay_id = packet.overlay_id,
                      .psn = packet.roce.psn,
                      .is_cnp = packet.roce.opcode->operation == Operation::kCnp,
                      .verdict = verdict};
  if (const auto aeth = packet.header<Aeth>()) {
    traced.is_rnr_nak = aeth->kind() == AethKind::kRnrNak;
    if (aeth->kind() == AethKind::kNak) traced.nak_code = aeth->value();
  }
  if (!traced.is_cnp && !traced.is_rnr_nak && !traced.nak_code && !shows_trouble(verdict.kind)) return;
  if (packets_.size() < limit_) return packets_.push_back(traced);
  ++packets_left_out_;
}

void TraceRecorder::forget(std::span<const std::uint32_t> connections) {
  if (connections.empty()) return;
  std::erase_if(messages_, [&](const TracedMessage& traced) {
    return std::ranges::binary_search(connections, traced.connection);
  });
}

}  // namespace rocescope::render
