// SMB Direct: what carries the messages of SMB over RDMA, with credits and fragments. All numbers are little-endian
// (MS-SMBD 2.2).
//
// The first SEND of each side negotiates:
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |        Lowest version         |        Highest version        |
//   |           Reserved            |       Credits requested       |     of the request
//   |                      Preferred send size                      |
//   |                      Maximum receive size                     |
//   |                     Maximum fragmented size                   |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |        Lowest version         |        Highest version        |
//   |       Negotiated version      |           Reserved            |     of the response
//   |       Credits requested       |        Credits granted        |
//   |                             Status                            |
//   |                   Maximum size of READ and WRITE              |
//   |            Preferred send size, and so on, as above           |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//
// All others are data transfer messages; the data, if there are any, stand behind 4 bytes of padding:
//   |       Credits requested       |        Credits granted        |
//   |             Flags             |           Reserved            |
//   |                     Remaining data length                     |
//   |                          Data offset                          |
//   |                          Data length                          |
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "rocescope/header.hpp"
#include "rocescope/headers/smb2/names.hpp"

namespace rocescope {

/// The only version that there is.
inline constexpr std::uint16_t kSmbDirectVersion = 0x0100;

struct SmbDirectRequest : HeaderView<SmbDirectRequest> {
  static constexpr HeaderKind kKind = HeaderKind::kSmbDirectRequest;
  static constexpr std::string_view kName = "smb_direct.negotiate_request";
  static constexpr std::string_view kTitle = "SMB Direct Negotiate Request";
  static constexpr std::string_view kReference = "MS-SMBD, 2.2.1";
  static constexpr std::size_t kSize = 20;
  static constexpr Field kFields[] = {
      field::hex("smb_direct.version.min", "Lowest version", 0, 16).little_endian(),
      field::hex("smb_direct.version.max", "Highest version", 16, 16).little_endian(),
      field::bytes("rocescope.smb_direct.reserved", "Reserved", 32, 16),
      field::number("smb_direct.credits.requested", "Credits requested", 48, 16).little_endian(),
      field::number("smb_direct.preferred_send_size", "Preferred send size", 64, 32).little_endian(),
      field::number("smb_direct.max_receive_size", "Maximum receive size", 96, 32).little_endian(),
      field::number("smb_direct.max_fragmented_size", "Maximum fragmented size", 128, 32).little_endian(),
  };
  using HeaderView::HeaderView;
};

struct SmbDirectResponse : HeaderView<SmbDirectResponse> {
  static constexpr HeaderKind kKind = HeaderKind::kSmbDirectResponse;
  static constexpr std::string_view kName = "smb_direct.negotiate_response";
  static constexpr std::string_view kTitle = "SMB Direct Negotiate Response";
  static constexpr std::string_view kReference = "MS-SMBD, 2.2.2";
  static constexpr std::size_t kSize = 32;
  static constexpr Field kFields[] = {
      field::hex("smb_direct.version.min", "Lowest version", 0, 16).little_endian(),
      field::hex("smb_direct.version.max", "Highest version", 16, 16).little_endian(),
      field::hex("smb_direct.version.negotiated", "Negotiated version", 32, 16).little_endian(),
      field::bytes("rocescope.smb_direct.reserved", "Reserved", 48, 16),
      field::number("smb_direct.credits.requested", "Credits requested", 64, 16).little_endian(),
      field::number("smb_direct.credits.granted", "Credits granted", 80, 16).little_endian(),
      field::hex("smb_direct.status", "Status", 96, 32).named(kNtStatusNames).little_endian(),
      field::number("smb_direct.max_read_write_size", "Maximum size of READ and WRITE", 128, 32).little_endian(),
      field::number("smb_direct.preferred_send_size", "Preferred send size", 160, 32).little_endian(),
      field::number("smb_direct.max_receive_size", "Maximum receive size", 192, 32).little_endian(),
      field::number("smb_direct.max_fragmented_size", "Maximum fragmented size", 224, 32).little_endian(),
  };
  using HeaderView::HeaderView;
};

/// Its layer reaches to the data.
struct SmbDirectData : HeaderView<SmbDirectData> {
  static constexpr HeaderKind kKind = HeaderKind::kSmbDirectData;
  static constexpr std::string_view kName = "smb_direct.data_message";
  static constexpr std::string_view kTitle = "SMB Direct Data Transfer";
  static constexpr std::string_view kReference = "MS-SMBD, 2.2.3";
  static constexpr std::size_t kSize = 20;
  static constexpr Field kFields[] = {
      field::number("smb_direct.credits.requested", "Credits requested", 0, 16).little_endian(),
      field::number("smb_direct.credits.granted", "Credits granted", 16, 16).little_endian(),
      field::hex("smb_direct.flags", "Flags", 32, 16).little_endian(),
      field::hex("rocescope.smb_direct.reserved.bits", "Reserved", 32, 7).digits(2).part(),
      field::flag("smb_direct.flags.response_requested", "Response requested", 39).part(),
      field::hex("rocescope.smb_direct.reserved.bits", "Reserved", 40, 8).part(),
      field::bytes("rocescope.smb_direct.reserved", "Reserved", 48, 16),
      field::number("smb_direct.remaining_length", "Remaining data length", 64, 32).little_endian(),
      field::number("smb_direct.data_offset", "Data offset", 96, 32).little_endian(),
      field::number("smb_direct.data_length", "Data length", 128, 32).little_endian(),
  };
  using HeaderView::HeaderView;
};

}  // namespace rocescope
