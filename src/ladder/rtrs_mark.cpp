#include "dissectors/ulp/rtrs/rtrs_message.hpp"
#include "ladder/protocol_marks.hpp"
#include "rocescope/headers/rnbd.hpp"
#include "rocescope/headers/rtrs.hpp"

namespace rocescope {

std::optional<CommandMark> rtrs_mark(const Packet& packet) {
  const auto header = packet.header<RtrsImmDt>();
  if (!header) return std::nullopt;
  CommandMark mark{.protocol = UpperProtocol::kRtrs};
  mark.opcode = header->get<"rocescope.rtrs.imm_type">();
  mark.operation = name_of(kRtrsImmediateNames, mark.opcode);
  const std::uint8_t* const bytes = header->bytes().data();
  mark.is_response = RtrsImmDt::is_response(bytes);
  if (mark.is_response) {
    mark.id = load_bits(bytes, 13, 19);
    mark.status = static_cast<std::uint32_t>(load_bits(bytes, 4, 9));
    mark.status_name = errno_name(mark.status);
  } else if (const auto io = packet.header<RnbdIo>()) {
    mark.detail = name_of(kRnbdOperationNames, io->get<"rocescope.rnbd.op">());
    mark.unit = io->get<"rocescope.rnbd.device">();
    mark.first_block = io->get<"rocescope.rnbd.sector">();
    mark.bytes = io->get<"rocescope.rnbd.size">();
  }
  return mark;
}

}  // namespace rocescope
