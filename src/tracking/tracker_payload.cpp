// What those who want payload are shown of connections.
#include "dissectors/ulp/forms.hpp"
#include "tracking/tracker_implementation.hpp"

namespace rocescope {
namespace {

/// Whether the packet is worth a look, where nobody knows yet what its connection carries.
bool is_worth_a_look(const TrackedPacket& tracked) {
  ConnectionState::Payload& payload = tracked.state->payload;
  if (payload.is_like_some) return true;
  const Packet& packet = tracked.packet();
  if (packet.roce.payload_offset == 0) return false;
  payload.is_like_some = has_form_of_message(*packet.roce.opcode, packet.frame.data, packet.roce.payload_offset,
                                             packet.roce.payload_length);
  return payload.is_like_some;
}

/// Whether it is a NAK that has all sent again from its PSN on.
bool is_refusal(const TrackedPacket& tracked) {
  if (!tracked.aeth || tracked.verdict.kind != VerdictKind::kResponse) return false;
  constexpr std::uint8_t kSequenceError = 0;
  const AethKind kind = tracked.aeth->kind();
  return kind == AethKind::kRnrNak || (kind == AethKind::kNak && tracked.aeth->value() == kSequenceError);
}

}  // namespace

void Tracker::Implementation::show_to_subscribers(const TrackedPacket& tracked) {
  ConnectionState::Payload& payload = tracked.state->payload;
  const HandshakeTable& handshakes = setups_.table();
  if (payload.interest == PayloadInterest::kUnasked || (tracked.connection->handshake != 0 && !payload.has_handshake)) {
    payload.interest = messages_.ask(*tracked.connection, handshakes.find(tracked.connection->handshake));
    payload.has_handshake = tracked.connection->handshake != 0;
  }
  if (payload.interest == PayloadInterest::kNone) return;
  if (payload.interest == PayloadInterest::kUndecided && !is_worth_a_look(tracked)) return;
  payload.interest =
      messages_.observe({.record = tracked.record,
                         .connection = *tracked.connection,
                         .handshakes = handshakes,
                         .sender = tracked.sender,
                         .requester = tracked.requester,
                         .verdict = tracked.verdict.kind,
                         .seen_before = tracked.seen_before,
                         .ended = tracked.ended,
                         .counts = tracked.counts,
                         .refuses = is_refusal(tracked),
                         .unacknowledged = tracked.state->requesters[tracked.requester]->unacknowledged(),
                         .next = tracked.state->requesters[tracked.requester]->next(),
                         .copy_after = tracked.state->requesters[tracked.sender]->copy_after()});
  for (const Message& message : tracked.ended) messages_.observe_end(*tracked.connection, tracked.requester, message);
}

void Tracker::Implementation::show_open_messages(const ConnectionState& state) {
  if (state.payload.interest < PayloadInterest::kUndecided) return;
  for (std::size_t side = 0; side < 2; ++side) {
    for (const Message& open : state.requesters[side]->open_messages()) messages_.observe_end(state.facts, side, open);
  }
}

}  // namespace rocescope
