#include "ladder/nfs_mark.hpp"

#include "rocescope/headers/nfs.hpp"
#include "rocescope/headers/rpc.hpp"

namespace rocescope {
namespace {

/// Of NFS 4 the operation that the COMPOUND is about.
std::string_view operation_of(const Packet& packet, const RpcCall& call) {
  if (const auto operation = packet.header<NfsOperation>())
    return name_of(kNfs4OperationNames, operation->get<"nfs.opcode">());
  if (const auto callback = packet.header<NfsCallback>())
    return name_of(kNfs4CallbackNames, callback->get<"nfs.cb.operation">());
  const std::uint32_t procedure = call.get<"rpc.procedure">();
  if (procedure == 0) return "NULL";
  const std::uint32_t program = call.get<"rpc.program">();
  if (program == kNfsAclProgram) return name_of(kNfsAclProcedureNames, procedure);
  return program == kNfsProgram && call.get<"rpc.programversion">() == 3 ? name_of(kNfs3ProcedureNames, procedure) : "";
}

void note_range(const Packet& packet, CommandMark& mark) {
  if (const auto range = packet.header<NfsRange3>()) {
    mark.offset = range->get<"nfs.offset3">();
    mark.bytes = range->get<"nfs.count3">();
  } else if (const auto read = packet.header<NfsRead4>()) {
    mark.offset = read->get<"nfs.offset4">();
    mark.bytes = read->get<"nfs.count4">();
  } else if (const auto write = packet.header<NfsWrite4>()) {
    mark.offset = write->get<"nfs.offset4">();
    mark.bytes = write->get<"nfs.write.data_length">();
  }
}

/// Of a reply; one that says nothing of a status is none that failed.
void note_status(const Packet& packet, CommandMark& mark) {
  const auto accepted = packet.header<RpcAccepted>();
  const auto reply = packet.header<RpcReply>();
  if (const auto error = packet.header<RpcOverRdmaError>()) {
    mark.status = error->get<"rpcordma.errcode">();
    mark.status_name = name_of(kRpcOverRdmaErrors, mark.status);
  } else if (reply && reply->get<"rpc.replystat">() != 0) {
    mark.status = reply->get<"rpc.replystat">();
    mark.status_name = "RPC denied";
  } else if (accepted && accepted->get<"rpc.state_accept">() != 0) {
    mark.status = accepted->get<"rpc.state_accept">();
    mark.status_name = name_of(kRpcAcceptNames, mark.status);
  } else {
    if (const auto status = packet.header<NfsStatus3>()) mark.status = status->get<"nfs.status3">();
    if (const auto status = packet.header<NfsStatus4>()) mark.status = status->get<"nfs.status">();
    mark.status_name = name_of(kNfsStatusNames, mark.status);
  }
}

}  // namespace

std::optional<CommandMark> nfs_mark(const Packet& packet) {
  const auto call = packet.header<RpcCall>();
  const auto header = packet.header<RpcOverRdma>();
  if (!header) return std::nullopt;  // a reply in a WRITE, of which a SEND tells the end
  CommandMark mark{.protocol = UpperProtocol::kNfs, .is_response = !call, .id = header->get<"rpcordma.xid">()};
  if (!call) {
    note_status(packet, mark);
    return mark;
  }
  mark.opcode = call->get<"rpc.procedure">();
  mark.operation = operation_of(packet, *call);
  note_range(packet, mark);
  return mark;
}

}  // namespace rocescope
