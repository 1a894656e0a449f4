#include "analysis/points/fingerprint.hpp"

#include <algorithm>

#include "rocescope/headers/extended_transport.hpp"
#include "rocescope/headers/infiniband.hpp"
#include "rocescope/headers/transport.hpp"
#include "tracking/connections/flow_key.hpp"

namespace rocescope {
namespace {

constexpr std::size_t kIdentification = 4;  // offset in the IPv4 header

std::uint64_t nonzero(std::uint64_t hash) noexcept { return hash == 0 ? 1 : hash; }

bool has(Bytes data, std::size_t offset, std::size_t size) noexcept {
  return offset <= data.size() && size <= data.size() - offset;
}

std::uint64_t bytes_at(Bytes data, std::size_t offset, std::size_t size) noexcept {
  std::uint64_t value = 0;
  for (const std::uint8_t byte : data.subspan(offset, size)) value = value << 8 | byte;
  return value;
}

/// Of the innermost IPv4 packet; 0: none.
std::uint64_t identification_of(const Packet& packet) noexcept {
  const Layer* const ip = packet.find(HeaderKind::kIpv4);
  if (ip == nullptr || (packet.is_roce() && packet.roce.encapsulation != Encapsulation::kRoceV2Ipv4)) return 0;
  const std::size_t offset = ip->offset + kIdentification;
  return has(packet.frame.data, offset, 2) ? bytes_at(packet.frame.data, offset, 2) : 0;
}

/// What distinguishes packets with the same PSN if the ICRC is missing: the queue pair that sends a datagram, and the
/// content of an answer.
std::uint64_t header_of(const Packet& packet, std::uint32_t uncut) noexcept {
  const RocePacket& roce = packet.roce;
  const HeaderKind first = roce.opcode->headers.front();
  const std::size_t size = first == HeaderKind::kDeth ? Deth::kSize : first == HeaderKind::kAeth ? Aeth::kSize : 0;
  const std::size_t offset = roce.bth_offset + Bth::kSize;
  return Bth::kSize + size <= uncut && has(packet.frame.data, offset, size) ? bytes_at(packet.frame.data, offset, size)
                                                                            : 0;
}

Fingerprint of_roce(const Packet& packet, std::uint32_t uncut) noexcept {
  constexpr std::size_t kIcrcSize = 4;
  const RocePacket& roce = packet.roce;
  const Bytes data = packet.frame.data;
  const std::uint64_t identification = identification_of(packet);
  const std::uint32_t length = UncutLength::of(roce);
  const bool may_be_cut = length > uncut;
  const bool has_icrc =
      !may_be_cut && roce.end_offset >= kIcrcSize && has(data, roce.end_offset - kIcrcSize, kIcrcSize);
  const std::uint64_t icrc = has_icrc ? bytes_at(data, roce.end_offset - kIcrcSize, kIcrcSize) : 0;
  std::uint64_t hash = mix(mix(hash_seed(), packet.source), packet.destination);
  hash = mix(hash, std::uint64_t{roce.dest_qp.value()} << 32 | roce.psn.value());
  hash = mix(hash, std::uint64_t{roce.opcode->code} << 32 | (may_be_cut ? length : roce.payload_length));
  hash = mix(hash, identification << 32 | icrc);
  if (may_be_cut) hash = mix(hash, header_of(packet, uncut));
  return {nonzero(hash), static_cast<std::uint16_t>(identification)};
}

}  // namespace

void UncutLength::learn(const Packet& packet) noexcept {
  const RocePacket& roce = packet.roce;
  const std::size_t captured = packet.frame.data.size();
  if (!packet.is_roce() || roce.fragmented || captured >= roce.end_offset || captured < roce.bth_offset) return;
  value_ = std::min(value_, static_cast<std::uint32_t>(captured - roce.bth_offset));
}

Fingerprint fingerprint_of(const Packet& packet, std::uint32_t uncut) noexcept {
  if (packet.is_roce()) return of_roce(packet, uncut);
  const Layer* const tcp = packet.find(HeaderKind::kTcp);
  if (tcp == nullptr) return {};
  const Bytes data = packet.frame.data;
  constexpr std::size_t kHeader = 16;  // ports, sequence numbers, flags, window
  if (!has(data, tcp->offset, kHeader)) return {};
  const std::uint64_t identification = identification_of(packet);
  std::uint64_t hash = mix(mix(hash_seed(), packet.source), packet.destination);
  hash = mix(hash, bytes_at(data, tcp->offset, kHeader / 2));
  hash = mix(hash, bytes_at(data, tcp->offset + kHeader / 2, kHeader / 2));
  return {nonzero(mix(hash, identification)), static_cast<std::uint16_t>(identification)};
}

std::uint64_t identification_hash(const Packet& packet) noexcept {
  const std::uint64_t identification = identification_of(packet);
  if (identification == 0) return 0;
  return nonzero(mix(mix(mix(hash_seed(), packet.source), packet.destination), identification));
}

std::uint64_t request_hash(const Packet& packet) noexcept {
  const bool request = packet.roce.opcode->request;
  const IpAddress& from = request ? packet.source : packet.destination;
  const IpAddress& to = request ? packet.destination : packet.source;
  return nonzero(mix(mix(mix(hash_seed(), from), to), packet.roce.psn.value()));
}

}  // namespace rocescope
