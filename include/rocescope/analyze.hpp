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
  /// Which packets the report is about; empty: all. The record lasts until the function returns. It cannot ask the source, which
  /// is some packets ahead.
  std::function<bool(const PacketRecord& record)> accept;
};

/// Reads `source` to its end. Memory is bounded, whatever the capture holds: what a table had no room for is counted in
/// the report.
[[nodiscard]] Report analyze(FrameSource& source, const AnalyzeOptions& options = {});

}  // namespace rocescope
