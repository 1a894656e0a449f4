// How often packets come to a place, which shows whether several capture points see them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>

#include "analysis/points/copy_delays.hpp"

namespace rocescope {

/// How many of some packets of one place come there again.
struct CopyShare {
  static constexpr std::uint8_t kMostTimes = 4;
  std::uint32_t packets = 0;    // that came for the first time
  std::uint32_t reached = 0;    // of these, up to the last one that had a copy
  std::uint32_t copied = 0;     // packets that came again
  std::uint32_t copies = 0;     // how often, all together
  std::uint32_t uncounted = 0;  // of these, whose sender does not count its IP packets
  /// Those from the lower and those from the higher address.
  struct Way {
    std::uint32_t packets = 0;
    std::uint32_t reached = 0;  // up to the last one that had a copy, of either way
    std::uint32_t copied = 0;
  };
  std::array<Way, 2> ways{};

  /// The number of a packet among those that came for the first time, from 1: in both directions, and in its own. 0: it
  /// is not counted.
  struct Order {
    std::uint32_t all = 0;
    std::uint32_t of_way = 0;
  };
  [[nodiscard]] Order add(std::size_t direction) noexcept { return {++packets, ++ways[direction].packets}; }
  void add(const CopyShare& other) noexcept;
  /// A copy of that packet came, the first one or a further one.
  void add_copy(const Order& order, std::size_t direction, bool is_first, bool is_counted) noexcept;
  /// How often the packets come, where senders count them; 1: once, or it is not known. `is_all`: all that was read ahead is counted; then
  /// fewer copies are enough.
  [[nodiscard]] std::uint8_t times(bool is_all) const noexcept;
  /// Whether they come once.
  [[nodiscard]] bool is_once() const noexcept;
};

/// How often the packets of one place come there.
struct CopyCounts {
  /// Of packets that came while all were looked at, with the copies that came then; and of those that are looked at later.
  CopyShare watched;
  CopyShare sampled;
  std::array<std::uint16_t, 2> identifications{};  ///< the last, from the lower and from the higher address
  std::uint32_t behind = 0;                        ///< responses that came when a copy of their request had come
  std::uint32_t before = 0;  ///< responses that came before a copy of their request, which came later
  std::int64_t soonest = std::numeric_limits<std::int64_t>::max();  ///< ns: from a packet to its copy, the shortest
  std::int64_t usual = 0;                                           ///< ns: from a packet to its copy, of most of them
  std::uint32_t votes = 0;                                          ///< for it
  /// Of senders that do not count their IP packets, from the lower and from the higher address: packets that came for the first time,
  /// how soon the answers to them came, and after how long they come again; null: none did.
  std::array<std::uint32_t, 2> plain{};
  std::array<AnswerTimes, 2> answers{};
  /// How many of these answer requests, how many of them came again, and for how many that is known.
  struct Answers {
    std::uint32_t packets = 0;
    std::uint32_t again = 0;  // after about the usual time
    std::uint32_t reached = 0;
    std::int64_t usual = 0;  // ns
    std::uint32_t votes = 0;
    /// One of them comes again.
    void add_again(std::uint32_t number, std::int64_t ns) noexcept;
    [[nodiscard]] bool come_again() const noexcept;
  };
  Answers watched_answers{};  ///< while all packets are looked at
  Answers sampled_answers{};  ///< of those that always are
  std::unique_ptr<std::array<CopyDelays, 2>> delays;
  std::uint8_t path = 0;        ///< 0: not settled; 1: they pass one point after the other; 2: they do not
  bool unclear = false;         ///< there are copies, and nothing distinguishes them from packets that were sent again
  std::uint8_t times = 1;       ///< how often its packets come; once it is more than 1, it stays
  std::uint32_t number = 0;     ///< of these hosts, from 1; of places: 0
  std::uint32_t looked_at = 0;  ///< how many had been reached when the delays were looked at last
  /// The latest times of their packets: of all, and of those that were given a capture point when they were counted.
  std::int64_t latest = std::numeric_limits<std::int64_t>::min();
  std::int64_t placed_until = std::numeric_limits<std::int64_t>::min();
  std::uint32_t again = 0;  ///< copies of those that are looked at later, whenever these came
  /// When it became known that there are copies: about how many count as packets that were sent again. And when the
  /// last of them comes.
  std::uint64_t unknown_copies = 0;
  std::int64_t unknown_until = 0;  ///< ns since 1970

  [[nodiscard]] CopyShare all() const noexcept;
  /// About how many packets came for the first time, estimated from those that are looked at.
  [[nodiscard]] std::uint64_t about_packets() const noexcept;
  /// Notes that there are copies, after some may have come.
  void note_unknown(std::int64_t until) noexcept;
  /// Where senders count their packets; `is_all`: as of CopyShare::times().
  void settle(bool is_all) noexcept;
  void vote(std::int64_t delay) noexcept;
  [[nodiscard]] bool has_delays() const noexcept { return delays != nullptr && (*delays)[0].is_settled(); }
  /// Whether nearly all answers came again. Hosts never repeat all answers: they answer again only what is sent again.
  /// Few answers are enough if most packets come again after the same time.
  [[nodiscard]] bool answers_come_again() const noexcept {
    return watched_answers.come_again() || sampled_answers.come_again() || all_come_again(watched, watched_answers) ||
           all_come_again(sampled, sampled_answers);
  }

 private:
  [[nodiscard]] bool all_come_again(const CopyShare& packets, const Answers& its) const noexcept;
};

}  // namespace rocescope
