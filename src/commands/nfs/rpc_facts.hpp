// What the layers of a message of RPC over RDMA say.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "commands/command_book.hpp"
#include "rocescope/command.hpp"
#include "rocescope/headers/nfs_names.hpp"
#include "rocescope/packet.hpp"

namespace rocescope {

/// Statuses of RPC and of RPC over RDMA, above those of NFS: 0x10000 + accept state, 0x10100: denied, 0x20000 + error code.
inline constexpr std::uint32_t kRpcAcceptStatus = 0x1'0000;
inline constexpr std::uint32_t kRpcDeniedStatus = 0x1'0100;
inline constexpr std::uint32_t kRpcOverRdmaStatus = 0x2'0000;

/// In words; empty: it has no name.
[[nodiscard]] std::string_view nfs_status_name(std::uint32_t status);
/// Whether such a status tells nothing of the server's health, such as that a file is not there.
[[nodiscard]] bool is_nfs_answer(std::uint32_t status, CommandKind kind);

/// Chunks that the responder READs or WRITEs, as far as `most` of them: those of the read list, of the write list, the reply chunk.
struct RpcChunks {
  std::vector<CommandMemory> all;
  std::size_t reads = 0;               ///< of these: the first
  std::optional<CommandMemory> reply;  ///< the first segment of the reply chunk
};
[[nodiscard]] RpcChunks rpc_chunks_of(const Packet& layers, std::size_t most);

/// Adds what the call is about to `command`. Returns the version of NFS; kUnknown: it is another program.
NfsVersion note_rpc_call(const Packet& layers, Command& command);

/// Of a reply, or an error of RPC over RDMA; nothing: it is not here.
[[nodiscard]] std::optional<std::uint32_t> rpc_status_of(const Packet& layers);

}  // namespace rocescope
