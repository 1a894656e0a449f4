#include "tracking/requests/recoveries.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace rocescope {
namespace {

/// PSNs from `from` on that a recovery must have sent before `psn`; not what is acknowledged meanwhile.
std::uint32_t skipped_before(Psn psn, Psn from, const RequestOrder& order) noexcept {
  const Psn first = from.before(order.unacknowledged()) ? order.unacknowledged() : from;
  return first.before(psn) ? static_cast<std::uint32_t>(first.distance_to(psn)) : 0;
}

}  // namespace

void Recoveries::acknowledge(Psn psn, const StreamLog& log) {
  if (corrupt_.get() != nullptr) {  // what was acknowledged explains no hole any more
    std::erase_if(*corrupt_.get(),
                  [=](const CorruptPacket& packet) { return packet.placed && !psn.before(packet.psn + packet.span); });
  }
  if (!evidence_ || evidence_->lost != LostWhere::kAfter || evidence_->followed || !evidence_->psn.before(psn)) return;
  evidence_->lost = LostWhere::kNowhere;
  --log.troubles().lost_after;
  ++log.troubles().overtaken_after;
}

void Recoveries::note(const ResponsePacket& nak) {
  if (!evidence_) ask({.psn = nak.psn, .frame = nak.frame, .time = nak.time, .followed = true});
  evidence_->last = {.psn = nak.psn, .cause = nak.asks_for(), .icrc = nak.icrc, .time = nak.time};
}

/// The recovery that sends `psn` again: the one under way, or the one that the last NAK asks for. Packets of the old one are
/// still on their way when the NAK for the new one passes.
std::optional<Recoveries::Place> Recoveries::place_of(const RequestPacket& packet, RequestOrder& order,
                                                      const ResponseWatch& responses) const noexcept {
  const Psn psn = packet.psn;
  const bool asked = evidence_ && !evidence_->followed && !is_ignored(packet.time, order, responses);
  if (recovery_ && order.is_overtaken(packet)) {
    return Place{recovery_->facts.cause, recovery_->facts.trigger_frame, 0, true, true};
  }
  if (recovery_ && recovery_->next == psn)
    return Place{recovery_->facts.cause, recovery_->facts.trigger_frame, 0, true};
  if (asked && evidence_->psn == psn) return Place{evidence_->cause, evidence_->frame, 0, false};
  if (const MissingRun* skipped = recovery_ ? recovery_->skipped.find(psn) : nullptr;
      skipped != nullptr && elapsed(order.last_request(), packet.time) < responses.shortest_timeout()) {
    return Place{recovery_->facts.cause, recovery_->facts.trigger_frame, 0, true, true};
  }
  if (recovery_ && recovery_->next.before(psn)) {
    return Place{recovery_->facts.cause, recovery_->facts.trigger_frame, skipped_before(psn, recovery_->next, order),
                 true};
  }
  if (asked && evidence_->psn.before(psn)) {
    return Place{evidence_->cause, evidence_->frame, skipped_before(psn, evidence_->psn, order), false};
  }
  return std::nullopt;
}

/// Whether a recovery that began for another reason, since the NAK, has come to the PSN that this asks for.
bool Recoveries::answers_nak(Psn psn) const noexcept {
  return evidence_ && !evidence_->followed && evidence_->psn == psn && recovery_ &&
         evidence_->frame < recovery_->facts.first_frame;
}

void Recoveries::resend(const RequestPacket& packet, const Place& place, Verdict& verdict, RequestOrder& order,
                        const ResponseWatch& responses, const StreamLog& log) {
  const std::uint32_t span = order.span_of(packet);
  const bool begins = !place.goes_on || !recovery_;
  if (begins) begin(packet, place, order, responses, log);
  Recovery& recovery = recovery_->facts;
  recovery_->is_asked = begins && place.cause == ResendCause::kNak;
  if (answers_nak(packet.psn)) {  // it followed after all: it began with other packets that it had to send again
    evidence_->followed = true;
    recovery_->is_asked = evidence_->cause == ResendCause::kNak;
    verdict.lost = evidence_->lost;
    if (evidence_->lost == LostWhere::kAfter) ++recovery.lost_after;
  }
  if (place.late) {
    const MissingRun* run = recovery_->skipped.find(packet.psn);
    order.count_late(elapsed(run != nullptr ? run->opened : packet.time, packet.time), packet.time);
    recovery_->skipped.fill(packet.psn, span);
    if (SentPacket* sent = order.sent().find(packet.psn)) find_lost(*sent, log);
    verdict.lost = LostWhere::kNowhere;
  } else {
    if (place.skipped > 0) {
      recovery_->skipped.add({packet.psn - place.skipped, place.skipped, packet.time});
      // A copy of a recovery before this one may have been overtaken by its start. Where nothing that was seen asked for it,
      // the capture lacks something, and this may be more of that.
      const bool is_known = place.cause != ResendCause::kUnknown;
      if (is_known && !order.may_be_late(recovery.first_time, packet.time))
        lose_skipped(packet.psn - place.skipped, place.skipped, order, log);
    }
    recovery_->next = packet.psn + span;
  }
  verdict.kind = VerdictKind::kRetransmission;
  verdict.cause = place.cause;
  verdict.evidence = place.evidence;
  verdict.missing = place.skipped;
  if (has_corrupt() && place.skipped > 0) {
    const std::uint64_t damaged = count_corrupt(packet.psn - place.skipped, place.skipped);
    verdict.missing -= static_cast<std::uint32_t>(std::min<std::uint64_t>(place.skipped, damaged));
  }
  ++log.troubles().resends[static_cast<std::size_t>(place.cause)];
  ++recovery.packets;
  recovery.bytes += packet.payload;
  recovery.last_frame = packet.frame;
  recovery.last_time = packet.time;
}

void Recoveries::begin(const RequestPacket& packet, const Place& place, const RequestOrder& order,
                       const ResponseWatch& responses, const StreamLog& log) {
  if (recovery_) ended_ = std::move(recovery_);
  recovery_ = std::make_unique<Resending>();
  Recovery& recovery = recovery_->facts;
  recovery.cause = place.cause;
  recovery.trigger_frame = place.evidence;
  recovery.first_frame = packet.frame;
  recovery.first_time = packet.time;
  recovery.stall = responses.silence(order.last_request(), packet.time);
  ++log.troubles().recoveries;
  ++log.troubles().recoveries_by_cause[static_cast<std::size_t>(place.cause)];
  if (evidence_ && evidence_->frame == place.evidence && !evidence_->followed) {
    evidence_->followed = true;
    if (evidence_->lost == LostWhere::kAfter) recovery.lost_after = 1;
    const bool rnr = evidence_->cause == ResendCause::kRnr;
    const std::int64_t most = 2 * evidence_->rnr_timer + RequestOrder::kSlowHost;
    if (rnr && elapsed(evidence_->time, packet.time) > most) ++log.troubles().late_for_rnr;
    log.measure(rnr ? TimeKind::kRnrWait : TimeKind::kNakRecovery, evidence_->time, packet.time, evidence_->rnr_timer);
    constexpr std::int64_t kRounding = 1'000;  // of time stamps in microseconds
    if (rnr && elapsed(evidence_->time, packet.time) < evidence_->rnr_timer - kRounding) ++log.troubles().rnr_too_early;
  }
  if (recovery.stall >= ResponseWatch::kShortestStall) log.measure_stall(recovery.stall);
}

bool Recoveries::goes_back() const noexcept {
  if (!recovery_) return false;
  const ResendCause cause = recovery_->facts.cause;
  return cause == ResendCause::kNak || cause == ResendCause::kRnr || cause == ResendCause::kTimeout;
}

/// A requester sends everything again before anything new: what was not seen of that was lost.
void Recoveries::end(const RequestPacket& packet, RequestOrder& order, const StreamLog& log) {
  if (goes_back() && recovery_->next.before(order.next()) &&
      !order.may_be_late(recovery_->facts.first_time, packet.time)) {
    lose_skipped(recovery_->next, static_cast<std::uint32_t>(recovery_->next.distance_to(order.next())), order, log);
  }
  ended_ = std::move(recovery_);
}

/// A recovery sent these PSNs again, and the capture has no such packets. One that was seen before counts as one packet, also a READ
/// Request that spans several PSNs.
void Recoveries::lose_skipped(Psn first, std::uint32_t psns, RequestOrder& order, const StreamLog& log) {
  constexpr std::size_t kMostVisited = 4'096;
  // Packets sent before the capture began may still be on their way.
  std::uint64_t packets = psns - order.missing().unwatched(first, psns);
  order.sent().visit(first, psns, kMostVisited, [&](SentPacket& packet) {
    packets -= std::min<std::uint64_t>(packets, packet.span - 1);
    if (was_corrupt(packet.psn)) return;
    packet.missed = true;
    if (packet.lost < std::numeric_limits<std::uint16_t>::max()) ++packet.lost;
  });
  count_lost(packets - std::min(packets, count_corrupt(first, psns)), log);
}

void Recoveries::count_lost(std::uint64_t packets, const StreamLog& log) {
  if (packets == 0) return;
  log.troubles().lost_before += packets;
  if (recovery_) recovery_->facts.lost_before += packets;
}

void Recoveries::find_lost(SentPacket& packet, const StreamLog& log) {
  if (packet.lost == 0) return;
  --packet.lost;
  log.troubles().lost_before -= std::min<std::uint64_t>(log.troubles().lost_before, 1);
  if (recovery_) recovery_->facts.lost_before -= std::min<std::uint64_t>(recovery_->facts.lost_before, 1);
}

void Recoveries::find_arrived(SentPacket& packet, const StreamLog& log) {
  find_lost(packet, log);
  packet.missed = false;
  ++log.troubles().arrived_unseen;
}

}  // namespace rocescope
