#include "render/html/connection_detail.hpp"

#include <algorithm>
#include <utility>

#include "render/ladder/ladder_label.hpp"
#include "render/report/row_json.hpp"
#include "rocescope/detail/elapsed.hpp"
#include "rocescope/headers/extended_transport.hpp"
#include "rocescope/text.hpp"
#include "schema/tables.hpp"

namespace rocescope::render {
namespace {

constexpr std::size_t kRateBuckets = 512;

void write_label(const LadderLabel& label, JsonWriter& json) {
  json.open_object("label");
  json.string("title", label.title);
  json.open_array("details");
  for (const std::string& detail : label.details) json.string(detail);
  json.close_array();
  json.open_array("notes");
  for (const LadderLabel::Note& note : label.notes) json.string(note.text);
  json.close_array();
  json.boolean("trouble", label.trouble);
  json.close_object();
}

}  // namespace

ConnectionDetail::ConnectionDetail(const Report& report, const Connection& connection, const DetailLimits& limits,
                                   std::vector<std::uint64_t> apart)
    : connection_(connection),
      start_(report.start.value_or(0)),
      limits_(limits),
      scope_(report.connections, connection.number),
      points_(connection.first_time, connection.last_time, limits.points),
      requests_([&] {
        const StepSeries series(connection.first_time, connection.last_time, limits.columns);
        const Requests requests{.line = {}, .in_flight = series, .acknowledged = series, .credits = series};
        return std::array{requests, requests};
      }()),
      rate_interval_(std::max<std::int64_t>(
          elapsed(connection.first_time, connection.last_time) / static_cast<std::int64_t>(kRateBuckets), 1000)),
      messages_(connection.first_time, connection.last_time, limits.messages),
      ladder_(scope_, {.fold = true, .apart = std::move(apart)},
              [this](const LadderEvent& event) { add_event(event); }) {}

Sent ConnectionDetail::add(const PacketRecord& record, const Tracker& tracker, std::uint32_t tracked_as) {
  ladder_.add(record);
  const auto sender = scope_.sender_of(record);
  if (!sender) return {};
  const Sent sent = add_packet(record, *sender);
  const RocePacket& roce = record.packet->roce;
  if (roce.opcode->operation == Operation::kCnp) return sent;
  const std::size_t requester = roce.opcode->request ? *sender : 1U - *sender;
  Requests& requests = requests_[requester];
  if (roce.opcode->request) requests.has_requests = true;
  add_credits(record, requests);
  const auto progress =
      tracker.progress(tracked_as, connection_.sides[requester].address, connection_.sides[1 - requester].qpn);
  if (progress) add_progress(record.packet->frame.timestamp, *progress, requests);
  return sent;
}

Sent ConnectionDetail::add_packet(const PacketRecord& record, std::uint8_t sender) {
  const PointClass point_class = class_of(record, sender);
  const Packet& packet = *record.packet;
  const Verdict& verdict = record.verdict;
  // The PSN of a CNP means nothing, nor does any field of a damaged packet.
  if (point_class.requester && !point_class.damaged) {
    last_psn_ = requests_[*point_class.requester].line.packet(packet.roce.psn);
  }
  const std::uint32_t span = span_of(packet);
  points_.add(record, point_class, last_psn_, span);
  bool seen_before = verdict.kind == VerdictKind::kReadResponseRetransmission || verdict.kind == VerdictKind::kStale;
  if (packet.roce.opcode->request && !point_class.damaged) {
    SeenPsns& seen = requests_[sender].seen;
    seen_before = seen.contains(last_psn_);
    seen.add(last_psn_, span);
  }
  if (verdict.kind == VerdictKind::kCaptureDuplicate) return {};
  Sent sent{.packets = 1, .wire_bytes = packet.wire_length, .payload_bytes = packet.roce.payload_length};
  if (seen_before) {
    sent.resent_bytes = sent.payload_bytes;
  } else if (verdict.kind != VerdictKind::kNone) {
    sent.goodput_bytes = sent.payload_bytes;
  }
  rates_[sender].add(packet.frame.timestamp, sent, rate_interval_, kRateBuckets);
  return sent;
}

std::uint32_t ConnectionDetail::span_of(const Packet& packet) const {
  if (packet.roce.opcode->operation != Operation::kReadRequest || connection_.path_mtu == 0) return 1;
  const auto reth = packet.header<Reth>();
  const std::uint32_t length = reth ? reth->dma_length() : 0;
  return std::max(length / connection_.path_mtu + (length % connection_.path_mtu != 0 ? 1U : 0U), 1U);
}

void ConnectionDetail::add_credits(const PacketRecord& record, Requests& requests) {
  const auto aeth = record.packet->header<Aeth>();
  if (!aeth || aeth->kind() != AethKind::kAck || record.verdict.damaged) return;
  const auto credits = credits_of(aeth->value());
  if (credits) requests.has_credits = true;
  requests.credits.add({record.packet->frame.timestamp, credits ? std::int64_t{*credits} : -1, 0});
}

void ConnectionDetail::add_progress(std::int64_t time, const Progress& progress, Requests& requests) {
  requests.in_flight.add({time, static_cast<std::int64_t>(progress.in_flight.bytes), progress.in_flight.packets});
  // Nothing acknowledges UC.
  if (progress.acknowledged && connection_.transport != Transport::kUc)
    requests.acknowledged.add({time, requests.line.near(*progress.acknowledged), 0});
}

void ConnectionDetail::add(std::size_t side, const Message& message) {
  messages_.add({message, static_cast<std::uint8_t>(side), requests_[side].line.near(message.first_psn)});
}

void ConnectionDetail::add_event(const LadderEvent& event) {
  if (event_count_ == limits_.events) {
    ++events_left_out_;
    return;
  }
  if (event_count_++ > 0) events_ += ',';
  JsonWriter json(events_, JsonSpace::kCompact);
  json.open_object();
  json.number("t", elapsed(start_, event.time));
  json.number("frame", event.frame);
  if (event.last_frame != event.frame) {
    json.number("last_t", elapsed(start_, event.last_time));
    json.number("last_frame", event.last_frame);
  }
  json.number("sender", event.sender);
  json.number("silence", event.silence);
  write_label(ladder_label(event, true), json);
  json.close_object();
}

std::string ConnectionDetail::json() {
  ladder_.finish();
  std::string text;
  JsonWriter json(text, JsonSpace::kCompact);
  json.open_object();
  json.number("number", connection_.number);
  json.string("transport", to_string(connection_.transport));
  json.string("paired_by", to_string(connection_.paired_by));
  json.number("path_mtu", connection_.path_mtu);
  json.number("overlay_id", connection_.overlay_id);
  connection_.handshake != 0 ? json.number("handshake", connection_.handshake) : json.null("handshake");
  json.number("capture_point", connection_.capture_point);
  json.number("first", elapsed(start_, connection_.first_time));
  json.number("last", elapsed(start_, connection_.last_time));
  write_sides(json);
  write_times(json);
  points_.write(start_, json);
  write_requests(json);
  write_rates(json);
  messages_.write(start_, json);
  json.open_object("ladder");
  json.raw("events", '[' + std::exchange(events_, {}) + ']');
  json.number("left_out", events_left_out_);
  json.close_object();
  json.close_object();
  return text;
}

void ConnectionDetail::write_sides(JsonWriter& json) const {
  json.open_array("sides");
  for (const ConnectionSide& side : connection_.sides) {
    json.open_object();
    json.string("address", to_text(side.address));
    side.qpn ? json.number("qpn", side.qpn->value()) : json.null("qpn");
    json.number("packets", side.traffic.packets);
    json.number("bytes", side.traffic.bytes);
    json.number("first_frame", side.first_packet);
    json.close_object();
  }
  json.close_array();
  json.open_array("states");
  for (const ConnectionSide& side : connection_.sides) {
    json.open_array();
    for (const QpTransition& transition : side.states) {
      json.open_object();
      json.string("state", to_string(transition.state));
      json.boolean("observed", transition.observed);
      json.number("t", elapsed(start_, transition.time));
      json.number("frame", transition.packet);
      json.close_object();
    }
    json.close_array();
  }
  json.close_array();
}

void ConnectionDetail::write_times(JsonWriter& json) const {
  json.open_array("times");
  for (const ConnectionSide& side : connection_.sides) {
    json.open_array();
    for (const TimeSeries& series : side.times.all()) {
      json.open_object();
      json.string("kind", to_string(series.kind));
      write_members(schema::kTime, series, json);
      json.open_array("octaves");
      for (const Histogram::Octave& octave : series.times.octaves()) {
        json.open_array();
        json.number({}, octave.at_least);
        json.number({}, octave.count);
        json.close_array();
      }
      json.close_array();
      json.close_object();
    }
    json.close_array();
  }
  json.close_array();
}

void ConnectionDetail::write_requests(JsonWriter& json) const {
  using Step = StepSeries::Step;
  const auto write = [&](std::string_view key, bool has, const StepSeries& series, auto values) {
    if (!has || series.empty()) return json.null(key);
    const std::vector<Step> steps = series.steps();
    json.open_object(key);
    write_differences(
        "t", steps, [&](const Step& step) { return elapsed(start_, step.time); }, json);
    values(steps);
    json.close_object();
  };
  json.open_array("acknowledged");
  for (const Requests& side : requests_) {
    write({}, side.has_requests, side.acknowledged, [&](const std::vector<Step>& steps) {
      write_differences(
          "psn", steps, [](const Step& step) { return step.value; }, json);
    });
  }
  json.close_array();
  json.open_array("in_flight");
  for (std::size_t i = 0; i < 2; ++i) {
    // Where no responses were seen, nobody knows what was outstanding.
    const bool is_known = requests_[i].has_requests && connection_.sides[i].most_in_flight().packets > 0;
    write({}, is_known, requests_[i].in_flight, [&](const std::vector<Step>& steps) {
      write_numbers(
          "bytes", steps, [](const Step& step) { return step.value; }, json);
      write_numbers(
          "packets", steps, [](const Step& step) { return step.beside; }, json);
    });
  }
  json.close_array();
  json.open_array("credits");
  for (const Requests& side : requests_) {
    write({}, side.has_credits, side.credits, [&](const std::vector<Step>& steps) {
      json.open_array("credits");
      for (const Step& step : steps) step.value < 0 ? json.null({}) : json.number({}, step.value);
      json.close_array();
    });
  }
  json.close_array();
}

void ConnectionDetail::write_rates(JsonWriter& json) const {
  json.open_array("rate");
  for (const RateSeries& rates : rates_) {
    if (rates.empty()) {
      json.null({});
      continue;
    }
    json.open_object();
    json.number("start", elapsed(start_, rates.start()));
    json.number("width", rates.width());
    write_numbers(
        "wire", rates.buckets(), [](const Sent& sent) { return sent.wire_bytes; }, json);
    write_numbers(
        "goodput", rates.buckets(), [](const Sent& sent) { return sent.goodput_bytes; }, json);
    write_numbers(
        "resent", rates.buckets(), [](const Sent& sent) { return sent.resent_bytes; }, json);
    json.close_object();
  }
  json.close_array();
}

}  // namespace rocescope::render
