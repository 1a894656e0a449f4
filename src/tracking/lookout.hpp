// The memory that the next packets will need, fetched while those before them are tracked.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "connection_table.hpp"
#include "rocescope/packet.hpp"
#include "rocescope/tracker.hpp"

namespace rocescope {

/// A packet touches some thirty cache lines of its connection, in a dozen pieces of memory of which one leads to the next;
/// where connections are many, none of them is in a cache. Follows each packet from piece to piece, a step further
/// whenever another packet comes into sight. Only hints to the processor: nothing depends on them.
class Lookout {
 public:
  explicit Lookout(const ConnectionTable& table) : table_(table) {}

  /// A packet that comes after those that were shown before.
  void show(const Packet& packet) noexcept;

 private:
  // Packets between one step and the next: time for memory to come.
  static constexpr std::size_t kStep = 3;

  struct Sighted {
    std::uint64_t hash = 0;
    std::uint32_t place = ConnectionTable::kNowhere;  ///< the connection's index and the side that sent it
    bool request = false;

    [[nodiscard]] std::size_t requester() const noexcept { return request ? place & 1U : 1 - (place & 1U); }
  };

  [[nodiscard]] Sighted& before(std::size_t steps) noexcept {
    return sighted_[(next_ - steps * kStep) % Tracker::kAhead];
  }

  const ConnectionTable& table_;
  std::array<Sighted, Tracker::kAhead> sighted_{};
  std::size_t next_ = Tracker::kAhead;  // counts on; of the packet at hand
};

}  // namespace rocescope
