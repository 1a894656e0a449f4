#include "dissectors/ulp/nfs/nfs_call.hpp"

#include <algorithm>

#include "dissectors/ulp/nfs/rpc_message.hpp"
#include "dissectors/ulp/nfs/rpc_walk.hpp"
#include "rocescope/headers/nfs.hpp"
#include "rocescope/headers/rpc.hpp"

namespace rocescope {
namespace {

template <class Headers>
void note_procedure(const Headers& headers, NfsCall& call) {
  call.version = NfsVersion::k3;
  call.operation = name_of(kNfs3ProcedureNames, call.opcode);
  const auto range = headers.template header<NfsRange3>();
  if (!range) call.size_is_cut = call.opcode == kNfs3Read || call.opcode == kNfs3Write || call.opcode == kNfs3Commit;
  if (!range) return;
  call.offset = range->template get<"nfs.offset3">();
  call.bytes = range->template get<"nfs.count3">();
}

std::uint32_t operations_of(const RpcMessage& message) { return message.operations(); }
std::uint32_t operations_of(const Packet& layers) {
  const auto is_one = [](const Layer& layer) { return layer.kind == HeaderKind::kNfsOperation; };
  return static_cast<std::uint32_t>(std::ranges::count_if(layers.layers(), is_one));
}

/// Whether the capture has the operation that the COMPOUND is about: one that only stands beside others is the last.
template <class Headers>
bool has_main_operation(const Headers& headers, std::uint32_t opcode) {
  if (!dissectors::rpc::is_preparation(opcode)) return true;
  const auto compound = headers.template header<NfsCompound>();
  return !compound ||
         operations_of(headers) >= std::min<std::uint32_t>(compound->template get<"rocescope.nfs.operations">(),
                                                           dissectors::rpc::kMostOperations);
}

template <class Headers>
void note_compound(const Headers& headers, NfsCall& call) {
  call.version = NfsVersion::k4;
  call.operation = "COMPOUND";
  const auto operation = headers.template header<NfsOperation>();
  call.opcode_is_cut = !operation || !has_main_operation(headers, operation->template get<"nfs.opcode">());
  call.size_is_cut = call.opcode_is_cut;
  if (call.opcode_is_cut) return;
  call.opcode = operation->template get<"nfs.opcode">();
  call.operation = name_of(kNfs4OperationNames, call.opcode);
  if (const auto read = headers.template header<NfsRead4>()) {
    call.offset = read->template get<"nfs.offset4">();
    call.bytes = read->template get<"nfs.count4">();
  } else if (const auto write = headers.template header<NfsWrite4>()) {
    call.offset = write->template get<"nfs.offset4">();
    call.bytes = write->template get<"nfs.write.data_length">();
  } else if (const auto commit = headers.template header<NfsCommit4>()) {
    call.offset = commit->template get<"nfs.offset4">();
    call.bytes = commit->template get<"nfs.count4">();
  } else {
    call.size_is_cut = call.opcode == kNfs4Read || call.opcode == kNfs4Write || call.opcode == kNfs4Commit;
  }
}

template <class Headers>
void note_callback(const Headers& headers, NfsCall& call) {
  call.is_back = true;
  call.version = call.opcode == 0 ? NfsVersion::kUnknown : NfsVersion::k4;
  call.operation = call.opcode == 0 ? "CB_NULL" : "CB_COMPOUND";
  const auto callback = headers.template header<NfsCallback>();
  if (!callback) return;
  call.opcode = callback->template get<"nfs.cb.operation">();
  call.operation = name_of(kNfs4CallbackNames, call.opcode);
}

template <class Headers>
std::optional<NfsCall> call_among(const Headers& headers) {
  std::optional<NfsCall> found;
  const auto header = headers.template header<RpcCall>();
  if (!header) return found;
  const std::uint32_t program = header->template get<"rpc.program">();
  const std::uint32_t version = header->template get<"rpc.programversion">();
  NfsCall& call = found.emplace();
  call.opcode = header->template get<"rpc.procedure">();
  if (program == kNfsCallbackProgram) {
    note_callback(headers, call);
  } else if (call.opcode == 0) {
    call.operation = "NULL";  // of any program; its results are empty
  } else if (program == kNfsProgram && version == 3) {
    note_procedure(headers, call);
  } else if (program == kNfsProgram && version == 4) {
    note_compound(headers, call);
  } else if (program == kNfsAclProgram) {
    call.version = NfsVersion::k3;
    call.operation = name_of(kNfsAclProcedureNames, call.opcode);
  }
  if (program != kNfsProgram && program != kNfsCallbackProgram) call.program = name_of(kRpcProgramNames, program);
  return found;
}

template <class Headers>
std::optional<std::uint32_t> status_among(const Headers& headers) {
  // Only results that were accepted have one of these.
  if (const auto status = headers.template header<NfsStatus4>()) return status->template get<"nfs.status">();
  if (const auto status = headers.template header<NfsStatus3>()) return status->template get<"nfs.status3">();
  if (const auto error = headers.template header<RpcOverRdmaError>())
    return kRpcOverRdmaStatus + error->template get<"rpcordma.errcode">();
  const auto reply = headers.template header<RpcReply>();
  if (!reply) return std::nullopt;
  if (reply->template get<"rpc.replystat">() != 0) return kRpcDeniedStatus;
  const auto accepted = headers.template header<RpcAccepted>();
  if (accepted && accepted->template get<"rpc.state_accept">() != 0)
    return kRpcAcceptStatus + accepted->template get<"rpc.state_accept">();
  return std::nullopt;
}

}  // namespace

std::optional<NfsCall> nfs_call_of(const Packet& layers) { return call_among(layers); }
std::optional<NfsCall> nfs_call_of(const RpcMessage& message) { return call_among(message); }
std::optional<std::uint32_t> nfs_status_of(const Packet& layers) { return status_among(layers); }
std::optional<std::uint32_t> nfs_status_of(const RpcMessage& message) { return status_among(message); }

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
