// What a message of RPC over RDMA says.
#pragma once

#include <cstdint>

#include "dissectors/ulp/nfs/nfs_call.hpp"
#include "dissectors/ulp/nfs/rpc_message.hpp"
#include "rocescope/command.hpp"

namespace rocescope {

/// Whether a status says nothing about the server's health, such as that a file is not there.
[[nodiscard]] bool is_nfs_answer(std::uint32_t status, CommandKind kind);

/// Adds what the call is about to `command`.
void note_nfs_call(const RpcMessage& message, const NfsCall& call, Command& command);

}  // namespace rocescope
