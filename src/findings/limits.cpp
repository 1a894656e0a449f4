#include "findings/limits.hpp"

#include <algorithm>
#include <cmath>

#include "findings/rules.hpp"

namespace rocescope::findings {
namespace {

/// Recoveries that nothing seen asked for; RNR NAKs, but for the last one, after which nothing was sent again, and those that nothing
/// seen asked for; requests that were not seen where none of those was asked for; and among RNR NAKs timeouts, and a last try that
/// nothing answers.
std::uint64_t unexplained(const ConnectionSide& side) {
  const std::uint64_t followed = side.recoveries(ResendCause::kRnr);
  const std::uint64_t unseen = side.lost_awaited() == 0 ? side.lost_before() : 0;
  const std::uint64_t answered = side.rnr_naks() - std::min(side.rnr_naks(), followed + 1);
  std::uint64_t unanswered = 0;
  if (side.rnr_naks() > 0) {
    unanswered = side.recoveries(ResendCause::kTimeout);
    if (side.rnr_naks() <= followed && side.in_flight().messages > 0) ++unanswered;
  }
  return side.recoveries(ResendCause::kUnknown) + answered + side.late_for_rnr() + unseen + unanswered;
}

/// Whether messages of both sides were seen.
bool hears_both(const Handshake& handshake) {
  const auto is_of_active = [](const HandshakeStep& step) { return step.sender == 0; };
  return std::ranges::any_of(handshake.steps, is_of_active) && !std::ranges::all_of(handshake.steps, is_of_active);
}

/// The same, and whether one that was sent before them was not.
bool lacks_messages(const Handshake& handshake) {
  if (handshake.kind != HandshakeKind::kCm || !hears_both(handshake)) return false;
  const auto lacks = [&](HandshakeMessage answer, HandshakeMessage asked) {
    return handshake.find(answer) != nullptr && handshake.find(asked) == nullptr;
  };
  using enum HandshakeMessage;
  return lacks(kRep, kReq) || lacks(kRtu, kRep) || lacks(kDrep, kDreq);
}

}  // namespace

Limits::Limits(const Evidence& evidence)
    : dropped_(evidence.dropped), hides_damage_(evidence.totals.cut_packets > 0 || !evidence.verifies_icrc) {
  for (const Connection& connection : evidence.tracking.connections) {
    if (connection.transport == Transport::kUc) continue;  // nothing shows that its packets arrived
    Place& place = places_[connection.capture_point];
    const Handshake* const handshake = handshake_of(connection, evidence);
    const bool has_answers = (connection.sides[0].first_packet != 0 && connection.sides[1].first_packet != 0) ||
                             (handshake != nullptr && hears_both(*handshake));
    for (const ConnectionSide& side : connection.sides) {
      place.seen += side.new_packets();
      if (has_answers) place.unexplained += unexplained(side);
      place.missed += side.capture_lost() + side.arrived_unseen() + side.read_responses_not_captured();
      place.missed_answers += side.read_responses_not_captured();
    }
  }
  for (const Handshake& handshake : evidence.tracking.handshakes)
    if (lacks_messages(handshake)) ++places_[handshake.capture_point].unexplained;
  for (const FlowComparison& row : evidence.comparisons)
    if (row.ordered && row.only_to > 0) places_[row.from].is_passed_unseen = true;
  misses_somewhere_ = dropped_ > 0;
  if (evidence.evicted != nullptr) add(*evidence.evicted);
  misses_ = misses_somewhere_ || std::ranges::any_of(places_, [](const auto& each) { return each.second.missed > 0; });
  for (const Connection& connection : evidence.tracking.connections) {
    if (connection.transport == Transport::kUc) continue;
    for (std::size_t side = 0; side < connection.sides.size(); ++side) {
      const ConnectionSide& sender = connection.sides[side];
      if (sender.lost_before() == 0 || sender.verdicts(VerdictKind::kOutOfOrder) > 0) continue;
      if (least_lost_before(connection, side) == 0) places_[connection.capture_point].is_doubtful = true;
    }
  }
}

/// Where they show gaps, nobody knows any more at which place.
void Limits::add(const EvictedTotals& evicted) {
  const std::uint64_t missed = evicted.sides.capture_lost() + evicted.sides.arrived_unseen();
  misses_somewhere_ = misses_somewhere_ || missed > 0;
  if (missed + evicted.sides.read_responses_not_captured() > 0) return;
  for (auto& [point, place] : places_) {
    if (const auto seen = evicted.requests.find(point); seen != evicted.requests.end()) place.seen += seen->second;
  }
}

/// Where the capture missed packets, the responder may have got what was not seen, unless it asked for that; and what it asked for may
/// have been lost behind the capture point.
std::uint64_t Limits::least_lost_before(const Connection& connection, std::size_t side) const {
  const ConnectionSide& sender = connection.sides[side];
  const std::uint64_t lost = sender.lost_before();
  if (connection.transport == Transport::kUc) return is_known_to_be_whole(connection) ? lost : 0;
  // Only the answers of the responder show what it got: what the capture missed may come again with all that is behind
  // it.
  if (connection.sides[1 - side].first_packet == 0) return 0;
  const std::uint64_t awaited = std::min(sender.lost_awaited(), lost);
  if (!connection.counts_packets(side)) {
    // What was only overtaken comes behind its own copy, and looks like one: so many that a NAK asked for may be that.
    const std::uint64_t copies = sender.verdicts(VerdictKind::kCaptureDuplicate);
    if (sender.verdicts(VerdictKind::kOutOfOrder) > 0) return 0;
    if (copies > 0) {
      const std::uint64_t unasked =
          sender.recoveries(ResendCause::kSpurious) + sender.recoveries(ResendCause::kUnknown);
      const bool may_be_late = sender.lost_after() + sender.overtaken_after() + unasked > 0;
      return may_be_late || misses_packets_of(connection) ? 0 : awaited - std::min(awaited, copies);
    }
  }
  if (!misses_packets_of(connection)) {
    // A few of so many the capture may have missed, and nothing shows it: the responder may have got them, unless it asked for them;
    // and what it asked for may have been lost or overtaken elsewhere.
    const bool elsewhere =
        sender.lost_after() + sender.overtaken_after() + sender.verdicts(VerdictKind::kOutOfOrder) > 0;
    if (elsewhere && awaited == 0) return 0;
    const std::uint64_t unasked = sender.verdicts(VerdictKind::kRetransmission) + lost - awaited;
    const std::uint64_t asked = elsewhere || may_be_unready(connection, sender) ? 0 : awaited;
    const std::uint64_t of_some = lost - std::min(lost - asked, most_unnoticed(connection, unasked));
    // A full buffer drops packets in a row: all that is missing in one hole.
    const std::uint64_t holes = sender.verdicts(VerdictKind::kGap);
    const std::uint64_t other_holes = holes - std::min(holes, sender.verdicts(VerdictKind::kOutOfOrder) + 1);
    const std::uint64_t of_burst = std::max(asked, std::min(lost, other_holes));
    return std::min(of_some, of_burst);
  }
  if (!shows_gaps_of(connection)) return lost - std::min(lost, dropped());
  return awaited - std::min(awaited, most_missed(connection, sender.recoveries()));
}

bool Limits::may_be_unready(const Connection& connection, const ConnectionSide& sender) const {
  return sender.rnr_naks() > 0 && !is_known_to_be_whole(connection);
}

const Limits::Place& Limits::place_of(const Connection& connection) const {
  static constexpr Place kUnknown;
  const auto place = places_.find(connection.capture_point);
  return place == places_.end() ? kUnknown : place->second;
}

bool Limits::misses_packets_of(const Connection& connection) const {
  return misses_somewhere_ || shows_gaps_of(connection);
}

bool Limits::misses_packets_at(std::uint16_t point) const {
  const auto place = places_.find(point);
  return misses_somewhere_ || (place != places_.end() && (place->second.missed > 0 || place->second.is_passed_unseen));
}

std::uint64_t Limits::unexplained_at(std::uint16_t point) const {
  const auto place = places_.find(point);
  return place == places_.end() ? 0 : place->second.unexplained;
}

bool Limits::is_known_to_be_whole(const Connection& connection) const {
  constexpr std::uint64_t kEnough = 1'000;
  return !misses_packets_of(connection) && place_of(connection).seen >= kEnough;
}

namespace {

/// Three standard deviations above what the share of the missed packets lets one expect.
std::uint64_t most_of(std::uint64_t packets, double missed, std::uint64_t seen) {
  const double expected = static_cast<double>(packets) * missed / (missed + static_cast<double>(seen));
  return static_cast<std::uint64_t>(std::ceil(expected + 3.0 * std::sqrt(expected)));
}

}  // namespace

std::uint64_t Limits::most_missed(const Connection& connection, std::uint64_t packets) const {
  constexpr std::uint64_t kOfFew = 1;  // where few are expected, there may be many times as many
  const Place& place = place_of(connection);
  return place.missed == 0 ? 0 : most_of(packets, static_cast<double>(place.missed), place.seen) + kOfFew;
}

/// The true share may be higher than the share seen: a capture that missed none of 100 packets may still miss one in
/// 100.
std::uint64_t Limits::most_unnoticed(const Connection& connection, std::uint64_t packets) const {
  constexpr double kOfNone = 3.0;  // the rule of three
  const Place& place = place_of(connection);
  const auto noticed = static_cast<double>(place.missed);
  return most_of(packets, noticed + 3.0 * std::sqrt(noticed) + kOfNone, place.seen);
}

/// Takes the share of requests that were missed. If none is known to be, three in as many may still be missed (the rule
/// of three).
std::uint64_t Limits::most_missed_answers(const Connection& connection, std::uint64_t answers) const {
  constexpr std::uint64_t kUnknown = 3;
  const Place& place = place_of(connection);
  const std::uint64_t missed = std::max(place.missed - place.missed_answers + 1, kUnknown);
  return most_of(answers, static_cast<double>(missed), place.seen);
}

}  // namespace rocescope::findings
