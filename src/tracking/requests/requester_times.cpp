// Times between packets: what a packet ends.
#include <algorithm>

#include "tracking/requests/requester.hpp"

namespace rocescope {

void Requester::measure(TimeKind kind, std::int64_t from, std::int64_t to, std::int64_t asked) {
  const std::int64_t ns = elapsed(from, to);
  if (ns >= 0)
    news_->measures.push_back({kind, ns, asked});  // the packets of a capture need not be in the order of their times
}

void Requester::measure_stall(std::int64_t ns) {
  news_->measures.push_back({TimeKind::kStall, ns});
  ++troubles().stalls;
  troubles().longest_stall = std::max(troubles().longest_stall, ns);
  troubles().stalled += std::min(ns, std::numeric_limits<std::int64_t>::max() - troubles().stalled);
}

/// How long the ACK of a message took that was sent once.
void Requester::measure_wait(std::int64_t ns) noexcept {
  constexpr std::int64_t kSmoothing = 8;
  if (ns < 0) return;
  longest_wait_ = std::max(longest_wait_, ns);
  usual_wait_ = usual_wait_ == 0 ? ns : usual_wait_ + (ns - usual_wait_) / kSmoothing;
}

void Requester::note_in_flight(const SentPacket& packet) {
  InFlight& now = totals_.in_flight;
  ++now.packets;
  now.bytes += packet.payload;
  if (packet.depth) ++now.reads;
  now.messages = static_cast<std::uint32_t>(open_.size());
  InFlight& most = totals_.most_in_flight;
  most.messages = std::max(most.messages, now.messages);
  most.packets = std::max(most.packets, now.packets);
  most.bytes = std::max(most.bytes, now.bytes);
  most.reads = std::max(most.reads, now.reads);
}

/// From the first packet behind the hole, which makes the responder say so, to the NAK.
void Requester::measure_nak(const ResponsePacket& nak) {
  if (nak.psn == expected_ && beyond_) return measure(TimeKind::kNakGeneration, beyond_at_, nak.time);
  const SentPacket* lost = nak.psn.before(expected_) ? sent_.find(nak.psn) : nullptr;
  const SentPacket* behind = lost != nullptr ? sent_.find(lost->psn + lost->span) : nullptr;
  if (behind == nullptr) return;
  // Where it was asked for before, this is about the last copies.
  const bool again = evidence_ && evidence_->psn == nak.psn;
  if (again && behind->last_time <= evidence_->time) return;
  measure(TimeKind::kNakGeneration, behind->last_time, nak.time);
}

}  // namespace rocescope
