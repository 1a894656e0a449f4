// The command, or the response, that a packet ends.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "rocescope/command.hpp"
#include "rocescope/packet.hpp"

namespace rocescope {

/// Of NVMe over RDMA, of NFS over RDMA, of iSER, of SRP, of SMB Direct, of RDS, of rsockets, or of RTRS.
struct CommandMark {
  UpperProtocol protocol = UpperProtocol::kNvme;
  bool is_response = false;
  std::uint64_t id = 0;               ///< NFS: the XID; iSER: the Initiator Task Tag; SRP: the tag; SMB: the
                                      ///< Message ID; RDS: the sequence number
  bool id_is_cut = false;             ///< iSER: it was not captured
  std::string_view operation;         ///< of a command; empty: it has no name
  std::string_view detail;            ///< of a command: what it asks for, such as a log page; often empty
  std::uint32_t opcode = 0;           ///< NFS: the procedure; SMB: the command
  std::optional<std::uint64_t> unit;  ///< NVMe: the namespace; iSER, SRP: the LUN; SMB: the Tree ID; RDS: the port
  std::optional<std::uint64_t> first_block;
  std::uint64_t blocks = 0;
  std::optional<std::uint64_t> offset;  ///< NFS, SMB: the first byte
  std::uint32_t bytes = 0;              ///< NFS, SMB, RDS: how many
  bool size_is_cut = false;             ///< how many was not captured
  std::uint32_t status = 0;             ///< of a response, as Command has it
  std::string_view status_name;

  friend bool operator==(const CommandMark&, const CommandMark&) = default;
};

/// Nothing: the packet ends no command or response of a known protocol, or the capture cut it.
[[nodiscard]] std::optional<CommandMark> command_mark(const Packet& packet);

}  // namespace rocescope
