// What a receiver of NCCL, or of RCCL, writes to the sender when it is ready: where the data may go. All is little-endian.
// (NCCL 2.7 to 2.30, src/transport/net_ib.cc, struct ncclIbSendFifo)
#pragma once

#include <cstdint>
#include <optional>

#include "rocescope/bytes.hpp"

namespace rocescope {

struct NcclClearToSend {
  std::uint64_t number = 0;   ///< counts those of a receiver, from 1 (of NCCL before 2.12 from 0 or 1)
  std::uint32_t buffers = 0;  ///< that it names, 1 to 8
  std::uint64_t address = 0;  ///< of the first buffer
  std::uint32_t r_key = 0;    ///< the same, for the first device
};

/// Whether a WRITE of one packet may be one by the length of its payload.
[[nodiscard]] constexpr bool has_length_of_nccl(std::uint64_t length) noexcept {
  constexpr std::uint64_t kOld = 24;
  constexpr std::uint64_t kShortest = 32;
  constexpr std::uint64_t kLongest = 64;
  constexpr std::uint64_t kMostBuffers = 8;
  return length == kOld || (length >= kShortest && length % kShortest == 0 && length <= kLongest * kMostBuffers);
}

/// `payload`: all of a WRITE of one packet. Nothing: it is none. Random bytes have the form once in 2^64, that of NCCL 2.7,
/// which has 24 bytes, once in 2^40.
[[nodiscard]] std::optional<NcclClearToSend> nccl_clear_to_send_of(Bytes payload) noexcept;

}  // namespace rocescope
