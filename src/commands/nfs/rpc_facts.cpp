#include "commands/nfs/rpc_facts.hpp"

#include <string>

#include "dissectors/crc32.hpp"
#include "rocescope/headers/nfs.hpp"
#include "rocescope/headers/rpc.hpp"

namespace rocescope {
namespace {

constexpr std::size_t kAddress = 8;  // bytes of a segment before its offset

/// A segment (RFC 8166, 4.2).
CommandMemory memory_at(const std::uint8_t* segment) {
  return {static_cast<std::uint32_t>(load_big_endian(segment, 4)), load_big_endian(segment + kAddress, 8),
          load_big_endian(segment + 4, 4)};
}

/// The CRC-32 that Linux and Wireshark have for a file handle.
std::uint32_t hash_of(const Packet& layers, const Layer& handle) {
  const std::uint8_t* const first = layers.bytes_with(handle).data() + handle.offset;
  return crc32(0, first + NfsFileHandle::kSize, NfsFileHandle(first).get<"nfs.fh.length">());
}

void note_range(const Packet& layers, Command& command) {
  if (const auto range = layers.header<NfsRange3>()) {
    command.offset = range->get<"nfs.offset3">();
    command.bytes = range->get<"nfs.count3">();
  } else if (const auto read = layers.header<NfsRead4>()) {
    command.offset = read->get<"nfs.offset4">();
    command.bytes = read->get<"nfs.count4">();
  } else if (const auto write = layers.header<NfsWrite4>()) {
    command.offset = write->get<"nfs.offset4">();
    command.bytes = write->get<"nfs.write.data_length">();
  } else if (const auto commit = layers.header<NfsCommit4>()) {
    command.offset = commit->get<"nfs.offset4">();
    command.bytes = commit->get<"nfs.count4">();
  }
}

bool is_io(const Command& command) {
  return command.operation == "READ" || command.operation == "WRITE" || command.operation == "COMMIT";
}

/// Of NFS 4: of the operation that a COMPOUND is about, or the last one.
void note_operation(const Packet& layers, std::uint32_t procedure, Command& command) {
  const auto operation = layers.header<NfsOperation>();
  command.opcode = static_cast<std::uint16_t>(operation ? operation->get<"nfs.opcode">() : procedure);
  command.operation = operation        ? name_of(kNfs4OperationNames, operation->get<"nfs.opcode">())
                      : procedure == 0 ? "NULL"
                                       : "COMPOUND";
}

void note_callback(const Packet& layers, std::uint32_t procedure, Command& command) {
  const auto callback = layers.header<NfsCallback>();
  command.opcode = static_cast<std::uint16_t>(callback ? callback->get<"nfs.cb.operation">() : procedure);
  command.operation = callback         ? name_of(kNfs4CallbackNames, callback->get<"nfs.cb.operation">())
                      : procedure == 0 ? "CB_NULL"
                                       : "CB_COMPOUND";
  command.detail = "backchannel";
}

}  // namespace

std::string_view nfs_status_name(std::uint32_t status) {
  if (status == kRpcOverRdmaStatus + 1) return "RPC-over-RDMA version not supported";
  if (status == kRpcOverRdmaStatus + 2) return "bad chunk";
  if (status == kRpcDeniedStatus) return "RPC denied";
  if (status >= kRpcAcceptStatus) return name_of(kRpcAcceptNames, status - kRpcAcceptStatus);
  return name_of(kNfsStatusNames, status);
}

bool is_nfs_answer(std::uint32_t status, CommandKind kind) {
  switch (status) {
    case kRpcAcceptStatus + 1:  // PROG_UNAVAIL, PROG_MISMATCH, PROC_UNAVAIL: a client asks what there is
    case kRpcAcceptStatus + 2:
    case kRpcAcceptStatus + 3:
    case 10008:  // DELAY, GRACE, OLD_STATEID: the client asks again
    case 10013:
    case 10024:
      return true;
    case 5:  // IO, NXIO, NODEV, NOSPC, ROFS, DQUOT, STALE, REMOTE
    case 6:
    case 19:
    case 28:
    case 30:
    case 69:
    case 70:
    case 71:
    case 10001:  // BADHANDLE, SERVERFAULT, RESOURCE, BADXDR
    case 10006:
    case 10018:
    case 10036:
    case 10011:  // EXPIRED, STALE_CLIENTID, STALE_STATEID, ADMIN_REVOKED, BADSESSION, DEADSESSION, DELEG_REVOKED
    case 10022:
    case 10023:
    case 10047:
    case 10052:
    case 10078:
    case 10087:
      return false;
    default:
      return status < kRpcAcceptStatus && kind != CommandKind::kIo;
  }
}

RpcChunks rpc_chunks_of(const Packet& layers, std::size_t most) {
  constexpr std::size_t kMarkerAndPosition = 8;
  RpcChunks chunks;
  unsigned ends = 0;  // of lists that were met
  for (const Layer& layer : layers.layers()) {
    const std::uint8_t* const first = layers.bytes_with(layer).data() + layer.offset;
    const bool is_read = layer.kind == HeaderKind::kRpcReadChunk;
    if (layer.kind == HeaderKind::kRpcListEnd) ends += layer.length / std::uint32_t{RpcListEnd::kSize};
    if (!is_read && layer.kind != HeaderKind::kRpcSegment) continue;
    const std::size_t size = is_read ? RpcReadChunk::kSize : RpcSegment::kSize;
    for (std::size_t at = 0; at + size <= layer.length; at += size) {
      const CommandMemory memory = memory_at(first + at + (is_read ? kMarkerAndPosition : 0));
      if (ends == 2 && !chunks.reply) chunks.reply = memory;
      if (chunks.all.size() < most) chunks.all.push_back(memory);
    }
    if (is_read) chunks.reads = chunks.all.size();
  }
  return chunks;
}

NfsVersion note_rpc_call(const Packet& layers, Command& command) {
  const auto call = layers.header<RpcCall>();
  if (!call) return NfsVersion::kUnknown;
  const std::uint32_t program = call->get<"rpc.program">();
  const std::uint32_t version = call->get<"rpc.programversion">();
  const std::uint32_t procedure = call->get<"rpc.procedure">();
  command.opcode = static_cast<std::uint16_t>(procedure);
  // The first file handle: a RENAME has two.
  for (const Layer& layer : layers.layers()) {
    if (layer.kind == HeaderKind::kNfsFileHandle && !command.file) command.file = hash_of(layers, layer);
  }
  note_range(layers, command);
  if (program == kNfsCallbackProgram) {
    note_callback(layers, procedure, command);
    return NfsVersion::k4;
  }
  if (program == kNfsAclProgram) command.operation = name_of(kNfsAclProcedureNames, procedure);
  if (program != kNfsProgram) command.detail = std::string(name_of(kRpcProgramNames, program));
  if (program == kNfsAclProgram) return procedure == 0 ? NfsVersion::kUnknown : NfsVersion::k3;
  if (program != kNfsProgram) return NfsVersion::kUnknown;
  if (version == 3) command.operation = name_of(kNfs3ProcedureNames, procedure);
  if (version == 4) note_operation(layers, procedure, command);
  command.kind = is_io(command) ? CommandKind::kIo : CommandKind::kFile;
  if (procedure == 0) return NfsVersion::kUnknown;  // its results are empty
  return version == 3 ? NfsVersion::k3 : version == 4 ? NfsVersion::k4 : NfsVersion::kUnknown;
}

std::optional<std::uint32_t> rpc_status_of(const Packet& layers) {
  if (const auto error = layers.header<RpcOverRdmaError>())
    return kRpcOverRdmaStatus + error->get<"rpcordma.errcode">();
  const auto reply = layers.header<RpcReply>();
  if (!reply) return std::nullopt;
  if (reply->get<"rpc.replystat">() != 0) return kRpcDeniedStatus;
  const auto accepted = layers.header<RpcAccepted>();
  if (!accepted) return std::nullopt;
  if (accepted->get<"rpc.state_accept">() != 0) return kRpcAcceptStatus + accepted->get<"rpc.state_accept">();
  if (const auto status = layers.header<NfsStatus3>()) return status->get<"nfs.status3">();
  if (const auto status = layers.header<NfsStatus4>()) return status->get<"nfs.status">();
  return std::nullopt;
}

}  // namespace rocescope
