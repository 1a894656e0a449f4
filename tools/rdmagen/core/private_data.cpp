#include "core/private_data.hpp"

#include <algorithm>

#include "core/big_endian.hpp"

namespace rocescope::rdmagen {

std::array<std::uint8_t, kRegionBytes> encode(const RemoteRegion& region) noexcept {
  std::array<std::uint8_t, kRegionBytes> bytes{};
  BigEndianWriter(bytes).put(region.address).put(region.rkey).put(region.length);
  return bytes;
}

std::optional<RemoteRegion> decode_region(std::span<const std::uint8_t> bytes) noexcept {
  if (bytes.size() < kRegionBytes) return std::nullopt;
  BigEndianReader reader(bytes);
  RemoteRegion region;
  reader.take(region.address);
  reader.take(region.rkey);
  reader.take(region.length);
  return region;
}

std::array<std::uint8_t, kReqBytes> encode_req(const Job& job, const RemoteRegion& region) noexcept {
  std::array<std::uint8_t, kReqBytes> bytes{};
  const auto job_bytes = encode(job);
  const auto region_bytes = encode(region);
  std::copy(job_bytes.begin(), job_bytes.end(), bytes.begin());
  std::copy(region_bytes.begin(), region_bytes.end(), bytes.begin() + kJobBytes);
  return bytes;
}

std::optional<std::pair<Job, RemoteRegion>> decode_req(std::span<const std::uint8_t> bytes) noexcept {
  const std::optional<Job> job = decode_job(bytes);
  if (!job || bytes.size() < kReqBytes) return std::nullopt;
  return std::pair(*job, *decode_region(bytes.subspan(kJobBytes)));
}

}  // namespace rocescope::rdmagen
