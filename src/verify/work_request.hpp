// Compares a work request with its message.
#pragma once

#include <cstdint>
#include <string>

#include "rocescope/message.hpp"
#include "verify/truth_book.hpp"

namespace rocescope::verify {

/// The fields of a message that differ from its work request; a set of bits.
enum Field : unsigned {
  kOpcode = 1,
  kBytes = 2,
  kRemoteAddress = 4,
  kRKey = 8,
  kImmediate = 16,
  kInvalidatedRKey = 32,
  kPsn = 64,
};

/// The operation on the wire of an opcode that makes a message.
[[nodiscard]] Operation operation_of(truth::WorkOpcode opcode) noexcept;

/// Bytes that the message of a work request carries, or that a READ asks for; 0 for atomic operations and FLUSH.
[[nodiscard]] std::uint64_t payload_bytes(const truth::Post& post) noexcept;

/// PSNs that the message of a work request takes (IBTA 9.7.3.2.1): for a READ, as many as its response has packets.
[[nodiscard]] std::uint32_t psns_of(const truth::Post& post, std::uint32_t path_mtu) noexcept;

/// The fields that differ, without the PSN. A message that was perhaps not sent whole may have fewer bytes.
[[nodiscard]] unsigned differing_fields(const WorkRequest& request, const Message& message) noexcept;

/// `work request 14 (RDMA_WRITE, 4096 bytes at 0x7f.. with rkey 0x2b1)`
[[nodiscard]] std::string to_text(const WorkRequest& request);
/// `message 15 in packet 83 (RDMA WRITE, 4096 bytes at 0x7f.. with rkey 0x2b1)`
[[nodiscard]] std::string to_text(const Message& message);
/// `rkey 0x2b1 was posted, 0x2b2 is on the wire; ...`: of all `fields`. `psn` is the one expected.
[[nodiscard]] std::string difference_text(const WorkRequest& request, const Message& message, unsigned fields, Psn psn);

}  // namespace rocescope::verify
