#include "ulp/nfs/rpc_facts.hpp"

#include <string>
#include <string_view>

#include "dissectors/crc32.hpp"
#include "rocescope/headers/nfs.hpp"

namespace rocescope {
namespace {

/// The CRC-32 that Linux and Wireshark have for a file handle.
std::uint32_t hash_of(const NfsFileHandle& handle) {
  return crc32(0, handle.bytes().data() + NfsFileHandle::kSize, handle.get<"nfs.fh.length">());
}

bool is_io(std::string_view operation) { return operation == "READ" || operation == "WRITE" || operation == "COMMIT"; }

}  // namespace

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

void note_nfs_call(const RpcMessage& message, const NfsCall& call, Command& command) {
  command.opcode = static_cast<std::uint16_t>(call.opcode);
  command.opcode_is_cut = call.opcode_is_cut;
  command.operation = call.operation;
  if (call.is_back) {
    command.detail = "backchannel";
  } else if (!call.program.empty()) {
    command.detail = call.program;
  }
  command.offset = call.offset;
  command.bytes = call.bytes;
  command.size_is_cut = call.size_is_cut;
  if (const auto handle = message.header<NfsFileHandle>()) command.file = hash_of(*handle);
  if (call.is_back || call.version == NfsVersion::kUnknown) return;
  command.kind = is_io(call.operation) ? CommandKind::kIo : CommandKind::kFile;
}

}  // namespace rocescope
