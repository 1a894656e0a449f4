// What a packet says of a command of each protocol, for command_mark(): a file of its own each.
#pragma once

#include <optional>

#include "ladder/command_mark.hpp"
#include "rocescope/packet.hpp"

namespace rocescope {

// Nothing: the packet ends no command and no response of it, or the capture cut what says so.
/// A PDU of iSER.
[[nodiscard]] std::optional<CommandMark> iser_mark(const Packet& packet);
/// A call of NFS over RDMA, or the reply.
[[nodiscard]] std::optional<CommandMark> nfs_mark(const Packet& packet);
/// The datagram of RDS that a fragment belongs to.
[[nodiscard]] std::optional<CommandMark> rds_mark(const Packet& packet);
/// Immediate data of rsockets.
[[nodiscard]] std::optional<CommandMark> rsockets_mark(const Packet& packet);
/// Immediate data of RTRS.
[[nodiscard]] std::optional<CommandMark> rtrs_mark(const Packet& packet);
/// SMB: the first of several in one message.
[[nodiscard]] std::optional<CommandMark> smb_mark(const Packet& packet);
/// An information unit of SRP.
[[nodiscard]] std::optional<CommandMark> srp_mark(const Packet& packet);

}  // namespace rocescope
