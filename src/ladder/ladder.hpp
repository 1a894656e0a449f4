// Makes a ladder from the packets of a capture: what two queue pairs said to each other, runs of equal packets folded.
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

/// Feed it the capture's packets, those of other connections as well. Events come in the order of their first packets, but for
/// messages of an exchange that one behind them shows to be of the connection; one is given when nothing can be added to it any
/// more, or many wait for that. Takes little memory, whatever the capture holds.
class Ladder {
 public:
  using Give = std::function<void(const LadderEvent&)>;

  Ladder(LadderScope scope, const LadderOptions& options, Give give)
      : scope_(std::move(scope)), setup_(scope_), options_(options), give_(std::move(give)) {}
  Ladder(const Ladder&) = delete;
  Ladder& operator=(const Ladder&) = delete;

  void add(const PacketRecord& record);
  /// Gives what is left.
  void finish();

 private:
  /// What one side is sending: messages of the same size, and the one that is under way.
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
