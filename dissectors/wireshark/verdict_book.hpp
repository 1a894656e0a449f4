// Keeps the verdicts of a capture's frames from the first pass, for all passes. Knows nothing of Wireshark.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analysis/analysis.hpp"
#include "rocescope/capture.hpp"
#include "rocescope/dissect.hpp"
#include "rocescope/final_numbers.hpp"
#include "rocescope/message.hpp"
#include "rocescope/record.hpp"
#include "rocescope/report.hpp"
#include "wireshark/frame_numbers.hpp"
#include "wireshark/kept.hpp"

namespace rocescope::wireshark {

struct BookOptions {
  bool icrc = true;
  bool findings = true;  ///< and the report
  DissectOptions dissect{};
};

/// Where a frame was captured: the interface of a pcapng section, from 1; 0 where the format has none.
struct Interface {
  std::uint32_t section = 0;
  std::uint32_t number = 0;
  const char* name = nullptr;
};

/// Numbers of frames are Wireshark's in all that it takes and gives, but for those in the report.
class VerdictBook {
 public:
  explicit VerdictBook(const BookOptions& options);

  /// The next frame of the first pass. Null: no RoCE. The record lasts until the next call of this or of recall().
  [[nodiscard]] const PacketRecord* judge(Frame frame, const Interface& interface);
  /// A frame that was judged before. Null: it was not, or it is no RoCE.
  [[nodiscard]] const PacketRecord* recall(Frame frame);

  /// A message whose end was seen by now; null: not yet.
  [[nodiscard]] const KeptMessage* message(std::uint64_t number) const noexcept;
  /// Calls `visit(number, message)` for each message that this frame completed, as far as is known by now.
  template <class Visit>
  void visit_completed(std::uint32_t frame, Visit&& visit) const {
    const std::uint32_t ordinal = frames_.ordinal_of(frame);
    for (const auto& [key, number] : completed_.of(ordinal)) {
      const KeptMessage* const ended = message(number);
      if (ended != nullptr && ended->completion == ordinal) visit(number, *ended);
    }
  }
  /// The frame in which this one was sent again first; 0: none so far.
  [[nodiscard]] std::uint32_t resent_in(std::uint32_t frame) const noexcept;
  /// Of frames that the library names, in messages and in the report; 0: Wireshark dropped it.
  [[nodiscard]] std::uint32_t frame_of(std::uint64_t ordinal) const noexcept { return frames_.number_of(ordinal); }

  /// The first pass is over: no frame is judged any more.
  void end();
  /// Null before the end, and without findings.
  [[nodiscard]] const Report* report() const noexcept { return report_ ? &*report_ : nullptr; }
  /// Indexes into the findings of the report.
  [[nodiscard]] OrdinalIndex::Range findings_of(std::uint32_t frame) const {
    return findings_.of(frames_.ordinal_of(frame));
  }
  /// The number that is known by now of the connection of a frame; 0: none.
  [[nodiscard]] std::uint32_t connection_of(std::uint32_t frame);
  /// The highest of these numbers.
  [[nodiscard]] std::uint32_t last_connection() const noexcept { return last_connection_; }

  [[nodiscard]] std::uint32_t frames() const noexcept { return frames_.count(); }

 private:
  /// Gives the analysis the frame that Wireshark gives.
  class OneFrame : public FrameSource {
   public:
    OneFrame() : captures_(1) { captures_.front().path = "capture"; }
    void put(const Frame& frame, const Interface& interface);
    [[nodiscard]] bool next(Frame& frame) override;
    [[nodiscard]] std::span<const CaptureInfo> info() const override { return captures_; }

   private:
    [[nodiscard]] std::uint32_t find(const Interface& interface, std::uint32_t link_type);
    std::vector<CaptureInfo> captures_;
    std::optional<Frame> frame_;
  };

  void keep(const Message& message);
  void learn_numbers();
  [[nodiscard]] const KeptVerdict* find(std::uint32_t ordinal) const noexcept;
  [[nodiscard]] const KeptDetails* details_of(const KeptVerdict& verdict) const noexcept;

  BookOptions options_;
  OneFrame source_;
  std::unique_ptr<Analysis> analysis_;
  FrameNumbers frames_;
  std::deque<KeptVerdict> verdicts_;    // of RoCE packets, by ordinal
  std::deque<KeptDetails> details_;     // of some of these
  std::deque<KeptMessage> messages_;    // by number, from 1
  OrdinalIndex completed_;              // by the frame that ended them: numbers of messages
  OrdinalIndex resent_;                 // by the frame that was sent again: where
  OrdinalIndex findings_;               // by frame: indexes
  FinalNumbers numbers_;                // of connections
  std::uint32_t numbers_known_at_ = 0;  // frames
  std::uint32_t last_connection_ = 0;
  std::optional<Report> report_;
  std::int64_t first_timestamp_ = 0;
  Packet packet_;
  PacketRecord record_;
};

}  // namespace rocescope::wireshark
