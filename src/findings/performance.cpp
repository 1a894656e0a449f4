// What could be faster, reported only for traffic that is busy enough to matter.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "findings/rules.hpp"
#include "rocescope/detail/elapsed.hpp"
#include "rocescope/text.hpp"
#include "schema/per_second.hpp"

namespace rocescope::findings {
namespace {

/// Less than this many messages or packets is no workload.
constexpr std::uint64_t kEnoughWork = 1'000;

/// The headers of a RoCEv2 packet with a RETH, from the Ethernet's preamble to its gap, take about 100 bytes: below this
/// they are a third of the wire and more. A power of two, as sizes are counted.
constexpr std::uint64_t kSmall = 256;
constexpr std::uint32_t kSmallRate = 10'000;  // messages/s: a queue pair that sends fewer waits for something else

/// A message longer than the largest path MTU takes fewer packets with a larger path MTU than this.
constexpr std::uint32_t kSmallMtu = 1024;
constexpr std::uint64_t kBulk = 1U << 20;  // bytes

/// From this many packets a message, one ACK for each packet is much more than one for each message.
constexpr std::uint64_t kLongMessage = 4;

/// Fewer queue pairs may share a port by chance.
constexpr std::size_t kSeveral = 4;
constexpr std::uint64_t kBusyFlow = 16;  // packets

/// SENDs, WRITEs and READs. Atomics are left out: they are small by nature.
struct Moved {
  std::uint64_t messages = 0;
  std::uint64_t small = 0;
  std::uint64_t bytes = 0;
};

Moved moved(const ConnectionSide& side) {
  Moved moved;
  for (const OperationTotals& totals : side.operations.all()) {
    const bool moves = totals.operation == Operation::kSend || totals.operation == Operation::kWrite ||
                       totals.operation == Operation::kReadRequest;
    if (!moves) continue;
    moved.messages += totals.messages;
    for (const SizeTable::Row& row : totals.sizes.rows()) {
      if (row.at_least < kSmall) moved.small += row.messages;
    }
    moved.bytes += totals.bytes;
  }
  return moved;
}

Occurrences whole(const Connection& connection, std::uint64_t count) {
  return {.count = count, .first_time = connection.first_time, .last_time = connection.last_time};
}

void find_small_messages(const Direction& direction, FindingList& list) {
  const Moved sent = moved(direction.sender());
  const std::int64_t duration = elapsed(direction.connection.first_time, direction.connection.last_time);
  if (sent.small < kEnoughWork || sent.small * 10 < sent.messages * 9) return;
  const double rate = schema::per_second(sent.small, std::max<std::int64_t>(duration, 1));
  if (rate < kSmallRate) return;
  const Amount small = direction.seen(sent.small);
  list.add(FindingId::kSmallMessages, direction, whole(direction.connection, sent.small), small,
           fmt::format("{} of less than {} bytes, {:.0f} a second", count(small, "message"), kSmall, rate), "");
}

void find_small_mtu(const Direction& direction, FindingList& list) {
  const Moved sent = moved(direction.sender());
  const std::uint32_t mtu = direction.connection.path_mtu;
  if (mtu == 0 || mtu > kSmallMtu || sent.bytes < kBulk || sent.bytes < sent.messages * kLargestMtu) return;
  list.add(FindingId::kSmallMtu, direction, whole(direction.connection, sent.messages), direction.seen(sent.bytes),
           fmt::format("path MTU of {} bytes for {} of {} bytes on average", mtu,
                       count(direction.seen(sent.messages), "message"), sent.bytes / sent.messages),
           "");
}

void find_ack_every_packet(const Direction& direction, FindingList& list) {
  if (direction.connection.partial) return;  // not each of its packets and ACKs counts
  const ConnectionSide& sender = direction.sender();
  const std::uint64_t packets = sender.verdicts(VerdictKind::kInOrder) + sender.verdicts(VerdictKind::kOutOfOrder);
  if (packets < kEnoughWork || packets < sender.messages() * kLongMessage) return;
  if (sender.acks() * 10 < packets * 9) return;
  const Amount acks = direction.seen(sender.acks());
  list.add(FindingId::kAckEveryPacket, direction, whole(direction.connection, sender.acks()), acks,
           fmt::format("{} for {}", count(acks, "ACK"), count(direction.seen(packets), "request packet")),
           "rocescope.operation == \"Acknowledge\"");
}

/// The other side's responder resources for READs and atomics of this one, from the CM's REQ or REP.
std::optional<std::uint8_t> resources_for(const Direction& direction, const Evidence& evidence) {
  const Handshake* const handshake = handshake_of(direction.connection, evidence);
  if (handshake == nullptr) return std::nullopt;
  for (const HandshakeSide& side : handshake->sides) {
    const bool is_responder = side.address == direction.receiver().address && side.qpn == direction.receiver().qpn;
    if (is_responder) return side.responder_resources;
  }
  return std::nullopt;  // its message was not seen
}

/// With a UDP source port.
bool is_of_connections(const Flow& flow) {
  const bool connected = flow.transports.contains(Transport::kRc) || flow.transports.contains(Transport::kUc) ||
                         flow.transports.contains(Transport::kXrc);
  return connected &&
         (flow.encapsulation == Encapsulation::kRoceV2Ipv4 || flow.encapsulation == Encapsulation::kRoceV2Ipv6);
}

}  // namespace

void find_read_depth(const Direction& direction, const Evidence& evidence, FindingList& list) {
  const OutstandingReads& reads = *direction.sender().reads_outstanding;
  if (reads.most == 0) return;
  const auto resources = resources_for(direction, evidence);
  if (!resources) return;
  // Those whose answers the capture missed look outstanding.
  const Limits& limits = direction.limits;
  const bool may_miss = limits.may_miss_packets_of(direction.connection);
  const std::uint64_t missed = may_miss ? limits.most_missed_answers(direction.connection, reads.most) : 0;
  const Amount most = direction.seen(reads.most - std::min<std::uint64_t>(reads.most, missed));
  if (most.value <= *resources) return;
  Occurrences seen;
  seen.add(reads.packet, reads.time);
  list.add(FindingId::kReadDepthExceeded, direction, seen, most,
           fmt::format("{}{} READs and atomics outstanding where the responder has resources for {}",
                       in_words(most.strength), most.value, *resources),
           frames(seen));
}

void find_advice(const Direction& direction, FindingList& list) {
  find_small_messages(direction, list);
  find_small_mtu(direction, list);
  find_ack_every_packet(direction, list);
}

void find_one_port(const Evidence& evidence, FindingList& list) {
  struct Ports {
    std::set<std::uint16_t> ports;
    std::size_t flows = 0;
    Occurrences seen;
  };
  std::map<std::tuple<IpAddress, IpAddress, std::uint32_t>, Ports> pairs;
  if (evidence.flows == nullptr) return;
  for (const Flow& flow : *evidence.flows) {
    if (!is_of_connections(flow) || flow.traffic.packets < kBusyFlow) continue;
    Ports& pair = pairs[{flow.source, flow.destination, flow.overlay_id}];
    pair.ports.insert(flow.true_source_port.value_or(flow.source_port));
    pair.seen.first_time = pair.flows == 0 ? flow.first_time : std::min(pair.seen.first_time, flow.first_time);
    pair.seen.last_time = pair.flows == 0 ? flow.last_time : std::max(pair.seen.last_time, flow.last_time);
    pair.seen.count += flow.traffic.packets;
    ++pair.flows;
  }
  if (evidence.other_flows != nullptr) {
    for (const Flow& flow : *evidence.other_flows) {
      const auto pair = pairs.find({flow.source, flow.destination, flow.overlay_id});
      if (pair != pairs.end() && is_of_connections(flow))
        pair->second.ports.insert(flow.true_source_port.value_or(flow.source_port));
    }
  }
  for (const auto& [key, pair] : pairs) {
    const auto& [source, destination, overlay_id] = key;
    // Some captures write the destination port over the source port.
    constexpr std::uint16_t kRewritten = 4791;
    if (pair.flows < kSeveral || pair.ports.size() != 1 || *pair.ports.begin() == kRewritten) continue;
    const std::uint16_t port = *pair.ports.begin();
    const std::string from = to_text(source);
    const std::string to = to_text(destination);
    list.add(FindingId::kOnePortEntropy, pair.seen, {pair.flows},
             fmt::format("{} from {} to {} all use UDP source port {}", text::count(pair.flows, "queue pair"), from, to,
                         port),
             fmt::format("rocescope.src == {} && rocescope.dst == {} && rocescope.source_port == {}", from, to, port));
  }
}

}  // namespace rocescope::findings
