#include "tracking/connections/unpaired_flows.hpp"

#include <algorithm>

#include "tracking/connections/source_port.hpp"

namespace rocescope {

void UnpairedFlows::add(const FlowKey& key, std::uint32_t connection, std::uint16_t source_port) {
  std::vector<Flow>& flows = flows_[HostPair::of(key)];
  noted_[connection] = {.requests = {}, .place = static_cast<std::uint32_t>(flows.size())};
  flows.push_back({connection, key.dest_qp, source_port, {}});
}

void UnpairedFlows::note_requests(const FlowKey& key, std::uint32_t connection, const PsnSpan& requests) {
  constexpr std::uint32_t kMore = 1'024;  // PSNs, until which they need not be noted again
  const auto found = noted_.find(connection);
  const auto flows = flows_.find(HostPair::of(key));
  if (found == noted_.end() || flows == flows_.end()) return;
  Noted& noted = found->second;
  noted.requests = {requests.first, requests.last + kMore};
  std::size_t end = std::min(noted.place + std::size_t{1}, flows->second.size());
  while (end > 0 && flows->second[end - 1].connection != connection) --end;
  if (end == 0) return;
  noted.place = static_cast<std::uint32_t>(end - 1);
  flows->second[end - 1].requests = noted.requests;
}

void UnpairedFlows::forget(const FlowKey& key, std::uint32_t connection) {
  votes_.erase(key);
  noted_.erase(connection);
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
