// Flows whose other direction is not known yet, and the evidence for it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "rocescope/psn.hpp"
#include "tracking/connections/flow_key.hpp"

namespace rocescope {

/// A packet whose flow is to be paired.
struct UnpairedPacket {
  FlowKey key;
  std::uint16_t source_port = 0;  ///< UDP's; 0: none
  Psn psn;
};

/// PSNs from `first` to `last`.
struct PsnSpan {
  Psn first;
  Psn last;
  [[nodiscard]] bool has(Psn psn) const noexcept {
    return Psn(psn.value() - first.value()).value() <= Psn(last.value() - first.value()).value();
  }
};

/// Finds the other direction of a flow. A wrong one is worse than none: it waits for later packets while more than one will do.
class UnpairedFlows {
 public:
  /// More flows between two hosts than this are not tried for one packet: the oldest ones are.
  static constexpr std::size_t kMostTried = 4096;
  /// More that fit one packet are not remembered.
  static constexpr std::size_t kMostCandidates = 64;
  static constexpr std::size_t kMostVotes = 65'536;  ///< flows of responses that wait at a time

  void add(const FlowKey& key, std::uint32_t connection, std::uint16_t source_port);
  void forget(const FlowKey& key, std::uint32_t connection);
  /// All outstanding requests of the flow have PSNs of this span.
  void note_requests(const FlowKey& key, std::uint32_t connection, const PsnSpan& requests);
  /// Whether note_requests() would change nothing: the span lies within the noted one, or the flow is not here.
  [[nodiscard]] bool knows_requests(std::uint32_t connection, const PsnSpan& requests) const {
    const auto found = noted_.find(connection);
    if (found == noted_.end()) return true;
    const PsnSpan& known = found->second.requests;
    return known.has(requests.first) && known.has(requests.last);
  }

  /// The connection whose requests the response `packet` answers: `fits(connection)` says whether its PSN is outstanding there.
  template <class Fits>
  [[nodiscard]] std::optional<std::uint32_t> by_psn(const UnpairedPacket& packet, Fits fits) {
    const auto flows = flows_.find(HostPair::opposite(packet.key));
    if (flows == flows_.end()) return std::nullopt;
    const auto all = [&] {
      std::vector<Flow> found;
      for (const Flow& flow : std::span(flows->second).first(std::min(flows->second.size(), kMostTried))) {
        if (found.size() > kMostCandidates) break;
        if (flow.requests.has(packet.psn) && fits(flow.connection)) found.push_back(flow);
      }
      return found;
    };
    if (votes_.size() >= kMostVotes && !votes_.contains(packet.key)) return std::nullopt;
    Vote& vote = votes_[packet.key];
    if (vote.pause > 0) {
      --vote.pause;
      return std::nullopt;
    }
    if (vote.witnesses > 0 && vote.last == packet.psn) return std::nullopt;
    const std::uint32_t before = vote.candidates.size() == 1 ? vote.candidates[0].connection : kNobody;
    std::vector<Flow> fitting_still = vote.candidates;
    std::erase_if(fitting_still, [&](const Flow& flow) { return !fits(flow.connection); });
    if (fitting_still.size() <= 1) {
      // Flows that appeared since may fit as well: look at all once more before it is decided.
      fitting_still = all();
      if (fitting_still.empty()) return std::nullopt;  // the capture lacks the request
    }
    if (fitting_still.size() > kMostCandidates) {
      vote = {.pause = kPause};
      return std::nullopt;
    }
    vote.candidates = std::move(fitting_still);
    vote.last = packet.psn;
    ++vote.witnesses;
    if (vote.candidates.size() != 1) return std::nullopt;
    const Flow& only = vote.candidates[0];
    if (only.connection != before) vote.witnesses = 1;
    const bool same_port = packet.source_port != 0 && packet.source_port == only.source_port;
    const std::uint32_t needed = (is_alone(packet.key) ? 2U : 3U) - (same_port ? 1U : 0U);
    return vote.witnesses >= needed ? std::optional(only.connection) : std::nullopt;
  }

  /// The connection whose two source ports follow from its queue pair and that of `packet`, if it is the only one.
  [[nodiscard]] std::optional<std::uint32_t> by_port(const UnpairedPacket& packet) const;

 private:
  friend struct StateMembers;
  static constexpr std::uint32_t kNobody = 0xFFFFFFFF;
  static constexpr std::uint32_t kPause = 64;  ///< responses

  /// Those who send to each other, without queue pairs.
  struct HostPair {
    IpAddress source;
    IpAddress destination;
    std::uint32_t overlay_id = 0;
    std::uint16_t capture_point = 1;
    [[nodiscard]] static HostPair of(const FlowKey& key) {
      return {key.source, key.destination, key.overlay_id, key.capture_point};
    }
    [[nodiscard]] static HostPair opposite(const FlowKey& key) {
      return {key.destination, key.source, key.overlay_id, key.capture_point};
    }
    friend bool operator==(const HostPair&, const HostPair&) noexcept = default;
  };
  struct HostPairHash {
    [[nodiscard]] std::size_t operator()(const HostPair& pair) const noexcept {
      return mix(mix(mix(hash_seed(), pair.source), pair.destination), pair.overlay_id);
    }
  };
  struct Flow {
    std::uint32_t connection = 0;
    Qpn dest_qp;
    std::uint16_t source_port = 0;
    PsnSpan requests;  ///< that may be outstanding
  };
  /// Of a flow, for those who know its connection alone.
  struct Noted {
    PsnSpan requests;         ///< as the flow has them
    std::uint32_t place = 0;  ///< among those of its hosts: there, or before that, where others are gone
  };
  /// What the responses of a flow said so far.
  struct Vote {
    std::vector<Flow> candidates;  ///< that fit all responses
    Psn last;
    std::uint32_t witnesses = 0;  ///< responses with different PSNs, one after the other
    std::uint32_t pause = 0;      ///< responses that are not looked at: too many candidates
  };

  /// Whether there is no other flow between the hosts that waits for its other direction.
  [[nodiscard]] bool is_alone(const FlowKey& key) const;
  [[nodiscard]] static bool ports_fit(Qpn qpn, std::uint16_t port, const Flow& other) noexcept;

  std::unordered_map<HostPair, std::vector<Flow>, HostPairHash> flows_;
  std::unordered_map<std::uint32_t, Noted> noted_;  // by connection
  std::unordered_map<FlowKey, Vote, FlowKeyHash> votes_;
};

}  // namespace rocescope
