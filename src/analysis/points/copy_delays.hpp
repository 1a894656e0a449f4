// Distinguishes copies of packets from packets that were sent again, where nothing in the packets does: by how long
// after each other they come.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace rocescope {

/// After how long the packets of one direction between two hosts come again at a place: nearly all copies after about
/// the same time, retransmissions after any time.
class CopyDelays {
 public:
  /// ns, and how often packets come.
  void settle(std::int64_t least, std::int64_t most, std::uint8_t times) noexcept;
  [[nodiscard]] bool is_settled() const noexcept { return times_ > 1; }
  /// 1: not settled.
  [[nodiscard]] std::uint8_t times() const noexcept { return times_; }
  /// Whether what comes `ns` after a packet is a copy of it.
  [[nodiscard]] bool fits(std::int64_t ns) const noexcept { return ns >= least_ && ns <= most_; }
  /// A copy came so long after its packet: clocks drift.
  void follow(std::int64_t ns) noexcept;
  /// A packet came again `ns` after its last copy, and an answer to it came in between.
  void add_answered(std::int64_t ns) noexcept { answered_[answered_count_++ % answered_.size()] = ns; }
  /// Whether answers come between packets and their copies.
  [[nodiscard]] bool is_answered_between() const noexcept;
  [[nodiscard]] std::int64_t least() const noexcept { return least_; }
  [[nodiscard]] std::int64_t most() const noexcept { return most_; }

 private:
  friend struct StateMembers;
  std::int64_t least_ = 0;
  std::int64_t most_ = 0;
  std::uint8_t times_ = 1;
  std::uint32_t answered_count_ = 0;
  std::array<std::int64_t, 8> answered_{};  // the last ones
};

/// How long after the packets of one direction the answers to them come.
class AnswerTimes {
 public:
  void add(std::int64_t ns) noexcept;
  /// ns: the shortest, but for a few that may belong to other requests; the most that there is: none came.
  [[nodiscard]] std::int64_t soonest() const noexcept;
  [[nodiscard]] bool empty() const noexcept { return count_ == 0; }

 private:
  friend struct StateMembers;
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
  std::uint32_t count_ = 0;
  std::array<std::int64_t, 8> shortest_{kNever, kNever, kNever, kNever, kNever, kNever, kNever, kNever};  // ascending
};

/// The packets of one direction that came again.
struct Returns {
  std::vector<std::span<const std::int64_t>> times;  ///< of each, when it came
  std::uint32_t packets = 0;                         ///< those that came once included
};

enum class Settled : std::uint8_t {
  kNo,
  kUnclear,  ///< there are copies: nearly all packets come again; but those of one direction after any time
  kYes
};
/// Settles both directions between two hosts, where nearly all packets of both come again after about the same time.
[[nodiscard]] Settled settle(std::array<CopyDelays, 2>& delays, const std::array<Returns, 2>& returns);

}  // namespace rocescope
