#include "dissectors/ulp/nfs/nfs_call.hpp"
#include "ladder/protocol_marks.hpp"
#include "rocescope/headers/rpc.hpp"

namespace rocescope {

std::optional<CommandMark> nfs_mark(const Packet& packet) {
  const auto header = packet.header<RpcOverRdma>();
  if (!header) return std::nullopt;  // a reply in a WRITE; a SEND shows its end
  const auto call = nfs_call_of(packet);
  CommandMark mark{.protocol = UpperProtocol::kNfs, .is_response = !call, .id = header->get<"rpcordma.xid">()};
  if (call) {
    mark.operation = call->operation;
    mark.detail = call->program;
    mark.opcode = call->opcode;
    mark.offset = call->offset;
    mark.bytes = call->bytes;
  } else {
    mark.status = nfs_status_of(packet).value_or(0);  // a reply without a status did not fail
    mark.status_name = nfs_status_name(mark.status);
  }
  return mark;
}

}  // namespace rocescope
