// Packets that may take the express lane, as far as they show it by themselves.
#include <algorithm>
#include <optional>
#include <span>

#include "analysis/header_checksum.hpp"
#include "analysis/packet_preparer.hpp"
#include "tracking/prefetch.hpp"

namespace rocescope {

/// Whether the packet is seen where others of its kind are, and nothing is learned from it.
inline bool PacketPreparer::is_placed(const Frame& frame, ExpressReason reason, ExpressPacket& express) const {
  if (reason != ExpressReason::kNone || interfaces_ != points_.interfaces() || points_.has_copies()) return false;
  const Sight& sight = sights_[express.shape];
  express.capture_point = sight.capture_point;
  return sight.is_of(frame.capture_id, frame.interface_id) && !CapturePoints::wants(express.psn);
}

/// Where the packet is seen. It is prepared as others are where something is learned from it.
void PacketPreparer::place(PacketBatch& batch, std::size_t packet) {
  if (interfaces_ != points_.interfaces()) sights_ = {};
  interfaces_ = points_.interfaces();
  ExpressReason& reason = batch.reasons[packet];
  ExpressPacket& express = batch.express[packet];
  if (points_.has_copies()) reason = ExpressReason::kCopies;
  const Frame& frame = batch.frames[packet];
  if (is_placed(frame, reason, express)) return;  // now that the interfaces are forgotten
  const CapturePoints::Sight& sight = prepare(batch, packet).sight;
  if (points_.has_copies()) reason = ExpressReason::kCopies;
  if (reason != ExpressReason::kNone) return;
  express.capture_point = sight.capture_point;
  if (points_.knows_last_place()) {
    sights_[express.shape] = {frame.capture_id, frame.interface_id, sight.capture_point};
  }
}

/// As the verifier has it. A flow whose wrong ICRCs are settled stays so: where there are many, its own table lies far away.
bool PacketPreparer::is_settled(const ExpressPacket& express, std::uint16_t source_port, const IcrcCheck& check) {
  const FlowKey key = express.key();
  if (check.status != IcrcStatus::kBad) return verifier_.is_settled(key, source_port, check);
  if (verifier_.searches_nothing(key, source_port)) return true;
  if (settled_.empty()) settled_.resize(kMostSettled);
  std::optional<FlowKey>& known = settled_[express.hash % kMostSettled];
  if (known == key) return true;
  if (!verifier_.is_settled(key, source_port, check)) return false;
  known = key;
  return true;
}

/// Whether it may pass, before its connection is known.
[[gnu::always_inline]] inline ExpressReason PacketPreparer::look_at(const Frame& frame, const RocePacket& roce,
                                                                    ExpressPacket& express,
                                                                    ExpressCandidate& candidate) {
  const bool is_compared = candidate.icrc.status == IcrcStatus::kGood || candidate.icrc.status == IcrcStatus::kBad;
  const std::uint16_t source_port = roce.udp_source_port;
  express.hash = FlowKeyHash{}(express.key());
  if (is_compared && !verifier_.is_usual(source_port, candidate.icrc) &&
      !is_settled(express, source_port, candidate.icrc)) {
    return ExpressReason::kChecksum;
  }
  express.set_icrc(candidate.icrc);
  if (shard_ && candidate.icrc.status == IcrcStatus::kBad) shard_->observe_bad_icrc();
  const bool is_good = candidate.icrc.status == IcrcStatus::kGood;
  if (!is_good && has_wrong_checksum(roce, frame.data)) return ExpressReason::kChecksum;
  candidate.interface = interface_of(frame);
  return ExpressReason::kNone;
}

void PacketPreparer::prepare_candidates(PacketBatch& batch) {
  batch.candidates.resize(batch.size);
  batch.express.resize(batch.size);
  batch.reasons.resize(batch.size);
  roce_.resize(batch.size);
  read_candidates(batch);
  check_candidates(batch);
  prepared_ = 0;
  const Frame* const frames = batch.frames.data();
  const RocePacket* const roce = roce_.data();
  ExpressPacket* const express = batch.express.data();
  ExpressCandidate* const candidates = batch.candidates.data();
  ExpressReason* const reasons = batch.reasons.data();
  for (std::size_t i = 0, size = batch.size; i < size; ++i) {
    ExpressReason& reason = reasons[i];
    if (!is_placed(frames[i], reason, express[i])) place(batch, i);
    if (shard_ && batch.of_others[i] != 0 && reason == ExpressReason::kNone) continue;
    if (reason == ExpressReason::kNone) reason = look_at(frames[i], roce[i], express[i], candidates[i]);
    if (reason != ExpressReason::kNone && candidates[i].prepared == ExpressCandidate::kNone) prepare(batch, i);
  }
}

/// What the packets show by themselves: nothing waits for the packet before.
void PacketPreparer::read_candidates(PacketBatch& batch) {
  constexpr std::size_t kAhead = 16;     // packets: so many are read while one of these lines is fetched
  constexpr std::size_t kHeaders = 128;  // bytes in which they are
  const std::size_t size = batch.size;
  ExpressPacket* const express = batch.express.data();
  ExpressReason* const reasons = batch.reasons.data();
  std::fill_n(batch.candidates.data(), size, ExpressCandidate());
  if (points_.has_copies()) {
    std::fill_n(reasons, size, ExpressReason::kCopies);
    return;
  }
  const Frame* const frames = batch.frames.data();
  RocePacket* const roce = roce_.data();
  for (std::size_t i = 0; i < std::min(size, kAhead); ++i) prefetch_from_other_thread(&express[i]);
  for (std::size_t i = 0; i < size; ++i) {
    if (i + kAhead < size) {
      prefetch_from_other_thread(&express[i + kAhead]);
      prefetch_to_read(frames[i + kAhead].data.data(), kHeaders);
    }
    reasons[i] = read_express(frames[i], express[i], roce[i]);
  }
}

/// Packets of one opcode are looked at together: mostly they are of one length, so that the processor foresees each step.
void PacketPreparer::check_candidates(PacketBatch& batch) {
  const ExpressPacket* const express = batch.express.data();
  const ExpressReason* const reasons = batch.reasons.data();
  OfOpcode* const of_opcode = of_opcode_.data();
  for (std::size_t i = 0, size = batch.size; i < size; ++i) {
    if (reasons[i] != ExpressReason::kNone || (shard_ && batch.of_others[i] != 0)) continue;
    OfOpcode& its = of_opcode[express[i].code % ExpressRole::kCodes];
    its.packets[its.count++] = static_cast<std::uint16_t>(i);
  }
  for (OfOpcode& its : of_opcode_) {
    if (its.count == 0) continue;
    const std::span<std::uint16_t> all = std::span(its.packets).first(std::exchange(its.count, 0));
    for (const std::uint16_t i : all) note_form(batch.frames[i], roce_[i], batch.express[i]);
    if (verify_icrc_) check_icrcs(batch, all);
  }
}

/// Of packets of one opcode.
void PacketPreparer::check_icrcs(PacketBatch& batch, std::span<std::uint16_t> packets) {
  constexpr IcrcCheck kCut{.status = IcrcStatus::kUnverifiable, .obstacle = StopReason::kTruncated};
  const ExpressPacket* const express = batch.express.data();
  ExpressCandidate* const candidates = batch.candidates.data();
  const Frame* const frames = batch.frames.data();
  const RocePacket* const roce = roce_.data();
  std::size_t whole = 0;
  for (const std::uint16_t i : packets) {
    if (express[i].is_cut()) {
      candidates[i].icrc = kCut;
    } else {
      packets[whole++] = i;
    }
  }
  for (std::size_t first = 0; first < whole; first += kChecked) {
    const std::span<const std::uint16_t> some = packets.subspan(first, std::min(whole - first, kChecked));
    IcrcSum* sum = icrcs_.data();
    for (const std::uint16_t i : some) (sum++)->take(roce[i], frames[i].data);
    // PayloadWatch compares the payload of SENDs and WRITEs.
    const bool has_own_payload = express[some.front()].kind == ExpressKind::kSendOrWrite;
    sum = icrcs_.data();
    for (const std::uint16_t i : some) candidates[i].icrc = (sum++)->check(has_own_payload);
  }
}

PreparedPacket& PacketPreparer::prepare(PacketBatch& batch, std::size_t packet) {
  PreparedPacket& prepared = batch.packets[prepared_];
  batch.candidates[packet].prepared = prepared_++;
  prepare(batch.frames[packet], prepared);
  return prepared;
}

void PacketPreparer::prepare(const PacketBatch& batch, std::size_t packet, PreparedPacket& prepared) const {
  const ExpressCandidate& candidate = batch.candidates[packet];
  dissect(batch.frames[packet], prepared.packet, dissect_);
  prepared.interface = candidate.interface;
  prepared.icrc = {.icrc = candidate.icrc, .true_source_port = {}};
  prepared.sight = {.capture_point = batch.express[packet].capture_point};
  prepared.packet.frame.capture_point = prepared.sight.capture_point;
}

}  // namespace rocescope
