// What the layers of a message of RPC over RDMA say.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "commands/command_book.hpp"
#include "rocescope/command.hpp"
#include "rocescope/detail/nfs_call.hpp"
#include "rocescope/packet.hpp"

namespace rocescope {

/// Whether a status tells nothing of the server's health, such as that a file is not there.
[[nodiscard]] bool is_nfs_answer(std::uint32_t status, CommandKind kind);

/// Chunks that the responder READs or WRITEs, as far as `most` of them: those of the read list, of the write list, the reply chunk.
struct RpcChunks {
  std::vector<CommandMemory> all;
  std::size_t reads = 0;               ///< of these: the first
  std::optional<CommandMemory> reply;  ///< the first segment of the reply chunk
};
[[nodiscard]] RpcChunks rpc_chunks_of(const Packet& layers, std::size_t most);

/// Adds what the call is about to `command`.
void note_nfs_call(const Packet& layers, const NfsCall& call, Command& command);

}  // namespace rocescope
