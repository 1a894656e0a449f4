#include "ulp/smb_direct/smb_credits.hpp"

namespace rocescope {

void SmbCredits::observe(const SendPayload& payload, const SmbDirectMessage& message, CommandSink& log) {
  switch (message.kind) {
    case SmbDirectMessage::Kind::kRequest:
      return forget();
    case SmbDirectMessage::Kind::kResponse:  // takes no credit
      forget();
      senders_[1 - payload.sender].left = message.granted;
      senders_[payload.sender].left = 0;
      return;
    case SmbDirectMessage::Kind::kData:
      observe_sent(payload, message, log);
      observe_granted(payload, message.granted);
      last_ = {payload.record->packet->frame.number, payload.record->packet->frame.timestamp};
  }
}

void SmbCredits::observe_sent(const SendPayload& payload, const SmbDirectMessage& message, CommandSink& log) {
  Sender& sender = senders_[payload.sender];
  if (!sender.left) return;
  if (*sender.left == 0) {  // a grant was not seen
    sender = {};
    return;
  }
  const std::int64_t now = payload.record->packet->frame.timestamp;
  constexpr std::int64_t kAtOnce = 1'000'000;  // ns
  if (sender.grant && (sender.has_more || now - sender.grant->time <= kAtOnce) && payload.counts)
    log.add(SideEvent{.kind = CommandTroubles::Event::kNoCredits,
                      .connection = connection_,
                      .side = payload.sender,
                      .from = sender.since,
                      .to = sender.grant->time,
                      .packet = sender.grant->packet});
  sender.grant.reset();
  --*sender.left;
  // The last credit is for messages that grant credits: a side without credits to grant keeps it.
  sender.has_more = message.remaining > 0;
  sender.is_out = *sender.left == 0 || (*sender.left == 1 && sender.has_more);
  sender.since = now;
  sender.counts = payload.counts;
}

void SmbCredits::finish(CommandSink& log) {
  for (std::size_t side = 0; side < senders_.size(); ++side) {
    const Sender& sender = senders_[side];
    if (sender.is_out && sender.has_more && sender.counts && sender.since < last_.time)
      log.add(SideEvent{.kind = CommandTroubles::Event::kNoCredits,
                        .connection = connection_,
                        .side = side,
                        .from = sender.since,
                        .to = last_.time,
                        .packet = last_.packet});
  }
}

void SmbCredits::observe_granted(const SendPayload& payload, std::uint16_t granted) {
  Sender& sender = senders_[1 - payload.sender];
  if (granted == 0 || !sender.left) return;
  const Packet& packet = *payload.record->packet;
  if (sender.is_out) sender.grant = Grant{packet.frame.number, packet.frame.timestamp};
  sender.is_out = false;
  *sender.left += granted;
}

}  // namespace rocescope
