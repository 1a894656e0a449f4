#include "tracking/watchers/state_watcher.hpp"

#include <algorithm>
#include <array>

namespace rocescope {
namespace {

/// States in the order of a queue pair's life; RESET is its end here, as no packet shows its beginning.
int rank(QpState state) noexcept { return state == QpState::kReset ? 7 : static_cast<int>(state); }
int rank(const ConnectionSide& side) noexcept { return side.states.empty() ? 0 : rank(side.states.back().state); }

/// The side of `connection` that is side `side` of its handshake: a flow seen before its handshake may be turned.
std::size_t side_in(const Connection& connection, const Handshake& handshake, std::size_t side) noexcept {
  const HandshakeSide& its = handshake.sides[side];
  const ConnectionSide& same = connection.sides[side];
  return same.address == its.address && (!its.qpn || same.qpn == its.qpn) ? side : 1 - side;
}

}  // namespace

void StateWatcher::advance(ConnectionSide& side, QpState state, bool observed, const Proof& proof) {
  if (rank(state) <= rank(side)) return;
  const bool skips_rtr = state == QpState::kRts && rank(side) == rank(QpState::kInit);
  if (skips_rtr) advance(side, QpState::kRtr, false, proof);
  if (side.states.size() >= ConnectionSide::kMostStates) return;
  side.states.push_back({.state = state, .observed = observed, .packet = proof.packet, .time = proof.time});
}

/// A packet of `side` shows that its queue pair is in this state or beyond.
void StateWatcher::reach(ConnectionState& connection, std::size_t side, QpState state, const Proof& proof) {
  if (connection.reached[side] >= rank(state)) return;
  advance(connection.facts.sides[side], state, true, proof);
  connection.reached[side] = static_cast<std::uint8_t>(rank(connection.facts.sides[side]));
}

void StateWatcher::on_handshake(const HandshakeNews& news, const Packet& packet) {
  Handshake& handshake = *news.handshake;
  const Proof proof{packet.frame.number, packet.frame.timestamp};
  const bool tears_down = news.message == HandshakeMessage::kDreq || news.message == HandshakeMessage::kDrep;
  if (handshake.connection == 0 && tears_down && handshake.sides[1 - news.sender].qpn) {
    // The set-up was not seen: the message names its receiver's queue pair.
    const auto place = table_.find_existing({packet.source, packet.destination, *handshake.sides[1 - news.sender].qpn,
                                             packet.overlay_id, packet.frame.capture_point});
    if (place.connection != nullptr && place.connection->facts.handshake == 0) {
      handshake.connection = place.connection->facts.number;
      place.connection->facts.handshake = handshake.number;
    }
  }
  ConnectionState* const followed = table_.at(handshake.connection);
  if (followed == nullptr) return;
  ConnectionState& connection = *followed;
  ConnectionSide& sender = connection.facts.sides[side_in(connection.facts, handshake, news.sender)];
  ConnectionSide& receiver = connection.facts.sides[side_in(connection.facts, handshake, 1 - news.sender)];
  switch (news.message) {
    case HandshakeMessage::kRep:
      if (const HandshakeStep* req = handshake.find(HandshakeMessage::kReq)) {
        advance(receiver, QpState::kInit, true, {req->packet, req->time});
      }
      return advance(sender, QpState::kRtr, true, proof);
    case HandshakeMessage::kConnectionAccept:
      for (const HandshakeStep& step : handshake.steps) {
        const bool creates =
            step.message == HandshakeMessage::kQpCreateReq || step.message == HandshakeMessage::kQpCreateResp;
        if (creates) advance(connection.facts.sides[step.sender], QpState::kInit, true, {step.packet, step.time});
      }
      return advance(sender, QpState::kRtr, true, proof);
    case HandshakeMessage::kRtu:
    case HandshakeMessage::kConnectionConfirm:
      advance(sender, QpState::kRts, true, proof);
      return advance(receiver, QpState::kRts, false, proof);
    case HandshakeMessage::kRej:
      advance(sender, QpState::kErr, true, proof);
      advance(receiver, QpState::kErr, false, proof);
      return table_.close(connection.facts.number, proof.time);
    case HandshakeMessage::kDreq:
      give_up(connection, side_in(connection.facts, handshake, news.sender));
      return advance(sender, QpState::kErr, true, proof);
    case HandshakeMessage::kDrep:
      advance(sender, QpState::kErr, true, proof);
      advance(receiver, QpState::kErr, false, proof);
      advance(sender, QpState::kReset, false, proof);
      advance(receiver, QpState::kReset, false, proof);
      return table_.close(connection.facts.number, proof.time);
    default:
      return;
  }
}

bool StateWatcher::is_plain(const ConnectionState& connection, std::size_t requester) const {
  const bool waits_for_request = connection.facts.handshake != 0;
  const QpState peer = waits_for_request ? QpState::kRts : QpState::kRtr;
  return connection.reached[requester] >= rank(QpState::kRts) && connection.reached[1 - requester] >= rank(peer) &&
         !runs_.contains(key_of(connection.facts, requester));
}

void StateWatcher::observe(const TrackedPacket& tracked) {
  for (const HandshakeNews& news : tracked.handshakes) on_handshake(news, tracked.packet());
  if (tracked.connection == nullptr) return;
  const OpcodeInfo& opcode = *tracked.packet().roce.opcode;
  // Not of CNPs, nor of packets that the queue pair drops.
  if (opcode.transport != tracked.connection->transport || opcode.operation == Operation::kReserved) return;
  const Proof proof{tracked.packet().frame.number, tracked.packet().frame.timestamp, tracked.counts};
  if (opcode.request) {
    on_request(tracked, proof);
  } else {
    on_response(tracked, proof);
  }
}

void StateWatcher::on_request(const TrackedPacket& tracked, const Proof& proof) {
  ConnectionState& state = *tracked.state;
  reach(state, tracked.sender, QpState::kRts, proof);
  // The passive side may not have got the RTU: the first request stands for it (IBTA 12.9.7).
  if (tracked.connection->handshake != 0 && state.reached[1 - tracked.sender] < rank(QpState::kRts)) {
    ConnectionSide& peer = tracked.connection->sides[1 - tracked.sender];
    if (rank(peer) == rank(QpState::kRtr)) advance(peer, QpState::kRts, false, proof);
    state.reached[1 - tracked.sender] = static_cast<std::uint8_t>(rank(peer));
  }
  const ResendCause cause = tracked.verdict.cause;
  if (tracked.verdict.kind != VerdictKind::kRetransmission) return;
  if (cause != ResendCause::kTimeout && cause != ResendCause::kUnknown) return;
  if (!tracked.began_recovery) return;  // of the same try as the packet before it
  if (Run* run = run_of(tracked)) (void)count(*run, tracked.packet().roce.psn, false, proof);
}

void StateWatcher::on_response(const TrackedPacket& tracked, const Proof& proof) {
  ConnectionSide& responder = tracked.connection->sides[tracked.sender];
  ConnectionSide& requester = tracked.connection->sides[1 - tracked.sender];
  reach(*tracked.state, tracked.sender, QpState::kRtr, proof);
  const bool acknowledges = tracked.packet().roce.opcode->operation == Operation::kAcknowledge;
  const auto& aeth = acknowledges ? tracked.aeth : std::nullopt;
  if (aeth && aeth->kind() == AethKind::kNak &&
      aeth->value() != static_cast<std::uint8_t>(NakCode::kPsnSequenceError)) {
    // Faults of class C at the responder, and an error of the request at the requester (IBTA 9.9.2, 9.9.3).
    advance(responder, QpState::kErr, true, proof);
    advance(requester, QpState::kErr, false, proof);
    return;
  }
  if (!aeth || aeth->kind() != AethKind::kRnrNak) {
    if (!runs_.empty()) runs_.erase(key_of(*tracked.connection, 1 - tracked.sender));
    return;
  }
  Run* const run = run_of(tracked);
  if (run == nullptr || tracked.connection->handshake == 0) return;
  const Run& counted = count(*run, tracked.packet().roce.psn, true, proof);
  const Handshake& handshake = handshakes_.at(tracked.connection->handshake);
  const auto allowed = handshake.sides[side_in(*tracked.connection, handshake, tracked.sender)].rnr_retry_count;
  constexpr std::uint8_t kWithoutEnd = 7;
  if (allowed && *allowed != kWithoutEnd && counted.count > *allowed) exhaust(requester, counted);
}

/// The requester has no retry left.
void StateWatcher::exhaust(ConnectionSide& requester, const Run& run) {
  if (rank(requester) < rank(QpState::kErr)) {
    requester.sightings.add(FindingId::kRetryExhausted, run.last.packet, run.last.time, run.count);
  }
  advance(requester, QpState::kErr, false, run.last);
}

const StateWatcher::Run& StateWatcher::count(Run& run, Psn psn, bool rnr, const Proof& proof) {
  const bool goes_on = run.count > 0 && run.psn == psn && run.rnr == rnr;
  if (!goes_on) run = {.psn = psn, .rnr = rnr};
  run.gap = goes_on ? elapsed(run.last.time, proof.time) : 0;
  run.last = proof;
  ++run.count;
  return run;
}

StateWatcher::Run* StateWatcher::run_of(const TrackedPacket& tracked) {
  const std::uint64_t key = key_of(*tracked.connection, tracked.requester);
  if (runs_.size() >= kMostRuns && !runs_.contains(key)) return nullptr;
  return &runs_[key];
}

std::uint32_t StateWatcher::retries_of(const Connection& connection) const {
  constexpr std::uint8_t kMost = 7;
  if (connection.handshake == 0) return kMost;
  return std::max<std::uint32_t>(handshakes_.at(connection.handshake).retry_count.value_or(kMost), 1);
}

/// A requester that repeats no more goes to ERR after its last try.
void StateWatcher::give_up(ConnectionState& connection, std::size_t side) {
  const auto run = runs_.find(key_of(connection.facts, side));
  if (run == runs_.end()) return;
  if (!run->second.rnr && run->second.count >= retries_of(connection.facts)) {
    exhaust(connection.facts.sides[side], run->second);
  }
  runs_.erase(run);
}

/// A side is silent if nothing comes from it for as long as the requester waits. The capture has to go on for that long, up to `end`.
std::optional<StateWatcher::Proof> StateWatcher::try_into_silence(const Connection& connection, std::size_t side,
                                                                  std::int64_t end) const {
  const auto run = runs_.find(key_of(connection, side));
  constexpr std::uint32_t kTries = 2;  // one may be a loss
  if (run == runs_.end() || run->second.rnr || run->second.count < kTries) return std::nullopt;
  if (elapsed(run->second.last.time, end) < run->second.gap) return std::nullopt;
  const RateSeries& heard = connection.sides[1 - side].rates;
  const bool silent = heard.empty() || elapsed(heard.last_time(), run->second.last.time) > run->second.gap;
  return silent ? std::optional(run->second.last) : std::nullopt;
}

void StateWatcher::report_outstanding(Connection& connection, std::size_t side, const Requester& requester,
                                      std::int64_t end) const {
  if (requester.totals().in_flight.messages == 0) return;
  // A damaged packet may have been what answers them.
  const auto is_open = [](const Message& message) { return message.outcome == MessageOutcome::kOutstanding; };
  const Message& oldest = *std::ranges::find_if(requester.open_messages(), is_open);
  const std::uint64_t first = oldest.first_frame;
  if (requester.may_be_answered() || strays_.has_any_of(connection, 1 - side, first)) return;
  const HandshakeStep* dreq = nullptr;
  if (connection.handshake != 0) dreq = handshakes_.at(connection.handshake).find(HandshakeMessage::kDreq);
  for (const ConnectionSide& either : connection.sides) {
    for (const QpTransition& to : either.states) {
      const bool error_came_first = to.state == QpState::kErr && (dreq == nullptr || to.packet < dreq->packet);
      if (error_came_first) return;
    }
  }
  // It sent something later than it ever took to answer: the answer was lost, or the capture lacks it.
  const RateSeries& heard = connection.sides[1 - side].rates;
  const bool went_on = !heard.empty() && elapsed(oldest.last_time, heard.last_time()) > requester.longest_wait();
  const Recoveries::Evidence* const nak = dreq == nullptr ? nullptr : requester.awaits(oldest);
  const bool is_asked_for = nak != nullptr && requester.totals().in_flight.messages == 1;
  if (dreq != nullptr && went_on && !is_asked_for) return;
  const auto last_try = dreq == nullptr ? try_into_silence(connection, side, end) : std::nullopt;
  if (dreq == nullptr && !last_try) return;
  std::uint64_t bytes = 0;
  for (const Message& open : requester.open_messages()) bytes += is_open(open) ? open.bytes : 0;
  Sightings& sightings = connection.sides[side].sightings;
  if (oldest.counts) sightings.add(FindingId::kTornDownOutstanding, oldest.first_frame, oldest.first_time, bytes);
  if (is_asked_for && oldest.counts) sightings.add(FindingId::kTornDownOutstanding, nak->frame, nak->time);
  if (!last_try || !last_try->counts) return;
  sightings.add(FindingId::kTornDownOutstanding, last_try->packet, last_try->time, oldest.counts ? 0 : bytes);
}

void StateWatcher::settle(Connection& connection, const ConnectionState& state, std::int64_t end) const {
  for (std::size_t side = 0; side < 2; ++side) {
    const auto run = runs_.find(key_of(connection, side));
    if (run == runs_.end() || run->second.rnr || run->second.count < retries_of(connection)) continue;
    const bool silent = elapsed(run->second.last.time, end) >= run->second.gap;
    if (silent && run->second.last.counts) exhaust(connection.sides[side], run->second);
  }
  for (std::size_t side = 0; side < 2; ++side) report_outstanding(connection, side, *state.requesters[side], end);
}

}  // namespace rocescope
