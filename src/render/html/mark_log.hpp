// Packets that show trouble, or that senders were asked to be slower: counted over time, and some of them one by one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "rocescope/rate_series.hpp"
#include "rocescope/record.hpp"

namespace rocescope::render {

enum class MarkKind : std::uint8_t {
  kNak,
  kRnrNak,
  kCnp,
  kRetransmission,
  kGap,
  kOutOfOrder,
  kNotCaptured,  ///< an ACK of what was not seen
  kPfcPause,
  kCe,
  kIcrcBad,
};
inline constexpr std::size_t kMarkKinds = static_cast<std::size_t>(MarkKind::kIcrcBad) + 1;

[[nodiscard]] constexpr std::string_view to_string(MarkKind kind) noexcept {
  constexpr std::string_view kNames[] = {"nak",          "rnr_nak",   "cnp", "retransmission", "gap", "out_of_order",
                                         "not_captured", "pfc_pause", "ce",  "icrc_bad"};
  return kNames[static_cast<std::size_t>(kind)];
}

struct Mark {
  MarkKind kind = MarkKind::kNak;
  std::uint32_t connection = 0;  ///< 0: of none
  std::uint64_t frame = 0;
  std::int64_t time = 0;  ///< nanoseconds since 1970
  IpAddress source;
};

/// Counts all; of each kind it keeps at most kMost one by one: every one, or every second, fourth, ... where there are more.
class MarkLog {
 public:
  static constexpr std::size_t kMost = 4096;

  /// `interval`: as RateSeries::add() has it.
  explicit MarkLog(std::int64_t interval) : interval_(interval) {}

  void add(const PacketRecord& record);

  /// In the order of the capture.
  [[nodiscard]] std::vector<Mark> marks() const;
  [[nodiscard]] std::uint64_t left_out() const noexcept;
  /// Sent::packets has the number.
  [[nodiscard]] const RateSeries& counts(MarkKind kind) const noexcept {
    return kinds_[static_cast<std::size_t>(kind)].counts;
  }

 private:
  struct Kind {
    RateSeries counts;
    std::uint64_t number = 0;
    std::uint64_t step = 1;
    std::vector<Mark> marks;
  };
  void note(MarkKind kind, const PacketRecord& record);

  std::int64_t interval_;
  std::array<Kind, kMarkKinds> kinds_;
};

}  // namespace rocescope::render
