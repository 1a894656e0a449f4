// How many READs and atomics were outstanding at once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rocescope/psn.hpp"
#include "tracking/connections/path_mtu.hpp"
#include "tracking/prefetch.hpp"
#include "tracking/tracked_packet.hpp"

namespace rocescope {

/// Counts no more than there were: what the capture lacks ends them too early rather than too late.
class ReadDepth {
 public:
  /// READs and atomics of one side that are followed. The most that the CM can agree on is 255.
  static constexpr std::size_t kMostFollowed = 1'024;

  class Side {
   public:
    /// Adds one whose last response has the PSN `end`. Returns how many are outstanding; 0: it is not followed.
    std::uint32_t ask(Psn end);
    /// Those that end before `psn` were answered: responses come in the order of the requests.
    void answer_before(Psn psn);
    [[nodiscard]] bool empty() const noexcept { return ends_.empty(); }
    void prefetch_first() const noexcept { prefetch(ends_.data()); }

   private:
    friend struct StateMembers;
    std::vector<Psn> ends_;  // the last PSN of each that is outstanding, in their order
  };
  using State = std::array<Side, 2>;  ///< of a connection, by requester

  /// The last PSN that the responses to a READ of `bytes` at `psn` take; where the path MTU is unknown, which is 0, the first.
  [[nodiscard]] static Psn end_of(Psn psn, std::uint32_t bytes, std::uint32_t path_mtu) noexcept {
    return path_mtu == 0 ? psn : psn + (packets_for(bytes, path_mtu) - 1);
  }
  /// Fills in ConnectionSide::reads_outstanding.
  static void observe(const TrackedPacket& tracked);
  static constexpr unsigned kWants = traits::kConnected | traits::kApart;
};

}  // namespace rocescope
