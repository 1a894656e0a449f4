// Recoveries: what belongs to one, and what it tells of losses.
#include <algorithm>

#include "requester.hpp"

namespace rocescope {

/// Whether a NAK since `since` makes the requester send `psn` again.
bool Requester::asked_for(Psn psn, std::int64_t since) const noexcept {
  return evidence_ && evidence_->time >= since && !evidence_->psn.after(psn);
}

/// Less silence than this is none of an ACK timeout's.
std::int64_t Requester::shortest_timeout() const noexcept {
  constexpr std::int64_t kUsual = 10'000'000;  // what is configured in practice is longer
  return ack_timeout_ > 0 ? ack_timeout_ / 2 : kUsual;
}

/// Whether the silence before `until` can be that of an ACK timeout.
bool Requester::was_silent(std::int64_t until) const noexcept {
  const std::int64_t ns = silence(until);
  if (ack_timeout_ > 0) return ns >= ack_timeout_ - ack_timeout_ / 8;  // clocks and time stamps are not exact
  constexpr std::int64_t kShortest = 500'000;
  return ns >= kShortest && ns / 4 >= longest_wait_;
}

std::int64_t Requester::silence(std::int64_t until) const noexcept {
  return std::max<std::int64_t>(elapsed(std::max(last_request_, progress_at_), until), 0);
}

/// The recovery that sends `psn` again: the one under way, or the one that the last NAK asks for. Packets of the old one are
/// still on their way when the NAK for the new one passes.
std::optional<Requester::Place> Requester::place_of(const RequestPacket& packet) const noexcept {
  const Psn psn = packet.psn;
  const bool asked = evidence_ && !evidence_->followed;
  if (recovery_ && recovery_->next == psn)
    return Place{recovery_->facts.cause, recovery_->facts.trigger_frame, 0, true};
  if (asked && evidence_->psn == psn) return Place{evidence_->cause, evidence_->frame, 0, false};
  if (const MissingRun* skipped = recovery_ ? recovery_->skipped.find(psn) : nullptr;
      skipped != nullptr && elapsed(last_request_, packet.time) < shortest_timeout()) {
    return Place{recovery_->facts.cause, recovery_->facts.trigger_frame, 0, true, true};
  }
  if (recovery_ && recovery_->next.before(psn)) {
    return Place{recovery_->facts.cause, recovery_->facts.trigger_frame,
                 static_cast<std::uint32_t>(recovery_->next.distance_to(psn)), true};
  }
  if (asked && evidence_->psn.before(psn)) {
    return Place{evidence_->cause, evidence_->frame, static_cast<std::uint32_t>(evidence_->psn.distance_to(psn)),
                 false};
  }
  return std::nullopt;
}

void Requester::set_resent(const RequestPacket& packet, const Place& place, Verdict& verdict) {
  const std::uint32_t span = span_of(packet);
  if (!place.goes_on || !recovery_) begin_recovery(packet, place);
  Recovery& recovery = recovery_->facts;
  if (place.late) {
    recovery_->skipped.fill(packet.psn, span);
    if (!reorders_) {
      totals_.lost_before -= std::min<std::uint64_t>(totals_.lost_before, span);
      recovery.lost_before -= std::min<std::uint64_t>(recovery.lost_before, span);
    }
    reorders_ = true;
  } else {
    if (place.skipped > 0) recovery_->skipped.add({packet.psn - place.skipped, place.skipped, packet.time});
    recovery_->next = packet.psn + span;
  }
  verdict.kind = VerdictKind::kRetransmission;
  verdict.cause = place.cause;
  verdict.evidence = place.evidence;
  verdict.missing = place.skipped;
  if (!reorders_) lose_before(place.skipped);
  ++totals_.resends[static_cast<std::size_t>(place.cause)];
  ++recovery.packets;
  recovery.bytes += packet.payload;
  recovery.last_frame = packet.frame;
  recovery.last_time = packet.time;
}

void Requester::begin_recovery(const RequestPacket& packet, const Place& place) {
  end_recovery();
  recovery_ = std::make_unique<Resending>();
  Recovery& recovery = recovery_->facts;
  recovery.cause = place.cause;
  recovery.trigger_frame = place.evidence;
  recovery.first_frame = packet.frame;
  recovery.first_time = packet.time;
  recovery.stall = silence(packet.time);
  ++totals_.recoveries;
  ++totals_.recoveries_by_cause[static_cast<std::size_t>(place.cause)];
  if (evidence_ && evidence_->frame == place.evidence) {
    evidence_->followed = true;
    if (evidence_->lost == LostWhere::kAfter) recovery.lost_after = 1;
    const bool rnr = evidence_->cause == ResendCause::kRnr;
    measure(rnr ? TimeKind::kRnrWait : TimeKind::kNakRecovery, evidence_->time, packet.time, evidence_->rnr_timer);
    constexpr std::int64_t kRounding = 1'000;  // of time stamps in microseconds
    if (rnr && elapsed(evidence_->time, packet.time) < evidence_->rnr_timer - kRounding) ++totals_.rnr_too_early;
  }
  if (recovery.stall >= kShortestStall) measure_stall(recovery.stall);
}

void Requester::end_recovery() {
  if (recovery_) ended_recovery_ = std::move(recovery_);
}

/// PSNs that were sent and that nobody saw here.
void Requester::lose_before(std::uint64_t psns) noexcept {
  totals_.lost_before += psns;
  if (recovery_) recovery_->facts.lost_before += psns;
}

}  // namespace rocescope
