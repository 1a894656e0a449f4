#include "render/html/detail_recorder.hpp"

#include <algorithm>
#include <set>

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

/// Few connections are shown in more detail than many.
DetailLimits limits_for(std::size_t connections) {
  const std::size_t number = std::max<std::size_t>(connections, 1);
  const auto share = [&](std::size_t all, std::size_t least, std::size_t most) {
    return std::clamp(all / number, least, most);
  };
  return {.points = {.points = share(400'000, 2'000, 60'000), .columns = share(32'768, 256, 2'048)},
          .columns = share(16'384, 128, 1'024),
          .messages = share(100'000, 1'000, 20'000),
          .events = share(20'000, 200, 5'000)};
}

}  // namespace

DetailRecorder::DetailRecorder(const Report& report, const OverviewRecorder& overview, const FinalNumbers& numbers)
    : numbers_(numbers) {
  const std::vector<const Connection*> chosen = chosen_of(report);
  const DetailLimits limits = limits_for(chosen.size());
  for (const Connection* const connection : chosen) {
    details_.push_back(
        std::make_unique<ConnectionDetail>(report, *connection, limits, overview.failed().of(*connection)));
    by_number_[connection->number] = details_.back().get();
  }
}

void DetailRecorder::add(const PacketRecord& record, const Tracker& tracker) {
  const Packet& packet = *record.packet;
  if (!packet.is_roce()) return;
  const auto found = by_number_.find(record.verdict.connection);
  if (found != by_number_.end()) return found->second->add(record, tracker);
  // Messages that set connections up are datagrams.
  if (packet.roce.opcode->transport != Transport::kUd) return;
  for (const auto& detail : details_) detail->add(record, tracker);
}

void DetailRecorder::add(const Connection& connection, std::size_t side, const Message& message) {
  const auto found = by_number_.find(numbers_.of(connection.number));
  if (found != by_number_.end()) found->second->add(side, message);
}

}  // namespace rocescope::render
