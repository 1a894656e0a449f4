#include "tracking/connections/lifetime.hpp"

#include <algorithm>

#include "rocescope/detail/elapsed.hpp"
#include "rocescope/headers/extended_transport.hpp"
#include "tracking/connections/doubt.hpp"

namespace rocescope {
namespace {

/// PSNs that may be outstanding at a requester, or be missing in a row, whatever time has passed.
constexpr std::int32_t kMostOutstanding = 65'536;
/// ns: a requester that waits for an ACK does not wait longer to send again: four times (IBTA 9.7.6.1.3) the 4.3 s that are
/// the longest in practice.
constexpr std::int64_t kLongestWait = 18'000'000'000;

/// The requester that sent the packet, or whose request it answers; null: none of its requests was seen, nor a response to one.
Requester* stream_of(const FlowPacket& packet, ConnectionState& connection, std::size_t sender) {
  Requester* const stream = connection.requesters[packet.request ? sender : 1 - sender].get();
  return stream != nullptr && (stream->started() || stream->last_response()) ? stream : nullptr;
}

/// ns that a requester may be silent before it sends again.
std::int64_t longest_wait(const Requester& stream) {
  constexpr std::int64_t kLate = 50'000'000;  // of UC, which sends nothing again: packets that were overtaken
  constexpr std::int64_t kShortest = 2'000'000'000;
  constexpr std::int64_t kLongest = 3'600'000'000'000;
  if (!stream.is_reliable()) return kLate;
  const std::int64_t timeout = std::min(stream.ack_timeout(), kLongest);
  return timeout > 0 ? std::clamp(4 * timeout, kShortest, kLongest) : kLongestWait;
}

/// PSNs in a nanosecond that `psns` in `ns` make; 0 where that is no time.
double rate(double psns, std::int64_t ns) { return ns > 0 ? psns / static_cast<double>(ns) : 0; }

/// PSNs that may have passed unseen in `silence` ns.
double most_missing(const ConnectionState& connection, const Requester& stream, std::int64_t silence) {
  constexpr double kFaster = 4;  // than lately, and on average
  constexpr double kReads = 16;
  // Longer than that it says nothing: whatever the rate, a queue pair has gone through all PSNs, or nothing was sent.
  if (silence >= kLongestWait) return kNearPsns;
  const Connection& facts = connection.facts;
  const auto packets = static_cast<double>(connection.packets(0) + connection.packets(1));
  double most = rate(packets, elapsed(facts.first_time, facts.last_time));
  double missing = kMostOutstanding;
  if (const SentPackets& last = stream.last_requests(); !last.empty()) {
    most = std::max(most, rate(last.front().psn.distance_to(last.back().psn),
                               elapsed(last.front().last_time, last.back().last_time)));
    missing += kReads * last.back().span;
  }
  return missing + kFaster * most * static_cast<double>(silence);
}

/// A packet `ahead` of all that were seen, which may be 0.
Fit fit_of_next(std::int32_t ahead, const ConnectionState& connection, const Requester& stream, std::int64_t silence) {
  if (ahead == 0 || (ahead <= kNearPsns && silence < kShortestPause)) return Fit::kUsual;
  if (ahead > kNearPsns && ahead > most_missing(connection, stream, silence)) return Fit::kNone;
  return silence < kShortestPause ? Fit::kUsual : Fit::kDoubtful;
}

/// A packet `behind` the oldest that is outstanding, or not, which was seen before, or should have been.
Fit fit_of_earlier(std::int32_t behind, const Requester& stream, std::int64_t silence) {
  const std::int32_t window = stream.is_reliable() ? kMostOutstanding : kNearPsns;
  const bool may_be_outstanding = behind <= 0 && stream.has_acknowledgement();
  if (behind > window || (silence >= longest_wait(stream) && !may_be_outstanding)) return Fit::kNone;
  return silence < kShortestPause || behind <= 0 ? Fit::kUsual : Fit::kDoubtful;
}

/// A response, where no requests were seen, or the first of these.
Fit fit_of_response(const FlowPacket& packet, const ConnectionState& connection, const Requester& stream,
                    std::int64_t silence) {
  const std::int32_t ahead = stream.last_response()->distance_to(packet.psn);
  if (packet.request) return silence < kShortestPause ? Fit::kUsual : Fit::kDoubtful;
  if (ahead > 0) return ahead > most_missing(connection, stream, silence) ? Fit::kNone : Fit::kUsual;
  // An answer to what was sent again has the number of the last message that was finished.
  const auto aeth = packet.packet->header<Aeth>();
  const bool counts_anew = aeth && stream.msn() && Psn(aeth->msn()).before(*stream.msn());
  if (silence >= kShortestPause && counts_anew) return Fit::kNone;
  return -ahead > kMostOutstanding || silence >= longest_wait(stream) ? Fit::kNone : Fit::kUsual;
}

}  // namespace

Lifetime::Lifetime() = default;
Lifetime::Lifetime(Lifetime&&) noexcept = default;
Lifetime& Lifetime::operator=(Lifetime&&) noexcept = default;
Lifetime::~Lifetime() = default;

bool is_near(const FlowPacket& packet, ConnectionState& connection, std::size_t sender) {
  if (packet.transport != connection.facts.transport) return false;
  const Requester* const stream = stream_of(packet, connection, sender);
  return stream != nullptr && stream->is_near(packet.psn, kNearPsns);
}

bool is_unknown(const FlowPacket& packet, ConnectionState& connection, std::size_t sender) {
  return packet.transport == connection.facts.transport && stream_of(packet, connection, sender) == nullptr;
}

Fit fit_of(const FlowPacket& packet, ConnectionState& connection, std::size_t sender) {
  const Connection& facts = connection.facts;
  if (connection.packets(0) + connection.packets(1) == 0) return Fit::kUsual;
  const std::int64_t silence = std::max<std::int64_t>(elapsed(facts.last_time, packet.time), 0);
  if (packet.transport != facts.transport) {
    // A CM handshake states the transport for sure: the queue pair drops a packet of another one.
    return facts.paired_by == PairedBy::kCm || silence < kShortestPause ? Fit::kUsual : Fit::kNone;
  }
  Requester* const stream = stream_of(packet, connection, sender);
  if (stream == nullptr) return silence < kShortestPause ? Fit::kUsual : Fit::kDoubtful;  // it may be anything
  if (!stream->started()) return fit_of_response(packet, connection, *stream, silence);
  if (!packet.request && stream->is_outstanding(packet.psn)) return Fit::kUsual;
  const std::int32_t ahead = stream->next().distance_to(packet.psn);
  if (ahead >= 0) return fit_of_next(ahead, connection, *stream, silence);
  return fit_of_earlier(packet.psn.distance_to(stream->unacknowledged()), *stream, silence);
}

}  // namespace rocescope
