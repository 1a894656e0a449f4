// Flows, hosts and connections that only damaged packets name: there are none.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "rocescope/flow.hpp"
#include "rocescope/report.hpp"

namespace rocescope {

/// Flows are counted packet by packet, before anything is known of their senders, and so a damaged address or queue pair number
/// makes one of its own.
class DamagedFlows {
 public:
  /// `others`: of packets that do not count, which show as well whose ICRCs are right. `some_unverified`: not all ICRCs were in the capture.
  DamagedFlows(const std::deque<Flow>& flows, const std::deque<Flow>& others, bool some_unverified);

  /// Of one of `flows`. Whether all its packets have a wrong ICRC, while others of its sender, or to its queue pair, have a right one. Or a wrong
  /// checksum of the IPv4 header, and only few packets.
  [[nodiscard]] bool has(const Flow& flow) const;
  /// Takes them out of the report, whose flows these are, with the hosts and connections that they name, and counts all damaged packets there.
  void remove_from(Report& report) const;

 private:
  using Host = std::pair<IpAddress, std::uint32_t>;               // with the VNI
  using QueuePair = std::tuple<IpAddress, Qpn, std::uint32_t>;    // where packets go
  using Hosts = std::tuple<IpAddress, IpAddress, std::uint32_t>;  // from one to another, with the VNI
  using Named = std::pair<Hosts, Qpn>;                            // what names a flow

  [[nodiscard]] static Hosts hosts_of(const Flow& flow) { return {flow.source, flow.destination, flow.overlay_id}; }

  [[nodiscard]] std::uint64_t count_never_right(const Report& report) const;
  [[nodiscard]] bool has(const UdFlow& flow) const;
  [[nodiscard]] bool has(const Connection& connection, const std::set<Named>& flows) const;

  [[nodiscard]] bool has_wrong_headers(const Flow& flow) const;
  [[nodiscard]] bool has_wrong_number(const Flow& flow) const;

  // Of several packets each, by queue pair; none where all ICRCs were verified.
  std::map<Hosts, std::vector<std::pair<Qpn, const Flow*>>> flows_;
  std::set<Host> right_senders_;  // with a right ICRC
  std::set<Host> sound_hosts_;    // of packets with a right checksum of the header
  std::set<QueuePair> right_receivers_;
};

}  // namespace rocescope
