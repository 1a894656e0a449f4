#include "ulp/guess.hpp"

#include <algorithm>
#include <array>

#include "dissectors/ulp/srp/srp_message.hpp"
#include "rocescope/bytes.hpp"

namespace rocescope {
namespace {

/// Of the active side, with the zeros at the end that are left out; nothing: they are longer.
template <std::size_t N>
std::optional<std::array<std::uint8_t, N>> private_data_of(const Handshake& handshake) {
  const std::vector<std::uint8_t>& data = handshake.sides[0].private_data;
  if (data.empty() || data.size() > N) return std::nullopt;
  std::array<std::uint8_t, N> whole{};
  std::ranges::copy(data, whole.begin());
  return whole;
}

/// Usual ports of the protocols (IANA; for RDS and RTRS: Linux).
UpperProtocol protocol_at(std::uint16_t port) {
  switch (port) {
    case 4420:
    case 8009:
      return UpperProtocol::kNvme;
    case 20049:
      return UpperProtocol::kNfs;
    case 3260:
      return UpperProtocol::kIser;
    case 445:
    case 5445:
      return UpperProtocol::kSmbDirect;
    case 18634:
    case 16385:
      return UpperProtocol::kRds;
    case 1234:
      return UpperProtocol::kRtrs;
    case 987:
      return UpperProtocol::kLustre;
    case 5640:
      return UpperProtocol::kNineP;
    case 7174:
      return UpperProtocol::kRping;
    case 18515:
      return UpperProtocol::kPerftest;
    case 7471:
      return UpperProtocol::kUcmatose;
    case 24008:
      return UpperProtocol::kGluster;
    default:
      return UpperProtocol::kUnknown;
  }
}

/// Those of rsockets (librdmacm, struct rs_conn_data): version, flags, credits, three zeros, the size of a list; then
/// address, key and length of the list of buffers, and of the buffer for data.
bool has_private_data_of_rsockets(Bytes data) {
  constexpr std::size_t kSize = 40;
  constexpr std::size_t kLengths = 4;
  if (data.size() > kSize || data.size() <= kSize - kLengths) return false;
  std::array<std::uint8_t, kSize> all{};
  std::ranges::copy(data, all.begin());
  const auto number = [&](std::size_t at, std::size_t size) { return load_big_endian(all.data() + at, size); };
  constexpr std::uint8_t kVersion = 1;
  constexpr std::uint8_t kFlags = 0x03;
  if (all[0] != kVersion || (all[1] & ~kFlags) != 0 || number(2, 2) == 0 || number(4, 3) != 0) return false;
  constexpr std::uint64_t kMostBuffers = 64;
  constexpr std::uint64_t kLongest = 1U << 30U;
  const auto is_memory = [&](std::size_t at, std::uint64_t longest) {
    return number(at, 8) != 0 && number(at + 8, 4) != 0 && number(at + 12, 4) != 0 && number(at + 12, 4) <= longest;
  };
  return is_memory(8, kMostBuffers) && is_memory(24, kLongest);
}

/// Those of libfabric's ofi_rxm (rxm.h, union rxm_cm_data), behind their length, which verbs puts before them: version,
/// order of bytes, versions of both headers, port, flow control, a zero; then the longest message that is sent at once,
/// the receive queue and the connection.
bool has_private_data_of_libfabric(Bytes data) {
  constexpr std::size_t kSize = 25;
  constexpr std::size_t kConnection = 17;
  constexpr std::uint8_t kVersion = 1;
  constexpr std::uint8_t kLittleEndian = 2;
  constexpr std::uint8_t kNewestHeader = 16;  // 4 and 3 as of 2026
  if (data.size() <= kConnection || data.size() > kSize || data[0] != kSize - 1 || data[1] != kVersion) return false;
  const auto is_header = [](std::uint8_t version) { return version != 0 && version <= kNewestHeader; };
  if (data[2] == 0 || data[2] > kLittleEndian || !is_header(data[3]) || !is_header(data[4]) || data[8] != 0)
    return false;
  const auto number = [&](std::size_t at) {
    return data[2] == kLittleEndian ? load_little_endian(data.data() + at, 4) : load_big_endian(data.data() + at, 4);
  };
  constexpr std::uint64_t kMost = 1U << 24U;  // of both
  const auto is_size = [](std::uint64_t size) { return size != 0 && size <= kMost; };
  return is_size(number(9)) && is_size(number(13));
}

/// Private data that name their protocol by a magic number, or whose form no other protocol has.
UpperProtocol protocol_of(const Handshake& handshake) {
  const std::vector<std::uint8_t>& data = handshake.sides[0].private_data;
  if (data.size() >= 4 && load_big_endian(data.data(), 4) == 0xF6AB0E18) return UpperProtocol::kNfs;  // RFC 8797, 4
  if (data.size() >= 4 && load_little_endian(data.data() + 2, 2) == 0x1BBD && data[0] == 0 && data[1] == 0)
    return UpperProtocol::kRtrs;
  if (data.size() >= 7 &&
      (load_little_endian(data.data(), 4) == 0x0BE91B91 || load_big_endian(data.data(), 4) == 0x0BE91B91)) {
    return UpperProtocol::kLustre;
  }
  if (srp_login_of(data)) return UpperProtocol::kSrp;
  if (has_private_data_of_rsockets(data)) return UpperProtocol::kRsockets;
  if (has_private_data_of_libfabric(data)) return UpperProtocol::kLibfabric;
  return UpperProtocol::kUnknown;
}

/// Whether the private data are those of iSER (RFC 7145, annex A): its flags in the first byte, and nothing more. One
/// flag is the highest bit.
bool has_private_data_of_iser(const Handshake& handshake) {
  constexpr std::uint8_t kNoZeroBasedAddresses = 0x80;
  constexpr std::uint8_t kNoInvalidation = 0x40;
  const std::vector<std::uint8_t>& data = handshake.sides[0].private_data;  // without the zeros at the end
  return data.size() == 1 && (data[0] & ~(kNoZeroBasedAddresses | kNoInvalidation)) == 0;
}

Guess guess_by_lines(KeyLineForm form) {
  switch (form) {
    case KeyLineForm::kPerftest:
      return {UpperProtocol::kPerftest, KnownBy::kKeyLines};
    case KeyLineForm::kPingpong:
      return {UpperProtocol::kPingpong, KnownBy::kKeyLines};
    case KeyLineForm::kSmcR:
      return {UpperProtocol::kSmcR, KnownBy::kKeyLines};
    case KeyLineForm::kUnknown:
      return {};
  }
  return {};
}

/// Whether the private data are those of RDS (Linux, struct rds_ib_connect_private): two addresses, version 3.1, 4.0 or
/// 4.1, and a mask of minor versions; of IPv4 or of IPv6.
bool has_private_data_of_rds(const Handshake& handshake) {
  constexpr std::size_t kSize = 56;
  const auto data = private_data_of<kSize>(handshake);
  if (!data) return false;
  const auto is_version = [&](std::size_t at) {
    const std::uint8_t* const version = data->data() + at;
    return (version[0] == 3 || version[0] == 4) && version[1] <= 1 && load_big_endian(version + 2, 2) != 0 &&
           load_big_endian(version + 5, 3) == 0;
  };
  return is_version(8) || is_version(32);
}

}  // namespace

std::optional<std::uint16_t> service_port(const Handshake& handshake) {
  if (!handshake.service_id || *handshake.service_id >> 24U != 1) return std::nullopt;
  constexpr std::uint64_t kTcp = 0x06;
  if ((*handshake.service_id >> 16U & 0xFFU) != kTcp) return std::nullopt;
  return static_cast<std::uint16_t>(*handshake.service_id & 0xFFFFU);
}

std::optional<NvmeConnectionRequest> nvme_request_of(const Handshake& handshake) {
  constexpr std::size_t kSize = 32;
  constexpr std::size_t kReserved = 10;  // from there on
  const auto data = private_data_of<kSize>(handshake);
  if (!data) return std::nullopt;
  const auto word = [&](std::size_t at) {
    return static_cast<std::uint16_t>(load_little_endian(data->data() + at, 2));
  };
  if (word(0) != 0 || word(4) == 0 || word(6) == 0 || word(6) > word(4)) return std::nullopt;
  if (std::any_of(data->begin() + kReserved, data->end(), [](std::uint8_t byte) { return byte != 0; }))
    return std::nullopt;
  return NvmeConnectionRequest{word(2), word(4), static_cast<std::uint16_t>(word(6) + 1)};
}

Guess guess_by_handshake(const Handshake& handshake) {
  if (handshake.kind == HandshakeKind::kOob) return guess_by_lines(handshake.line_form);
  if (handshake.transport && *handshake.transport != Transport::kRc) return {};
  if (const UpperProtocol protocol = protocol_of(handshake); protocol != UpperProtocol::kUnknown)
    return {protocol, KnownBy::kPrivateData};
  const auto port = service_port(handshake);
  if (!port) return {};
  const UpperProtocol protocol = protocol_at(*port);
  if (protocol == UpperProtocol::kUnknown) return {};
  const bool has_private_data = (protocol == UpperProtocol::kNvme && nvme_request_of(handshake)) ||
                                (protocol == UpperProtocol::kIser && has_private_data_of_iser(handshake)) ||
                                (protocol == UpperProtocol::kRds && has_private_data_of_rds(handshake));
  return {protocol, has_private_data ? KnownBy::kPrivateData : KnownBy::kServiceId};
}

}  // namespace rocescope
