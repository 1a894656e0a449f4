// From a source of frames to packets with all that is known of them.
#pragma once

#include <cstdint>
#include <optional>

#include "icrc_verifier.hpp"
#include "rocescope/capture.hpp"
#include "rocescope/dissect.hpp"
#include "rocescope/record.hpp"
#include "rocescope/tracker.hpp"

namespace rocescope {

struct ReadOptions {
  DissectOptions dissect;
  /// What of the records is worked out. Without icrc each stays kNone, and the verdicts do not know of corrupt packets.
  RecordParts parts = kAllParts;
  TrackOptions track;
};

/// Reads a capture packet by packet: dissects, verifies the ICRC, tracks, fills a PacketRecord.
class PacketReader {
 public:
  /// `source` must outlive the reader.
  explicit PacketReader(FrameSource& source, const ReadOptions& options = {})
      : source_(source), options_(options), tracker_(options.track) {}
  PacketReader(const PacketReader&) = delete;
  PacketReader& operator=(const PacketReader&) = delete;

  /// The next packet, or null at the end of the capture; of a live capture where there is none now, after which another call may
  /// give one. The record and all that it points to last until the next call.
  [[nodiscard]] const PacketRecord* next();

  /// The packet that next() gave last passed the user's filter: times "since the previous displayed packet" count from
  /// it.
  void mark_displayed() noexcept { previous_displayed_ = packet_.frame.timestamp; }

  [[nodiscard]] const IcrcVerifier& icrc_verifier() const noexcept { return verifier_; }
  [[nodiscard]] const Tracker& tracker() const noexcept { return tracker_; }
  [[nodiscard]] Tracker& tracker() noexcept { return tracker_; }

 private:
  [[nodiscard]] const CaptureInterface* interface_of(const Frame& frame) const;

  FrameSource& source_;
  ReadOptions options_;
  IcrcVerifier verifier_;
  Tracker tracker_;
  Frame frame_;
  Packet packet_;
  PacketRecord record_;
  std::optional<std::int64_t> first_;
  std::optional<std::int64_t> previous_displayed_;
};

}  // namespace rocescope
