#include "synth/connection.hpp"

#include <algorithm>

#include "core/random.hpp"

namespace rocescope::synth {
namespace {

constexpr std::uint32_t kPsnMask = 0xFFFFFF;

/// One of 2^bits numbers for each of as many: odd factors have an inverse.
constexpr std::uint32_t shuffled(std::uint32_t number, std::uint64_t seed, unsigned bits) noexcept {
  const auto factor = static_cast<std::uint32_t>(rdmagen::mixed(seed)) | 1U;
  const auto offset = static_cast<std::uint32_t>(rdmagen::mixed(seed + 1));
  const std::uint32_t mask = static_cast<std::uint32_t>((std::uint64_t{1} << bits) - 1);
  std::uint32_t value = (number * factor + offset) & mask;
  value ^= value >> (bits / 2);
  return (value * 0x9E3779B1U) & mask;
}

/// As Linux and mlx5 choose it for a connected queue pair whose flow label is 0: rdma_calc_flow_label and
/// rdma_flow_label_to_udp_sport.
constexpr std::uint16_t udp_source_port(std::uint64_t qpn, std::uint64_t peer) noexcept {
  std::uint64_t label = qpn * peer;
  label ^= label >> 20;
  label ^= label >> 40;
  return static_cast<std::uint16_t>(((label & 0x3FFF) ^ ((label & 0xFC000) >> 14)) | 0xC000);
}

std::uint64_t region_length(const Options& options) noexcept {
  constexpr std::uint64_t kLeast = 65'536;
  return std::max(kLeast, *std::max_element(options.sizes.begin(), options.sizes.end()));
}

End end_of(std::uint32_t number, const Options& options, std::uint64_t salt) noexcept {
  constexpr unsigned kQpnBits = 22;
  constexpr std::uint64_t kPage = 4096;
  const std::uint64_t seed = rdmagen::mixed(options.seed * 16 + salt);
  const std::uint64_t mixed = rdmagen::mixed(seed + number);
  End end;
  end.qpn = (1U << kQpnBits) + shuffled(number, seed, kQpnBits);
  end.first_psn = static_cast<std::uint32_t>(mixed) & kPsnMask;
  end.cm_id = shuffled(number, seed + 2, 32);
  end.region = {.address = 0x7F0000000000 + (mixed >> 30) * kPage,
                .length = region_length(options),
                .key = shuffled(number, seed + 4, 32)};
  return end;
}

}  // namespace

std::uint32_t client_address(std::uint32_t pair) noexcept { return 10U << 24 | pair << 8 | 1U; }
std::uint32_t server_address(std::uint32_t pair) noexcept { return 10U << 24 | pair << 8 | 2U; }

Identity identity_of(std::uint32_t number, const Options& options) noexcept {
  constexpr std::uint32_t kFirstPort = 1024;
  const std::uint32_t pair = number % options.host_pairs;
  Identity identity{.client = end_of(number, options, 1), .server = end_of(number, options, 2)};
  identity.client.address = client_address(pair);
  identity.server.address = server_address(pair);
  identity.udp_port = udp_source_port(identity.client.qpn, identity.server.qpn);
  identity.tcp_port = static_cast<std::uint16_t>(kFirstPort + number / options.host_pairs);
  return identity;
}

}  // namespace rocescope::synth
