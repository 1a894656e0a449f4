// What a shard leaves to others, and when it cannot.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "model/shard_sieve.hpp"
#include "rocescope/detail/shard.hpp"
#include "rocescope/packet.hpp"

namespace rocescope {

/// Whose packets are; and what a shard learns of all frames, also of those that it leaves to others.
class ShardWatch {
 public:
  /// `selects`: packets may be left out of the report.
  ShardWatch(const Shard& shard, bool selects);

  [[nodiscard]] const Shard& shard() const noexcept { return shard_; }
  /// A bit for each part of the host pairs that it follows: host_part().
  [[nodiscard]] std::uint64_t parts() const noexcept { return parts_; }

  enum class Share : std::uint8_t {
    kOwn,      ///< the shard tracks and counts it
    kSetsUp,   ///< another one counts it, and all track it: it may set a connection up
    kForeign,  ///< another one's
  };
  [[nodiscard]] Share share_of(const Packet& packet) const noexcept;

  /// The times of all frames, in the order of the captures; these are of one.
  void observe(std::uint32_t capture, const FrameTimes& times);
  /// The invariant CRC of a packet of its own is wrong.
  void observe_bad_icrc() noexcept {
    if (whole_for_.empty()) seen_alone_ = true;
    note("an invariant CRC is wrong");
  }
  void observe_copies() noexcept { note("packets were seen more than once"); }

  /// Why no shard can know what it has to, so that one follows all packets; empty: they can, as far as is known.
  [[nodiscard]] std::string_view whole_for() const noexcept { return whole_for_; }
  /// Of whole_for(): whether it is this one that follows all: the first one does, or the one that alone saw why.
  [[nodiscard]] bool follows_all() const noexcept { return !whole_for_.empty() && (seen_alone_ || shard_.is_first()); }

  /// Times of the frames of a capture, ns since 1970; of none, the first is the later one.
  struct Span {
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    std::int64_t last = std::numeric_limits<std::int64_t>::min();
  };
  /// By capture.
  [[nodiscard]] std::span<const Span> spans() const noexcept { return spans_; }

  /// Frames with an earlier time than the one before, of one capture; counted by the first shard.
  [[nodiscard]] std::uint64_t out_of_order(std::size_t capture) const noexcept {
    return shard_.is_first() && capture < captures_.size() ? captures_[capture].out_of_order : 0;
  }
  /// The same of all.
  [[nodiscard]] std::uint64_t out_of_order() const noexcept { return shard_.is_first() ? all_.out_of_order : 0; }

 private:
  struct Order {
    std::int64_t last = std::numeric_limits<std::int64_t>::min();
    std::uint64_t out_of_order = 0;
    void observe(const FrameTimes& times) noexcept {
      out_of_order += times.back + (times.first < last ? 1U : 0U);
      last = times.last;
    }
  };

  void note(std::string_view reason) noexcept {
    if (whole_for_.empty()) whole_for_ = reason;
  }
  void observe_order(std::uint32_t capture, const FrameTimes& times);

  Shard shard_;
  std::uint64_t parts_ = 0;
  bool selects_;
  bool counts_order_;
  bool seen_alone_ = false;
  std::string_view whole_for_;
  Order all_;
  std::vector<Order> captures_;
  std::vector<Span> spans_;
};

}  // namespace rocescope
