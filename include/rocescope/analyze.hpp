// From a capture to its report.
#pragma once

#include <functional>

#include "rocescope/capture.hpp"
#include "rocescope/dissect.hpp"
#include "rocescope/record.hpp"
#include "rocescope/report.hpp"
#include "rocescope/tracker.hpp"

namespace rocescope {

struct AnalyzeOptions {
  DissectOptions dissect;
  TrackOptions track;
  bool verify_icrc = true;
  /// With 2 or more the source is read, and the packets are dissected, in a thread of their own, beside the tracker; then
  /// the source must never wait for others. The report is the same.
  unsigned threads = 1;
  /// Which packets count; empty: all. Everything in the report is about them. The others are followed all the same, so that
  /// verdicts and the numbers of connections are those of the whole capture, and what is left out is not taken for lost; see
  /// Tracker::track(). The record lasts until the function returns. It cannot ask the source, which is some packets ahead.
  std::function<bool(const PacketRecord& record)> accept;
  /// What `accept` looks at, beyond the packet. Without the verdict, tracking takes half the time and memory.
  RecordParts accept_needs = kAllParts;
};

/// Reads `source` to its end. Memory is bounded, whatever the capture holds: what a table had no room for is counted in
/// the report.
[[nodiscard]] Report analyze(FrameSource& source, const AnalyzeOptions& options = {});

}  // namespace rocescope
