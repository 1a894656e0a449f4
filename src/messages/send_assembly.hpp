// Assembles the SENDs of one side from their packets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "messages/payload.hpp"
#include "rocescope/opcode.hpp"
#include "rocescope/psn.hpp"

namespace rocescope {

/// Payload of SENDs by PSN. Their packets may come in any order, each PSN once.
class SendAssembly {
 public:
  /// Runs of packets that wait for those between them; the oldest goes first.
  static constexpr std::size_t kMostRuns = 32;
  /// Packets of the longest message, 2^31 bytes with the smallest path MTU. A longer run is no message: it is given.
  static constexpr std::uint64_t kMostPackets = 1U << 23;

  /// A packet.
  struct Part {
    Psn psn;
    Position position = Position::kOnly;
    Bytes bytes;               ///< the captured ones
    std::uint32_t length = 0;  ///< on the wire
    std::uint64_t frame = 0;
    std::optional<std::uint32_t> immediate;
    std::optional<std::uint32_t> invalidated_r_key;
  };
  /// Packets with consecutive PSNs.
  struct Run {
    Psn first;
    Psn next;
    bool has_first = false;  ///< it has the first packet of a message
    bool has_last = false;   ///< it has the last packet
    std::uint64_t first_frame = 0;
    std::uint64_t length = 0;
    std::uint64_t packets = 0;
    std::vector<std::uint8_t> bytes;  ///< the first of them, up to a cap
    std::vector<Hole> holes;          ///< in `bytes`, in their order, none over another; close() adds those around them
    std::optional<std::uint32_t> immediate;
    std::optional<std::uint32_t> invalidated_r_key;

    [[nodiscard]] bool is_whole() const noexcept { return has_first && has_last; }
    /// `most`: bytes that are kept.
    void append(const Part& part, std::uint64_t most);
    /// Appends a run after `missing` bytes that were not seen; nothing: an unknown number.
    void append(const Run& rest, std::optional<std::uint64_t> missing, std::uint64_t most);
    /// Says where bytes were not kept, or not seen.
    void close();
    /// Takes the room for bytes and holes of a run that nobody needs any more.
    void take_room(Run& other) noexcept {
      bytes = std::move(other.bytes);
      holes = std::move(other.holes);
      bytes.clear();
      holes.clear();
    }

   private:
    /// Adds `extent` bytes, the first of which are `here`; `reason` is why the others are not.
    void extend(Bytes here, std::uint64_t extent, Hole::Reason reason, std::uint64_t most);
    void add_hole(const Hole& hole);
  };

  /// Adds a packet. Returns the message that it completes, or a run of kMostPackets. Keeps at most `most` bytes of a message, in
  /// the room of `spare`, if it is not null.
  [[nodiscard]] std::optional<Run> add(const Part& part, std::uint64_t most, Run* spare = nullptr);
  /// A message with the PSNs from `first` to `last` ended: returns what was seen of it, with holes. `mtu`: bytes of each missing
  /// packet; 0: unknown.
  [[nodiscard]] std::optional<Run> take(Psn first, Psn last, std::uint32_t mtu, std::uint64_t most);
  /// The oldest run, with its holes, if any.
  [[nodiscard]] std::optional<Run> take_oldest();
  [[nodiscard]] bool is_full() const noexcept { return runs_.size() > kMostRuns; }
  [[nodiscard]] bool empty() const noexcept { return runs_.empty(); }
  /// Bytes of memory for what is kept.
  [[nodiscard]] std::uint64_t kept() const noexcept;

 private:
  friend struct StateMembers;
  std::vector<Run> runs_;  // by PSN
};

}  // namespace rocescope
