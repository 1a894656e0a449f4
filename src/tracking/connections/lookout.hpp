// The memory that the next packets will need, fetched while those before them are tracked.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "rocescope/packet.hpp"
#include "rocescope/tracker.hpp"
#include "tracking/connections/connection_table.hpp"

namespace rocescope {

/// A packet touches some thirty cache lines of its connection, in a dozen pieces of memory. Each piece leads to the
/// next. Where connections are many, none of the lines is in a cache. Follows each packet from piece to piece, a step
/// further whenever another packet comes into sight. Only hints to the processor: nothing depends on them.
class Lookout {
 public:
  explicit Lookout(const ConnectionTable& table) : table_(table) {}

  /// A packet that comes after those that were shown before.
  void show(const Packet& packet) noexcept;
  // What a packet that `sender` sends will need of its connection, in three steps: each leads to the next.
  static void fetch_state(const ConnectionState& state, std::size_t sender, const OpcodeInfo& opcode) noexcept;
  static void fetch_parts(const ConnectionState& state, std::size_t sender, const OpcodeInfo& opcode) noexcept;
  static void fetch_contents(const ConnectionState& state, std::size_t sender, const OpcodeInfo& opcode) noexcept;
  /// Where a packet belongs by its hash, if it was shown, nothing before it that was shown is still to be asked for, and no flow
  /// came or went since; else kNowhere. Asked for in the order in which packets were shown.
  [[nodiscard]] std::uint32_t place_of(const Packet& packet) noexcept {
    const Sighted& sighted = sighted_[asked_ % kKept];
    if (sighted.packet != &packet || asked_ == next_) return ConnectionTable::kNowhere;
    ++asked_;
    return sighted.version == table_.version() ? sighted.place : ConnectionTable::kNowhere;
  }

 private:
  // Packets between one step and the next: time for memory to come.
  static constexpr std::size_t kStep = 3;
  static constexpr std::size_t kKept = 2 * Tracker::kAhead;  // those to come, and the one that is tracked

  struct Sighted {
    const Packet* packet = nullptr;
    std::uint64_t hash = 0;
    std::uint32_t version = 0;                        ///< of the table, when the place was looked up
    std::uint32_t place = ConnectionTable::kNowhere;  ///< the connection's index and the side that sent it
    const OpcodeInfo* opcode = nullptr;               ///< of RoCE
  };

  [[nodiscard]] Sighted& before(std::size_t steps) noexcept { return sighted_[(next_ - 1 - steps * kStep) % kKept]; }

  const ConnectionTable& table_;
  std::array<Sighted, kKept> sighted_{};
  std::size_t next_ = kKept;   // counts on; behind the last that was shown
  std::size_t asked_ = kKept;  // the same of those that were asked for
};

}  // namespace rocescope
