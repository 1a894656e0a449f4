// What IcrcVerifier remembers of flows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>

#include "rocescope/headers/dc.hpp"
#include "rocescope/headers/extended_transport.hpp"
#include "rocescope/icrc_verifier.hpp"
#include "tracking/connections/flow_key.hpp"

namespace rocescope {

struct IcrcVerifier::State {
  std::uint16_t shown = 0;                 ///< the port that packets show in the place of these: a rewriting has one
  std::optional<std::uint16_t> known;      ///< verified the flow's packets before
  std::optional<std::uint16_t> candidate;  ///< found for one packet
  std::uint32_t candidate_icrc = 0;        ///< of that packet: a copy of it proves nothing
  std::uint8_t searches = 0;
  bool right_as_shown = false;  ///< a packet that shows source port 4791 was right with it
  bool rewrites_none = false;   ///< a packet that shows the port that was found was right with it
};

struct IcrcVerifier::Flows {
  /// A flow, and the queue pair that sends where the packet names it (UD, DC): the source port follows from both.
  struct Key {
    FlowKey flow;
    std::uint32_t source_qp = 0;
    friend bool operator==(const Key&, const Key&) noexcept = default;
  };
  struct Hash {
    [[nodiscard]] std::size_t operator()(const Key& key) const noexcept {
      return mix(FlowKeyHash{}(key.flow), key.source_qp);
    }
  };

  [[nodiscard]] static Key key_of(const Packet& packet) noexcept {
    Key key{FlowKey::of(packet)};
    if (const auto deth = packet.header<Deth>()) key.source_qp = deth->src_qp().value();
    if (const auto dceth = packet.header<Dceth>()) key.source_qp = dceth->src_qp().value();
    return key;
  }
  /// Null: not known.
  [[nodiscard]] State* find(const Key& key) {
    const auto found = states.find(key);
    return found == states.end() ? nullptr : &found->second;
  }

  /// Whether so many searches for ports of the host's flows found none, and none ever did for sure, that more are worth
  /// nothing. It stays so. Packets that show the known rewriting are searched all the same.
  [[nodiscard]] bool is_vain(const OverlayHost& host) const {
    const auto found = searches.find(host);
    return found != searches.end() && found->second == kVain;
  }
  /// A search for a port of a flow of the host was made.
  void note_search(const OverlayHost& host, bool found_one) {
    const auto known = searches.find(host);
    if (known == searches.end()) {
      if (!found_one && searches.size() < kMostHosts) searches.emplace(host, 1);
    } else if (known->second < kVain) {
      known->second = found_one ? 0 : known->second + 1;
    }
  }
  /// Packets of a flow of the host are right with another port than they show.
  void note_rewriting(const OverlayHost& host) {
    const auto known = searches.find(host);
    if (known == searches.end()) {
      if (searches.size() < kMostHosts) searches.emplace(host, kRewritten);
    } else if (known->second != kVain) {
      known->second = kRewritten;
    }
  }

  std::unordered_map<Key, State, Hash> states;
  /// Searches of hosts that found no port since the last one that did, up to kVain; or kRewritten.
  std::unordered_map<OverlayHost, std::uint8_t, OverlayHostHash> searches;
  static constexpr std::size_t kMostHosts = 65'536;
  static constexpr std::uint8_t kVain = 64;
  static constexpr std::uint8_t kRewritten = 0xFF;
};

}  // namespace rocescope
