
#include "rocescope/eviction.hpp"
#include "schema/tables.hpp"

namespace rocescope {

void EvictedTotals::add(const Connection& connection, bool is_crowded) {
  ++connections;
  if (is_crowded) ++crowded;
  for (const ConnectionSide& side : connection.sides) {
    schema::merge(schema::kSide, sides, side);
    // The one kind of evidence that a finding takes from all senders together.
    if (const Sighting* bad = side.sightings.find(FindingId::kIcrcBad)) sides.sightings.merge(*bad);
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
