// Which hosts send packets whose ICRC is right: a wrong one of theirs is damage. Of a host that never sent a right one, the capture
// most probably has its packets from before its NIC wrote the ICRC.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "rocescope/packet.hpp"
#include "tracking/connections/flow_key.hpp"

namespace rocescope {

class IcrcSenders {
 public:
  /// Further hosts are not remembered: each of their wrong ICRCs is judged by its flow alone.
  static constexpr std::size_t kMost = 65'536;

  /// A packet with a right ICRC came. Whether packets of its host with a wrong one had been believed before.
  [[nodiscard]] bool add_good(const Packet& packet) {
    const Host host{packet.source, packet.overlay_id};
    last_good_ = host;
    State* const state = at(host);
    if (state == nullptr || state->good) return false;
    state->good = true;
    return state->believed;
  }
  /// Whether add_good() was called for a packet of the same host last.
  [[nodiscard]] bool was_last_good(const Packet& packet) const noexcept {
    return last_good_.address == packet.source && last_good_.overlay_id == packet.overlay_id;
  }
  /// A packet with a wrong ICRC is followed, since none of its host was right.
  void believe(const Packet& packet) {
    if (State* const state = at({packet.source, packet.overlay_id})) state->believed = true;
  }
  [[nodiscard]] bool is_good(const Packet& packet) const noexcept {
    const auto found = hosts_.find({packet.source, packet.overlay_id});
    return found != hosts_.end() && found->second.good;
  }
  /// Whether `is_its(address)` is true of a host that is good, in the overlay of `packet`.
  template <class IsIts>
  [[nodiscard]] bool any_good(const Packet& packet, IsIts is_its) const {
    constexpr std::size_t kMostTried = 4096;
    std::size_t tried = 0;
    for (const auto& [host, state] : hosts_) {
      if (++tried > kMostTried) return false;
      if (state.good && host.overlay_id == packet.overlay_id && is_its(host.address)) return true;
    }
    return false;
  }

 private:
  friend struct StateMembers;
  struct Host {
    IpAddress address;
    std::uint32_t overlay_id = 0;
    friend bool operator==(const Host&, const Host&) noexcept = default;
  };
  struct HostHash {
    [[nodiscard]] std::size_t operator()(const Host& host) const noexcept {
      return mix(mix(hash_seed(), host.address), host.overlay_id);
    }
  };
  struct State {
    bool good = false;
    bool believed = false;
  };

  [[nodiscard]] State* at(const Host& host) {
    if (const auto found = hosts_.find(host); found != hosts_.end()) return &found->second;
    return hosts_.size() < kMost ? &hosts_[host] : nullptr;
  }

  std::unordered_map<Host, State, HostHash> hosts_;
  Host last_good_;
};

}  // namespace rocescope
