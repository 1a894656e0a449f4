// The order in which a host sent its packets, where their IPv4 identification shows it.
#pragma once

#include <algorithm>
#include <cstdint>

namespace rocescope {

/// Many senders count their packets in the identification (RFC 791 3.2 asks only that it be unique for a while): then it
/// distinguishes an original that was overtaken from its retransmission, which nothing else in the packet does. Others leave
/// it zero, or take any number: packets that came one after the other show whether a sender counts.
class SendOrder {
 public:
  /// A packet beyond all that were seen so far of its stream, `ns` after the one before it; negative: there is none.
  void follow(std::uint16_t identification, std::int64_t ns) noexcept {
    const auto count = static_cast<std::uint16_t>(identification - last_);
    const bool counts = ns >= 0 && ns <= kLongest / kSeldom;  // else the count may have gone too far meanwhile
    if (counts) confirm(last_, identification);
    last_ = identification;
    if (!counts || count > kMostBetween) return;
    count_ = static_cast<std::uint16_t>(count_ + count);
    ns_ += ns;
    if (count_ < kMostBetween) return;
    count_ /= 2;
    ns_ /= 2;
  }

  /// Any packet of the stream, `ns` after the one before it.
  void observe(std::uint16_t identification, std::int64_t ns) noexcept {
    if (!is_lately(ns) || !before(identification, newest_)) newest_ = identification;
  }

  /// Two packets, where `b` must have been sent soon after `a`.
  void confirm(std::uint16_t a, std::uint16_t b) noexcept {
    const auto count = static_cast<std::uint16_t>(b - a);
    steps_ = count == 0 || count > kMostBetween ? std::uint8_t{0} : std::min<std::uint8_t>(kEnough, steps_ + 1);
    has_counted_ = has_counted_ || is_known();
  }

  /// Whether this sender counts.
  [[nodiscard]] bool is_known() const noexcept { return steps_ == kEnough; }
  /// Whether it was known to at any time.
  [[nodiscard]] bool has_counted() const noexcept { return has_counted_; }
  /// Whether packets that were sent `ns` after each other can be compared: the count has not gone round, and nothing stays
  /// longer in a network.
  [[nodiscard]] bool is_lately(std::int64_t ns) const noexcept {
    constexpr std::int64_t kQuarter = 0x4000;
    return ns <= 0 || (ns <= kLongest && ns * count_ <= ns_ * kQuarter);
  }

  /// Whether of two packets that were sent lately `a` was the first.
  [[nodiscard]] static constexpr bool before(std::uint16_t a, std::uint16_t b) noexcept {
    constexpr std::uint16_t kHalf = 0x8000;
    return a != b && static_cast<std::uint16_t>(b - a) < kHalf;
  }
  /// Whether a packet, `ns` after the one before it, was sent before one that was seen.
  [[nodiscard]] bool is_overtaken(std::uint16_t identification, std::int64_t ns) const noexcept {
    return is_known() && is_lately(ns) && before(identification, newest_);
  }

 private:
  friend struct StateMembers;
  static constexpr std::uint16_t kMostBetween = 1'024;   // sent to other queue pairs of the host
  static constexpr std::uint8_t kEnough = 4;             // random ones pass with a chance of 2^-24
  static constexpr std::int64_t kLongest = 100'000'000;  // ns
  static constexpr std::int64_t kSeldom = 10;

  std::int64_t ns_ = 0;  // that count_ took
  std::uint16_t count_ = 0;
  std::uint16_t last_ = 0;
  std::uint16_t newest_ = 0;
  std::uint8_t steps_ = 0;  // in a row that a count explains
  bool has_counted_ = false;
};

}  // namespace rocescope
