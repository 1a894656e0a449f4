// Which hosts send packets whose ICRC is right: a wrong one of theirs is damage. Of a host that never sent a right one, the capture
// most probably has its packets from before its NIC wrote the ICRC.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rocescope/packet.hpp"
#include "tracking/connections/flow_key.hpp"
#include "tracking/connections/key_table.hpp"

namespace rocescope {

class IcrcSenders {
 public:
  /// Further hosts are not remembered: each of their wrong ICRCs is judged by its flow alone.
  static constexpr std::size_t kMost = 65'536;
  static constexpr std::size_t kMostTried = 4'096;

  /// A packet with a right ICRC came. Whether its host is good from now on, and packets of it had been believed that may
  /// have been damaged. Those of a host that sends_without() were not.
  [[nodiscard]] bool add_good(const Packet& packet) {
    const OverlayHost host = OverlayHost::of_source(packet);
    last_good_ = host;
    State* const state = at(host);
    if (state == nullptr || state->good) return false;
    state->good = true;
    if (good_.size() < kMostTried) good_.push_back(host);
    return state->wrong > 0 && state->wrong < kSendsWithout;
  }
  /// Whether add_good() was called for a packet of the same host last.
  [[nodiscard]] bool was_last_good(const Packet& packet) const noexcept {
    return last_good_.address == packet.source && last_good_.overlay_id == packet.overlay_id;
  }
  /// A packet with a wrong ICRC is followed, since none of its host was right.
  void believe(const Packet& packet) {
    State* const state = at(OverlayHost::of_source(packet));
    if (state != nullptr && state->wrong < kSendsWithout) ++state->wrong;
  }
  /// So many packets in a row of one of its queue pairs were wrong that these have no ICRC.
  void note_without(const Packet& packet) {
    if (State* const state = at(OverlayHost::of_source(packet))) state->wrong = kSendsWithout;
  }
  /// Whether so many packets of its host were wrong before the first right one that it sends without ICRCs: then so do all
  /// its queue pairs that began so.
  [[nodiscard]] bool sends_without(const Packet& packet) const {
    const State* const found = hosts_.find(OverlayHost::of_source(packet));
    return found != nullptr && found->wrong >= kSendsWithout;
  }
  [[nodiscard]] bool is_good(const Packet& packet) const noexcept {
    const State* const found = hosts_.find(OverlayHost::of_source(packet));
    return found != nullptr && found->good;
  }
  /// Whether `is_its(address)` is true of one of the first kMostTried hosts that were good, in the overlay of `packet`.
  template <class IsIts>
  [[nodiscard]] bool any_good(const Packet& packet, IsIts is_its) const {
    return std::ranges::any_of(
        good_, [&](const OverlayHost& host) { return host.overlay_id == packet.overlay_id && is_its(host.address); });
  }

 private:
  friend struct StateMembers;
  struct State {
    bool good = false;
    std::uint8_t wrong = 0;  ///< while it was not good, up to kSendsWithout
  };
  /// More than a queue pair takes: a link that damages nine packets of ten lets one of these through all but certainly.
  static constexpr std::uint8_t kSendsWithout = 64;

  [[nodiscard]] State* at(const OverlayHost& host) {
    if (State* const found = hosts_.find(host)) return found;
    return hosts_.size() < kMost ? &hosts_[host] : nullptr;
  }

  KeyTable<OverlayHost, State, OverlayHostHash> hosts_;
  std::vector<OverlayHost> good_;  // the first kMostTried of these, in the order in which that showed
  OverlayHost last_good_;
};

}  // namespace rocescope
