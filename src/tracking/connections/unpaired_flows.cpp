#include "tracking/connections/unpaired_flows.hpp"

#include <algorithm>

#include "tracking/connections/source_port.hpp"

namespace rocescope {

void UnpairedFlows::add(const FlowKey& key, std::uint32_t connection, std::uint16_t source_port) {
  flows_[HostPair::of(key)].push_back({connection, key.dest_qp, source_port, {}});
  requests_[connection] = {};
}

void UnpairedFlows::note_requests(const FlowKey& key, std::uint32_t connection, const PsnSpan& requests) {
  constexpr std::uint32_t kMore = 1'024;  // PSNs, until which they need not be noted again
  const auto known = requests_.find(connection);
  const auto found = flows_.find(HostPair::of(key));
  if (known == requests_.end() || found == flows_.end()) return;
  known->second = {requests.first, requests.last + kMore};
  const auto flow = std::ranges::find(found->second, connection, &Flow::connection);
  if (flow != found->second.end()) flow->requests = known->second;
}

void UnpairedFlows::forget(const FlowKey& key, std::uint32_t connection) {
  votes_.erase(key);
  requests_.erase(connection);
  const auto found = flows_.find(HostPair::of(key));
  if (found == flows_.end()) return;
  std::erase_if(found->second, [&](const Flow& flow) { return flow.connection == connection; });
  if (found->second.empty()) flows_.erase(found);
}

bool UnpairedFlows::is_alone(const FlowKey& key) const {
  const auto opposite = flows_.find(HostPair::opposite(key));
  const auto own = flows_.find(HostPair::of(key));
  const bool alone = own == flows_.end() || (own->second.size() == 1 && own->second[0].dest_qp == key.dest_qp);
  return alone && opposite != flows_.end() && opposite->second.size() == 1;
}

bool UnpairedFlows::ports_fit(Qpn qpn, std::uint16_t port, const Flow& other) noexcept {
  // Each is sent by the queue pair that the other one's packets go to.
  const bool by_both = port == source_port_of(qpn, other.dest_qp) && other.source_port == port;
  const bool by_own = port == source_port_of(other.dest_qp) && other.source_port == source_port_of(qpn);
  return by_both || by_own;
}

std::optional<std::uint32_t> UnpairedFlows::by_port(const UnpairedPacket& packet) const {
  const auto opposite = flows_.find(HostPair::opposite(packet.key));
  const auto own = flows_.find(HostPair::of(packet.key));
  if (packet.source_port == 0 || opposite == flows_.end() || own == flows_.end()) return std::nullopt;
  if (opposite->second.size() > kMostTried || own->second.size() > kMostTried) return std::nullopt;
  const Flow* only = nullptr;
  for (const Flow& flow : opposite->second) {
    if (!ports_fit(packet.key.dest_qp, packet.source_port, flow)) continue;
    if (only != nullptr) return std::nullopt;
    only = &flow;
  }
  if (only == nullptr) return std::nullopt;
  const auto fitting = std::count_if(own->second.begin(), own->second.end(), [&](const Flow& flow) {
    return ports_fit(flow.dest_qp, flow.source_port, *only);
  });
  return fitting == 1 ? std::optional(only->connection) : std::nullopt;
}

}  // namespace rocescope
