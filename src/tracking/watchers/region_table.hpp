// The memory regions of a capture.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "rocescope/connection.hpp"
#include "rocescope/memory_region.hpp"
#include "rocescope/message.hpp"
#include "rocescope/tracker.hpp"
#include "tracking/connections/by_connection.hpp"
#include "tracking/connections/flow_key.hpp"
#include "tracking/connections/key_table.hpp"
#include "tracking/prefetch.hpp"
#include "tracking/tracked_packet.hpp"

namespace rocescope {

/// Of a message that names memory of its responder.
struct MemoryAccess {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;  ///< of the message
  std::uint64_t first_frame = 0;
  std::int64_t first_time = 0;
  std::int64_t last_time = 0;
  std::uint64_t moment = 0;  ///< when it is counted
  std::uint32_t r_key = 0;
  Operation operation = Operation::kWrite;
  bool refused = false;
};

/// WRITEs and READs of one requester in one region, none of them refused.
struct MemoryAccesses {
  AddressRange touched;
  std::uint64_t count = 0;
  std::uint64_t reads = 0;
  std::uint64_t read_bytes = 0;
  std::uint64_t written_bytes = 0;
  std::uint64_t first_frame = 0;
  std::int64_t first_time = 0;
  std::int64_t last_time = 0;
  std::uint64_t moment = 0;  ///< when the first of them is counted
  std::uint32_t r_key = 0;

  /// False: it is in another region than those before, and was not taken.
  [[nodiscard]] bool take(const MemoryAccess& access) noexcept {
    if (count == 0) {
      r_key = access.r_key;
      first_frame = access.first_frame;
      first_time = access.first_time;
      last_time = access.last_time;
      moment = access.moment;
    } else if (access.r_key != r_key) {
      return false;
    }
    const bool read = access.operation == Operation::kReadRequest;
    ++count;
    const std::uint64_t if_read = std::uint64_t{0} - static_cast<std::uint64_t>(read);  // all ones, or none: no branch
    reads += static_cast<std::uint64_t>(read);
    read_bytes += access.bytes & if_read;
    written_bytes += access.bytes & ~if_read;
    touched.add(access.address, access.bytes);
    first_frame = std::min(first_frame, access.first_frame);
    first_time = std::min(first_time, access.first_time);
    last_time = std::max(last_time, access.last_time);
    return true;
  }
};

/// Takes about 200 bytes a region.
class RegionTable {
 public:
  static constexpr std::size_t kDefaultMaxRegions = 65'536;

  explicit RegionTable(std::size_t max_regions = kDefaultMaxRegions) : max_regions_(max_regions) {}

  /// A message from side `requester`. It is of no region if it names no memory, or if the packet that names the memory
  /// was not seen.
  void count(const MemoryAccess& access, const Connection& connection, std::size_t requester);
  /// At least one.
  void count(const MemoryAccesses& accesses, const Connection& connection, std::size_t requester);
  /// `moment`: when it is counted, see Moment.
  void count(const Message& message, const Connection& connection, std::size_t requester, std::uint64_t moment) {
    if (!message.address || !message.r_key || message.reopened) return;
    count(
        {
            .address = *message.address,
            .bytes = message.bytes,
            .first_frame = message.first_frame,
            .first_time = message.first_time,
            .last_time = message.last_time,
            .moment = moment,
            .r_key = *message.r_key,
            .operation = message.operation,
            .refused = message.outcome == MessageOutcome::kRefused,
        },
        connection, requester);
  }

  /// Of the region that `requester` used last, if that is known: what it does with this changes no other region.
  [[nodiscard]] std::optional<std::uint32_t> last_key(std::uint32_t connection, std::size_t requester) {
    const auto* const sides = last_.sides(connection);
    const MemoryRegion* const last = sides == nullptr ? nullptr : (*sides)[requester];
    return last == nullptr ? std::nullopt : std::optional(last->r_key);
  }

  void prefetch_last(std::uint32_t connection, std::size_t requester) {
    const auto* const sides = last_.sides(connection);
    if (sides != nullptr && (*sides)[requester] != nullptr) prefetch((*sides)[requester]);
  }

  static constexpr unsigned kWants = traits::kEnded;
  void observe(const TrackedPacket& tracked) {
    if (!tracked.counts) return;
    const std::uint64_t moment = tracked.packet().frame.number;
    for (const Message& message : tracked.ended) count(message, *tracked.connection, tracked.requester, moment);
  }
  /// All that it counted.
  void report(Tracking& tracking) const;

  /// Removes and returns the regions without requests since `idle_since`, and if there are many the oldest others.
  [[nodiscard]] std::vector<MemoryRegion> evict(std::int64_t idle_since);

  /// Those to which the most bytes moved first.
  [[nodiscard]] std::vector<MemoryRegion> regions() const;
  static void sort(std::vector<MemoryRegion>& regions);
  /// Requests to regions that came when the table was full.
  [[nodiscard]] std::uint64_t untracked() const noexcept { return untracked_; }

 private:
  friend struct StateMembers;
  struct Key {
    IpAddress responder;
    std::uint32_t overlay_id = 0;
    std::uint32_t r_key = 0;
    friend bool operator==(const Key&, const Key&) noexcept = default;
  };
  struct KeyHash {
    [[nodiscard]] std::size_t operator()(const Key& key) const noexcept {
      return mix(mix(hash_seed(), key.responder), (static_cast<std::uint64_t>(key.overlay_id) << 32) | key.r_key);
    }
  };

  [[nodiscard]] MemoryRegion* find(const MemoryAccess& access, const Connection& connection, std::size_t requester);
  [[nodiscard]] MemoryRegion* find(const Key& key, const MemoryAccess& access);

  KeyTable<Key, MemoryRegion, KeyHash> regions_;
  ByConnection<MemoryRegion*, nullptr> last_;  // of each requester, into regions_
  std::size_t max_regions_;
  std::uint64_t untracked_ = 0;
};

}  // namespace rocescope
