#include "commands/nfs/rpc_facts.hpp"

#include <string>
#include <string_view>

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

RpcChunks rpc_chunks_of(const Packet& layers, std::size_t most) {
  constexpr std::size_t kMarkerAndPosition = 8;
  RpcChunks chunks;
  unsigned ends = 0;  // of lists that were met
  for (const Layer& layer : layers.layers()) {
    if (layer.kind == HeaderKind::kRpcCall) break;  // behind the lists
    const bool is_read = layer.kind == HeaderKind::kRpcReadChunk;
    if (layer.kind == HeaderKind::kRpcListEnd) ends += layer.length / std::uint32_t{RpcListEnd::kSize};
    if (!is_read && layer.kind != HeaderKind::kRpcSegment) continue;
    const std::uint8_t* const first = layers.bytes_with(layer).data() + layer.offset;
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

void note_nfs_call(const Packet& layers, const NfsCall& call, Command& command) {
  command.opcode = static_cast<std::uint16_t>(call.opcode);
  command.operation = call.operation;
  if (call.is_back) {
    command.detail = "backchannel";
  } else if (!call.program.empty()) {
    command.detail = call.program;
  }
  command.offset = call.offset;
  command.bytes = call.bytes;
  // The first file handle: a RENAME has two.
  for (const Layer& layer : layers.layers()) {
    if (layer.kind != HeaderKind::kNfsFileHandle) continue;
    command.file = hash_of(layers, layer);
    break;
  }
  if (call.is_back || call.version == NfsVersion::kUnknown) return;
  command.kind = is_io(call.operation) ? CommandKind::kIo : CommandKind::kFile;
}

}  // namespace rocescope
