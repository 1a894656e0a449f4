// By what messages each protocol is known, and what follows its connections.
#pragma once

#include <cstdint>
#include <memory>

#include "messages/payload.hpp"
#include "rocescope/command.hpp"
#include "rocescope/handshake.hpp"
#include "ulp/carried.hpp"

namespace rocescope {

/// `handshake`: null if it is not known. Returns null if only the name of the protocol is known.
[[nodiscard]] std::unique_ptr<Carried> follow(UpperProtocol protocol, std::uint32_t connection,
                                              const Handshake* handshake);
/// By the form of its messages. Of what the handshake names, the name is all that is asked for.
[[nodiscard]] std::unique_ptr<Carried> follow_by_form(UpperProtocol protocol, std::uint32_t connection);

/// Whether messages of the protocol have a form by which they are known.
[[nodiscard]] constexpr bool has_forms(UpperProtocol protocol) {
  return protocol != UpperProtocol::kRtrs && protocol != UpperProtocol::kRsockets;
}

/// Whether the message has the form of one of the protocol.
[[nodiscard]] bool has_form(UpperProtocol protocol, const SendPayload& payload);
/// The protocol whose form the message has; kUnknown: none.
[[nodiscard]] UpperProtocol protocol_like(const SendPayload& payload);
/// The same of a WRITE that is one packet.
[[nodiscard]] UpperProtocol protocol_like(const DataPayload& payload);
/// Whether WRITEs say what it is.
[[nodiscard]] constexpr bool is_of_writes(UpperProtocol protocol) {
  return protocol == UpperProtocol::kNccl || protocol == UpperProtocol::kRsockets || protocol == UpperProtocol::kRtrs;
}

}  // namespace rocescope
