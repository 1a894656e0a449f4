// What connections carry in the CM's private data, big-endian: the REQ has the job (40 bytes, job.hpp) and the client's
// region, the REP the server's region. A region is virtual address u64, remote key u32, length u32: 16 bytes, so that
// a REQ is full with 56, which is all that the RDMA IP CM service leaves.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "core/job.hpp"

namespace rocescope::rdmagen {

inline constexpr std::size_t kRegionBytes = 16;
inline constexpr std::size_t kReqBytes = kJobBytes + kRegionBytes;

/// Memory that the other side may use.
struct RemoteRegion {
  std::uint64_t address = 0;
  std::uint32_t rkey = 0;
  std::uint32_t length = 0;
  friend bool operator==(const RemoteRegion&, const RemoteRegion&) = default;
};

[[nodiscard]] std::array<std::uint8_t, kRegionBytes> encode(const RemoteRegion& region) noexcept;
[[nodiscard]] std::optional<RemoteRegion> decode_region(std::span<const std::uint8_t> bytes) noexcept;

[[nodiscard]] std::array<std::uint8_t, kReqBytes> encode_req(const Job& job, const RemoteRegion& region) noexcept;
[[nodiscard]] std::optional<std::pair<Job, RemoteRegion>> decode_req(std::span<const std::uint8_t> bytes) noexcept;

}  // namespace rocescope::rdmagen
