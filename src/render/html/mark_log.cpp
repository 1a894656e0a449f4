#include "render/html/mark_log.hpp"

#include <algorithm>
#include <optional>

#include "rocescope/headers/extended_transport.hpp"
#include "rocescope/headers/mac_control.hpp"
#include "sorting/sort.hpp"
#include "tracking/watchers/packet_role.hpp"

namespace rocescope::render {
namespace {

bool asks_for_silence(const Packet& packet) {
  constexpr std::uint8_t kPriorities = 8;
  if (const auto pause = packet.header<MacPause>()) return pause->time() > 0;
  const auto pfc = packet.header<MacPfc>();
  if (!pfc) return false;
  for (std::uint8_t priority = 0; priority < kPriorities; ++priority) {
    if (pfc->enabled(priority) && pfc->time(priority) > 0) return true;
  }
  return false;
}

std::optional<MarkKind> kind_of(VerdictKind kind) {
  switch (kind) {
    case VerdictKind::kGap:
    case VerdictKind::kReadResponseGap:
      return MarkKind::kGap;
    case VerdictKind::kOutOfOrder:
      return MarkKind::kOutOfOrder;
    case VerdictKind::kRetransmission:
    case VerdictKind::kReadResponseRetransmission:
      return MarkKind::kRetransmission;
    case VerdictKind::kAckOfUnseen:
      return MarkKind::kNotCaptured;
    default:
      return std::nullopt;
  }
}

}  // namespace

void MarkLog::add(const PacketRecord& record) {
  const Packet& packet = *record.packet;
  if (!packet.is_roce()) {
    if (asks_for_silence(packet)) note(MarkKind::kPfcPause, record);
    return;
  }
  const Verdict& verdict = record.verdict;
  if (verdict.damaged) return note(MarkKind::kIcrcBad, record);
  if (record.repeated || verdict.kind == VerdictKind::kCaptureDuplicate) return;
  if (is_ce_marked(packet)) note(MarkKind::kCe, record);
  if (packet.roce.opcode->operation == Operation::kCnp) return note(MarkKind::kCnp, record);
  if (const auto aeth = packet.header<Aeth>()) {
    if (aeth->kind() == AethKind::kNak) note(MarkKind::kNak, record);
    if (aeth->kind() == AethKind::kRnrNak) note(MarkKind::kRnrNak, record);
  }
  if (const auto kind = kind_of(verdict.kind)) note(*kind, record);
}

void MarkLog::note(MarkKind kind, const PacketRecord& record) {
  Kind& all = kinds_[static_cast<std::size_t>(kind)];
  const Packet& packet = *record.packet;
  all.counts.add(packet.frame.timestamp, {.packets = 1}, interval_);
  if (all.number++ % all.step != 0) return;
  all.marks.push_back({kind, record.verdict.connection, packet.frame.number, packet.frame.timestamp, packet.source});
  if (all.marks.size() <= kMost) return;
  for (std::size_t i = 0; 2 * i < all.marks.size(); ++i) all.marks[i] = all.marks[2 * i];
  all.marks.resize((all.marks.size() + 1) / 2);
  all.step *= 2;
}

std::vector<Mark> MarkLog::marks() const {
  std::vector<Mark> marks;
  for (const Kind& kind : kinds_) marks.insert(marks.end(), kind.marks.begin(), kind.marks.end());
  sorting::stable_sort(marks, {}, &Mark::frame);
  return marks;
}

std::uint64_t MarkLog::left_out() const noexcept {
  std::uint64_t left_out = 0;
  for (const Kind& kind : kinds_) left_out += kind.number - kind.marks.size();
  return left_out;
}

}  // namespace rocescope::render
