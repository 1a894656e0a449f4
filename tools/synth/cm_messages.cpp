// REQ, REP and RTU of the communication manager (IBTA 12.6.5, 12.6.8, 12.6.9) with the RDMA IP CM service (A11).
#include <array>
#include <bit>
#include <span>

#include "core/big_endian.hpp"
#include "synth/packets.hpp"

namespace rocescope::synth {
namespace {

constexpr std::uint32_t kQKey = 0x80010000;
constexpr std::size_t kMadSize = 256;
constexpr std::size_t kMadHeader = 24;
constexpr std::uint8_t kTimeout = 18;  // 4.096 us * 2^18, about a second
constexpr std::uint8_t kDepth = 16;    // READs and atomic operations
constexpr std::uint16_t kService = 18520;

using Mad = std::array<std::uint8_t, kMadSize>;

/// Writes `value` where the message has it: `offset` is counted from the end of the MAD header, as in the specification.
template <class T>
void put(Mad& mad, std::size_t offset, T value) {
  rdmagen::BigEndianWriter(std::span(mad).subspan(kMadHeader + offset)).put(value);
}

void put_mad_header(Mad& mad, std::uint16_t attribute, std::uint32_t transaction) {
  constexpr std::uint8_t kCommunicationManagement = 7;
  constexpr std::uint8_t kClassVersion = 2;
  constexpr std::uint8_t kSend = 3;
  rdmagen::BigEndianWriter out(mad);
  out.put<std::uint8_t>(1).put(kCommunicationManagement).put(kClassVersion).put(kSend).skip(4);
  out.put(std::uint64_t{transaction}).put(attribute);
}

void put_mapped_address(Mad& mad, std::size_t offset, std::uint32_t ipv4) {
  put<std::uint16_t>(mad, offset + 10, 0xFFFF);
  put(mad, offset + 12, ipv4);
}

void put_req(Mad& mad, const Identity& identity, std::uint32_t path_mtu) {
  const End& own = identity.client;
  const auto mtu_code = static_cast<std::uint8_t>(std::countr_zero(path_mtu) - 7);
  put(mad, 0, own.cm_id);
  put(mad, 8, std::uint64_t{0x01060000} | kService);
  put(mad, 16, std::uint64_t{own.address} | std::uint64_t{2} << 56);
  put(mad, 32, own.qpn << 8 | kDepth);
  put(mad, 36, std::uint32_t{kDepth});
  put(mad, 40, std::uint32_t{20U << 3});
  put(mad, 44, identity.server.first_psn << 8 | 20U << 3 | 7U);  // the first PSN that its sender is to receive
  put<std::uint16_t>(mad, 48, 0xFFFF);
  put(mad, 50, static_cast<std::uint8_t>(mtu_code << 4 | 7));
  put<std::uint8_t>(mad, 51, 0xF0);
  put<std::uint16_t>(mad, 52, 0xFFFF);
  put<std::uint16_t>(mad, 54, 0xFFFF);
  put_mapped_address(mad, 56, own.address);
  put_mapped_address(mad, 72, identity.server.address);
  put<std::uint8_t>(mad, 93, 64);
  put(mad, 95, static_cast<std::uint8_t>(kTimeout << 3));
  put<std::uint8_t>(mad, 141, 0x40);
  put(mad, 142, identity.tcp_port);
  put(mad, 156, own.address);
  put(mad, 172, identity.server.address);
}

void put_rep(Mad& mad, const Identity& identity) {
  const End& own = identity.server;
  put(mad, 0, own.cm_id);
  put(mad, 4, identity.client.cm_id);
  put(mad, 12, own.qpn << 8);
  put(mad, 20, identity.client.first_psn << 8);
  put(mad, 24, kDepth);
  put(mad, 25, kDepth);
  put(mad, 26, static_cast<std::uint8_t>(kTimeout << 3));
  put<std::uint8_t>(mad, 27, 7U << 5);
  put(mad, 28, std::uint64_t{own.address} | std::uint64_t{2} << 56);
}

}  // namespace

std::size_t make_cm_message(const FrameMaker& frames, std::uint8_t* to, const Identity& identity, Step::Kind kind,
                            std::uint32_t path_mtu) {
  constexpr std::uint16_t kReq = 0x10;
  constexpr std::uint16_t kRep = 0x13;
  constexpr std::uint16_t kRtu = 0x14;
  constexpr std::uint8_t kUdSendOnly = 0x64;
  constexpr std::uint16_t kManagementPort = 0xC000;
  Mad mad{};
  const bool from_server = kind == Step::Kind::kRep;
  const End& from = from_server ? identity.server : identity.client;
  const End& receiver = from_server ? identity.client : identity.server;
  switch (kind) {
    case Step::Kind::kReq:
      put_mad_header(mad, kReq, identity.client.cm_id);
      put_req(mad, identity, path_mtu);
      break;
    case Step::Kind::kRep:
      put_mad_header(mad, kRep, identity.client.cm_id);
      put_rep(mad, identity);
      break;
    default:
      put_mad_header(mad, kRtu, identity.client.cm_id);
      put(mad, 0, from.cm_id);
      put(mad, 4, receiver.cm_id);
      break;
  }
  const Envelope envelope{.source = from.address,
                          .destination = receiver.address,
                          .udp_port = kManagementPort,
                          .opcode = kUdSendOnly,
                          .ack_request = false,
                          .dest_qp = 1,
                          .psn = from.cm_id & 0xFFFFFF};
  return frames.make(to, envelope, Extension().put(kQKey).put(std::uint32_t{1}), mad);
}

}  // namespace rocescope::synth
