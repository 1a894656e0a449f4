// Makes a ladder from the packets of a capture: the messages of two queue pairs, with runs of equal packets folded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "ladder/command_spans.hpp"
#include "ladder/ladder_event.hpp"
#include "ladder/ladder_scope.hpp"
#include "ladder/packet_fold.hpp"
#include "rocescope/record.hpp"

namespace rocescope {

struct LadderOptions {
  bool fold = true;  ///< false: an event for each packet
  /// Messages, by Verdict::message, the lowest first, that share an event with no other: those that did not end well. Only later
  /// packets show which these are.
  std::vector<std::uint64_t> apart{};
  const CommandSpans* commands = nullptr;  ///< of the connection: they outlive the events; null: events have no ends
};

/// Observes all packets of the capture, those of other connections as well. Events come in the order of their first packets,
/// except for messages of an exchange that a later message shows to belong to the connection. An event comes once nothing can be
/// added to it, or once many wait. The memory is bounded for any capture.
class Ladder {
 public:
  using Give = PacketFold::Give;

  Ladder(LadderScope scope, LadderOptions options, Give give)
      : scope_(std::move(scope)), setup_(scope_), options_(std::move(options)), give_(std::move(give)) {}
  Ladder(const Ladder&) = delete;
  Ladder& operator=(const Ladder&) = delete;

  void add(const PacketRecord& record);
  /// The silence before the next event begins at `time`, when an event of the connection came that this ladder did not
  /// get.
  void go_on_after(std::int64_t time) { last_time_ = time; }
  /// Passes on the events that are left.
  void finish();
  /// Shows the events that are left, in any order, and keeps them: later packets may join them.
  void visit(const Give& visitor) const { fold_.visit(visitor); }

 private:
  static constexpr std::size_t kMostWaiting = 64;

  void add_packet(const PacketRecord& record, std::uint8_t side);

  LadderScope scope_;
  LadderSetup setup_;
  LadderOptions options_;
  Give give_;
  PacketFold fold_{kMostWaiting};
  std::optional<std::int64_t> last_time_;
};

}  // namespace rocescope
