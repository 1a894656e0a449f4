// Folds the packets of one connection into events.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "ladder/ladder_event.hpp"

namespace rocescope {

/// Events come in the order of their first packets, each once nothing can be added to it, or once many wait.
class PacketFold {
 public:
  using Give = std::function<void(const LadderEvent&)>;

  /// `most_waiting`: events that may wait for one which began before and goes on.
  explicit PacketFold(std::size_t most_waiting) : most_waiting_(most_waiting) {}

  /// Adds an event of one packet, a PacketRun. `folds`: it may join other events, or they may join it.
  void add(LadderEvent packet, bool folds, const Give& give);
  /// Gives the events that are left.
  void finish(const Give& give);
  /// Shows the events that are left, and keeps them; in any order.
  void visit(const Give& visitor) const;

 private:
  /// The traffic of one side: messages of the same size, and the current message.
  struct Open {
    std::optional<LadderEvent> whole;
    std::optional<LadderEvent> part;

    [[nodiscard]] bool empty() const noexcept { return !whole && !part; }
    /// The last event.
    [[nodiscard]] const PacketRun& run() const { return std::get<PacketRun>((part ? part : whole)->what); }
  };

  [[nodiscard]] bool continues(const PacketRun& packet, std::uint8_t side) const;
  void add_to_message(LadderEvent packet, Open& open, const Give& give);
  void add_alike(LadderEvent packet, Open& open);
  void end_message(Open& open);

  void close(std::optional<LadderEvent>& event);
  void give_ready(const Give& give);

  std::size_t most_waiting_;
  Open open_[2];
  std::vector<LadderEvent> closed_;  // that wait for an open one which began before
};

}  // namespace rocescope
