// Times between packets: what a packet ends.
#include <algorithm>

#include "requester.hpp"

namespace rocescope {

void Requester::measure(TimeKind kind, std::int64_t from, std::int64_t to, std::int64_t asked) {
  const std::int64_t ns = elapsed(from, to);
  if (ns >= 0)
    measures_.push_back({kind, ns, asked});  // the packets of a capture need not be in the order of their times
}

void Requester::measure_stall(std::int64_t ns) {
  measures_.push_back({TimeKind::kStall, ns});
  ++totals_.stalls;
  totals_.longest_stall = std::max(totals_.longest_stall, ns);
  totals_.stalled += std::min(ns, std::numeric_limits<std::int64_t>::max() - totals_.stalled);
}

/// How long the ACK of a message took that was sent once.
void Requester::measure_wait(std::int64_t ns) noexcept {
  constexpr std::int64_t kSmoothing = 8;
  if (ns < 0) return;
  longest_wait_ = std::max(longest_wait_, ns);
  usual_wait_ = usual_wait_ == 0 ? ns : usual_wait_ + (ns - usual_wait_) / kSmoothing;
}

/// From the first packet behind the hole, which makes the responder say so, to the NAK.
void Requester::measure_nak(const ResponsePacket& nak) {
  const SentPacket* lost = sent_.find(nak.psn);
  const SentPacket* behind = sent_.find(lost != nullptr ? lost->psn + lost->span : nak.psn + 1);
  const MissingRun* run = missing_.find(nak.psn);
  std::optional<std::int64_t> since;
  if (run != nullptr) {
    since = run->opened;
  } else if (behind != nullptr) {
    since = behind->last_time;
  }
  // The hole was asked for before: this is about the last copies.
  if (evidence_ && since && evidence_->psn == nak.psn && evidence_->time >= *since) {
    since = behind != nullptr && behind->last_time > evidence_->time ? std::optional(behind->last_time) : std::nullopt;
  }
  if (since) measure(TimeKind::kNakGeneration, *since, nak.time);
}

}  // namespace rocescope
