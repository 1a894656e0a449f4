// What makes two packets belong to one flow.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "rocescope/address.hpp"
#include "rocescope/packet.hpp"

namespace rocescope {

/// All packets from one address to one queue pair that one capture point sees. UDP source port and VLAN are attributes of a flow, not part of its
/// key: both may change in mid-flow (adaptive routing, link aggregation).
struct FlowKey {
  IpAddress source;
  IpAddress destination;
  Qpn dest_qp;
  std::uint32_t overlay_id = 0;  ///< innermost VNI; 0 outside tunnels
  std::uint16_t capture_point = 1;

  /// Of a packet that is_roce().
  [[nodiscard]] static FlowKey of(const Packet& packet) noexcept {
    return {packet.source, packet.destination, packet.roce.dest_qp, packet.overlay_id, packet.frame.capture_point};
  }
  friend bool operator==(const FlowKey&, const FlowKey&) noexcept = default;
};

/// Folds `value` into the hash `seed`: multiplication by an odd 64-bit constant, high bits folded down.
[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t seed, std::uint64_t value) noexcept {
  std::uint64_t hash = (seed ^ value) * 0x9E3779B97F4A7C15U;
  hash ^= hash >> 32;
  hash *= 0xD6E8FEB86659FD93U;
  return hash ^ (hash >> 29);
}

[[nodiscard]] inline std::uint64_t mix(std::uint64_t seed, const IpAddress& address) noexcept {
  std::uint64_t halves[2];
  std::memcpy(halves, address.bytes.data(), sizeof halves);
  return mix(mix(seed, halves[0]), halves[1]);
}

/// Of a run that goes on with what another one remembers, hashes among it; 0: of none.
[[nodiscard]] inline std::uint64_t& earlier_hash_seed() noexcept {
  static std::uint64_t seed = 0;
  return seed;
}
/// Differs from run to run, so that no capture can be made whose keys all collide.
[[nodiscard]] inline std::uint64_t hash_seed() noexcept {
  static const auto seed =
      earlier_hash_seed() != 0
          ? earlier_hash_seed()
          : static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
  return seed;
}
/// Before anything is hashed. False: something was, with another one.
[[nodiscard]] inline bool set_hash_seed(std::uint64_t seed) noexcept {
  earlier_hash_seed() = seed;
  return hash_seed() == seed;
}

/// The product of both, its high half folded into its low one.
[[nodiscard]] inline std::uint64_t fold(std::uint64_t a, std::uint64_t b) noexcept {
  __extension__ using Product = unsigned __int128;
  const Product product = static_cast<Product>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

/// Each packet needs one, so the products do not depend on each other until the last. Each factor has a secret part: a factor
/// of zero would hide the other one, and a capture could be made for that.
struct FlowKeyHash {
  [[nodiscard, gnu::always_inline]] std::size_t operator()(const FlowKey& key) const noexcept {
    static const std::array<std::uint64_t, 6> kSecrets = secrets();
    std::uint64_t source[2];
    std::uint64_t destination[2];
    std::memcpy(source, key.source.bytes.data(), sizeof source);
    std::memcpy(destination, key.destination.bytes.data(), sizeof destination);
    const std::uint64_t from = fold(source[0] ^ kSecrets[0], source[1] ^ kSecrets[1]);
    const std::uint64_t to = fold(destination[0] ^ kSecrets[2], destination[1] ^ kSecrets[3]);
    constexpr unsigned kQpnBits = 24;
    const std::uint64_t target = (static_cast<std::uint64_t>(key.overlay_id) << 32) |
                                 (static_cast<std::uint64_t>(key.capture_point) << kQpnBits) | key.dest_qp.value();
    return fold(from ^ target ^ kSecrets[4], to ^ kSecrets[5]);
  }

 private:
  [[nodiscard]] static std::array<std::uint64_t, 6> secrets() noexcept {
    std::array<std::uint64_t, 6> secrets;
    for (std::size_t i = 0; i < secrets.size(); ++i) secrets[i] = mix(hash_seed(), i + 1);
    return secrets;
  }
};

/// A host, in its overlay.
struct OverlayHost {
  IpAddress address;
  std::uint32_t overlay_id = 0;

  [[nodiscard]] static OverlayHost of_source(const Packet& packet) noexcept {
    return {packet.source, packet.overlay_id};
  }
  friend bool operator==(const OverlayHost&, const OverlayHost&) noexcept = default;
};

struct OverlayHostHash {
  [[nodiscard]] std::size_t operator()(const OverlayHost& host) const noexcept {
    return mix(mix(hash_seed(), host.address), host.overlay_id);
  }
};

}  // namespace rocescope
