// The call of NFS over RDMA, or the reply, that a packet ends.
#pragma once

#include <optional>

#include "ladder/command_mark.hpp"
#include "rocescope/packet.hpp"

namespace rocescope {

/// Nothing: it ends none, or the capture cut it.
[[nodiscard]] std::optional<CommandMark> nfs_mark(const Packet& packet);

}  // namespace rocescope
