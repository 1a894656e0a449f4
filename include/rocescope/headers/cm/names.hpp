// What messages of the communication manager share: timeouts, names of codes, private data of the RDMA IP CM service.
#pragma once

#include <cstdint>

#include "rocescope/address.hpp"
#include "rocescope/bytes.hpp"
#include "rocescope/field.hpp"
#include "rocescope/headers/mad.hpp"

namespace rocescope {

// Times that InfiniBand writes as a five-bit exponent: 4.096 us x 2^n (IBTA 9.7.6.1.3, 12.7).

/// The time that a code of 0 to 31 stands for, in nanoseconds: timeouts of the communication manager.
[[nodiscard]] constexpr std::int64_t cm_timeout_ns(unsigned code) noexcept {
  return std::int64_t{4096} << (code & 31U);
}

/// The Local ACK Timeout of a code of 0 to 31, in nanoseconds; 0 means that the requester waits forever.
[[nodiscard]] constexpr std::int64_t local_ack_timeout_ns(unsigned code) noexcept {
  return (code & 31U) == 0 ? 0 : cm_timeout_ns(code);
}

inline constexpr ValueName kCmTimeoutNames[] = {
    {0, 0, "4.096 us"},   {1, 1, "8.192 us"},   {2, 2, "16.384 us"},   {3, 3, "32.768 us"},   {4, 4, "65.536 us"},
    {5, 5, "131.072 us"}, {6, 6, "262.144 us"}, {7, 7, "524.288 us"},  {8, 8, "1.049 ms"},    {9, 9, "2.097 ms"},
    {10, 10, "4.194 ms"}, {11, 11, "8.389 ms"}, {12, 12, "16.777 ms"}, {13, 13, "33.554 ms"}, {14, 14, "67.109 ms"},
    {15, 15, "134.2 ms"}, {16, 16, "268.4 ms"}, {17, 17, "536.9 ms"},  {18, 18, "1.074 s"},   {19, 19, "2.147 s"},
    {20, 20, "4.295 s"},  {21, 21, "8.590 s"},  {22, 22, "17.180 s"},  {23, 23, "34.360 s"},  {24, 24, "68.719 s"},
    {25, 25, "137.4 s"},  {26, 26, "274.9 s"},  {27, 27, "549.8 s"},   {28, 28, "1099.5 s"},  {29, 29, "2199.0 s"},
    {30, 30, "4398.0 s"}, {31, 31, "8796.1 s"}};

inline constexpr ValueName kLocalAckTimeoutNames[] = {
    {0, 0, "infinite"},   {1, 1, "8.192 us"},   {2, 2, "16.384 us"},   {3, 3, "32.768 us"},   {4, 4, "65.536 us"},
    {5, 5, "131.072 us"}, {6, 6, "262.144 us"}, {7, 7, "524.288 us"},  {8, 8, "1.049 ms"},    {9, 9, "2.097 ms"},
    {10, 10, "4.194 ms"}, {11, 11, "8.389 ms"}, {12, 12, "16.777 ms"}, {13, 13, "33.554 ms"}, {14, 14, "67.109 ms"},
    {15, 15, "134.2 ms"}, {16, 16, "268.4 ms"}, {17, 17, "536.9 ms"},  {18, 18, "1.074 s"},   {19, 19, "2.147 s"},
    {20, 20, "4.295 s"},  {21, 21, "8.590 s"},  {22, 22, "17.180 s"},  {23, 23, "34.360 s"},  {24, 24, "68.719 s"},
    {25, 25, "137.4 s"},  {26, 26, "274.9 s"},  {27, 27, "549.8 s"},   {28, 28, "1099.5 s"},  {29, 29, "2199.0 s"},
    {30, 30, "4398.0 s"}, {31, 31, "8796.1 s"}};

// What the codes in messages of the communication manager are called (IBTA 12.6 to 12.11), and the rows that their
// tables share.

/// A number of fewer than eight bits that Wireshark shows as a byte.
[[nodiscard]] constexpr Field cm_code(std::string_view name, std::string_view label, std::uint32_t offset,
                                      std::uint32_t width) {
  return field::hex(name, label, offset, width).part().digits(2);
}

/// Transport service types (IBTA 12.7.15).
enum class CmTransport : std::uint8_t { kRc = 0, kUc = 1, kRd = 2, kExtended = 3 };

inline constexpr ValueName kCmTransportNames[] = {
    {0, 0, "RC"}, {1, 1, "UC"}, {2, 2, "RD"}, {3, 3, "see extended transport"}};
inline constexpr ValueName kCmExtendedTransportNames[] = {{0, 0, "not used"}, {1, 1, "XRC"}, {2, 7, "reserved"}};

/// Path MTU codes (IBTA 12.7.27).
inline constexpr ValueName kMtuNames[] = {
    {1, 1, "256 bytes"}, {2, 2, "512 bytes"}, {3, 3, "1024 bytes"}, {4, 4, "2048 bytes"}, {5, 5, "4096 bytes"}};

/// The bytes that a path MTU code of 1 to 5 stands for; 0 for any other.
[[nodiscard]] constexpr std::uint32_t mtu_bytes(unsigned code) noexcept {
  return code >= 1 && code <= 5 ? 128U << code : 0;
}

/// Static rates (IBTA 15.2.5.16).
inline constexpr ValueName kRateNames[] = {
    {0, 0, "port rate"},  {2, 2, "2.5 Gb/s"},   {3, 3, "10 Gb/s"},    {4, 4, "30 Gb/s"},    {5, 5, "5 Gb/s"},
    {6, 6, "20 Gb/s"},    {7, 7, "40 Gb/s"},    {8, 8, "60 Gb/s"},    {9, 9, "80 Gb/s"},    {10, 10, "120 Gb/s"},
    {11, 11, "14 Gb/s"},  {12, 12, "56 Gb/s"},  {13, 13, "112 Gb/s"}, {14, 14, "168 Gb/s"}, {15, 15, "25 Gb/s"},
    {16, 16, "100 Gb/s"}, {17, 17, "200 Gb/s"}, {18, 18, "300 Gb/s"}, {19, 19, "28 Gb/s"},  {20, 20, "50 Gb/s"},
    {21, 21, "400 Gb/s"}, {22, 22, "600 Gb/s"}};

inline constexpr ValueName kRnrRetryNames[] = {{7, 7, "infinite"}};

/// Failover accepted (IBTA 12.7.36).
inline constexpr ValueName kFailoverNames[] = {
    {0, 0, "accepted"}, {1, 1, "not supported"}, {2, 2, "rejected"}, {3, 3, "reserved"}};

/// Which message an MRA confirms (IBTA 12.6.6) and a REJ refuses (12.6.7).
inline constexpr ValueName kMraMessageNames[] = {{0, 0, "REQ"}, {1, 1, "REP"}, {2, 2, "LAP"}, {3, 3, "reserved"}};
inline constexpr ValueName kRejMessageNames[] = {
    {0, 0, "REQ"}, {1, 1, "REP"}, {2, 2, "no message"}, {3, 3, "reserved"}};

/// Reject reasons (IBTA 12.6.7.2).
inline constexpr ValueName kRejReasonNames[] = {
    {1, 1, "no QP available"},
    {2, 2, "no EEC available"},
    {3, 3, "no resources available"},
    {4, 4, "timeout"},
    {5, 5, "unsupported request"},
    {6, 6, "invalid communication ID"},
    {7, 7, "invalid communication instance"},
    {8, 8, "invalid service ID"},
    {9, 9, "invalid transport service type"},
    {10, 10, "stale connection"},
    {11, 11, "RDC does not exist"},
    {12, 12, "primary remote port GID rejected"},
    {13, 13, "primary remote port LID rejected"},
    {14, 14, "invalid primary SL"},
    {15, 15, "invalid primary traffic class"},
    {16, 16, "invalid primary hop limit"},
    {17, 17, "invalid primary packet rate"},
    {18, 18, "alternate remote port GID rejected"},
    {19, 19, "alternate remote port LID rejected"},
    {20, 20, "invalid alternate SL"},
    {21, 21, "invalid alternate traffic class"},
    {22, 22, "invalid alternate hop limit"},
    {23, 23, "invalid alternate packet rate"},
    {24, 24, "port and CM redirect"},
    {25, 25, "port redirect"},
    {26, 26, "invalid path MTU"},
    {27, 27, "insufficient responder resources"},
    {28, 28, "consumer reject"},
    {29, 29, "RNR retry count rejected"},
    {30, 30, "duplicate local communication ID"},
    {31, 31, "unsupported class version"},
    {32, 32, "invalid primary flow label"},
    {33, 33, "invalid alternate flow label"},
    {35, 35, "vendor option not supported"},
};

/// AP status of an APR (IBTA 12.8.3).
inline constexpr ValueName kAprStatusNames[] = {
    {0, 0, "alternate path loaded"},
    {1, 1, "invalid communication ID"},
    {2, 2, "alternate paths not supported"},
    {3, 3, "failover port rejected"},
    {4, 4, "redirect"},
    {5, 5, "proposed path is the current path"},
    {6, 6, "invalid QPN or EECN"},
    {7, 7, "alternate remote port LID rejected"},
    {8, 8, "alternate remote port GID rejected"},
    {9, 9, "alternate flow label rejected"},
    {10, 10, "alternate traffic class rejected"},
    {11, 11, "alternate hop limit rejected"},
    {12, 12, "alternate packet rate rejected"},
    {13, 13, "alternate SL rejected"},
};

/// Status of a SIDR_REP (IBTA 12.11.2.2).
inline constexpr ValueName kSidrStatusNames[] = {
    {0, 0, "valid QPN"},
    {1, 1, "service ID not supported"},
    {2, 2, "rejected by service provider"},
    {3, 3, "no QP available"},
    {4, 4, "redirect"},
    {5, 5, "class version not supported"},
};

/// Port spaces of the RDMA IP CM service: byte 5 of its service IDs (IBTA A11).
inline constexpr ValueName kRdmaPortSpaceNames[] = {
    {0x02, 0x02, "IPoIB"}, {0x06, 0x06, "TCP"}, {0x11, 0x11, "UDP"}, {0x3F, 0x3F, "IB"}};

/// Ports of the TCP space that well-known protocols listen on (IANA, or their defaults).
inline constexpr ValueName kRdmaTcpPortNames[] = {
    {445, 445, "SMB Direct"},     {987, 987, "Lustre"},       {1234, 1234, "RTRS"},  {3260, 3260, "iSER"},
    {4420, 4420, "NVMe-oF"},      {5445, 5445, "SMB Direct"}, {7174, 7174, "rping"}, {8009, 8009, "NVMe discovery"},
    {16385, 16385, "RDS (IPv6)"}, {18515, 18515, "perftest"}, {18634, 18634, "RDS"}, {20049, 20049, "NFS/RDMA"},
};

/// Whether the service ID at `service_id` belongs to the RDMA IP CM service: 0x00000000 01 ps pp pp (IBTA A11).
[[nodiscard]] constexpr bool is_ip_cm_service(const std::uint8_t* service_id) noexcept {
  return load_bits(service_id, 0, 40) == 1;
}

/// Whether it belongs to that service and names a port of the TCP space.
[[nodiscard]] constexpr bool is_rdma_tcp_service(const std::uint8_t* service_id) noexcept {
  return is_ip_cm_service(service_id) && service_id[5] == 0x06;
}

/// Whether the 16 bytes at `Offset` of a header are an IPv4-mapped GID.
template <std::size_t Offset>
constexpr bool gid_is_ipv4(const std::uint8_t* header) {
  return load_bits(header + Offset, 0, 64) == 0 && load_bits(header + Offset, 64, 32) == 0xFFFF;
}
template <std::size_t Offset>
constexpr bool gid_is_not_ipv4(const std::uint8_t* header) {
  return !gid_is_ipv4<Offset>(header);
}

// The private data of the RDMA IP CM service (IBTA A11): 36 bytes that open the private data of a REQ or SIDR_REQ whose
// service ID is 0x00000000 01 ps pp pp.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   | Major | Minor | IPVer |  Resv |          Source port          |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   +                                                               +
//   |                           Source IP                           |
//   +                                                               +
//   |                                                               |
//   +                                                               +
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   +                                                               +
//   |                         Destination IP                        |
//   +                                                               +
//   |                                                               |
//   +                                                               +
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//
// An IPv4 address takes the last four bytes of its sixteen. The application's own private data follow.

/// A view of that private data; it has no layer of its own, the tables of CmReq and CmSidrReq show its fields.
class IpCm {
 public:
  static constexpr std::size_t kSize = 36;

  /// `private_data` has at least kSize bytes.
  constexpr explicit IpCm(Bytes private_data) noexcept : data_(private_data) {}

  [[nodiscard]] constexpr std::uint8_t ip_version() const noexcept { return data_[1] >> 4; }
  [[nodiscard]] constexpr std::uint16_t source_port() const noexcept {
    return static_cast<std::uint16_t>((data_[2] << 8) | data_[3]);
  }
  [[nodiscard]] constexpr IpAddress source() const noexcept { return address<4>(); }
  [[nodiscard]] constexpr IpAddress destination() const noexcept { return address<20>(); }
  /// The application's own private data.
  [[nodiscard]] constexpr Bytes consumer_data() const noexcept { return data_.subspan(kSize); }

  /// The same test for the `present` rows of a table whose private data start at `Offset`.
  template <std::size_t Offset>
  static constexpr bool is_v4(const std::uint8_t* header) {
    return header[Offset + 1] >> 4 == 4;
  }

 private:
  template <std::size_t Offset>
  [[nodiscard]] constexpr IpAddress address() const noexcept {
    if (ip_version() == 4) return IpAddress::v4(data_.subspan<Offset + 12, 4>());
    return IpAddress::v6(data_.subspan<Offset, 16>());
  }

  Bytes data_;
};

}  // namespace rocescope
