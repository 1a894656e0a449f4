#include "ladder/protocol_marks.hpp"
#include "rocescope/headers/rsockets.hpp"

namespace rocescope {

std::optional<CommandMark> rsockets_mark(const Packet& packet) {
  const auto header = packet.header<RsocketsImmDt>();
  if (!header) return std::nullopt;
  CommandMark mark{.protocol = UpperProtocol::kRsockets};
  mark.opcode = header->get<"rocescope.rsockets.op">();
  const auto value = static_cast<std::uint32_t>(load_bits(header->bytes().data(), 3, 29));
  if (RsocketsOp(mark.opcode) == RsocketsOp::kControl) {
    mark.operation = name_of(kRsocketsControlNames, value);
  } else {
    mark.operation = name_of(kRsocketsOpNames, mark.opcode);
    mark.bytes = value;
  }
  return mark;
}

}  // namespace rocescope
