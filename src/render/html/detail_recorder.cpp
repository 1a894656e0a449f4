#include "render/html/detail_recorder.hpp"

#include <algorithm>
#include <utility>

#include "render/report/finding_blocks.hpp"
#include "rocescope/render.hpp"

namespace rocescope::render {
namespace {

std::vector<const Connection*> chosen_of(const Report& report) {
  std::unordered_map<std::uint32_t, const Connection*> known;
  for (const Connection& connection : report.connections) known[connection.number] = &connection;
  std::vector<const Connection*> chosen;
  const auto choose = [&](std::uint32_t number) {
    const auto found = known.find(number);
    if (found == known.end() || chosen.size() == DetailRecorder::kMostConnections) return;
    chosen.push_back(found->second);
    known.erase(found);
  };
  for (const FindingBlock& block : finding_blocks(report, {.notes = false, .each = false, .most = kReportRows})) {
    for (const FindingLine& line : block.lines) choose(line.finding->connection);
  }
  for (const Connection& connection : report.connections) choose(connection.number);
  return chosen;
}

std::pair<IpAddress, IpAddress> hosts_of(const IpAddress& a, const IpAddress& b) { return std::minmax(a, b); }

/// Few connections are shown in more detail than many.
DetailLimits limits_for(std::size_t connections) {
  const std::size_t number = std::max<std::size_t>(connections, 1);
  const auto share = [&](std::size_t all, std::size_t least, std::size_t most) {
    return std::clamp(all / number, least, most);
  };
  return {.points = {.points = share(200'000, 2'000, 60'000), .columns = share(16'384, 256, 2'048)},
          .columns = share(8'192, 128, 1'024),
          .messages = share(60'000, 1'000, 20'000),
          .events = share(10'000, 150, 5'000)};
}

}  // namespace

DetailRecorder::DetailRecorder(const Report& report, OverviewRecorder& overview, const FinalNumbers& numbers)
    : report_(report), overview_(overview), numbers_(numbers) {
  const std::vector<const Connection*> chosen = chosen_of(report);
  const DetailLimits limits = limits_for(chosen.size());
  for (const Connection* const connection : chosen) {
    details_.push_back(
        std::make_unique<ConnectionDetail>(report, *connection, limits, overview.failed().of(*connection)));
    by_number_[connection->number] = details_.back().get();
    by_hosts_[hosts_of(connection->sides[0].address, connection->sides[1].address)].push_back(details_.back().get());
  }
  flows_ = FlowSet(chosen);
}

std::unique_ptr<FrameSource> DetailRecorder::frames(std::unique_ptr<FrameSource> source) {
  // Where packets are seen shows in the packets of all connections.
  if (details_.size() == report_.connections.size() || report_.capture_points.size() > 1) return source;
  is_partial_ = true;
  for (const TracedMessage& traced : overview_.messages().messages()) {
    first_frames_[traced.message.first_frame] = traced.message.number;
  }
  return frames_of(std::move(source), flows_);
}

ConnectionDetail* DetailRecorder::detail_of(const Packet& packet, std::uint32_t tracked_as) const {
  std::uint32_t number = numbers_.of(tracked_as);
  if (is_partial_) {
    const FlowSet::Place place =
        flows_.find(packet.source, packet.destination, packet.roce.dest_qp, packet.overlay_id, packet.frame.timestamp);
    if (place.connection == nullptr) return nullptr;
    number = place.connection->number;
  }
  const auto found = by_number_.find(number);
  return found == by_number_.end() ? nullptr : found->second;
}

/// The number of the message; if the message is not known, a number that no message has.
std::uint64_t DetailRecorder::message_number(std::uint64_t tracked_as, std::uint64_t frame) {
  if (!is_partial_ || tracked_as == 0) return tracked_as;
  constexpr std::uint64_t kUnknown = std::uint64_t{1} << 63;
  if (const auto first = first_frames_.find(frame); first != first_frames_.end()) messages_[tracked_as] = first->second;
  const auto known = messages_.find(tracked_as);
  return known == messages_.end() ? tracked_as | kUnknown : known->second;
}

void DetailRecorder::add(const PacketRecord& record, const Tracker& tracker) {
  const Sent sent = record.packet->is_roce() ? add_packet(record, tracker) : Sent();
  if (is_partial_) return;
  PacketRecord renumbered = record;
  renumbered.verdict.connection = numbers_.of(record.verdict.connection);
  traffic_.add(renumbered);
  if (sent.packets > 0 && !record.repeated) traffic_.add_roce(*record.packet, sent);
}

Sent DetailRecorder::add_packet(const PacketRecord& record, const Tracker& tracker) {
  const Packet& packet = *record.packet;
  const std::uint32_t tracked_as = record.verdict.connection;
  if (ConnectionDetail* const detail = detail_of(packet, tracked_as)) {
    PacketRecord renumbered = record;
    renumbered.verdict.connection = detail->connection().number;
    renumbered.verdict.message = message_number(record.verdict.message, packet.frame.number);
    return detail->add(renumbered, tracker, tracked_as);
  }
  if (packet.roce.opcode->transport == Transport::kUd) add_datagram(record, tracker);
  Sent sent{.packets = 1, .wire_bytes = packet.wire_length, .payload_bytes = packet.roce.payload_length};
  if (record.icrc.status != IcrcStatus::kBad) sent.goodput_bytes = sent.payload_bytes;
  return sent;
}

void DetailRecorder::add_datagram(const PacketRecord& record, const Tracker& tracker) {
  const auto found = by_hosts_.find(hosts_of(record.packet->source, record.packet->destination));
  if (found == by_hosts_.end()) return;
  for (ConnectionDetail* const detail : found->second) detail->add(record, tracker, record.verdict.connection);
}

void DetailRecorder::add(const Connection& connection, std::size_t side, const Message& message) {
  const ConnectionSide& from = connection.sides[side];
  const ConnectionSide& to = connection.sides[1 - side];
  FlowSet::Place place;
  if (to.qpn) place = flows_.find(from.address, to.address, *to.qpn, connection.overlay_id, message.first_time);
  if (!is_partial_) {
    place.connection != nullptr ? messages_of_all_.add(*place.connection, place.sender, message)
                                : messages_of_all_.add(connection, side, message);
  }
  if (place.connection == nullptr) return;
  Message renumbered = message;
  if (is_partial_) {
    const auto known = first_frames_.find(message.first_frame);
    renumbered.number = known == first_frames_.end() ? 0 : known->second;
  }
  by_number_.at(place.connection->number)->add(place.sender, renumbered);
}

}  // namespace rocescope::render
