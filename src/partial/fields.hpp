// The members of every struct of a partial result: the one description that is written, read and explained.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "analysis/observations.hpp"
#include "partial/members.hpp"
#include "partial/private_members.hpp"
#include "rocescope/detail/congestion_state.hpp"
#include "tracking/moment.hpp"

namespace rocescope::partial {

/// A message as CSV has it, with who its connection is between.
struct MessageRecord {
  struct Party {
    IpAddress address;
    std::optional<Qpn> qpn;
  };
  /// In a shard, what is needed to order the messages of all shards: when the message was shown, and which messages
  /// began since the previous record.
  std::uint64_t moment = 0;
  BegunMessages begun;
  std::uint32_t connection = 0;  ///< 0: there is no message, but some began
  std::uint8_t side = 0;
  std::array<Party, 2> sides;
  Message message;
};

/// Calls `function(name, member)` for each member of `value`. What a struct of public members has comes from the compiler.
template <class T, class Function>
requires(Plain<std::remove_const_t<T>> && !std::is_same_v<std::remove_const_t<T>, Connection> &&
         !std::is_same_v<std::remove_const_t<T>, CongestionState>) constexpr void visit_fields(T& value,
                                                                                               Function&& function) {
  visit_members(value, function);
}

/// Without what the tracker alone needs.
template <class Function>
void visit_fields(CongestionState& value, Function&& function) {
  visit_members(static_cast<Congestion&>(value), function);
}
template <class Function>
void visit_fields(const CongestionState& value, Function&& function) {
  visit_members(static_cast<const Congestion&>(value), function);
}

template <class C, class Function>
requires std::is_same_v<std::remove_const_t<C>, Connection>
void visit_fields(C& value, Function&& function) {
  static_assert(detail::members_in<Connection>() == 17, "a member of Connection that stands not here, or in its marks");
  function("number", value.number);
  function("transport", value.transport);
  function("paired_by", value.paired_by);
  ConnectionMarks marks = PrivateMembers::marks_of(value);
  function("marks", marks);
  if constexpr (!std::is_const_v<C>) PrivateMembers::mark(marks, value);
  function("capture_point", value.capture_point);
  function("overlay_id", value.overlay_id);
  function("joined", value.joined);
  function("path_mtu", value.path_mtu);
  function("handshake", value.handshake);
  function("first_time", value.first_time);
  function("last_time", value.last_time);
  function("seen_until", value.seen_until);
  function("sides", value.sides);
}

/// The sections of a partial result, but for its messages.
template <class O, class Function>
requires std::is_same_v<std::remove_const_t<O>, Observations>
void visit_sections(O& value, Function&& function) {
  static_assert(detail::members_in<Observations>() == 5, "a member of Observations that is not written");
  static_assert(detail::members_in<Report>() == 26, "a member of Report that is not written");
  auto& report = value.report;
  function("captures", report.captures);
  function("totals", report.totals);
  function("packets_read", report.packets_read);
  function("start", report.start);
  function("capture_points", report.capture_points);
  function("comparisons", report.comparisons);
  function("uncompared_packets", report.uncompared_packets);
  // Findings, damaged_connections and damaged_hosts are conclusions.
  function("protocols", report.protocols);
  function("untracked_protocols", report.untracked_protocols);
  function("other_packets", report.other_packets);
  function("operations", report.operations);
  function("flows", report.flows);
  function("untracked_flows", report.untracked_flows);
  function("commands", report.commands);
  function("evicted", report.evicted);
  function("times", report.times);
  function("ud_flows", report.ud_flows);
  function("untracked_ud_flows", report.untracked_ud_flows);
  function("cm_events", report.cm_events);
  function("unlisted_cm_events", report.unlisted_cm_events);
  function("icrc", report.icrc);
  function("stops", report.stops);
  using Base = std::conditional_t<std::is_const_v<O>, const Tracking, Tracking>;
  visit_members(static_cast<Base&>(report), function);
  function("other_flows", value.other_flows);
  function("command_troubles", value.command_troubles);
  function("evicted_findings", value.evicted_findings);
  function("shard", value.shard);
}

// What readers of a report rely on, although a file may have other values.

inline bool is_sound(const HandshakeStep& step) { return step.sender < 2; }
inline bool is_sound(const HandshakeReject& reject) { return reject.sender < 2; }
inline bool is_sound(const Command& command) { return command.initiator < 2; }
inline bool is_sound(const DepthSeries& series) {
  constexpr std::int64_t kLatest = DepthMeter::kLatest;
  if (series.empty()) return true;
  return series.start >= 0 && series.start < kLatest && series.width > 0 && series.width <= kLatest &&
         series.buckets.size() <= DepthMeter::kMostBuckets &&
         static_cast<std::int64_t>(series.buckets.size() - 1) <= (kLatest - series.start) / series.width;
}
inline bool is_sound(const CarriedProtocol& carried) { return carried.initiator.value_or(0) < 2; }
inline bool is_sound(const CommandTroubles& troubles) { return troubles.initiator < 2; }
inline bool is_sound(const MessageRecord& record) { return record.side < 2; }
inline bool is_sound(const OperationCount& count) { return count.opcode != nullptr; }
inline bool is_sound(const Finding& finding) { return finding.info != nullptr && finding.side.value_or(0) < 2; }
inline bool is_sound(const ConnectionMarks& marks) { return marks.counting <= 3; }

}  // namespace rocescope::partial
