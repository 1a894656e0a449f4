#include "analysis/analysis.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <set>
#include <string_view>
#include <utility>

#include "analysis/packet_reader.hpp"
#include "findings/findings.hpp"
#include "rocescope/analyze.hpp"
#include "tracking/express/express_lane.hpp"
#include "tracking/moment.hpp"
#include "ulp/named/use.hpp"

namespace rocescope {

Analysis::Analysis(FrameSource& source, const AnalysisOptions& options)
    : source_(source),
      is_live_(options.is_live),
      reports_(options.purpose == Purpose::kReport),
      verifies_icrc_(options.parts.icrc),
      // Else behind the selection, and together with what evictions take away.
      counts_when_read_(reports_ && !options.selection.admits && options.track.idle_timeout == 0 &&
                        !options.track.shard),
      track_(options.track),
      reader_(std::make_unique<PacketReader>(source, options)) {
  if (track_.shard) {
    reader_->tracker().note_order(nullptr);
    reader_->commands().note_moments(reader_->tracker().moment());
  }
  if (counts_when_read_) reader_->on_prepared([this](const PacketRecord& record) { counters_.add(record); });
  if (reports_) reader_->tracker().on_eviction([this](Eviction&& eviction) { evict(std::move(eviction)); });
}

/// A thread may be counting into it.
Analysis::~Analysis() { reader_->stop(); }

bool is_express_lane_wanted() noexcept {
  const char* const wish = std::getenv("ROCESCOPE_EXPRESS");
  return wish == nullptr || std::string_view(wish) != "off";
}

void Analysis::take_express_lane(std::function<void()> on_batch) {
  if (packets_read() > 0 || (reports_ ? reader_->selects() : reader_->selects_expected())) return;
  if (!reports_) return reader_->open_express_lane([](auto, auto) {}, std::move(on_batch));
  counts_when_read_ = false;
  reader_->on_prepared({});
  reader_->open_express_lane(
      [this](std::span<const ExpressPacket> packets, std::uint32_t capture) { counters_.add(packets, capture); },
      std::move(on_batch));
  reader_->tracker().open_express_lane().on_settled([this](const ExpressRun& run) { counters_.add(run); });
}

void Analysis::on_message(MessageVisitor visitor, MessageChoice choice) {
  visitor_ = std::move(visitor);
  if (choice == MessageChoice::kTroubled) {
    visitor_ = [shown = std::move(visitor_)](const Connection& connection, std::size_t side, const Message& message) {
      if (!ends_well(message)) shown(connection, side, message);
    };
  }
  reader_->tracker().on_message(visitor_, choice);
}

const PacketRecord* Analysis::next() {
  const PacketRecord* record = reader_->next();
  if (record == nullptr) return nullptr;
  ++packets_read_;
  if (!reports_ || reader_->is_foreign()) return record;
  if (record->fingerprint != 0) comparisons_.observe(*record, reader_->is_selected(), reader_->sight());
  if (!reader_->is_selected()) {
    counters_.add_other(*record);
    return record;
  }
  if (!counts_when_read_) counters_.add(*record);
  if (reader_->selects()) connections_.add(record->verdict.connection);
  if (monitor_) monitor_->add(*record);
  return record;
}

void Analysis::settle() {
  reader_->tracker().settle();
  counters_.settle();
}

LiveUpdate Analysis::look(std::int64_t time, std::span<const LiveCounters> counters, LookKind kind) {
  // A connection whose packets take the express lane had another one since the last look: it changed, and so is settled by this one.
  counters_.settle();
  const CommandWatch& commands = reader_->commands();
  const CommandWatch::Outstanding outstanding = commands.outstanding();  // after the last look nothing is followed
  if (kind == LookKind::kLast) finish_commands();
  unsure_hosts_ = reader_->unsure_hosts();
  LiveUpdate update = monitor_->look(time, *this, counters, kind);
  update.total_commands = commands.counts(outstanding);
  update.commands = monitor_->since_last(update.total_commands);
  return update;
}

void Analysis::finish_commands() {
  CommandWatch& commands = reader_->commands();
  if (commands.follows_some()) {
    reader_->tracker().set_moment(kMomentOpen);
    const auto observe = [&](const Connection& connection, std::size_t side, const Message& open) {
      commands.at_connection(connection.number);
      commands.observe_end(connection, side, open);
    };
    reader_->tracker().visit_open_messages(observe, [&](const Connection& each) { return commands.may_follow(each); });
  }
  reader_->tracker().set_moment(kMomentOver);
  commands.finish();
}

bool Analysis::is_reported(const Handshake& handshake) const {
  return handshake.counts || (handshake.connection != 0 && is_reported(handshake.connection));
}

void Analysis::narrow(Tracking& tracking) {
  std::erase_if(tracking.connections, [](const Connection& connection) { return !has_packets(connection); });
  if (!reader_->selects()) return;
  // Where two connections were joined to one, the packets that count may have the number of the other.
  for (const Connection& connection : tracking.connections) connections_.add(connection.number);
  if (counters_.totals().traffic.packets == packets_read()) return;
  if (track_.shard) {  // another one may have what reports it
    for (Handshake& handshake : tracking.handshakes) handshake.counts = is_reported(handshake);
    return;
  }
  std::erase_if(tracking.handshakes, [this](const Handshake& handshake) { return !is_reported(handshake); });
}

/// Of each connection and handshake alone: what takes many together is found in those that are here at the end.
void Analysis::evict(Eviction&& eviction) {
  Tracking evicted;
  for (EvictedConnection& each : eviction.connections) {
    if (!has_packets(each.connection)) continue;
    evicted_.add(each.connection, each.crowded);
    if (!is_live_) evicted_numbers_.add(each.connection);
    const Connection& connection = evicted.connections.emplace_back(std::move(each.connection));
    if (!visitor_) continue;
    for (std::size_t side = 0; side < 2; ++side) {
      for (const Message& open : each.open_messages[side]) {
        if (open.counts) visitor_(connection, side, open);
      }
    }
  }
  evicted.handshakes = std::move(eviction.handshakes);
  CommandWatch& commands = reader_->commands();
  for (const Connection& connection : evicted.connections) {
    const auto troubles = commands.troubles().find(connection.number);
    losing_ways_.add(connection, troubles != commands.troubles().end());
    if (troubles != commands.troubles().end() && losing_ways_.has(connection.number, 1 - troubles->second.initiator))
      commands.forget_late(connection.number);
  }
  narrow(evicted);
  std::vector<FlowComparison> none;
  mark_unsure(evicted.connections, none);
  evicted_.handshakes += evicted.handshakes.size();
  for (const MemoryRegion& region : eviction.memory_regions) evicted_.regions.add(region);
  if (eviction.idle_since) counters_.evict(*eviction.idle_since);
  std::vector<Finding> findings =
      find_findings({.tracking = evicted, .dropped = is_live_ ? dropped() : 0, .commands = &commands.troubles()});
  for (const Connection& connection : evicted.connections) commands.forget_troubles(connection.number);
  std::erase_if(findings, [](const Finding& finding) { return finding.connection == 0 && finding.handshake == 0; });
  if (monitor_) monitor_->evict(evicted, findings);
  std::ranges::move(findings, std::back_inserter(evicted_findings_));
  if (evicted_findings_.size() >= 2 * kMostFindings) trim_findings();
}

void Analysis::mark_unsure(std::deque<Connection>& connections, std::vector<FlowComparison>& comparisons) const {
  if (unsure_hosts_.empty()) return;
  std::set<std::uint32_t> unsure;
  for (Connection& connection : connections) {
    unsure_hosts_.mark(connection);
    if (connection.unsure) unsure.insert(connection.number);
  }
  std::erase_if(comparisons, [&](const FlowComparison& row) {
    return unsure.contains(row.from_connection) || unsure.contains(row.to_connection);
  });
}

FinalNumbers Analysis::final_numbers() const {
  FinalNumbers numbers = tracker().final_numbers();
  numbers.add(evicted_numbers_);
  return numbers;
}

std::uint64_t Analysis::dropped() const {
  std::uint64_t dropped = 0;
  for (const CaptureInfo& capture : captures()) {
    dropped += std::min(dropped_packets(capture), std::numeric_limits<std::uint64_t>::max() - dropped);
  }
  return dropped;
}

void Analysis::trim_findings() {
  if (evicted_findings_.size() <= kMostFindings) return;
  sort_findings(evicted_findings_);
  evicted_.unlisted_findings += evicted_findings_.size() - kMostFindings;
  evicted_findings_.resize(kMostFindings);
}

ShardFacts Analysis::shard_facts() {
  return {.count = track_.shard->count,
          .numbers = {track_.shard->number},
          .inputs = {},
          .whole_for = std::string(reader_->shard()->whole_for()),
          .has_all = reader_->shard()->follows_all(),
          .selects = reader_->selects(),
          .rate_interval = track_.rate_interval,
          .max_connections = track_.max_connections,
          .connections = reader_->tracker().order(),
          .commands = reader_->commands().take_moments(),
          .icrc_flows = reader_->icrc_flows()};
}

namespace {

/// For the connections that are here at the end; CommandWatch did it for others when it forgot them.
void describe_uses(Report& report) {
  for (CarriedProtocol& carried : report.commands.carried) {
    const auto found = std::ranges::lower_bound(report.connections, carried.connection, {}, &Connection::number);
    if (found != report.connections.end() && found->number == carried.connection) describe_use(*found, carried);
  }
}

/// All shards saw all handshakes: each has those of its connections and, where packets are selected, those that it selected.
void leave_to_others(const ShardFacts& shard, std::vector<Handshake>& handshakes) {
  if (shard.count == 0 || shard.has_all) return;
  std::erase_if(handshakes, [&](const Handshake& handshake) {
    return !shard.follows(handshake) && !(shard.selects && handshake.counts);
  });
}

}  // namespace

Report Analysis::finish() { return conclude(observations()); }

Observations Analysis::observations() {
  Observations all;
  Report& report = all.report;
  if (track_.shard) {
    reader_->stop();
    const std::span<const ShardWatch::Span> spans = reader_->shard()->spans();
    for (std::uint32_t capture = 0; capture < spans.size(); ++capture) {
      if (spans[capture].first > spans[capture].last) continue;
      reader_->tracker().pass_time(capture, spans[capture].first);
      reader_->tracker().pass_time(capture, spans[capture].last);
    }
  }
  if (visitor_) {
    reader_->tracker().set_moment(kMomentOpen);
    reader_->tracker().visit_open_messages([this](const Connection& connection, std::size_t side, const Message& open) {
      if (open.counts) visitor_(connection, side, open);
    });
  }
  reader_->stop();
  reader_->forget_packets();  // the report takes their memory
  finish_commands();
  if (track_.shard) all.shard = shard_facts();
  static_cast<Tracking&>(report) = std::move(reader_->tracker()).finish();
  const TroublesByConnection& troubles = reader_->commands().troubles();
  for (const Connection& connection : report.connections)
    losing_ways_.add(connection, troubles.contains(connection.number));
  report.commands = reader_->commands().take(
      [this](std::uint32_t connection, std::size_t side) { return losing_ways_.has(connection, side); });
  describe_uses(report);
  narrow(report);
  leave_to_others(all.shard, report.handshakes);
  if (reader_->selects()) {
    std::erase_if(report.commands.carried,
                  [this](const CarriedProtocol& carried) { return !is_reported(carried.connection); });
  }
  report.capture_points = reader_->capture_points();
  report.comparisons = comparisons_.take(report.connections);
  report.uncompared_packets = comparisons_.uncompared();
  unsure_hosts_ = reader_->unsure_hosts();
  mark_unsure(report.connections, report.comparisons);
  for (const CaptureInfo& capture : captures()) report.captures.push_back({capture, {}});
  report.packets_read = packets_read();
  trim_findings();
  report.evicted = std::move(evicted_);
  all.other_flows = counters_.other_flows();
  counters_.report(report);  // in what connections gave back
  report.icrc.verified = verifies_icrc_;
  if (const ShardWatch* const shard = reader_->shard()) {
    report.totals.out_of_order_packets = shard->out_of_order();
    for (std::size_t i = 0; i < report.captures.size(); ++i) {
      report.captures[i].totals.out_of_order_packets = shard->out_of_order(i);
    }
  }
  all.command_troubles = reader_->commands().take_troubles();
  all.evicted_findings = std::move(evicted_findings_);
  return all;
}

Report analyze(FrameSource& source, const AnalyzeOptions& options) {
  AnalysisOptions read;
  read.dissect = options.dissect;
  read.parts = {.icrc = options.verify_icrc, .verdict = true};
  read.track = options.track;
  read.ahead = options.threads > 1 ? ReadingAhead::kInOwnThread : ReadingAhead::kBatches;
  read.selection = {.admits = options.accept, .needs = options.accept_needs};
  Analysis analysis(source, read);
  if (is_express_lane_wanted()) analysis.take_express_lane();
  while (analysis.next() != nullptr) {
  }
  return analysis.finish();
}

bool Analysis::is_selected() const noexcept { return reader_->is_selected(); }
void Analysis::stop() { reader_->stop(); }
void Analysis::expire(std::int64_t quiet) { reader_->expire(quiet); }
void Analysis::hold_back() noexcept { reader_->hold_back(); }
void Analysis::go_on() { reader_->go_on(); }
void Analysis::mark_displayed() noexcept { reader_->mark_displayed(); }
std::span<const std::string> Analysis::comments() const { return reader_->comments(); }
std::span<const CaptureInfo> Analysis::noted_captures() const { return reader_->captures(); }
std::vector<CapturePoint> Analysis::capture_points() const { return reader_->capture_points(); }
Tracker& Analysis::tracker() noexcept { return reader_->tracker(); }
const Tracker& Analysis::tracker() const noexcept { return reader_->tracker(); }
const TroublesByConnection& Analysis::command_troubles() const noexcept { return reader_->commands().troubles(); }
std::uint64_t Analysis::packets_read() const noexcept {
  return track_.shard ? frames() : packets_read_ + reader_->express().packets;
}
std::uint64_t Analysis::frames() const noexcept { return reader_->frames(); }
bool Analysis::is_express_lane_open() const noexcept { return reader_->is_express_lane_open(); }
const ExpressTotals& Analysis::express() const noexcept { return reader_->express(); }

}  // namespace rocescope
