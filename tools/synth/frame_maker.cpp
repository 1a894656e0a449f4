#include "synth/frame_maker.hpp"

#include <isa-l/crc.h>

#include <cstring>

#include "core/big_endian.hpp"
#include "core/random.hpp"

namespace rocescope::synth {
namespace {

constexpr std::size_t kEthernet = 14;
constexpr std::size_t kIpv4 = 20;
constexpr std::size_t kUdp = 8;
constexpr std::size_t kBth = 12;
constexpr std::size_t kHeaders = kEthernet + kIpv4 + kUdp + kBth;
constexpr std::size_t kIcrc = 4;
constexpr std::size_t kLargestPayload = 4096;
constexpr std::size_t kPoolMask = 0xFFFF8;  // of where a payload begins in the pool
constexpr std::uint8_t kEct0 = 2;

std::uint16_t ipv4_checksum(const std::uint8_t* header) {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < kIpv4; i += 2) sum += static_cast<std::uint32_t>(header[i] << 8 | header[i + 1]);
  sum = (sum & 0xFFFF) + (sum >> 16);
  return static_cast<std::uint16_t>(~(sum + (sum >> 16)));
}

void put_mac(rdmagen::BigEndianWriter& out, std::uint32_t address) {
  out.put<std::uint16_t>(0x0200).put(address);  // locally administered
}

/// Over the headers as they are when all that may change on the way is ones, and what follows as it is.
std::uint32_t icrc_of(const std::uint8_t* frame, std::size_t end) {
  constexpr std::size_t kDummyLrh = 8;
  constexpr std::size_t kTypeOfService = 1;
  constexpr std::size_t kTimeToLive = 8;
  constexpr std::size_t kIpv4Checksum = 10;
  constexpr std::size_t kUdpChecksum = kIpv4 + 6;
  constexpr std::size_t kReserved = kIpv4 + kUdp + 4;  // FECN and BECN are in it
  std::uint8_t masked[kDummyLrh + kHeaders - kEthernet];
  std::memset(masked, 0xFF, kDummyLrh);
  std::uint8_t* ip = masked + kDummyLrh;
  std::memcpy(ip, frame + kEthernet, kHeaders - kEthernet);
  ip[kTypeOfService] = ip[kTimeToLive] = ip[kReserved] = 0xFF;
  ip[kIpv4Checksum] = ip[kIpv4Checksum + 1] = ip[kUdpChecksum] = ip[kUdpChecksum + 1] = 0xFF;
  const std::uint32_t crc = crc32_gzip_refl(0, masked, sizeof(masked));
  return crc32_gzip_refl(crc, frame + kHeaders, end - kHeaders);
}

}  // namespace

FrameMaker::FrameMaker(std::uint64_t seed, std::uint32_t needed)
    : needed_(needed), pool_(kPoolMask + 8 + kLargestPayload) {
  rdmagen::Random random(seed);
  for (std::uint8_t& byte : pool_) byte = static_cast<std::uint8_t>(random.next());
}

std::size_t FrameMaker::make(std::uint8_t* to, const Envelope& envelope, const Extension& extension,
                             std::size_t payload) const {
  const std::uint64_t which = rdmagen::mixed(std::uint64_t{envelope.dest_qp} << 24 | envelope.psn);
  return make(to, envelope, extension, std::span(pool_).subspan(which & kPoolMask, payload));
}

std::size_t FrameMaker::make(std::uint8_t* to, const Envelope& envelope, const Extension& extension,
                             std::span<const std::uint8_t> payload) const {
  const std::size_t pad = (4 - payload.size() % 4) % 4;
  const std::size_t before = kHeaders + extension.bytes().size();
  const std::size_t end = before + payload.size() + pad;
  const std::size_t size = end + kIcrc;
  rdmagen::BigEndianWriter out({to, kHeaders});
  put_mac(out, envelope.destination);
  put_mac(out, envelope.source);
  out.put<std::uint16_t>(0x0800);
  out.put<std::uint8_t>(0x45).put(kEct0).put(static_cast<std::uint16_t>(size - kEthernet));
  out.put<std::uint32_t>(0x00004000).put<std::uint8_t>(64).put<std::uint8_t>(17).put<std::uint16_t>(0);
  out.put(envelope.source).put(envelope.destination);
  out.put(envelope.udp_port).put<std::uint16_t>(4791);
  out.put(static_cast<std::uint16_t>(size - kEthernet - kIpv4)).put<std::uint16_t>(0);
  out.put(envelope.opcode).put(static_cast<std::uint8_t>(0x40 | pad << 4)).put<std::uint16_t>(0xFFFF);
  out.put(envelope.dest_qp).put((envelope.ack_request ? 0x80000000U : 0U) | envelope.psn);
  rdmagen::BigEndianWriter({to + kEthernet + 10, 2}).put(ipv4_checksum(to + kEthernet));
  std::memcpy(to + kHeaders, extension.bytes().data(), extension.bytes().size());
  if (needed_ <= before) return size;
  std::memcpy(to + before, payload.data(), payload.size());
  std::memset(to + before + payload.size(), 0, pad);
  if (needed_ <= end) return size;
  const std::uint32_t icrc = icrc_of(to, end);
  for (std::size_t i = 0; i < kIcrc; ++i) to[end + i] = static_cast<std::uint8_t>(icrc >> (8 * i));
  return size;
}

}  // namespace rocescope::synth
