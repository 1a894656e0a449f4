#include "messages/messages.hpp"

#include <algorithm>
#include <utility>

#include "dissectors/ulp/forms.hpp"
#include "rocescope/detail/elapsed.hpp"
#include "rocescope/headers/extended_transport.hpp"

namespace rocescope {
namespace {

void add(const PayloadWish& wish, PayloadWish& any) {
  any.sends = any.sends || wish.sends;
  any.data = any.data || wish.data;
  any.undecided = any.undecided || wish.undecided;
  if (wish.sends) any.most = std::max(any.most, wish.most);
}

PayloadInterest interest_of(const PayloadWish& any) {
  if (any.data) return PayloadInterest::kData;
  if (any.undecided) return PayloadInterest::kUndecided;
  return any.sends ? PayloadInterest::kSends : PayloadInterest::kNone;
}

template <class H>
std::optional<std::uint32_t> captured_word(const Packet& packet) {
  const Layer* const layer = packet.find(H::kKind);
  if (layer == nullptr) return std::nullopt;
  return static_cast<std::uint32_t>(load_big_endian(packet.bytes_with(*layer).data() + layer->offset, 4));
}

/// Nothing where the opcode has none, as `has` says, or where the capture cut it off.
template <class H>
[[gnu::always_inline]] inline std::optional<std::uint32_t> word_of(const Packet& packet, bool has) {
  return has ? captured_word<H>(packet) : std::nullopt;
}

SendAssembly::Part part_of(const Packet& packet) {
  return {.psn = packet.roce.psn,
          .position = packet.roce.opcode->position,
          .bytes = captured_payload(packet),
          .length = packet.roce.payload_length,
          .frame = packet.frame.number,
          .immediate = word_of<ImmDt>(packet, packet.roce.opcode->immediate),
          .invalidated_r_key = word_of<Ieth>(packet, packet.roce.opcode->invalidate)};
}

/// The payload of a SEND that is one packet: nothing is copied. `cut` is for what is not here.
SendPayload payload_of(const Packet& packet, Hole& cut) {
  const Bytes bytes = captured_payload(packet);
  const std::uint32_t length = packet.roce.payload_length;
  cut = {bytes.size(), length - bytes.size(), Hole::Reason::kCut};
  return {.first_psn = packet.roce.psn,
          .first_frame = packet.frame.number,
          .bytes = bytes,
          .length = length,
          .holes = {&cut, cut.length > 0 ? 1U : 0U},
          .immediate = word_of<ImmDt>(packet, packet.roce.opcode->immediate),
          .invalidated_r_key = word_of<Ieth>(packet, packet.roce.opcode->invalidate)};
}

bool is_full(Position position) { return position == Position::kFirst || position == Position::kMiddle; }
bool is_last(Position position) { return position == Position::kLast || position == Position::kOnly; }

/// `seen`: the payload of full packets.
std::uint32_t mtu_of(const PlacedPacket& placed, std::uint32_t seen) {
  return placed.connection.path_mtu != 0 ? placed.connection.path_mtu : seen;
}

std::uint32_t packets_for(std::uint32_t bytes, std::uint32_t mtu) {
  return mtu == 0 ? 0 : std::max(bytes / mtu + (bytes % mtu != 0 ? 1U : 0U), 1U);
}

}  // namespace

void Messages::observe(const PacketRecord& record) {
  const Packet& packet = *record.packet;
  const auto deth = packet.header<Deth>();
  if (!deth || packet.roce.payload_offset == 0) return;
  // Those of the management queue pairs belong to nobody above (IBTA 3.5.10).
  if (packet.roce.dest_qp <= kGsiQp || deth->src_qp() <= kGsiQp) return;
  for (PayloadSubscriber* subscriber : subscribers_) {
    if (!subscriber->wants_datagrams(deth->q_key())) continue;
    Hole cut;
    SendPayload payload = payload_of(packet, cut);
    payload.record = &record;
    subscriber->observe(payload);
  }
}

PayloadInterest Messages::ask(const Connection& connection, const Handshake* handshake) {
  PayloadWish any;
  for (PayloadSubscriber* subscriber : subscribers_) add(subscriber->wish(connection, handshake), any);
  return interest_of(any);
}

PayloadInterest Messages::observe(const PlacedPacket& placed) {
  constexpr std::size_t kMostSpare = 16'384;  // bytes: what is kept counts with its room
  if (!given_.empty() && given_.back().bytes.capacity() <= kMostSpare) spare_.take_room(given_.back());
  given_.clear();
  gave_ = false;
  Streams& streams = streams_of(placed);
  const Packet& packet = *placed.record.packet;
  const OpcodeInfo& opcode = *packet.roce.opcode;
  if (placed.refuses) streams.sides[placed.requester].lacking = Psn(packet.roce.psn);
  // Its receiver drops a packet without a verdict, and takes one on a used PSN for a duplicate. Where the payload begins is not known of one that is cut before it.
  const bool counts = placed.verdict != VerdictKind::kNone && placed.verdict != VerdictKind::kCaptureDuplicate &&
                      placed.verdict != VerdictKind::kUsedPsn;
  if (counts && packet.roce.payload_offset != 0) {
    Side& side = streams.sides[placed.requester];
    if (placed.verdict == VerdictKind::kRetransmission) {
      side.resent_at = packet.frame.timestamp;
      if (streams.any.sends && placed.sender == placed.requester) observe_again(placed, streams);
    }
    if (opcode.has_payload && is_full(opcode.position)) side.mtu = packet.roce.payload_length;
    if (streams.any.sends && opcode.operation == Operation::kSend) observe_send(placed, streams);
    const bool is_like_message =
        streams.any.undecided && opcode.operation == Operation::kWrite &&
        has_form_of_message(opcode, packet.frame.data, packet.roce.payload_offset, packet.roce.payload_length);
    if (streams.any.data || is_like_message) observe_data(placed, streams, is_like_message);
  }
  if (streams.any.sends && !placed.ended.empty()) end_sends(placed, streams);
  if (gave_ && streams.any.undecided) {
    ask(streams, placed);
  } else if (gave_ && std::ranges::any_of(subscribers_, [](const auto* each) { return each->has_other_wish(); })) {
    ask_again(streams, placed.connection);
  }
  const PayloadInterest interest = interest_of(streams.any);
  if (interest == PayloadInterest::kNone) give_up(placed.connection);
  return interest;
}

/// What is kept of the connection; two that became one as well.
Messages::Streams& Messages::find_streams(const PlacedPacket& placed) {
  const Connection& connection = placed.connection;
  const auto [place, is_new] = streams_.try_emplace(connection.number);
  Streams& streams = place->second;
  if (is_new || streams.handshake != connection.handshake) ask(streams, placed);
  if (streams.joined != connection.joined) {
    streams.joined = connection.joined;
    // What sent one direction by itself is side 1 now.
    if (const auto other = streams_.find(connection.joined); other != streams_.end()) {
      kept_ -= streams.sides[1].sends.kept();
      streams.sides[1] = std::move(other->second.sides[0]);
      streams_.erase(other);
    }
  }
  last_ = &streams;
  last_number_ = connection.number;
  return streams;
}

void Messages::ask(Streams& streams, const PlacedPacket& placed) {
  streams.handshake = placed.connection.handshake;
  streams.wishes.clear();
  streams.any = {.most = 0};
  const Handshake* const handshake = placed.handshakes.find(streams.handshake);
  for (PayloadSubscriber* subscriber : subscribers_) {
    const PayloadWish wish = subscriber->wish(placed.connection, handshake);
    streams.wishes.push_back(wish);
    add(wish, streams.any);
  }
}

inline std::int64_t Messages::copy_after(const PlacedPacket& placed, const Side& side) {
  if (side.resent_at == 0) return placed.copy_after;
  constexpr std::int64_t kTogether = 1'000'000;  // ns
  const std::int64_t since = elapsed(side.resent_at, placed.record.packet->frame.timestamp);
  return since >= 0 && since < kTogether ? 1 : placed.copy_after;
}

/// Those that say so, without a handshake, which takes a while to find.
void Messages::ask_again(Streams& streams, const Connection& connection) {
  streams.any = {.most = 0};
  for (std::size_t i = 0; i < subscribers_.size(); ++i) {
    PayloadSubscriber& subscriber = *subscribers_[i];
    if (subscriber.has_other_wish()) streams.wishes[i] = subscriber.other_wish(connection);
    add(streams.wishes[i], streams.any);
  }
}

[[gnu::noinline]] void Messages::observe_again(const PlacedPacket& placed, Streams& streams) {
  Side& side = streams.sides[placed.sender];
  const Packet& packet = *placed.record.packet;
  const Psn psn(packet.roce.psn);
  if (side.lacking && side.lacking->before(placed.unacknowledged)) side.lacking.reset();
  const bool is_new = !placed.seen_before && !psn.before(placed.unacknowledged);
  if (is_new && (!side.lacking || psn.before(*side.lacking))) side.lacking = psn;
  if (!side.lacking || psn.before(*side.lacking)) return;
  if (psn == *side.lacking) {
    side.lacking = psn + 1;  // it takes this one
    if (*side.lacking == placed.next) side.lacking.reset();
  }
  const TakenAgain taken{placed.connection, placed.sender, psn, packet.frame.timestamp, *packet.roce.opcode};
  std::size_t i = 0;
  for (const PayloadWish& wish : streams.wishes) {
    if (wish.sends) subscribers_[i]->observe(taken);
    ++i;
  }
}

[[gnu::always_inline]] inline void Messages::observe_send(const PlacedPacket& placed, Streams& streams) {
  if (placed.seen_before) return;
  const Packet& packet = *placed.record.packet;
  const bool resent = placed.verdict == VerdictKind::kRetransmission;
  if (packet.roce.opcode->position == Position::kOnly) {
    Hole cut;
    SendPayload payload = payload_of(packet, cut);
    payload.record = &placed.record;
    payload.connection = &placed.connection;
    payload.sender = placed.sender;
    payload.resent = resent;
    payload.copy_after = copy_after(placed, streams.sides[placed.sender]);
    payload.counts = placed.counts;
    return give(payload, streams);
  }
  assemble(part_of(packet),
           {&placed.record, placed.connection, placed.sender, resent, placed.counts,
            copy_after(placed, streams.sides[placed.sender])},
           streams);
}

/// A packet of a SEND of several.
void Messages::assemble(const SendAssembly::Part& part, const Source& source, Streams& streams) {
  SendAssembly& sends = streams.sides[source.sender].sends;
  const std::uint64_t before = sends.kept();
  auto whole = sends.add(part, kept_ < kMostKept ? streams.any.most : 0, &spare_);
  if (whole) give(std::move(*whole), source, streams);
  if (sends.is_full()) {
    if (auto oldest = sends.take_oldest()) give(std::move(*oldest), source, streams);
  }
  kept_ = kept_ - before + sends.kept();
}

/// Messages that ended without all their packets.
void Messages::end_sends(const PlacedPacket& placed, Streams& streams) {
  Side& side = streams.sides[placed.requester];
  if (side.sends.empty()) return;
  const std::uint64_t before = side.sends.kept();
  const std::uint32_t mtu = mtu_of(placed, side.mtu);
  for (const Message& message : placed.ended) {
    auto run = side.sends.take(message.first_psn, message.last_psn, mtu, streams.any.most);
    if (run)
      give(std::move(*run), {&placed.record, placed.connection, placed.requester, false, placed.counts, 0}, streams);
  }
  kept_ = kept_ - before + side.sends.kept();
}

/// `is_like_message`: who does not know yet what the connection carries wants it as well.
void Messages::observe_data(const PlacedPacket& placed, Streams& streams, bool is_like_message) {
  const Packet& packet = *placed.record.packet;
  const OpcodeInfo& opcode = *packet.roce.opcode;
  Side& side = streams.sides[placed.requester];
  const bool is_read = opcode.operation == Operation::kReadResponse;
  const std::uint32_t mtu = mtu_of(placed, side.mtu);
  const auto reth = packet.header<Reth>();
  const bool asks = opcode.operation == Operation::kReadRequest;
  // A READ that asks again for the rest of its data is no new message.
  if (reth && !placed.seen_before && (asks || opcode.operation == Operation::kWrite)) {
    const std::uint32_t packets = packets_for(reth->dma_length(), mtu);
    (asks ? side.reads : side.writes).begin(packet.roce.psn, packets, reth->virtual_address(), reth->r_key());
  }
  if (!is_read && opcode.operation != Operation::kWrite) return;
  Transfers& transfers = is_read ? side.reads : side.writes;
  const bool last = is_last(opcode.position);
  const auto place = transfers.take(packet.roce.psn, last);
  // Responses to a READ are counted in its place, requests by the tracker.
  const bool stale =
      placed.verdict == VerdictKind::kStale || placed.verdict == VerdictKind::kReadResponseRetransmission;
  const bool is_empty = packet.roce.payload_length == 0;  // a response to FLUSH is one
  if (!place || placed.seen_before || (!place->packets && (stale || is_empty))) return;
  DataPayload payload{.record = placed.record,
                      .connection = placed.connection,
                      .requester = placed.requester,
                      .is_read = is_read,
                      .is_last = last,
                      .r_key = place->r_key,
                      .bytes = captured_payload(packet),
                      .length = packet.roce.payload_length,
                      .counts = placed.counts,
                      .resent = placed.verdict == VerdictKind::kRetransmission,
                      .copy_after = is_read ? 0 : copy_after(placed, side),
                      .immediate = word_of<ImmDt>(packet, packet.roce.opcode->immediate)};
  if (place->packets && (mtu != 0 || *place->packets == 0)) {
    payload.offset = std::uint64_t{*place->packets} * mtu;
    payload.address = *place->address + *payload.offset;
  }
  payload.skipped = std::uint64_t{place->skipped} * mtu;
  for (std::size_t i = 0; i < streams.wishes.size(); ++i) {
    const PayloadWish& wish = streams.wishes[i];
    if (!wish.data && !(wish.undecided && is_like_message)) continue;
    gave_ = gave_ || is_like_message;
    subscribers_[i]->observe(payload);
  }
}

void Messages::forget(const Connection& connection) {
  give_up(connection);
  for (PayloadSubscriber* subscriber : subscribers_) subscriber->forget(connection);
}

void Messages::give_up(const Connection& connection) {
  for (const std::uint32_t number : {connection.number, connection.joined}) {
    const auto found = streams_.find(number);
    if (number == 0 || found == streams_.end()) continue;
    for (std::size_t i = 0; i < 2; ++i) {
      SendAssembly& sends = found->second.sides[i].sends;
      // What sent one direction by itself is side 1 now.
      const std::size_t sender = number == connection.number ? i : 1 - i;
      kept_ -= sends.kept();
      while (auto run = sends.take_oldest())
        give(std::move(*run), {nullptr, connection, sender, false, true, 0}, found->second);
    }
    last_ = nullptr;
    streams_.erase(found);
  }
}

void Messages::give(SendAssembly::Run whole, const Source& source, const Streams& streams) {
  const SendAssembly::Run& run = given_.emplace_back(std::move(whole));
  give({.record = source.record,
        .connection = &source.connection,
        .sender = source.sender,
        .first_psn = run.first,
        .first_frame = run.first_frame,
        .bytes = run.bytes,
        .length = run.length,
        .holes = run.holes,
        .resent = source.resent,
        .copy_after = source.copy_after,
        .counts = source.counts,
        .immediate = run.immediate,
        .invalidated_r_key = run.invalidated_r_key},
       streams);
}

}  // namespace rocescope
