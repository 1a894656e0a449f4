// WRITEs and READs of one side, as far as their packets need it: where in memory a packet belongs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "rocescope/psn.hpp"

namespace rocescope {

class Transfers {
 public:
  /// Transfers under way; the oldest goes first.
  static constexpr std::size_t kMost = 256;
  /// Runs of packets that are missing of one; the oldest goes first, and counts as seen then.
  static constexpr std::size_t kMostMissing = 32;
  /// The same where packets that came late left parts of runs.
  static constexpr std::size_t kMostParts = 1024;

  /// A WRITE or a READ begins at this PSN, unless one is known there. `packets` of data; 0: not known.
  void begin(Psn first, std::uint32_t packets, std::uint64_t address, std::uint32_t r_key);

  struct Place {
    std::optional<std::uint64_t> address;  ///< of the message
    std::optional<std::uint32_t> r_key;
    std::optional<std::uint32_t> packets;  ///< of the message before this one
    std::uint32_t skipped = 0;             ///< packets directly before it that were not seen
  };
  /// A packet with data came. Nothing: it came before. `last`: of its message.
  [[nodiscard]] std::optional<Place> take(Psn psn, bool last);

 private:
  friend struct StateMembers;
  struct Missing {
    Psn first;
    std::uint32_t count = 0;
  };
  struct Transfer {
    Psn first;
    Psn next;
    std::uint32_t packets = 0;
    std::uint64_t address = 0;
    std::uint32_t r_key = 0;
    bool has_last = false;
    std::vector<Missing> missing;
  };
  [[nodiscard]] static bool fill(Transfer& transfer, Psn psn);

  std::vector<Transfer> transfers_;  // by PSN
};

}  // namespace rocescope
