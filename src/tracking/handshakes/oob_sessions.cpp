#include "tracking/handshakes/oob_sessions.hpp"

#include <algorithm>
#include <tuple>

#include "rocescope/headers/cm/names.hpp"
#include "rocescope/headers/transport.hpp"
#include "tracking/connections/path_mtu.hpp"

namespace rocescope {
namespace {

/// The payload of a TCP segment, as far as it was captured: an Ethernet frame's padding may follow it.
Bytes payload_of(const Packet& packet, const Tcp& tcp) {
  const Layer* const layer = packet.find(HeaderKind::kTcp);
  const std::size_t begin = layer->offset + std::size_t{4} * tcp.header_words();
  const Bytes frame = packet.frame.data;
  return begin < frame.size() ? frame.subspan(begin) : Bytes();
}

/// perftest sends the code of the path MTU as one digit.
std::uint32_t path_mtu_of(Bytes payload) {
  constexpr std::size_t kSize = 2;
  const bool is_digit = payload.size() >= kSize && payload[0] >= '1' && payload[0] <= '5' && payload[1] == 0;
  const bool is_all = std::all_of(payload.begin(), payload.end(),
                                  [&](const std::uint8_t& byte) { return &byte == payload.data() || byte == 0; });
  return is_digit && is_all ? mtu_bytes(payload[0] - static_cast<unsigned>('0')) : 0;
}

}  // namespace

std::vector<HandshakeNews> OobSessions::observe(const Packet& packet) {
  std::vector<HandshakeNews> news;
  const auto tcp = packet.header<Tcp>();
  if (!tcp) return news;
  const auto end = [](const IpAddress& address, std::uint16_t port) { return std::tuple(address, port); };
  const bool swapped = end(packet.destination, tcp->destination_port()) < end(packet.source, tcp->source_port());
  const TcpConnection key = TcpConnection::of(packet, *tcp, swapped);
  const std::size_t sender = swapped ? 1 : 0;
  const std::uint32_t sequence = tcp->get<"tcp.seq_raw">();
  const std::uint32_t acknowledged = tcp->get<"tcp.ack_raw">();
  if (tcp->get<"tcp.flags.syn">()) {
    if (!tcp->get<"tcp.flags.ack">()) return news;
    Stream begun{.seen_begin = true, .client = 1 - sender, .began = packet.frame.timestamp};
    begun.first[sender] = sequence + 1;
    begun.first[1 - sender] = acknowledged;
    Stream& known = streams_.at(key);
    // Where both ends spoke, nobody repeats a SYN: ports and sequence numbers are those of another connection.
    const bool is_over = std::ranges::any_of(known.lines, &Line::paired);
    if (!known.seen_begin || is_over || known.first != begun.first) known = std::move(begun);
    return news;
  }
  Bytes payload = payload_of(packet, *tcp);
  if (payload.empty()) return news;
  if (const std::uint32_t path_mtu = path_mtu_of(payload); path_mtu != 0) {
    if (Stream* const known = streams_.find(key)) known->path_mtu[sender] = path_mtu;
    return news;
  }
  std::uint32_t at = sequence;
  while (const auto line = parse_key_line(payload)) {
    Stream& known = streams_.at(key);
    const bool repeated = std::any_of(known.lines.begin(), known.lines.end(), [&](const Line& other) {
      const bool same = other.sender == sender && other.key.qpn == line->qpn && other.key.first_psn == line->first_psn;
      return same && (other.paired || other.sequence == at);
    });
    if (!repeated && known.lines.size() < kMostLines) {
      known.lines.push_back({.key = *line,
                             .sender = sender,
                             .sequence = at,
                             .packet = packet.frame.number,
                             .time = packet.frame.timestamp});
      if (auto joined = join(known, known.lines.size() - 1, acknowledged, packet)) news.push_back(std::move(*joined));
    }
    at += static_cast<std::uint32_t>(line->size);
    payload = payload.subspan(line->size);
  }
  return news;
}

std::optional<HandshakeNews> OobSessions::join(Stream& stream, std::size_t line, std::uint32_t acknowledged,
                                               const Packet& packet) {
  Line& mine = stream.lines[line];
  const auto theirs = std::find_if(stream.lines.begin(), stream.lines.end(), [&](const Line& other) {
    if (other.sender == mine.sender || other.paired) return false;
    if (!stream.seen_begin) return other.sequence + static_cast<std::uint32_t>(other.key.size) == acknowledged;
    return other.sequence - stream.first[other.sender] == mine.sequence - stream.first[mine.sender];
  });
  if (theirs == stream.lines.end()) return std::nullopt;
  mine.paired = theirs->paired = true;
  if (!stream.seen_begin) stream.client = theirs->sender;  // in both programs the client speaks first
  const std::array<const Line*, 2> lines = mine.sender == stream.client ? std::array<const Line*, 2>{&mine, &*theirs}
                                                                        : std::array<const Line*, 2>{&*theirs, &mine};

  Handshake* const handshake = table_.add(HandshakeKind::kOob, packet);
  if (handshake == nullptr) return std::nullopt;
  const bool has_mtu = stream.path_mtu[0] != 0 && stream.path_mtu[1] != 0;
  if (has_mtu) handshake->path_mtu = std::min(stream.path_mtu[0], stream.path_mtu[1]);
  if (mine.key.form == theirs->key.form) handshake->line_form = mine.key.form;
  ConnectionSetup setup{.method = PairedBy::kOob,
                        .overlay_id = packet.overlay_id,
                        .capture_point = packet.frame.capture_point,
                        .handshake = handshake->number,
                        .path_mtu = announced_mtu(handshake->path_mtu),
                        .time = packet.frame.timestamp};
  if (stream.seen_begin) setup.since = stream.began;
  for (std::size_t i = 0; i < 2; ++i) {
    const Line& from = *lines[i];
    HandshakeSide& side = handshake->sides[i];
    side.address = setup.addresses[i] = from.key.gid;
    side.qpn = setup.qpns[i] = from.key.qpn;
    side.first_psn = setup.first_psns[i] = from.key.first_psn;
    if (from.key.r_key != 0) {
      side.region = {
          .address = from.key.address, .r_key = from.key.r_key, .length = 0, .packet = from.packet, .proof = {}};
      table_.sightings().add(FindingId::kRkeyInClear, from.packet, from.time);
    }
    handshake->steps.push_back({.message = HandshakeMessage::kKeyLine,
                                .sender = static_cast<std::uint8_t>(i),
                                .count = 1,
                                .packet = from.packet,
                                .time = from.time,
                                .last_packet = from.packet,
                                .last_time = from.time});
  }
  if (handshake->steps[1].packet < handshake->steps[0].packet) std::swap(handshake->steps[0], handshake->steps[1]);
  return HandshakeNews{.handshake = handshake,
                       .message = HandshakeMessage::kKeyLine,
                       .sender = mine.sender == stream.client ? 0U : 1U,
                       .first = true,
                       .setup = setup};
}

}  // namespace rocescope
