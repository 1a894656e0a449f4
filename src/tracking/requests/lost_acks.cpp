#include "tracking/requests/lost_acks.hpp"

#include <algorithm>

namespace rocescope {
namespace {

/// So many tries without a response between them are a silence: if one packet in ten is lost, two in a row are not
/// unusual.
constexpr std::uint64_t kSilence = 3;

}  // namespace

void LostAcks::begin_try(const RequestPacket& packet, std::int64_t since, const StreamLog& log) {
  end_try(log);
  if (tries_++ == 0) silent_since_ = since;
  if (tries_ >= kSilence) {
    StreamTroubles& troubles = log.troubles();
    if (tries_ == kSilence) ++troubles.silences;
    troubles.longest.silence = std::max(troubles.longest.silence, elapsed(silent_since_, packet.time));
    troubles.longest.tries_in_silence = std::max(troubles.longest.tries_in_silence, tries_);
  }
  try_ = Try{.began = packet.time, .waited = elapsed(since, packet.time)};
}

void LostAcks::resend(const RequestPacket& packet) noexcept {
  if (!try_) return;
  if (packet.asks_for_ack) {
    ++try_->asked;
    try_->last_asked = packet.psn;
  }
  // READs and atomics are answered by responses, not by ACKs.
  if (packet.opcode->operation != Operation::kSend && packet.opcode->operation != Operation::kWrite) try_.reset();
}

void LostAcks::answer(const ResponsePacket& packet, const StreamLog& log) {
  if (tries_ >= kSilence) {
    StreamTroubles& troubles = log.troubles();
    ++troubles.silences_ended;
    troubles.longest.silence = std::max(troubles.longest.silence, elapsed(silent_since_, packet.time));
  }
  tries_ = 0;
  if (try_) count_answer(packet, log);
}

void LostAcks::count_answer(const ResponsePacket& packet, const StreamLog& log) {
  constexpr std::int64_t kAtOnce = 4;  // that part of the wait: else the ACK may just be late
  const bool is_ack = packet.kind == ResponsePacket::Kind::kAck;
  if (try_->answers == 0) {
    if (!is_ack || elapsed(try_->began, packet.time) > try_->waited / kAtOnce) return try_.reset();
    try_->first = packet;
  } else if (!is_ack || packet.psn != try_->first.psn || packet.value != try_->first.value) {
    return end_try(log);
  }
  const auto end = try_->icrcs.begin() + static_cast<std::ptrdiff_t>(try_->answers);
  if (std::find(try_->icrcs.begin(), end, packet.icrc) != end) return;  // a copy of the ACK itself
  if (try_->answers == kMostAnswers) return try_.reset();
  try_->icrcs[try_->answers++] = packet.icrc;
}

/// If all requests that ask for an ACK were carried out, each of them had one. If there are more ACKs, the first may
/// have been late, not lost.
void LostAcks::end_try(const StreamLog& log) {
  const bool shows = try_ && try_->answers > 1 && try_->answers <= try_->asked;
  if (shows && !try_->first.psn.before(try_->last_asked)) {
    ++log.troubles().acks_lost_before;
    log.news.lost_ack = {LostWhere::kBefore, try_->first.frame, try_->first.time};
  }
  try_.reset();
}

void LostAcks::resend_acknowledged(const RequestPacket& packet, std::int64_t acknowledged_at, const StreamLog& log) {
  if (acknowledged_at <= lost_after_at_) return;  // no other came since
  lost_after_at_ = acknowledged_at;
  ++log.troubles().acks_lost_after;
  log.news.lost_ack = {LostWhere::kAfter, packet.frame, packet.time};
}

}  // namespace rocescope
