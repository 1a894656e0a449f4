// The header of SMB 2 and 3, and what READ and WRITE are about. All numbers are little-endian (MS-SMB2 2.2).
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |      0xFE     |      'S'      |      'M'      |      'B'      |
//   |         Structure size        |         Credit charge         |
//   |        Status, of a response; else channel sequence           |
//   |            Command            |  Credits requested or granted |
//   |                             Flags                             |
//   |                  Offset of the next command                   |
//   /                    Message ID (8 bytes)                       /
//   /     Process ID, Tree ID; of an async command: Async ID        /
//   /                    Session ID (8 bytes)                       /
//   /                    Signature (16 bytes)                       /
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "rocescope/header.hpp"
#include "rocescope/headers/smb2/names.hpp"

namespace rocescope {
namespace detail {

constexpr bool is_smb_response(const std::uint8_t* header) { return (header[16] & 1U) != 0; }
constexpr bool is_smb_request(const std::uint8_t* header) { return !is_smb_response(header); }
constexpr bool is_smb_async(const std::uint8_t* header) { return (header[16] & 2U) != 0; }
constexpr bool is_smb_sync(const std::uint8_t* header) { return !is_smb_async(header); }

inline constexpr std::array kSmbProtocolId{field::hex("smb2.protocol_id", "Protocol", 0, 32)};

/// Of what READ and WRITE have in common.
[[nodiscard]] constexpr Field smb_file_offset(std::uint32_t at) {
  return field::number("smb2.file_offset", "File offset", at, 64).little_endian();
}
[[nodiscard]] constexpr Field smb_file_id(std::uint32_t at) {
  return field::bytes("rocescope.smb2.file_id", "File ID", at, 128);
}
[[nodiscard]] constexpr Field smb_channel(std::uint32_t at) {
  return field::hex("smb2.channel", "Channel", at, 32).named(kSmbChannelNames).little_endian();
}
[[nodiscard]] constexpr Field smb_remaining(std::uint32_t at) {
  return field::number("smb2.remaining_bytes", "Remaining bytes", at, 32).little_endian();
}
[[nodiscard]] constexpr Field smb_channel_offset(std::uint32_t at) {
  return field::number("smb2.channel_info_offset", "Offset of the channel", at, 16).little_endian();
}
[[nodiscard]] constexpr Field smb_channel_length(std::uint32_t at) {
  return field::number("smb2.channel_info_length", "Length of the channel", at, 16).little_endian();
}
inline constexpr std::array kSmbStructureSize{field::hex("smb2.buffer_code", "Structure size", 0, 16).little_endian()};

}  // namespace detail

struct SmbHeader : HeaderView<SmbHeader> {
  static constexpr HeaderKind kKind = HeaderKind::kSmbHeader;
  static constexpr std::string_view kName = "smb2";
  static constexpr std::string_view kTitle = "SMB2";
  static constexpr std::string_view kReference = "MS-SMB2, 2.2.1";
  static constexpr std::size_t kSize = 64;
  static constexpr std::uint32_t kProtocolId = 0xFE534D42;
  static constexpr auto kFields =
      detail::join(detail::kSmbProtocolId,
                   std::array{
                       field::number("smb2.header_len", "Structure size", 32, 16).little_endian(),
                       field::number("smb2.credit.charge", "Credit charge", 48, 16).little_endian(),
                       field::hex("smb2.nt_status", "Status", 64, 32)
                           .named(kNtStatusNames)
                           .little_endian()
                           .when(detail::is_smb_response),
                       field::number("smb2.channel_sequence", "Channel sequence", 64, 16)
                           .little_endian()
                           .when(detail::is_smb_request),
                       field::bytes("smb2.reserved", "Reserved", 80, 16).when(detail::is_smb_request),
                       field::number("smb2.cmd", "Command", 96, 16).named(kSmbCommandNames).little_endian(),
                       field::number("smb2.credits.requested", "Credits requested", 112, 16)
                           .little_endian()
                           .when(detail::is_smb_request),
                       field::number("smb2.credits.granted", "Credits granted", 112, 16)
                           .little_endian()
                           .when(detail::is_smb_response),
                       field::hex("smb2.flags", "Flags", 128, 32).little_endian(),
                       field::flag("rocescope.smb2.flags.reserved", "Reserved", 128).part(),
                       field::number("rocescope.smb2.flags.priority", "Priority", 129, 3).part(),
                       field::flag("smb2.flags.signature", "Signed", 132).part(),
                       field::flag("smb2.flags.chained", "Related to the one before", 133).part(),
                       field::flag("smb2.flags.async", "Async command", 134).part(),
                       field::flag("smb2.flags.response", "Response", 135).part(),
                       field::hex("rocescope.smb2.flags.reserved.bits", "Reserved", 136, 18).part(),
                       field::flag("smb2.flags.replay", "Replay", 154).part(),
                       field::flag("smb2.flags.dfs", "DFS operation", 155).part(),
                       field::hex("rocescope.smb2.flags.reserved.bits", "Reserved", 156, 4).digits(2).part(),
                       field::hex("smb2.chain_offset", "Offset of the next command", 160, 32).little_endian(),
                       field::number("smb2.msg_id", "Message ID", 192, 64).little_endian(),
                       field::hex("smb2.pid", "Process ID", 256, 32).little_endian().when(detail::is_smb_sync),
                       field::hex("smb2.tid", "Tree ID", 288, 32).little_endian().when(detail::is_smb_sync),
                       field::hex("smb2.aid", "Async ID", 256, 64).little_endian().when(detail::is_smb_async),
                       field::hex("smb2.sesid", "Session ID", 320, 64).little_endian(),
                       field::bytes("smb2.signature", "Signature", 384, 128),
                   });
  using HeaderView::HeaderView;
};

struct SmbReadRequest : HeaderView<SmbReadRequest> {
  static constexpr HeaderKind kKind = HeaderKind::kSmbReadRequest;
  static constexpr std::string_view kName = "rocescope.smb2.read";
  static constexpr std::string_view kTitle = "SMB2 Read Request";
  static constexpr std::string_view kReference = "MS-SMB2, 2.2.19";
  static constexpr std::size_t kSize = 48;
  static constexpr bool kContinues = true;
  static constexpr auto kFields = detail::join(
      detail::kSmbStructureSize,
      std::array{field::hex("smb2.read_padding", "Padding", 16, 8), field::hex("smb2.read_flags", "Flags", 24, 8),
                 field::number("smb2.read_length", "Length", 32, 32).little_endian(), detail::smb_file_offset(64),
                 detail::smb_file_id(128), field::number("smb2.min_count", "Minimum count", 256, 32).little_endian(),
                 detail::smb_channel(288), detail::smb_remaining(320), detail::smb_channel_offset(352),
                 detail::smb_channel_length(368)});
  using HeaderView::HeaderView;
};

struct SmbWriteRequest : HeaderView<SmbWriteRequest> {
  static constexpr HeaderKind kKind = HeaderKind::kSmbWriteRequest;
  static constexpr std::string_view kName = "rocescope.smb2.write";
  static constexpr std::string_view kTitle = "SMB2 Write Request";
  static constexpr std::string_view kReference = "MS-SMB2, 2.2.21";
  static constexpr std::size_t kSize = 48;
  static constexpr bool kContinues = true;
  static constexpr auto kFields = detail::join(
      detail::kSmbStructureSize,
      std::array{field::hex("smb2.data_offset", "Data offset", 16, 16).little_endian(),
                 field::number("smb2.write_length", "Length", 32, 32).little_endian(), detail::smb_file_offset(64),
                 detail::smb_file_id(128), detail::smb_channel(256), detail::smb_remaining(288),
                 detail::smb_channel_offset(320), detail::smb_channel_length(336),
                 field::hex("smb2.write.flags", "Flags", 352, 32).little_endian()});
  using HeaderView::HeaderView;
};

struct SmbReadResponse : HeaderView<SmbReadResponse> {
  static constexpr HeaderKind kKind = HeaderKind::kSmbReadResponse;
  static constexpr std::string_view kName = "rocescope.smb2.read_response";
  static constexpr std::string_view kTitle = "SMB2 Read Response";
  static constexpr std::string_view kReference = "MS-SMB2, 2.2.20";
  static constexpr std::size_t kSize = 16;
  static constexpr bool kContinues = true;
  static constexpr auto kFields = detail::join(
      detail::kSmbStructureSize,
      std::array{field::hex("rocescope.smb2.data_offset", "Data offset", 16, 8),
                 field::bytes("rocescope.smb2.reserved", "Reserved", 24, 8),
                 field::number("rocescope.smb2.read.length", "Length of the data behind it", 32, 32).little_endian(),
                 field::number("smb2.read_remaining", "Length of the data by RDMA", 64, 32).little_endian(),
                 field::bytes("rocescope.smb2.reserved", "Reserved", 96, 32)});
  using HeaderView::HeaderView;
};

struct SmbWriteResponse : HeaderView<SmbWriteResponse> {
  static constexpr HeaderKind kKind = HeaderKind::kSmbWriteResponse;
  static constexpr std::string_view kName = "rocescope.smb2.write_response";
  static constexpr std::string_view kTitle = "SMB2 Write Response";
  static constexpr std::string_view kReference = "MS-SMB2, 2.2.22";
  static constexpr std::size_t kSize = 16;
  static constexpr bool kContinues = true;
  static constexpr auto kFields = detail::join(
      detail::kSmbStructureSize, std::array{field::bytes("rocescope.smb2.reserved", "Reserved", 16, 16),
                                            field::number("smb2.write.count", "Count", 32, 32).little_endian(),
                                            field::number("smb2.write.remaining", "Remaining", 64, 32).little_endian(),
                                            detail::smb_channel_offset(96), detail::smb_channel_length(112)});
  using HeaderView::HeaderView;
};

/// Memory that the server READs or WRITEs.
struct SmbDescriptor : HeaderView<SmbDescriptor> {
  static constexpr HeaderKind kKind = HeaderKind::kSmbDescriptor;
  static constexpr std::string_view kName = "rocescope.smb2.descriptor";
  static constexpr std::string_view kTitle = "SMB Direct buffer descriptor";
  static constexpr std::string_view kReference = "MS-SMBD, 2.2.3.1";
  static constexpr std::size_t kSize = 16;
  static constexpr bool kRepeats = true;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::number("smb2.buffer_descriptor.offset", "Offset", 0, 64).little_endian(),
      field::hex("smb2.buffer_descriptor.token", "Token", 64, 32).little_endian(),
      field::number("smb2.buffer_descriptor.length", "Length", 96, 32).little_endian(),
  };
  using HeaderView::HeaderView;
};

/// An encrypted message stands behind it.
struct SmbTransform : HeaderView<SmbTransform> {
  static constexpr HeaderKind kKind = HeaderKind::kSmbTransform;
  static constexpr std::string_view kName = "rocescope.smb2.transform";
  static constexpr std::string_view kTitle = "Encrypted SMB3";
  static constexpr std::string_view kReference = "MS-SMB2, 2.2.41";
  static constexpr std::size_t kSize = 52;
  static constexpr std::uint32_t kProtocolId = 0xFD534D42;
  static constexpr auto kFields =
      detail::join(detail::kSmbProtocolId,
                   std::array{field::bytes("smb2.header.transform.signature", "Signature", 32, 128),
                              field::bytes("smb2.header.transform.nonce", "Nonce", 160, 128),
                              field::number("smb2.header.transform.msg_size", "Message size", 288, 32).little_endian(),
                              field::bytes("smb2.header.transform.reserved", "Reserved", 320, 16),
                              field::hex("smb2.header.transform.flags", "Flags", 336, 16).little_endian(),
                              field::hex("smb2.sesid", "Session ID", 352, 64).little_endian()});
  using HeaderView::HeaderView;
};

/// A compressed message stands behind it.
struct SmbCompression : HeaderView<SmbCompression> {
  static constexpr HeaderKind kKind = HeaderKind::kSmbCompression;
  static constexpr std::string_view kName = "rocescope.smb2.compression";
  static constexpr std::string_view kTitle = "Compressed SMB3";
  static constexpr std::string_view kReference = "MS-SMB2, 2.2.42";
  static constexpr std::size_t kSize = 16;
  static constexpr std::uint32_t kProtocolId = 0xFC534D42;
  static constexpr auto kFields = detail::join(
      detail::kSmbProtocolId,
      std::array{field::number("smb2.header.comp_transform.original_size", "Original size", 32, 32).little_endian(),
                 field::hex("smb2.header.comp_transform.comp_alg", "Algorithm", 64, 16)
                     .named(kSmbCompressionNames)
                     .little_endian(),
                 field::hex("smb2.header.comp_transform.flags", "Flags", 80, 16).little_endian(),
                 field::hex("smb2.header.comp_transform.offset", "Offset or length", 96, 32).little_endian()});
  using HeaderView::HeaderView;
};

}  // namespace rocescope
