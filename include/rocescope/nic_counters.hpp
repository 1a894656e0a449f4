// The counters of NICs: what each host's NIC would have counted of the packets in a capture, to be laid beside `rdma statistic`.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "rocescope/host.hpp"

namespace rocescope {

/// In the order of nic_counter_infos().
enum class NicCounter : std::uint8_t {
  kSentPackets,
  kReceivedPackets,
  kOutOfSequence,
  kPacketSeqErr,
  kImpliedNakSeqErr,
  kDuplicateRequest,
  kSendRnr,
  kRnrNakRetryErr,
  kLocalAckTimeoutErr,
  kCnpSent,
  kEcnMarked,
  kCnpHandled,
  kWriteRequests,
  kReadRequests,
  kAtomicRequests,
  kIcrcErrors,
  kReqRemoteAccess,
  kRespRemoteAccess,
  kReqInvalidRequest,
  kRespInvalidRequest,
  kReqOperational,
};
inline constexpr std::size_t kNicCounters = static_cast<std::size_t>(NicCounter::kReqOperational) + 1;

struct NicCounterInfo {
  NicCounter counter;
  std::string_view mlx5;     ///< its name in /sys/class/infiniband/mlx5_*/ports/*/hw_counters; empty: it has none
  std::string_view rxe;      ///< the same of the Linux software RoCE device; empty: it has none
  std::string_view meaning;  ///< one sentence
  std::string_view
      not_on_wire;  ///< what the NIC counts differently, or knows and no packet shows; empty: nothing known
};

/// All counters, in the order of NicCounter.
[[nodiscard]] std::span<const NicCounterInfo> nic_counter_infos() noexcept;

/// The names that a counter has: mlx5's, or rxe's where mlx5 has none.
[[nodiscard]] std::string_view name_of(const NicCounterInfo& info) noexcept;

/// What the NIC of `host` would have counted.
[[nodiscard]] std::array<std::uint64_t, kNicCounters> nic_counters(const Host& host) noexcept;

}  // namespace rocescope
