// What a call of NFS is about, and how it ended, from the layers of its messages.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "rocescope/headers/nfs/names.hpp"
#include "rocescope/packet.hpp"

namespace rocescope {

struct NfsCall {
  std::uint32_t opcode = 0;    ///< the procedure; of NFS 4 the operation that the COMPOUND is about, or the last one
  std::string_view operation;  ///< in words; empty: it has no name
  std::string_view program;    ///< in words, where it is another than NFS; often empty
  /// By which the results of its reply are read; kUnknown: they have no status, or it is another program.
  NfsVersion version = NfsVersion::kUnknown;
  bool is_back = false;                 ///< the server calls
  std::optional<std::uint64_t> offset;  ///< of READ, WRITE and COMMIT, bytes
  std::uint32_t bytes = 0;              ///< the same
  bool size_is_cut = false;             ///< how many was not captured
  bool opcode_is_cut = false;  ///< the operation that the COMPOUND is about was not captured: `opcode` is the procedure
};
/// Nothing: the message has no call.
[[nodiscard]] std::optional<NfsCall> nfs_call_of(const Packet& layers);

/// Statuses of RPC and of RPC over RDMA, above those of NFS: 0x10000 + accept state, 0x10100: denied, 0x20000 + error code.
inline constexpr std::uint32_t kRpcAcceptStatus = 0x1'0000;
inline constexpr std::uint32_t kRpcDeniedStatus = 0x1'0100;
inline constexpr std::uint32_t kRpcOverRdmaStatus = 0x2'0000;

/// Of a reply, or an error of RPC over RDMA; nothing: it is not here.
[[nodiscard]] std::optional<std::uint32_t> nfs_status_of(const Packet& layers);
/// In words; empty: it has no name.
[[nodiscard]] std::string_view nfs_status_name(std::uint32_t status);

}  // namespace rocescope
