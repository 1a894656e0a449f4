
#include "rocescope/eviction.hpp"
#include "schema/tables.hpp"

namespace rocescope {

void EvictedTotals::add(const Connection& connection, bool is_crowded) {
  ++connections;
  if (is_crowded) ++crowded;
  if (connection.repeated) return;
  if (connection.transport != Transport::kUc)
    requests[connection.capture_point] += connection.sides[0].new_packets() + connection.sides[1].new_packets();
  for (const ConnectionSide& side : connection.sides) {
    schema::merge(schema::kSide, sides, side);
    // A finding takes it from all senders together.
    if (const Sighting* const bad = side.sightings.find(FindingId::kIcrcBadAllTx)) sides.sightings.merge(*bad);
  }
}

void EvictedRegions::add(const MemoryRegion& region) {
  ++regions;
  schema::merge(schema::kRegion, all, region);
}

void EvictedFlows::add(const Flow& flow) {
  ++flows;
  schema::merge(schema::kFlow, all, flow);
  if (senders.size() >= kMostSenders && !senders.contains(flow.source)) return;
  Sender& sender = senders[flow.source];
  sender.packets += flow.traffic.packets;
  sender.icrc_bad_packets += flow.icrc_bad_packets;
}

void EvictedUdFlows::add(const UdFlow& flow) {
  ++flows;
  schema::merge(schema::kUdFlow, all, flow);
}

}  // namespace rocescope
