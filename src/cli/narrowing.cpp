// Matches packets against the conditions.
#include "cli/narrowing.hpp"

#include <algorithm>

#include "rocescope/headers/dc.hpp"
#include "rocescope/headers/extended_transport.hpp"

namespace rocescope::cli {
namespace {

bool concerns(const Packet& packet, Qpn qpn) noexcept {
  if (!packet.is_roce()) return false;
  if (packet.roce.dest_qp == qpn) return true;
  const std::optional<Deth> deth = packet.header<Deth>();
  if (deth && deth->src_qp() == qpn) return true;
  const std::optional<Dceth> dceth = packet.header<Dceth>();
  return dceth && dceth->src_qp() == qpn;
}

bool any_host(const std::vector<AddressPrefix>& hosts, const Packet& packet) noexcept {
  // The unspecified address :: may be the source, but not both.
  if (packet.source.empty() && packet.destination.empty()) return false;
  return std::any_of(hosts.begin(), hosts.end(), [&](const AddressPrefix& host) {
    return host.contains(packet.source) || host.contains(packet.destination);
  });
}

/// Whether the list has the number. An empty list has all.
template <class Number>
bool any_of(const std::vector<Number>& wanted, Number number) noexcept {
  return wanted.empty() || std::ranges::find(wanted, number) != wanted.end();
}

}  // namespace

bool Narrowing::admits(const PacketRecord& record) const noexcept {
  const Packet& packet = *record.packet;
  if (!admits_time(packet.frame.timestamp, record.first_timestamp)) return false;
  if (!hosts.empty() && !any_host(hosts, packet)) return false;
  if (!any_of(points, packet.frame.capture_point)) return false;
  if (!any_of(connections, record.verdict.connection) || !any_of(messages, record.verdict.message)) return false;
  return queue_pairs.empty() ||
         std::any_of(queue_pairs.begin(), queue_pairs.end(), [&](Qpn qpn) { return concerns(packet, qpn); });
}

}  // namespace rocescope::cli
