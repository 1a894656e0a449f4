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
#pragma once

#include <cstdint>

#include "rocescope/address.hpp"
#include "rocescope/bytes.hpp"

namespace rocescope {

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
