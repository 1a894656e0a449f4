// Pauses that Ethernet ports asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "rocescope/congestion.hpp"
#include "rocescope/finding.hpp"
#include "rocescope/packet.hpp"
#include "tracking/connections/flow_key.hpp"
#include "tracking/tracked_packet.hpp"

namespace rocescope {

class PauseTable {
 public:
  static constexpr std::size_t kMost = 4096;  ///< ports with a class
  /// A class that is paused for so long without an end is a storm: watchdogs of switches step in after 100 to 400 ms.
  static constexpr std::uint64_t kStorm = 100'000'000;  ///< ns
  /// Without the link's speed: an XOFF later than this begins a new pause. 65,535 quanta take 3.4 ms at 10 Gb/s.
  static constexpr std::uint64_t kRenewal = 5'000'000;  ///< ns

  /// `link_speed` in bits per second; 0: not known. Evidence goes to `sightings`.
  PauseTable(std::uint64_t link_speed, Sightings& sightings) : link_speed_(link_speed), sightings_(sightings) {}

  static constexpr unsigned kWants = traits::kOtherFrame;
  /// Ignores frames without PFC or PAUSE.
  void observe(const TrackedPacket& tracked);

  /// By MAC address and class. Pauses that go on last until `now`, or as long as they asked for.
  [[nodiscard]] std::vector<PauseTotals> totals(std::int64_t now) const;
  /// Frames of ports that came when the table was full.
  [[nodiscard]] std::uint64_t untracked() const noexcept { return untracked_; }

 private:
  friend struct StateMembers;
  struct State {
    PauseTotals counted;
    PauseTotals uncounted;     ///< of frames that do not count
    bool last_counts = false;  ///< whether the last XOFF counts
    bool paused = false;
    std::int64_t since = 0;
    std::int64_t last_xoff = 0;
    std::uint64_t asked = 0;  ///< ns, by the last XOFF
  };

  void note(const TrackedPacket& tracked, std::optional<std::uint8_t> priority, std::uint16_t quanta);
  void xoff(State& state, PauseTotals& totals, const Packet& packet, std::uint16_t quanta);
  void end(State& state, PauseTotals& totals, std::int64_t now, bool by_xon) const;
  [[nodiscard]] std::uint64_t nanoseconds(std::uint64_t quanta) const noexcept;

  std::unordered_map<std::uint64_t, State> states_;  // by MAC address and class
  std::uint64_t link_speed_;
  Sightings& sightings_;
  std::uint64_t untracked_ = 0;
};

}  // namespace rocescope
