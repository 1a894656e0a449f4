#include "render/trace/perfetto_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "render/trace/lanes.hpp"
#include "rocescope/headers/extended_transport.hpp"
#include "rocescope/text.hpp"
#include "schema/tables.hpp"
#include "sorting/sort.hpp"

namespace rocescope::render {
namespace {

using std::string;
using TraceUnit = TraceWriter::Unit;

bool has_ended(const Message& message) { return message.completion_frame != 0; }

/// An outstanding message is shown until its last request packet. Where the two directions are out of step, it may stand behind its ACK.
std::int64_t end_of(const Message& message) {
  return std::max(message.first_time, has_ended(message) ? message.completion_time : message.last_time);
}

string name_of(const Message& message) {
  string name(to_string(message.operation));
  if (message.outcome != MessageOutcome::kCompleted) name += fmt::format(", {}", to_string(message.outcome));
  return name;
}

string name_of(const TracedPacket& packet) {
  if (packet.is_cnp) return "CNP";
  if (packet.is_rnr_nak) return "RNR NAK";
  if (packet.nak_code) return fmt::format("NAK ({})", rocescope::name_of(kNakCodeNames, *packet.nak_code));
  string name(to_string(packet.verdict.kind));
  if (packet.verdict.cause != ResendCause::kNone) name += fmt::format(" ({})", to_string(packet.verdict.cause));
  return name;
}

string name_of_direction(const TracedMessage& traced) {
  const std::size_t other = 1U - traced.side;
  return fmt::format("connection {}: {} > {}", traced.connection,
                     to_text(traced.addresses[traced.side], traced.qpns[traced.side]),
                     to_text(traced.addresses[other], traced.qpns[other]));
}

/// Skips values that are those before.
template <class Value>
class Counter {
 public:
  Counter(TraceWriter& writer, TrackId track) : writer_(writer), track_(track) {}
  void count(std::int64_t time, Value value) {
    if (has_value_ && last_ == value) return;
    has_value_ = true;
    last_ = value;
    writer_.count(track_, time, value);
  }

 private:
  TraceWriter& writer_;
  TrackId track_;
  bool has_value_ = false;
  Value last_ = 0;
};

class PerfettoTrace {
 public:
  PerfettoTrace(TraceRecorder& recorder, const Report& report, const FinalNumbers& numbers, TraceWriter::Sink sink)
      : recorder_(recorder),
        report_(report),
        numbers_(numbers),
        start_(report.totals.first_time.value_or(0)),
        writer_(std::move(sink), start_) {}

  void write() {
    recorder_.forget(report_.damaged_connections);
    write_summary();
    for (const HostRates& rates : report_.host_rates) write_rates(rates);
    write_messages();
    write_packets();
    write_findings();
  }

 private:
  /// The process of two hosts.
  TrackId process_of(Direction hosts) {
    if (hosts.destination < hosts.source) std::swap(hosts.source, hosts.destination);
    const auto [found, is_new] = processes_.try_emplace(hosts);
    if (!is_new) return found->second;
    string name = fmt::format("{}, {}", to_text(hosts.source), to_text(hosts.destination));
    if (hosts.overlay_id != 0) name += fmt::format(", VNI {}", hosts.overlay_id);
    return found->second = writer_.process(name);
  }

  void write_summary() {
    const TrackId track = writer_.track(TrackId::kNone, "rocescope");
    writer_.instant(track, start_, "summary", "trace of the capture", [&](Annotations& summary) {
      summary.add("messages", recorder_.messages().size());
      summary.add("messages_left_out", recorder_.messages_left_out());
      summary.add("packets", recorder_.packets().size());
      summary.add("packets_left_out", recorder_.packets_left_out());
      summary.add("ce_packets_left_out", recorder_.marked_left_out());
      summary.add("findings", report_.findings.size());
    });
  }

  void write_rates(const HostRates& pair) {
    const RateSeries& rates = pair.rates;
    if (rates.empty() || rates.width() <= 0) return;
    const Direction direction{pair.source, pair.destination, pair.overlay_id};
    const TrackId process = process_of(direction);
    const string name = to_text(direction.source, direction.destination);
    write_buckets(rates, process, name + ", wire rate (bit/s)", &Sent::wire_bytes);
    write_buckets(rates, process, name + ", goodput (bit/s)", &Sent::goodput_bytes);
    const auto marked = recorder_.marked().find(direction);
    if (marked != recorder_.marked().end()) write_marked(rates, marked->second, process, name);
  }

  void write_buckets(const RateSeries& rates, TrackId process, const string& name, std::uint64_t Sent::*what) {
    Counter<double> counter(writer_, writer_.counter(process, name, TraceUnit::kNone));
    std::int64_t time = rates.start();
    for (const Sent& bucket : rates.buckets()) {
      constexpr double kBitNanoseconds = 8e9;
      counter.count(time, static_cast<double>(bucket.*what) * kBitNanoseconds / static_cast<double>(rates.width()));
      time += rates.width();
    }
    counter.count(time, 0.0);
  }

  /// Buckets of `marked` are as wide as those of `rates` or a whole part of it.
  void write_marked(const RateSeries& rates, const RateSeries& marked, TrackId process, const string& name) {
    const std::span<const Sent> all = rates.buckets();
    std::vector<std::uint64_t> packets(all.size());
    std::int64_t time = marked.start();
    for (const Sent& bucket : marked.buckets()) {
      const auto at = static_cast<std::size_t>(std::max<std::int64_t>(time - rates.start(), 0) / rates.width());
      packets[std::min(at, packets.size() - 1)] += bucket.packets;
      time += marked.width();
    }
    Counter<double> counter(writer_, writer_.counter(process, name + ", CE share (%)", TraceUnit::kNone));
    time = rates.start();
    for (std::size_t i = 0; i < all.size(); ++i) {
      constexpr double kPercent = 100;
      const double share = kPercent * static_cast<double>(packets[i]) / static_cast<double>(all[i].packets);
      counter.count(time, packets[i] == 0 ? 0.0 : share);
      time += rates.width();
    }
    counter.count(time, 0.0);
  }

  void write_messages() {
    std::vector<TracedMessage>& messages = recorder_.messages();
    for (TracedMessage& traced : messages) traced.connection = numbers_.of(traced.connection);
    const auto direction = [](const TracedMessage& traced) { return std::pair(traced.connection, traced.side); };
    sorting::sort(messages, [&](const TracedMessage& a, const TracedMessage& b) {
      return std::tuple(direction(a), a.message.first_time, a.message.number) <
             std::tuple(direction(b), b.message.first_time, b.message.number);
    });
    for (auto first = messages.begin(); first != messages.end();) {
      const auto last = std::find_if(
          first, messages.end(), [&](const TracedMessage& traced) { return direction(traced) != direction(*first); });
      write_direction({first, last});
      first = last;
    }
  }

  void write_direction(std::span<const TracedMessage> messages) {
    const TracedMessage& last = messages.back();
    const TrackId process = process_of({last.addresses[0], last.addresses[1], last.overlay_id});
    hosts_[last.connection] = {last.addresses[0], last.addresses[1], last.overlay_id};
    const string name = name_of_direction(last);
    std::vector<TrackId> tracks;
    Lanes lanes;
    Connection connection;  // with what the columns of a message show of it
    for (const TracedMessage& traced : messages) {
      const Message& message = traced.message;
      const std::size_t lane = lanes.take(message.first_time, end_of(message));
      if (lane == tracks.size()) tracks.push_back(writer_.track(process, name));
      connection.number = traced.connection;
      for (std::size_t side = 0; side < 2; ++side) {
        connection.sides[side].address = traced.addresses[side];
        connection.sides[side].qpn = traced.qpns[side];
      }
      const schema::MessageOf row{connection, traced.side, message};
      writer_.span(tracks[lane], message.first_time, end_of(message), "message", name_of(message),
                   [&](Annotations& annotations) { annotations.add(schema::kMessage, &row); });
    }
    if (recorder_.messages_left_out() == 0) write_in_flight(messages, process, name);
  }

  /// From a message's first packet until what answers it; one that nothing answers stays. UC is never answered.
  void write_in_flight(std::span<const TracedMessage> messages, TrackId process, const string& name) {
    struct Step {
      std::int64_t time;
      std::uint64_t messages;  // modulo 2^64
      std::uint64_t bytes;
    };
    std::vector<Step> steps;
    for (const TracedMessage& traced : messages) {
      const Message& message = traced.message;
      if (!has_ended(message) && message.outcome != MessageOutcome::kOutstanding) continue;
      steps.push_back({message.first_time, 1, message.bytes});
      if (has_ended(message)) steps.push_back({end_of(message), 0 - std::uint64_t{1}, 0 - message.bytes});
    }
    if (steps.empty()) return;
    sorting::sort(steps, [](const Step& a, const Step& b) { return a.time < b.time; });
    Counter<std::uint64_t> counts(writer_, writer_.counter(process, name + ", messages in flight", TraceUnit::kCount));
    Counter<std::uint64_t> bytes(writer_,
                                 writer_.counter(process, name + ", bytes of messages in flight", TraceUnit::kBytes));
    Step sum{};
    for (std::size_t i = 0; i < steps.size(); ++i) {
      sum.messages += steps[i].messages;
      sum.bytes += steps[i].bytes;
      if (i + 1 < steps.size() && steps[i + 1].time == steps[i].time) continue;
      counts.count(steps[i].time, sum.messages);
      bytes.count(steps[i].time, sum.bytes);
    }
  }

  void write_packets() {
    std::vector<TracedPacket>& packets = recorder_.packets();
    for (TracedPacket& packet : packets) packet.verdict.connection = numbers_.of(packet.verdict.connection);
    sorting::stable_sort(packets, [](const TracedPacket& a, const TracedPacket& b) {
      return std::tuple(a.verdict.connection, a.time, a.number) < std::tuple(b.verdict.connection, b.time, b.number);
    });
    std::map<std::pair<TrackId, std::uint32_t>, TrackId> tracks;
    for (const TracedPacket& packet : packets) {
      const std::uint32_t connection = packet.verdict.connection;
      const TrackId process = process_of({packet.source, packet.destination, packet.overlay_id});
      const auto [track, is_new] = tracks.try_emplace({process, connection});
      if (is_new) {
        track->second = writer_.track(
            process, connection == 0 ? "packets of no connection" : fmt::format("connection {}: recovery", connection));
      }
      write(packet, track->second);
    }
  }

  void write(const TracedPacket& packet, TrackId track) {
    const Verdict& verdict = packet.verdict;
    writer_.instant(track, packet.time, "packet", name_of(packet), [&](Annotations& annotations) {
      annotations.add("packet", packet.number);
      annotations.add("source", to_text(packet.source));
      annotations.add("destination", to_text(packet.destination));
      const auto add_if = [&](std::string_view name, std::uint64_t number) {
        if (number != 0) annotations.add(name, number);
      };
      add_if("connection", verdict.connection);
      add_if("message", verdict.message);
      if (!packet.is_cnp) annotations.add("psn", packet.psn.value());
      const std::pair<std::string_view, std::string_view> words[] = {
          {"verdict", to_string(verdict.kind)},
          {"cause", to_string(verdict.cause)},
          {"lost", to_string(verdict.lost)},
          {"lost_response", to_string(verdict.lost_response)}};
      for (const auto& [name, word] : words) {
        if (!word.empty()) annotations.add(name, word);
      }
      add_if("missing", verdict.missing);
      add_if("lost_responses", verdict.lost_responses);
      add_if("related", verdict.related);
      add_if("evidence", verdict.evidence);
    });
  }

  std::int64_t time_of(const Finding& finding) const {
    return finding.seen.count > 0 ? finding.seen.first_time : start_;
  }

  void write_findings() {
    for (const Connection& connection : report_.connections) {
      hosts_[connection.number] = {connection.sides[0].address, connection.sides[1].address, connection.overlay_id};
    }
    std::vector<const Finding*> findings;
    for (const Finding& finding : report_.findings) findings.push_back(&finding);
    sorting::stable_sort(findings, [this](const Finding* a, const Finding* b) { return time_of(*a) < time_of(*b); });
    for (const Finding* const finding : findings) {
      writer_.instant(findings_track(*finding), time_of(*finding), to_string(finding->info->severity),
                      finding->info->name,
                      [&](Annotations& annotations) { annotations.add(schema::kFinding, finding); });
    }
  }

  TrackId findings_track(const Finding& finding) {
    TrackId parent = TrackId::kNone;
    if (const auto hosts = hosts_.find(finding.connection); hosts != hosts_.end()) {
      parent = process_of(hosts->second);
    } else if (finding.path) {
      parent = process_of({finding.path->from, finding.path->to});
    }
    const auto [found, is_new] = findings_.try_emplace(parent);
    if (is_new) {
      found->second = writer_.track(parent, parent == TrackId::kNone ? "findings of the capture" : "findings");
    }
    return found->second;
  }

  TraceRecorder& recorder_;
  const Report& report_;
  const FinalNumbers& numbers_;
  std::int64_t start_;
  TraceWriter writer_;
  std::map<Direction, TrackId> processes_;
  std::unordered_map<std::uint32_t, Direction> hosts_;  // of connections
  std::map<TrackId, TrackId> findings_;                 // by process
};

}  // namespace

void write_perfetto_trace(TraceRecorder& recorder, const Report& report, const FinalNumbers& numbers,
                          TraceWriter::Sink sink) {
  PerfettoTrace(recorder, report, numbers, std::move(sink)).write();
}

std::string_view perfetto_trace_documentation() noexcept {
  return R"(
With --perfetto, `analyze` also writes a trace for ui.perfetto.dev and trace_processor, in Perfetto's protobuf form whatever
the name of the file. Times are whole nanoseconds since 1970 (UTC, the real-time clock), as in messages.csv.

Each pair of hosts is a process. Each direction of a connection is a track on which every message is a span, from its first
packet to the ACK, NAK or response that completes it; one that was not completed ends with its last request packet. Messages
that overlap are drawn below each other. A span has the columns of messages.csv. Retransmissions, gaps, NAKs, RNR NAKs and
CNPs are instants with the number, PSN and verdict of their packet. A finding is an instant at the time at which it was seen
first, with the columns of findings.csv; one without a time is at the first packet.

Counters: the bits on the wire and the goodput a second of each host to each other, over --interval; the share of packets
marked CE of all packets in that time, of hosts that sent any such packet; and of each direction of a connection the messages
in flight and their bytes, from the first packet of a message to its completion. Messages of UC are never in flight.

The trace has at most as many messages and as many packets as --perfetto-limit says: messages that were refused, lost, sent
again or not answered first, then those that began first; and the first packets. If any are left out, a warning and the
event `trace of the capture` say how many, and if messages are, there are no counters of what is in flight. Findings are never
left out.)";
}

}  // namespace rocescope::render
