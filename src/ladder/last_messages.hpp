// The last events of each connection of a running capture, shown when the user opens one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <optional>
#include <unordered_map>
#include <vector>

#include "ladder/ladder_event.hpp"
#include "ladder/packet_fold.hpp"
#include "rocescope/connection.hpp"
#include "rocescope/record.hpp"

namespace rocescope {

/// Takes up to 12 KiB for each of at most kMostConnections. If there are more, it first forgets connections without
/// trouble, the one that was silent for longest first.
class LastMessages {
 public:
  static constexpr std::size_t kMostEvents = 32;  ///< of a connection
  static constexpr std::size_t kMostConnections = 4096;

  explicit LastMessages(std::size_t most_connections = kMostConnections) : most_connections_(most_connections) {}

  /// A packet that was tracked, of any connection or none.
  void add(const PacketRecord& record);
  /// A connection turned out to be a direction of another.
  void join(std::uint32_t number, std::uint32_t part_of);
  /// A connection is no longer followed.
  void forget(std::uint32_t number);

  /// Its last events, the oldest first; CM messages are not among them.
  [[nodiscard]] std::deque<LadderEvent> of(const Connection& connection) const;
  [[nodiscard]] std::size_t connections() const noexcept { return places_.size(); }

 private:
  /// What goes to one queue pair. Events have its index as their sender.
  struct Direction {
    IpAddress source;
    Qpn dest_qp;
    friend bool operator==(const Direction&, const Direction&) noexcept = default;
  };
  struct Entry {
    explicit Entry(std::uint32_t of) : number(of) {}

    std::uint32_t number = 0;
    bool troubled = false;
    std::array<std::optional<Direction>, 2> directions;
    std::optional<std::int64_t> last_time;
    PacketFold fold{kMostWaiting};
    std::deque<LadderEvent> events;

    [[nodiscard]] std::optional<std::uint8_t> index_of(const Direction& direction);
    void keep(const LadderEvent& event);
    /// All of them, the oldest first.
    [[nodiscard]] std::deque<LadderEvent> all() const;
  };
  using Entries = std::list<Entry>;
  static constexpr std::size_t kMostWaiting = 4;

  [[nodiscard]] Entry& entry_of(std::uint32_t number);
  void make_room();
  [[nodiscard]] Entries& list_of(const Entry& entry) noexcept { return entry.troubled ? troubled_ : untroubled_; }

  std::size_t most_connections_;
  Entries untroubled_;                                           // the one that was silent for longest first
  Entries troubled_;                                             // the same
  std::unordered_map<std::uint32_t, Entries::iterator> places_;  // by number
};

}  // namespace rocescope
