// The commands of a connection, each from the packet that asks to the packet that answers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "rocescope/command.hpp"
#include "rocescope/connection.hpp"

namespace rocescope {

struct CommandSpan {
  Command command;
  std::optional<std::uint8_t>
      lane;  ///< its column beside the ladder; nothing: it is one-way, not shown, or too many are shown

  /// The frame that it begins with; if only its response was seen, the frame of the response.
  [[nodiscard]] std::uint64_t first_frame() const noexcept {
    return command.request_packet != 0 ? command.request_packet : command.response_packet;
  }
  /// Whether only ACKs answer it, as a datagram of RDS: the ladder itself shows how long that took.
  [[nodiscard]] bool is_one_way() const noexcept { return command.is_over() && command.response_packet == 0; }
  /// A command without a response in the capture never ends.
  [[nodiscard]] std::uint64_t last_frame() const noexcept {
    if (is_one_way()) return first_frame();
    return command.response_packet != 0 ? command.response_packet : std::numeric_limits<std::uint64_t>::max();
  }
};

/// A command that a packet begins or answers.
struct CommandEnd {
  const CommandSpan* span = nullptr;  ///< of the CommandSpans that the ladder was given
  bool is_response = false;
};

/// Nanoseconds since 1970, both included.
struct ShownTimes {
  std::int64_t from = std::numeric_limits<std::int64_t>::min();
  std::int64_t to = std::numeric_limits<std::int64_t>::max();
};

/// Bounded as CommandReport::commands is.
class CommandSpans {
 public:
  static constexpr std::size_t kMostLanes = 8;

  /// `commands`: of all connections. Commands of `connection` that overlap the shown times get lanes, if both
  /// directions were seen: else all would seem to be outstanding for ever.
  CommandSpans(const CommandList& commands, const Connection& connection, ShownTimes shown);
  /// Those of all connections, without lanes.
  explicit CommandSpans(const CommandList& commands) { add(commands, std::nullopt); }
  CommandSpans(const CommandSpans&) = delete;
  CommandSpans& operator=(const CommandSpans&) = delete;

  /// By their first frames.
  [[nodiscard]] std::span<const CommandSpan> all() const noexcept { return spans_; }
  /// What the packet of this frame begins or ends.
  [[nodiscard]] std::vector<CommandEnd> at(std::uint64_t frame) const;
  /// How many columns they need.
  [[nodiscard]] std::size_t lanes() const noexcept { return lanes_; }
  /// Shown commands without a lane: all lanes were taken.
  [[nodiscard]] std::size_t without_lane() const noexcept { return without_lane_; }

 private:
  void add(const CommandList& commands, std::optional<std::uint32_t> connection);
  void assign_lanes(ShownTimes shown);

  std::vector<CommandSpan> spans_;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> responses_;  // frames, and places in spans_; by frame
  std::size_t lanes_ = 0;
  std::size_t without_lane_ = 0;
};

/// Goes along the frames of a ladder, and finds which commands are outstanding beside them.
class SpanCursor {
 public:
  explicit SpanCursor(std::span<const CommandSpan> spans) : left_(spans) {}

  /// Calls `show` with each command that began before `frame` and not before the frames given earlier, if it is not over.
  template <class Show>
  void reach(std::uint64_t frame, Show&& show) {
    while (!left_.empty() && left_.front().first_frame() < frame) {
      if (left_.front().last_frame() >= frame) show(left_.front());
      left_ = left_.subspan(1);
    }
  }

 private:
  std::span<const CommandSpan> left_;
};

}  // namespace rocescope
