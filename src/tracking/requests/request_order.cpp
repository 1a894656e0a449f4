#include "tracking/requests/request_order.hpp"

#include <algorithm>

#include "tracking/connections/path_mtu.hpp"

namespace rocescope {
namespace {

/// The longest READ that is believed if its length was cut off.
constexpr std::uint32_t kLongestCutRead = 65'536;
/// So many distances of READs must show the same path MTU: if every third packet is missing, two or three distances may
/// well be too long.
constexpr std::uint8_t kEnoughDistances = 4;

}  // namespace

std::uint32_t RequestOrder::span_of(const RequestPacket& packet) noexcept {
  if (packet.opcode->operation != Operation::kReadRequest) return 1;
  if (!packet.dma_length || mtu_ == 0) {  // not known: a copy takes what is left of the original's PSNs
    const SentPacket* original = sent_.find(packet.psn);
    return original == nullptr ? 1 : original->span - static_cast<std::uint32_t>(original->psn.distance_to(packet.psn));
  }
  // A READ of 2^31 bytes takes 2^23 PSNs of the smallest MTU: half of all, the largest distance that serial numbers allow.
  return std::min(packets_for(*packet.dma_length, mtu_), Psn::kHalf - 1);
}

std::optional<RequestOrder::ReadSpan> RequestOrder::learn_mtu(std::uint32_t payload, Position position) noexcept {
  const bool is_full = (position == Position::kFirst || position == Position::kMiddle) && is_mtu(payload);
  // What distances of READs showed may be wrong: others between them may have been missed.
  const bool is_known = mtu_ != 0 && (mtu_ != likely_mtu_ || mtu_ == payload);
  if (!is_full || is_known) return std::nullopt;
  mtu_ = payload;
  if (!loose_end_ || loose_end_->is_cut()) return std::nullopt;
  return set_span(packets_for(loose_end_->dma_length, mtu_));
}

std::optional<RequestOrder::ReadSpan> RequestOrder::tie_loose_end(Psn next) noexcept {
  if (!has_loose_end()) return std::nullopt;
  const auto span = static_cast<std::uint32_t>(loose_end_->psn.distance_to(next));
  if (loose_end_->is_cut()) return span <= kLongestCutRead ? std::optional(set_span(span)) : std::nullopt;
  for (std::uint32_t mtu = kLargestMtu; mtu >= kSmallestMtu; mtu /= 2) {
    if (packets_for(loose_end_->dma_length, mtu) != span) continue;
    // A READ that was missed between two makes their distance longer: the largest of the MTUs is the most likely.
    if (mtu > likely_mtu_) {
      likely_mtu_ = static_cast<std::uint16_t>(mtu);
      times_likely_ = 0;
    }
    if (mtu == likely_mtu_ && ++times_likely_ == kEnoughDistances) mtu_ = mtu;
    return set_span(span);
  }
  return std::nullopt;
}

std::optional<Psn> RequestOrder::loose_end(Psn response) const noexcept {
  if (!has_loose_end() || loose_end_->is_answered) return std::nullopt;
  const std::int32_t distance = loose_end_->psn.distance_to(response);
  const std::uint32_t most = loose_end_->is_cut() ? kLongestCutRead : loose_end_->dma_length / kSmallestMtu;
  if (distance <= 0 || static_cast<std::uint32_t>(distance) > most) return std::nullopt;
  return loose_end_->psn;
}

void RequestOrder::extend_loose_end(Psn last) noexcept {
  extend(last + 1);
  loose_end_->end = next_;
  if (SentPacket* read = sent_.find(loose_end_->psn)) {
    read->span = static_cast<std::uint32_t>(read->psn.distance_to(next_));
  }
}

void RequestOrder::end_read(Psn last) noexcept {
  if (!loose_end_ || last.before(loose_end_->psn)) return;
  if (loose_end_->is_cut()) {
    loose_end_.reset();
  } else {
    loose_end_->is_answered = true;  // the next request may show the path MTU yet
  }
}

void RequestOrder::leave_loose_end(const RequestPacket& packet) noexcept {
  if (packet.opcode->operation != Operation::kReadRequest) return;
  if (!packet.dma_length || (mtu_ == 0 && *packet.dma_length > kSmallestMtu)) {
    loose_end_ = std::make_unique<LooseEnd>(
        LooseEnd{.psn = packet.psn, .end = packet.psn + 1, .dma_length = packet.dma_length.value_or(0)});
  }
}

/// The READ at the loose end takes `span` PSNs.
RequestOrder::ReadSpan RequestOrder::set_span(std::uint32_t span) noexcept {
  const Psn psn = loose_end_->psn;
  if (SentPacket* read = sent_.find(psn)) read->span = span;
  if (next_.before(psn + span)) extend(psn + span);
  loose_end_.reset();
  return {psn, span};
}

/// The READ that came last takes the PSNs up to `end`. If the responder expects the next PSN, it then expects `end`.
void RequestOrder::extend(Psn end) noexcept {
  if (expected_ == next_) expect(end);
  next_ = end;
}

void RequestOrder::extend_start(Psn psn, std::int64_t time) {
  constexpr std::uint32_t kMost = 4'096;
  const auto before = static_cast<std::uint32_t>(psn.distance_to(unacknowledged_));
  if (covered_ || before > kMost) return;
  const SentPacket* first = sent_.find(unacknowledged_);
  missing_.add_first({psn, before, first != nullptr ? first->last_time : time, false, true});
  unacknowledged_ = psn;
  expect(psn);
}

void RequestOrder::pass(const RequestPacket& packet, std::uint32_t span) noexcept {
  if (next_.before(packet.psn + span)) next_ = packet.psn + span;
  if (packet.psn == expected_) {
    expect(packet.psn + span);
  } else if (expected_.before(packet.psn) && !beyond_) {
    beyond_ = true;
    beyond_at_ = packet.time;
  }
  last_request_ = packet.time;
}

void RequestOrder::acknowledge(Psn psn) {
  covered_ = true;
  unacknowledged_ = psn;
  if (expected_.before(psn)) expect(psn);
}

/// A requester sends each packet before those behind it, and again only after one of them or itself. So what was sent after
/// anything that takes its PSN or a later one was sent again, and what was sent before all of them, as far as they were seen
/// lately, for the first time. Before it is known that the sender counts its packets, those count that it sent in one go with one
/// behind them: as many packets lie between them by their PSNs as by their identification; and those whose identification follows that
/// of one behind them.
RequestOrder::Sending RequestOrder::sending_of(const RequestPacket& packet) {
  constexpr std::size_t kMostVisited = 8;
  if (!reliable_) return Sending::kUnknown;
  const auto behind = static_cast<std::uint32_t>(packet.psn.distance_to(next_));
  if (!send_order_.is_known()) {
    constexpr std::uint16_t kNext = 0xffff;  // one less
    bool in_one_go = false;
    bool again = false;
    sent_.visit(packet.psn, behind, kMostVisited, [&](const SentPacket& sent) {
      if (!send_order_.is_lately(elapsed(sent.last_time, packet.time))) return;
      const auto count = static_cast<std::uint16_t>(sent.identification - packet.identification);
      in_one_go = in_one_go || (count != 0 && packet.psn.distance_to(sent.psn) == count);
      again = again || count == kNext;
    });
    if (in_one_go) return Sending::kFirst;
    return again ? Sending::kAgain : Sending::kUnknown;
  }
  bool compared = false;
  bool again = false;
  bool seen_long_ago = false;
  sent_.visit(packet.psn, behind, kMostVisited, [&](const SentPacket& sent) {
    const bool lately = send_order_.is_lately(elapsed(sent.last_time, packet.time));
    again = again || (lately && SendOrder::before(sent.identification, packet.identification)) ||
            (sent.psn == packet.psn && (!lately || sent.seen_long_ago));
    compared = compared || lately;
    seen_long_ago = seen_long_ago || !lately || sent.seen_long_ago;
  });
  if (again) return Sending::kAgain;
  return compared && !seen_long_ago ? Sending::kFirst : Sending::kUnknown;
}

/// A packet that no NAK asked for fills a hole: it was sent before the packets behind the hole, and overtaken.
void RequestOrder::learn_order(const RequestPacket& packet) {
  if (send_order_.is_known()) return;
  const auto behind = static_cast<std::uint32_t>(packet.psn.distance_to(next_));
  sent_.visit(packet.psn, behind, 1,
              [&](const SentPacket& sent) { send_order_.confirm(packet.identification, sent.identification); });
}

/// Whether a packet is the last one of its PSN once more: one that is sent again has a new identification, which the ICRC covers.
bool RequestOrder::is_same(const SentPacket& original, const RequestPacket& packet) const noexcept {
  return send_order_.is_known() && original.icrc == packet.icrc &&
         send_order_.is_lately(elapsed(original.last_time, packet.time));
}

/// `packet` is a further copy of `original`.
void RequestOrder::count_copy(SentPacket& original, const RequestPacket& packet) const noexcept {
  const bool lately = send_order_.is_lately(elapsed(original.last_time, packet.time));
  if (!lately) original.seen_long_ago = true;
  if (!lately || SendOrder::before(packet.identification, original.identification)) {
    original.identification = packet.identification;
  }
}

void RequestOrder::count_late(std::int64_t ns, std::int64_t time) noexcept {
  lateness_ = may_be_late(time, time) ? std::max(lateness_, ns) : ns;
  late_at_ = time;
}

/// Whether packets have lately come out of order by as much as lies between these times: a packet that is so late may still
/// come, and does not count as lost.
bool RequestOrder::may_be_late(std::int64_t since, std::int64_t time) const noexcept {
  constexpr std::int64_t kLately = 1'000'000'000;
  return lateness_ > 0 && elapsed(late_at_, time) <= kLately && elapsed(since, time) / 2 <= lateness_;
}

}  // namespace rocescope
