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

  std::unordered_map<Key, State, Hash> states;
};

}  // namespace rocescope
