// What one host sent to another, counted as a NIC would.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "rocescope/address.hpp"

namespace rocescope {

/// RoCE packets in one direction. Copies that the capture made are left out.
struct WireCounts {
  std::uint64_t packets = 0;
  std::uint64_t bad_icrc = 0;
  std::uint64_t marked = 0;  ///< with CE
  std::uint64_t cnps = 0;
  std::uint64_t write_requests = 0;  ///< RDMA WRITEs by their First or Only packet, every copy
  std::uint64_t read_requests = 0;
  std::uint64_t atomic_requests = 0;
  std::uint64_t duplicate_requests = 0;  ///< request packets that their responder had carried out before
  std::uint64_t sequence_naks = 0;
  std::uint64_t repeated_naks = 0;  ///< sequence NAKs that acknowledge nothing new
  std::uint64_t rnr_naks = 0;
  std::uint64_t access_naks = 0;       ///< remote access error
  std::uint64_t invalid_naks = 0;      ///< invalid request
  std::uint64_t operational_naks = 0;  ///< remote operational error
  std::uint64_t timeouts = 0;          ///< times that the sender sent again because its ACK timer ran out
  std::uint64_t implied_naks = 0;      ///< times that the sender asked again for responses to a READ

  WireCounts& operator+=(const WireCounts& other) noexcept;
};

/// A host, by its address.
struct Host {
  IpAddress address;
  std::uint32_t overlay_id = 0;  ///< innermost VNI; 0 outside tunnels
  WireCounts sent;
  WireCounts received;
};

// The counters of NICs: what each host's NIC would have counted of the packets in a capture, to be laid beside `rdma statistic`.

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
