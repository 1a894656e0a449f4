// A work request beside the message that it should be.
#pragma once

#include <cstdint>
#include <string>

#include "rocescope/message.hpp"
#include "verify/truth_book.hpp"

namespace rocescope::verify {

/// What of a message is not as it was posted; any of them together.
enum Field : unsigned {
  kOpcode = 1,
  kBytes = 2,
  kRemoteAddress = 4,
  kRKey = 8,
  kImmediate = 16,
  kInvalidatedRKey = 32,
  kPsn = 64,
};

/// The operation that an opcode is on the wire. `opcode` is one of a message.
[[nodiscard]] Operation operation_of(truth::WorkOpcode opcode) noexcept;

/// Bytes that the message of a work request carries, or, a READ, asks for: none of an atomic operation or FLUSH.
[[nodiscard]] std::uint64_t payload_bytes(const truth::Post& post) noexcept;

/// PSNs that the message of a work request takes (IBTA 9.7.3.2.1): of a READ as many as its response has packets.
[[nodiscard]] std::uint32_t psns_of(const truth::Post& post, std::uint32_t path_mtu) noexcept;

/// The fields that differ, without the PSN. Of a message that nothing says was sent whole, less may be there.
[[nodiscard]] unsigned differing_fields(const WorkRequest& request, const Message& message) noexcept;

/// `work request 14 (RDMA_WRITE, 4096 bytes at 0x7f.. with rkey 0x2b1)`
[[nodiscard]] std::string to_text(const WorkRequest& request);
/// `message 15 in packet 83 (RDMA WRITE, 4096 bytes at 0x7f.. with rkey 0x2b1)`
[[nodiscard]] std::string to_text(const Message& message);
/// `rkey 0x2b1 was posted, 0x2b2 is on the wire; ...`: of all `fields`. `psn` is the one expected.
[[nodiscard]] std::string difference_text(const WorkRequest& request, const Message& message, unsigned fields, Psn psn);

}  // namespace rocescope::verify
