// What is counted of packets one by one, whatever came before them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "analysis/capture_counter.hpp"
#include "analysis/cm_log.hpp"
#include "analysis/flow_table.hpp"
#include "analysis/icrc_counter.hpp"
#include "analysis/operation_counter.hpp"
#include "analysis/protocol_tree.hpp"
#include "analysis/stop_counter.hpp"
#include "analysis/ud_flows.hpp"
#include "rocescope/record.hpp"
#include "rocescope/report.hpp"
#include "tracking/express/express_packet.hpp"
#include "tracking/express/express_run.hpp"

namespace rocescope {

/// Its memory is bounded by the limits of its tables, whatever the capture holds.
class PacketCounters {
 public:
  void add(const PacketRecord& record);
  /// Packets of one capture that took the express lane, in their order; at least one.
  void add(std::span<const ExpressPacket> packets, std::uint32_t capture);
  /// What these were, by flow.
  void add(const ExpressRun& run) { flows_.add(run); }
  /// A packet that does not count.
  void add_other(const PacketRecord& record) { other_flows_.add(record); }
  /// Forgets flows without packets since `idle_since`, which are added up.
  void evict(std::int64_t idle_since);

  [[nodiscard]] const CaptureTotals& totals() const noexcept { return all_.totals(); }
  [[nodiscard]] std::deque<Flow> flows() const { return FlowTable(flows_).flows(); }
  [[nodiscard]] std::deque<Flow> other_flows() const { return FlowTable(other_flows_).flows(); }
  [[nodiscard]] const EvictedFlows& evicted_flows() const noexcept { return flows_.evicted(); }
  [[nodiscard]] const std::vector<CmEvent>& cm_events() const noexcept { return cm_.events(); }
  [[nodiscard]] std::vector<StopCount> stops() const { return stops_.counts(); }
  /// How many rows findings rest on.
  [[nodiscard]] std::size_t evidence() const noexcept { return flows_.size() + cm_.events().size(); }

  /// Counts what took the express lane in all tables: to be called before stops().
  void settle();
  /// Moves all that it counted into the report, which has the captures already.
  void report(Report& report);

 private:
  friend struct StateMembers;
  [[nodiscard]] CaptureCounter& of_capture(std::uint32_t capture);

  CaptureCounter all_;
  std::optional<std::int64_t> start_;
  std::vector<CaptureCounter> by_capture_;
  std::vector<Traffic> by_point_;  // RoCE
  ProtocolTree protocols_;
  OperationCounter operations_;
  FlowTable flows_;
  FlowTable other_flows_;
  UdFlows ud_flows_;
  CmLog cm_;
  IcrcCounter icrc_;
  StopCounter stops_;

  /// Packets that took the express lane, alike in all that is counted here.
  struct Express {
    Traffic traffic;
    std::uint64_t payload_bytes = 0;
  };
  static constexpr std::size_t kIcrcStatuses = 4;
  [[nodiscard]] Express& express_of(std::size_t shape, std::size_t icrc, bool cut, std::uint8_t opcode) noexcept {
    return express_[(((shape * kIcrcStatuses + icrc) * 2 + (cut ? 1 : 0)) << 5) + opcode];
  }
  /// By shape, what the ICRC shows, whether it is cut, and opcode, below 32.
  std::array<Express, ExpressPacket::kShapes * kIcrcStatuses * 2 * 32> express_{};
};

}  // namespace rocescope
