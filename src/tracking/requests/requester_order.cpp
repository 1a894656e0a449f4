// Which copy of a request a packet is, going by the order in which its sender sent.
#include "tracking/requests/requester.hpp"

namespace rocescope {

/// A requester sends each packet before those behind it, and again only after one of them or itself. So what was sent after
/// anything that takes its PSN or a later one was sent again, and what was sent before all of them, as far as they were seen
/// lately, for the first time.
Requester::Sending Requester::sending_of(const RequestPacket& packet) {
  constexpr std::size_t kMostVisited = 8;
  if (!reliable_ || !send_order_.is_known()) return Sending::kUnknown;
  bool compared = false;
  bool again = false;
  bool seen_long_ago = false;
  const auto behind = static_cast<std::uint32_t>(packet.psn.distance_to(next_));
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

/// A packet that nothing asked for fills a hole: it was sent before what is behind that.
void Requester::learn_order(const RequestPacket& packet) {
  if (send_order_.is_known()) return;
  const auto behind = static_cast<std::uint32_t>(packet.psn.distance_to(next_));
  sent_.visit(packet.psn, behind, 1,
              [&](const SentPacket& sent) { send_order_.confirm(packet.identification, sent.identification); });
}

/// Whether a packet is the one that was seen before, and not its copy: whoever sends again counts on.
bool Requester::is_same(const SentPacket& original, const RequestPacket& packet) const noexcept {
  return send_order_.is_known() && original.identification == packet.identification &&
         send_order_.is_lately(elapsed(original.last_time, packet.time));
}

/// `packet` is a further copy of `original`.
void Requester::note_sending(SentPacket& original, const RequestPacket& packet) const noexcept {
  const bool lately = send_order_.is_lately(elapsed(original.last_time, packet.time));
  if (!lately) original.seen_long_ago = true;
  if (!lately || SendOrder::before(packet.identification, original.identification)) {
    original.identification = packet.identification;
  }
}

}  // namespace rocescope
