// The connections: who they are follows from their number alone, what happened to them is counted.
#pragma once

#include <array>
#include <cstdint>

#include "core/operation.hpp"
#include "synth/options.hpp"

namespace rocescope::synth {

/// Memory that one side registered for a connection.
struct Region {
  std::uint64_t address = 0;
  std::uint64_t length = 0;  ///< bytes
  std::uint32_t key = 0;     ///< local and remote
};

/// One end of a connection.
struct End {
  std::uint32_t address = 0;  ///< IPv4
  std::uint32_t qpn = 0;
  std::uint32_t first_psn = 0;  ///< of its requests
  std::uint32_t cm_id = 0;
  Region region;
};

/// What a connection is from its beginning. The client is the one that sends requests.
struct Identity {
  End client;
  End server;
  std::uint16_t udp_port = 0;  ///< both send from it
  std::uint16_t tcp_port = 0;  ///< of the client, in its REQ
};

/// The connection `number` (from 0) of the capture.
[[nodiscard]] Identity identity_of(std::uint32_t number, const Options& options) noexcept;

/// IPv4 address of a host of the host pair `pair`.
[[nodiscard]] std::uint32_t client_address(std::uint32_t pair) noexcept;
[[nodiscard]] std::uint32_t server_address(std::uint32_t pair) noexcept;

/// What is in the capture of one connection's requests and responses.
struct Tally {
  std::array<std::uint64_t, rdmagen::kOperationCount> messages{};
  std::array<std::uint64_t, rdmagen::kOperationCount> bytes{};  ///< of messages
  std::uint64_t requests = 0;                                   ///< packets, each copy
  std::uint64_t responses = 0;                                  ///< packets, ACKs and NAKs among them
  std::uint64_t acks = 0;
  std::uint64_t naks = 0;
  std::uint64_t lost_before = 0;  ///< packets, before the capture point
  std::uint64_t lost_after = 0;
  std::uint64_t resent = 0;
  std::uint64_t reordered = 0;
  std::uint64_t duplicates = 0;
};

/// How far a connection is.
struct Connection {
  std::uint32_t next_psn = 0;
  std::uint32_t msn = 0;  ///< of the last message answered
  std::uint64_t next_wr_id = 1;
  std::uint32_t rounds = 0;
  Tally tally;
};

}  // namespace rocescope::synth
