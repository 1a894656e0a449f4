// What matters most about a packet, for its one line.
#pragma once

#include "render/packets/notes.hpp"
#include "rocescope/record.hpp"

namespace rocescope::render {

/// The operation's own numbers: syndrome, keys, addresses, operands, immediate, source queue pair, payload.
void add_operation_notes(const Packet& packet, Notes& notes);

/// What happened to the packet on the way and in the capture: congestion marks, VLAN, tunnel, cut or malformed, ICRC.
void add_journey_notes(const PacketRecord& record, Notes& notes);

/// Why dissection ended, in a sentence: `RDMA Extended Transport Header needs 16 bytes at 54, 8 were captured`.
void append_stop(const Stop& stop, std::string& out);

}  // namespace rocescope::render
