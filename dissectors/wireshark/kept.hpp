// What is kept of a frame, as small as possible: a capture may have a hundred million.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>

#include "rocescope/message.hpp"
#include "rocescope/record.hpp"

namespace rocescope::wireshark {

/// What few verdicts have.
struct KeptDetails {
  KeptDetails(std::uint32_t own_ordinal, const PacketRecord& record) noexcept;
  [[nodiscard]] static bool are_in(const PacketRecord& record) noexcept;

  std::uint32_t ordinal;
  std::uint32_t evidence;
  std::uint32_t missing;
  std::uint32_t lost_responses;
  std::optional<std::uint16_t> true_source_port;  ///< that was sent, where the capture rewrote it
};

/// Of a RoCE packet. Frames are ordinals (see FrameNumbers); what follows from the bytes is worked out again.
struct KeptVerdict {
  KeptVerdict(std::uint32_t own_ordinal, const PacketRecord& record) noexcept;
  /// `details`: null without has_details.
  [[nodiscard]] Verdict verdict(const KeptDetails* details) const noexcept;

  std::uint32_t ordinal;
  std::uint32_t connection;
  std::uint32_t message;
  std::uint32_t related;
  std::uint8_t capture_point;
  VerdictKind kind;
  ResendCause cause;
  LostWhere lost : 2;
  LostWhere lost_response : 2;
  bool damaged : 1;
  bool acknowledged : 1;
  bool has_details : 1;
};
static_assert(sizeof(KeptVerdict) == 20);

/// Of a message that ended, or that the capture left open.
struct KeptMessage {
  KeptMessage() = default;
  explicit KeptMessage(const Message& message) noexcept;

  std::uint64_t bytes = 0;
  std::int64_t time = -1;      ///< ns, as time_of(); -1: not known
  std::int64_t ack_time = -1;  ///< ns from its last packet to what completed it; -1: not known
  std::uint32_t first = 0;     ///< ordinals; 0: nothing is known of this message
  std::uint32_t last = 0;
  std::uint32_t completion = 0;
  Operation operation = Operation::kSend;
  MessageOutcome outcome = MessageOutcome::kOutstanding;
  bool resent = false;
};
static_assert(sizeof(KeptMessage) == 40);

/// Pairs of a frame and a number, with the numbers of one frame side by side. Added are mostly those of the last frames.
class OrdinalIndex {
 public:
  using Pair = std::pair<std::uint32_t, std::uint32_t>;
  /// Not std::ranges::subrange, which clang 14 cannot compile with libstdc++.
  struct Range {
    [[nodiscard]] auto begin() const noexcept { return first; }
    [[nodiscard]] auto end() const noexcept { return behind; }

    std::deque<Pair>::const_iterator first;
    std::deque<Pair>::const_iterator behind;
  };

  void add(std::uint64_t ordinal, std::uint64_t number) {
    const Pair pair{static_cast<std::uint32_t>(ordinal), static_cast<std::uint32_t>(number)};
    pairs_.insert(std::ranges::upper_bound(pairs_, pair), pair);
  }
  [[nodiscard]] Range of(std::uint32_t ordinal) const noexcept {
    const auto first = std::ranges::lower_bound(pairs_, Pair{ordinal, 0});
    return {first, std::ranges::lower_bound(first, pairs_.end(), Pair{ordinal + 1, 0})};
  }

 private:
  std::deque<Pair> pairs_;
};

}  // namespace rocescope::wireshark
