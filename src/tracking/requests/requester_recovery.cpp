// Recoveries: what belongs to one, and what it tells of losses.
#include <algorithm>

#include "tracking/requests/requester.hpp"

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

/// Whether the requester has waited for an ACK as long as its timer runs. That starts with the oldest request that is not
/// acknowledged, and again with each response that brings the stream on (IBTA 9.7.6.1.3).
bool Requester::timed_out(std::int64_t now) noexcept {
  std::int64_t since = last_request_;  // the only thing to go by where no responses come by
  if (const SentPacket* oldest = heard_ ? sent_.find(unacknowledged_) : nullptr) since = oldest->last_time;
  const std::int64_t ns = elapsed(std::max(since, progress_at_), now);
  if (ack_timeout_ > 0) return ns >= ack_timeout_ - ack_timeout_ / 8;  // clocks and time stamps are not exact
  constexpr std::int64_t kShortest = 500'000;
  return ns >= kShortest && ns / 4 >= longest_wait_;
}

/// Whether nothing says that the capture lacks packets of this stream or of its responses.
bool Requester::has_all() const noexcept {
  return heard_ && totals_.of(VerdictKind::kAckOfUnseen) == 0 && missing_.acknowledged() == 0;
}

/// Whether the requester sends this again since it misses responses from that PSN on: a READ with a moved address, or
/// whatever follows a hole in the responses (IBTA 9.7.5.2.8).
bool Requester::misses_response(const RequestPacket& packet) noexcept {
  constexpr std::int64_t kLately = 1'000'000'000;
  const SentPacket* original = sent_.find(packet.psn);
  if (packet.opcode->operation == Operation::kReadRequest && original != nullptr && original->psn != packet.psn)
    return true;
  const Psn last = packet.psn + (span_of(packet) - 1);
  return hole_ && !last.before(hole_->psn) && elapsed(hole_->time, packet.time) <= kLately;
}

/// A packet from before the first one that was seen: what was between them may have come by before the capture began.
void Requester::extend_start(Psn psn, std::int64_t time) {
  constexpr std::uint32_t kMost = 4'096;
  const auto before = static_cast<std::uint32_t>(psn.distance_to(unacknowledged_));
  if (covered_ || before > kMost) return;
  const SentPacket* first = sent_.find(unacknowledged_);
  missing_.add_first({psn, before, first != nullptr ? first->last_time : time, false, true});
  unacknowledged_ = psn;
  expect(psn);
}

std::int64_t Requester::silence(std::int64_t until) const noexcept {
  return std::max<std::int64_t>(elapsed(std::max(last_request_, progress_at_), until), 0);
}

/// The recovery that sends `psn` again: the one under way, or the one that the last NAK asks for. Packets of the old one are
/// still on their way when the NAK for the new one passes.
std::optional<Requester::Place> Requester::place_of(const RequestPacket& packet) const noexcept {
  const Psn psn = packet.psn;
  const bool asked = evidence_ && !evidence_->followed;
  if (recovery_ && send_order_.is_overtaken(packet.identification, elapsed(last_request_, packet.time))) {
    return Place{recovery_->facts.cause, recovery_->facts.trigger_frame, 0, true, true};
  }
  if (recovery_ && recovery_->next == psn)
    return Place{recovery_->facts.cause, recovery_->facts.trigger_frame, 0, true};
  if (asked && evidence_->psn == psn) return Place{evidence_->cause, evidence_->frame, 0, false};
  if (const MissingRun* skipped = recovery_ ? recovery_->skipped.find(psn) : nullptr;
      skipped != nullptr && elapsed(last_request_, packet.time) < shortest_timeout()) {
    return Place{recovery_->facts.cause, recovery_->facts.trigger_frame, 0, true, true};
  }
  if (recovery_ && recovery_->next.before(psn)) {
    return Place{recovery_->facts.cause, recovery_->facts.trigger_frame, skipped_before(psn, recovery_->next), true};
  }
  if (asked && evidence_->psn.before(psn)) {
    return Place{evidence_->cause, evidence_->frame, skipped_before(psn, evidence_->psn), false};
  }
  return std::nullopt;
}

/// Whether a recovery that began for another reason, since the NAK, has come to the PSN that this asks for.
bool Requester::answers_nak(Psn psn) const noexcept {
  return evidence_ && !evidence_->followed && evidence_->psn == psn && recovery_ &&
         evidence_->frame < recovery_->facts.first_frame;
}

/// PSNs from `from` on that a recovery must have sent before `psn`; not what is acknowledged meanwhile.
std::uint32_t Requester::skipped_before(Psn psn, Psn from) const noexcept {
  const Psn first = from.before(unacknowledged_) ? unacknowledged_ : from;
  return first.before(psn) ? static_cast<std::uint32_t>(first.distance_to(psn)) : 0;
}

void Requester::set_resent(const RequestPacket& packet, const Place& place, Verdict& verdict) {
  const std::uint32_t span = span_of(packet);
  if (!place.goes_on || !recovery_) begin_recovery(packet, place);
  Recovery& recovery = recovery_->facts;
  if (answers_nak(packet.psn)) {  // after all: it began with what else was to be sent again
    evidence_->followed = true;
    verdict.lost = evidence_->lost;
    if (evidence_->lost == LostWhere::kAfter) ++recovery.lost_after;
  }
  if (place.late) {
    const MissingRun* run = recovery_->skipped.find(packet.psn);
    note_late(elapsed(run != nullptr ? run->opened : packet.time, packet.time), packet.time);
    recovery_->skipped.fill(packet.psn, span);
    if (SentPacket* sent = sent_.find(packet.psn)) find_lost(*sent);
    verdict.lost = LostWhere::kNowhere;
  } else {
    if (place.skipped > 0) {
      recovery_->skipped.add({packet.psn - place.skipped, place.skipped, packet.time});
      // A copy of a recovery before this one may have been overtaken by its start. Where nothing that was seen asked for it,
      // the capture lacks something, and this may be more of that.
      const bool is_known = place.cause != ResendCause::kUnknown;
      if (is_known && !may_be_late(recovery.first_time, packet.time))
        lose_skipped(packet.psn - place.skipped, place.skipped);
    }
    recovery_->next = packet.psn + span;
  }
  verdict.kind = VerdictKind::kRetransmission;
  verdict.cause = place.cause;
  verdict.evidence = place.evidence;
  verdict.missing = place.skipped;
  ++troubles().resends[static_cast<std::size_t>(place.cause)];
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
  ++troubles().recoveries;
  ++troubles().recoveries_by_cause[static_cast<std::size_t>(place.cause)];
  if (evidence_ && evidence_->frame == place.evidence && !evidence_->followed) {
    evidence_->followed = true;
    if (evidence_->lost == LostWhere::kAfter) recovery.lost_after = 1;
    const bool rnr = evidence_->cause == ResendCause::kRnr;
    measure(rnr ? TimeKind::kRnrWait : TimeKind::kNakRecovery, evidence_->time, packet.time, evidence_->rnr_timer);
    constexpr std::int64_t kRounding = 1'000;  // of time stamps in microseconds
    if (rnr && elapsed(evidence_->time, packet.time) < evidence_->rnr_timer - kRounding) ++troubles().rnr_too_early;
  }
  if (recovery.stall >= kShortestStall) measure_stall(recovery.stall);
}

void Requester::end_recovery() {
  if (recovery_) ended_recovery_ = std::move(recovery_);
}

/// A recovery must have sent these PSNs again, and nobody saw it. A packet that was seen before is one, whatever it spans.
void Requester::lose_skipped(Psn first, std::uint32_t psns) {
  constexpr std::size_t kMostVisited = 4'096;
  std::uint64_t packets = psns;
  sent_.visit(first, psns, kMostVisited, [&](SentPacket& packet) {
    packets -= std::min<std::uint64_t>(packets, packet.span - 1);
    if (was_corrupt(packet.psn)) {
      packets -= std::min<std::uint64_t>(packets, 1);
      return;
    }
    packet.missed = true;
    if (packet.lost < std::numeric_limits<std::uint16_t>::max()) ++packet.lost;
  });
  lose_before(packets);
}

void Requester::corrupt(Psn psn, std::uint64_t frame, StreamNews& news) {
  constexpr std::size_t kMost = 64;
  begin_packet(news);
  ++troubles().corrupt;
  std::vector<CorruptPacket>& packets = corrupt_.make();
  if (packets.size() == kMost) packets.erase(packets.begin());
  packets.push_back({psn, frame});
}

/// Whether `psn` came by in this recovery with a wrong ICRC.
bool Requester::was_corrupt(Psn psn) const noexcept {
  const Recovery* facts = recovery();
  const std::uint64_t since = facts == nullptr            ? 0
                              : facts->trigger_frame != 0 ? facts->trigger_frame
                                                          : facts->first_frame;
  return std::any_of(corrupt_->begin(), corrupt_->end(),
                     [=](const CorruptPacket& packet) { return packet.psn == psn && packet.frame > since; });
}

/// The last frame that had `psn` and a wrong ICRC, which are forgotten then; 0: none.
std::uint64_t Requester::take_corrupt(Psn psn) noexcept {
  std::uint64_t frame = 0;
  if (corrupt_.get() == nullptr) return 0;
  std::vector<CorruptPacket>& packets = *corrupt_.get();
  const auto rest = std::remove_if(packets.begin(), packets.end(), [&](const CorruptPacket& packet) {
    if (packet.psn == psn) frame = packet.frame;
    return packet.psn == psn;
  });
  packets.erase(rest, packets.end());
  return frame;
}

void Requester::lose_before(std::uint64_t packets) {
  if (packets == 0) return;
  troubles().lost_before += packets;
  if (recovery_) recovery_->facts.lost_before += packets;
}

/// A copy comes after all; where one had been called lost, it may be this.
void Requester::find_lost(SentPacket& packet) {
  if (packet.lost == 0) return;
  --packet.lost;
  troubles().lost_before -= std::min<std::uint64_t>(troubles().lost_before, 1);
  if (recovery_) recovery_->facts.lost_before -= std::min<std::uint64_t>(recovery_->facts.lost_before, 1);
}

/// A packet came `ns` later than one that was sent after it.
void Requester::note_late(std::int64_t ns, std::int64_t time) noexcept {
  lateness_ = may_be_late(time, time) ? std::max(lateness_, ns) : ns;
  late_at_ = time;
}

/// Whether packets have lately overtaken each other by as much as lies between these times: nothing that came so late was
/// lost, as far as anybody can tell.
bool Requester::may_be_late(std::int64_t since, std::int64_t time) const noexcept {
  constexpr std::int64_t kLately = 1'000'000'000;
  return lateness_ > 0 && elapsed(late_at_, time) <= kLately && elapsed(since, time) / 2 <= lateness_;
}

/// Whether a packet that no recovery accounts for is a copy that was called lost: others overtook it.
bool Requester::is_late(const SentPacket& original, const RequestPacket& packet) const noexcept {
  return original.lost > 0 && elapsed(original.last_time, packet.time) < shortest_timeout();
}

}  // namespace rocescope
