// Makes a report from packets.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "capture_counter.hpp"
#include "cm_log.hpp"
#include "flow_table.hpp"
#include "icrc_counter.hpp"
#include "icrc_verifier.hpp"
#include "operation_counter.hpp"
#include "protocol_tree.hpp"
#include "rocescope/capture.hpp"
#include "rocescope/record.hpp"
#include "rocescope/report.hpp"
#include "stop_counter.hpp"

namespace rocescope {

/// Shows each packet to all trackers. Its memory is bounded by their limits, whatever the capture holds.
class ReportBuilder {
 public:
  void add(const PacketRecord& record);

  /// The report of the packets so far; `captures` describes where they came from.
  [[nodiscard]] Report finish(std::span<const CaptureInfo> captures) const;

 private:
  CaptureCounter all_;
  std::vector<CaptureCounter> by_capture_;
  ProtocolTree protocols_;
  OperationCounter operations_;
  FlowTable flows_;
  CmLog cm_;
  IcrcCounter icrc_;
  StopCounter stops_;
};

}  // namespace rocescope
