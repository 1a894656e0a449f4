// Messages of SMB Direct, and the commands of SMB in them.
#include "rocescope/headers/smb_direct.hpp"

#include <algorithm>

#include "dissectors/dissectors.hpp"
#include "dissectors/ulp/smb_direct/smb_message.hpp"
#include "rocescope/headers/smb2.hpp"

namespace rocescope::dissectors {
namespace {

/// Of the memory that a READ or a WRITE names: `at` and `length` as it has them, from the start of the header of SMB.
void take_smb_descriptors(Dissection& d, std::uint32_t header, std::uint32_t channel, std::size_t at,
                          std::size_t length) noexcept {
  constexpr std::uint32_t kRdmaV1 = 1;
  constexpr std::uint32_t kRdmaV1Invalidate = 2;
  if ((channel != kRdmaV1 && channel != kRdmaV1Invalidate) || header + at != d.offset) return;
  for (std::size_t left = length; left >= SmbDescriptor::kSize; left -= SmbDescriptor::kSize) {
    if (!d.take_run(SmbDescriptor::kKind, SmbDescriptor::kSize)) return;
  }
}

/// The body behind the header: of READ and WRITE.
void take_smb_body(Dissection& d, const SmbHeader& header, std::uint32_t start) noexcept {
  const Bytes rest = d.rest();
  const std::uint64_t size = rest.size() < 2 ? 0 : load_little_endian(rest.data(), 2);
  constexpr std::uint64_t kOfRequest = 49;
  constexpr std::uint64_t kOfResponse = 17;  // that of an error is 9
  const auto command = SmbCommand{header.get<"smb2.cmd">()};
  if (header.get<"smb2.flags.response">()) {
    if (command == SmbCommand::kRead && size == kOfResponse) (void)d.take<SmbReadResponse>();
    if (command == SmbCommand::kWrite && size == kOfResponse) (void)d.take<SmbWriteResponse>();
  } else if (command == SmbCommand::kRead && size == kOfRequest) {
    if (const auto read = d.take<SmbReadRequest>()) {
      take_smb_descriptors(d, start, read->get<"smb2.channel">(), read->get<"smb2.channel_info_offset">(),
                           read->get<"smb2.channel_info_length">());
    }
  } else if (command == SmbCommand::kWrite && size == kOfRequest) {
    if (const auto write = d.take<SmbWriteRequest>()) {
      take_smb_descriptors(d, start, write->get<"smb2.channel">(), write->get<"smb2.channel_info_offset">(),
                           write->get<"smb2.channel_info_length">());
    }
  }
}

/// One command behind the other, as far as they are in this fragment.
void take_smb_chain(Dissection& d) noexcept {
  for (std::size_t i = 0; i < kMostSmbChained; ++i) {
    const std::uint32_t start = d.offset;
    const auto header = d.take<SmbHeader>();
    if (!header) return;
    take_smb_body(d, *header, start);
    const std::uint32_t next = header->get<"smb2.chain_offset">();
    if (next < SmbHeader::kSize || next % 8 != 0 || start + std::uint64_t{next} < d.offset ||
        start + std::uint64_t{next} >= d.end ||
        smb_form_of(d.data.subspan(std::min<std::uint64_t>(start + std::uint64_t{next}, d.data.size()))) !=
            SmbForm::kPlain) {
      return;
    }
    const std::uint64_t gap = start + std::uint64_t{next} - d.offset;
    if (gap > 0 && !d.extend_last(gap)) return;  // the rest of its body
  }
}

}  // namespace

void dissect_smb_direct(Dissection& d) noexcept {
  const auto message = smb_direct_message_of(d.rest(), 0);
  if (!message) return;
  if (message->kind == SmbDirectMessage::Kind::kRequest) return (void)d.take<SmbDirectRequest>();
  if (message->kind == SmbDirectMessage::Kind::kResponse) return (void)d.take<SmbDirectResponse>();
  const Bytes start = d.rest();
  constexpr std::size_t kOffset = 12;  // of the data's offset
  const auto offset = static_cast<std::size_t>(load_little_endian(start.data() + kOffset, 4));
  if (!d.take(SmbDirectData::kKind, message->data_length == 0 ? SmbDirectData::kSize : offset)) return;
  switch (smb_form_of(message->data)) {
    case SmbForm::kPlain:
      return take_smb_chain(d);
    case SmbForm::kEncrypted:
      return (void)d.take<SmbTransform>();
    case SmbForm::kCompressed:
      return (void)d.take<SmbCompression>();
    case SmbForm::kNone:  // the rest of a message that began in another
      return;
  }
}

}  // namespace rocescope::dissectors
