// Makes a ladder from the packets of a capture: the messages of two queue pairs, with runs of equal packets folded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "ladder/ladder_event.hpp"
#include "ladder/ladder_scope.hpp"
#include "rocescope/record.hpp"

namespace rocescope {

struct LadderOptions {
  bool fold = true;  ///< false: an event for each packet
};

/// Observes all packets of the capture, those of other connections as well. Events come in the order of their first packets,
/// except for messages of an exchange that a later message shows to belong to the connection. An event comes once nothing can be
/// added to it, or once many wait. The memory is bounded for any capture.
class Ladder {
 public:
  using Give = std::function<void(const LadderEvent&)>;

  Ladder(LadderScope scope, const LadderOptions& options, Give give)
      : scope_(std::move(scope)), setup_(scope_), options_(options), give_(std::move(give)) {}
  Ladder(const Ladder&) = delete;
  Ladder& operator=(const Ladder&) = delete;

  void add(const PacketRecord& record);
  /// Passes on the events that are left.
  void finish();

 private:
  /// The traffic of one side: messages of the same size, and the current message.
  struct Open {
    std::optional<LadderEvent> whole;
    std::optional<LadderEvent> part;

    [[nodiscard]] bool empty() const noexcept { return !whole && !part; }
    /// The last event.
    [[nodiscard]] const PacketRun& run() const { return std::get<PacketRun>((part ? part : whole)->what); }
  };

  static constexpr std::size_t kMostClosed = 64;

  void add_packet(const PacketRecord& record, std::uint8_t side);
  [[nodiscard]] bool continues(const PacketRun& packet, std::uint8_t side) const;
  void add_to_message(LadderEvent packet, Open& open);
  void add_alike(LadderEvent packet, Open& open);
  void end_message(Open& open);

  void close(std::optional<LadderEvent>& event);
  void close_all();
  void give_ready();

  LadderScope scope_;
  LadderSetup setup_;
  LadderOptions options_;
  Give give_;
  Open open_[2];
  std::vector<LadderEvent> closed_;  // that wait for an open one which began before
  std::optional<std::int64_t> last_time_;
};

}  // namespace rocescope
