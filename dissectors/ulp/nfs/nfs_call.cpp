#include "rocescope/detail/nfs_call.hpp"

#include <algorithm>

#include "rocescope/headers/nfs.hpp"
#include "rocescope/headers/rpc.hpp"

namespace rocescope {
namespace {

void note_range(const Packet& layers, NfsCall& call) {
  if (const auto range = layers.header<NfsRange3>()) {
    call.offset = range->get<"nfs.offset3">();
    call.bytes = range->get<"nfs.count3">();
  } else if (const auto read = layers.header<NfsRead4>()) {
    call.offset = read->get<"nfs.offset4">();
    call.bytes = read->get<"nfs.count4">();
  } else if (const auto write = layers.header<NfsWrite4>()) {
    call.offset = write->get<"nfs.offset4">();
    call.bytes = write->get<"nfs.write.data_length">();
  } else if (const auto commit = layers.header<NfsCommit4>()) {
    call.offset = commit->get<"nfs.offset4">();
    call.bytes = commit->get<"nfs.count4">();
  }
}

void note_compound(const Packet& layers, NfsCall& call) {
  call.version = NfsVersion::k4;
  call.operation = "COMPOUND";
  const auto operation = layers.header<NfsOperation>();
  if (!operation) return;
  call.opcode = operation->get<"nfs.opcode">();
  call.operation = name_of(kNfs4OperationNames, call.opcode);
}

void note_callback(const Packet& layers, NfsCall& call) {
  call.is_back = true;
  call.version = call.opcode == 0 ? NfsVersion::kUnknown : NfsVersion::k4;
  call.operation = call.opcode == 0 ? "CB_NULL" : "CB_COMPOUND";
  const auto callback = layers.header<NfsCallback>();
  if (!callback) return;
  call.opcode = callback->get<"nfs.cb.operation">();
  call.operation = name_of(kNfs4CallbackNames, call.opcode);
}

}  // namespace

std::optional<NfsCall> nfs_call_of(const Packet& layers) {
  if ((layers.kinds & Packet::bit_of(HeaderKind::kRpcCall)) == 0) return std::nullopt;
  // One of the first of many, which header() would look through from the last.
  const auto layer = std::ranges::find(layers.layers(), HeaderKind::kRpcCall, &Layer::kind);
  if (layer == layers.layers().end()) return std::nullopt;
  const RpcCall header(layers.bytes_with(*layer).data() + layer->offset);
  const std::uint32_t program = header.get<"rpc.program">();
  const std::uint32_t version = header.get<"rpc.programversion">();
  NfsCall call{.opcode = header.get<"rpc.procedure">()};
  note_range(layers, call);
  if (program == kNfsCallbackProgram) {
    note_callback(layers, call);
  } else if (call.opcode == 0) {
    call.operation = "NULL";  // of any program; its results are empty
  } else if (program == kNfsProgram && version == 3) {
    call.version = NfsVersion::k3;
    call.operation = name_of(kNfs3ProcedureNames, call.opcode);
  } else if (program == kNfsProgram && version == 4) {
    note_compound(layers, call);
  } else if (program == kNfsAclProgram) {
    call.version = NfsVersion::k3;
    call.operation = name_of(kNfsAclProcedureNames, call.opcode);
  }
  if (program != kNfsProgram && program != kNfsCallbackProgram) call.program = name_of(kRpcProgramNames, program);
  return call;
}

std::optional<std::uint32_t> nfs_status_of(const Packet& layers) {
  // Only results that were accepted have one of these.
  if (const auto status = layers.header<NfsStatus4>()) return status->get<"nfs.status">();
  if (const auto status = layers.header<NfsStatus3>()) return status->get<"nfs.status3">();
  if (const auto error = layers.header<RpcOverRdmaError>())
    return kRpcOverRdmaStatus + error->get<"rpcordma.errcode">();
  const auto reply = layers.header<RpcReply>();
  if (!reply) return std::nullopt;
  if (reply->get<"rpc.replystat">() != 0) return kRpcDeniedStatus;
  const auto accepted = layers.header<RpcAccepted>();
  if (accepted && accepted->get<"rpc.state_accept">() != 0)
    return kRpcAcceptStatus + accepted->get<"rpc.state_accept">();
  return std::nullopt;
}

std::string_view nfs_status_name(std::uint32_t status) {
  constexpr std::string_view kOk = name_of(kNfsStatusNames, 0);  // of most
  if (status == 0) return kOk;
  if (status == kRpcOverRdmaStatus + 1) return "RPC-over-RDMA version not supported";
  if (status == kRpcOverRdmaStatus + 2) return "bad chunk";
  if (status == kRpcDeniedStatus) return "RPC denied";
  if (status >= kRpcAcceptStatus) return name_of(kRpcAcceptNames, status - kRpcAcceptStatus);
  return name_of(kNfsStatusNames, status);
}

}  // namespace rocescope
