// ICRC verification that sees through captures which rewrote the UDP source port.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "rocescope/headers/numbers.hpp"
#include "rocescope/icrc.hpp"

namespace rocescope {

struct FlowKey;
struct Shard;

/// Some capture paths write 4791 over the UDP source port, which the ICRC covers, so that every ICRC seems wrong. For a
/// flow with a wrong ICRC this tries all source ports, and verifies the flow's later packets with the one that fits.
///
/// A packet gets its result at once, and keeps it. One port in 65,536 fits a corrupt packet by chance. Therefore a
/// port is believed at once only when the packet shows the known rewriting (source port 4791, and no packet of the flow
/// was right with it); otherwise the packet stays bad and the port waits until another packet of the flow confirms it. A
/// packet that shows this very port denies it: the others' source ports were damaged.
class IcrcVerifier {
 public:
  /// Flows whose ports are remembered. Bad packets of further flows are not searched but counted.
  static constexpr std::size_t kDefaultMaxFlows = 65'536;

  explicit IcrcVerifier(std::size_t max_flows = kDefaultMaxFlows);
  ~IcrcVerifier();
  IcrcVerifier(IcrcVerifier&&) noexcept;
  IcrcVerifier& operator=(IcrcVerifier&&) noexcept;

  struct Verdict {
    IcrcCheck icrc;
    std::optional<std::uint16_t> true_source_port;  ///< set when the capture rewrote it: `icrc` was verified with it
    /// It is bad, and no source port was tried, because too many flows were bad before it.
    bool unsearched = false;
  };
  [[nodiscard]] Verdict verify(const Packet& packet);
  /// Whether verify() finds just what `check` says of a packet of RC over RoCEv2, and learns nothing from it. For this library
  /// alone.
  [[nodiscard]] bool is_settled(const FlowKey& key, std::uint16_t source_port, const IcrcCheck& check) const {
    return is_usual(source_port, check) || has_settled(key, source_port, check);
  }
  /// The same of a wrong packet, where that is known of all flows of its host.
  [[nodiscard]] bool searches_nothing(const FlowKey& key, std::uint16_t source_port) const;
  /// The same, as far as that is known without the flow.
  [[nodiscard]] bool is_usual(std::uint16_t source_port, const IcrcCheck& check) const noexcept {
    return check.status == IcrcStatus::kGood && source_port != udp_port::kRoce && doubtful_ == 0;
  }

  /// Flows that it remembers, of those that the shard follows. For this library alone.
  [[nodiscard]] std::size_t flows(const Shard& shard) const;

 private:
  friend struct StateMembers;
  struct State;
  struct Flows;

  /// The state of the packet's flow; null when there are too many flows.
  [[nodiscard]] State* state_of(const Packet& packet);
  [[nodiscard]] std::optional<std::uint16_t> true_port(const Packet& packet, const IcrcCheck& shown, State& state);
  [[nodiscard]] bool has_settled(const FlowKey& key, std::uint16_t source_port, const IcrcCheck& check) const;
  void see_right(const Packet& packet);

  std::unique_ptr<Flows> flows_;
  std::size_t doubtful_ = 0;  // flows with a port that no known rewriting explains
  std::size_t max_flows_;
};

}  // namespace rocescope
