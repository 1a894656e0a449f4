#include <algorithm>

#include "dissectors/ulp/forms.hpp"
#include "dissectors/ulp/smb_direct/smb_message.hpp"
#include "rocescope/headers/smb2.hpp"
#include "rocescope/headers/smb_direct.hpp"

namespace rocescope {
namespace {

// MS-SMBD, 3.1.1.1: the least sizes of a peer. The largest that are believed are far above those of any.
constexpr std::uint64_t kLeastReceive = 128;
constexpr std::uint64_t kLeastFragmented = 131'072;
constexpr std::uint64_t kMostSize = 1U << 27U;

bool is_smb_size(std::uint64_t size, std::uint64_t least) noexcept { return size >= least && size <= kMostSize; }

/// The sizes that both sides say, from `at` on.
bool has_smb_sizes(Bytes start, std::size_t at) noexcept {
  const auto size = [&](std::size_t offset) { return load_little_endian(start.data() + at + offset, 4); };
  return is_smb_size(size(0), kLeastReceive) && is_smb_size(size(4), kLeastReceive) &&
         is_smb_size(size(8), kLeastFragmented);
}

/// `length` 0: of several packets, longer than one.
bool has_smb_length(std::uint64_t length, std::size_t expected) noexcept { return length == 0 || length == expected; }

std::optional<SmbDirectMessage> smb_negotiation_of(Bytes start, std::uint64_t length) noexcept {
  const auto word = [&](std::size_t at) { return load_little_endian(start.data() + at, 2); };
  if (word(0) != kSmbDirectVersion || word(2) != kSmbDirectVersion) return std::nullopt;
  if (has_smb_length(length, SmbDirectRequest::kSize) && start.size() <= SmbDirectRequest::kSize && word(4) == 0 &&
      word(6) != 0 && has_smb_sizes(start, 8)) {
    return SmbDirectMessage{.kind = SmbDirectMessage::Kind::kRequest, .data = {}};
  }
  const bool is_response = has_smb_length(length, SmbDirectResponse::kSize) &&
                           start.size() >= SmbDirectResponse::kSize && word(4) == kSmbDirectVersion && word(6) == 0 &&
                           word(8) != 0 && word(10) != 0 && has_smb_sizes(start, 20);
  if (!is_response) return std::nullopt;
  return SmbDirectMessage{
      .kind = SmbDirectMessage::Kind::kResponse, .granted = static_cast<std::uint16_t>(word(10)), .data = {}};
}

}  // namespace

std::optional<SmbDirectMessage> smb_direct_message_of(Bytes start, std::uint64_t length) noexcept {
  if (start.size() < SmbDirectData::kSize) return std::nullopt;
  if (auto negotiation = smb_negotiation_of(start, length)) return negotiation;
  const SmbDirectData header(start.data());
  constexpr std::uint16_t kFlags = 1;
  const bool has_reserved = load_little_endian(start.data() + 6, 2) != 0;
  if (header.get<"smb_direct.credits.requested">() == 0 || header.get<"smb_direct.flags">() > kFlags || has_reserved)
    return std::nullopt;
  SmbDirectMessage message{.remaining = header.get<"smb_direct.remaining_length">(),
                           .data_length = header.get<"smb_direct.data_length">(),
                           .granted = header.get<"smb_direct.credits.granted">(),
                           .data = {}};
  const std::uint32_t offset = header.get<"smb_direct.data_offset">();
  if (message.data_length == 0) {
    if (offset != 0 || message.remaining != 0 || !has_smb_length(length, SmbDirectData::kSize)) return std::nullopt;
    return message;
  }
  // Behind the header, on a multiple of 8; nobody pads further.
  constexpr std::uint32_t kOffset = 24;
  if (offset != kOffset || message.remaining > kMostSize || message.data_length > kMostSize) return std::nullopt;
  const std::uint64_t whole = kOffset + std::uint64_t{message.data_length};
  if (length != 0 ? length != whole : start.size() > whole) return std::nullopt;
  message.data = start.subspan(std::min<std::size_t>(kOffset, start.size()));
  return message;
}

bool has_form_of_smb_direct(Bytes start, std::uint64_t length) noexcept {
  return smb_direct_message_of(start, length).has_value();
}

SmbForm smb_form_of(Bytes message) noexcept {
  if (message.size() < 4) return SmbForm::kNone;
  switch (load_big_endian(message.data(), 4)) {
    case SmbHeader::kProtocolId:
      return SmbForm::kPlain;
    case SmbTransform::kProtocolId:
      return SmbForm::kEncrypted;
    case SmbCompression::kProtocolId:
      return SmbForm::kCompressed;
    default:
      return SmbForm::kNone;
  }
}

}  // namespace rocescope
