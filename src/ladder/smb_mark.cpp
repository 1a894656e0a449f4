#include <algorithm>

#include "dissectors/ulp/smb_direct/smb_message.hpp"
#include "ladder/protocol_marks.hpp"

namespace rocescope {

std::optional<CommandMark> smb_mark(const Packet& packet) {
  const auto header = std::ranges::find(packet.layers(), HeaderKind::kSmbHeader, &Layer::kind);
  if (header == packet.layers().end()) return std::nullopt;
  const auto messages = smb_messages_of(packet.bytes_with(*header).subspan(header->offset));
  if (messages.empty() || messages[0].id_size < 8) return std::nullopt;
  const SmbMessage& first = messages[0];
  CommandMark mark{.protocol = UpperProtocol::kSmbDirect, .is_response = first.is_response, .id = first.id};
  mark.operation = first.operation;
  mark.opcode = first.number;
  mark.unit = first.tree;
  mark.offset = first.offset;
  mark.bytes = static_cast<std::uint32_t>(first.bytes);
  mark.size_is_cut = first.size_is_cut;
  if (!is_smb_success(first.status)) mark.status = first.status;
  mark.status_name = smb_status_name(first.status);
  return mark;
}

}  // namespace rocescope
