#include "render/html/packet_points.hpp"

#include <algorithm>
#include <utility>

#include "rocescope/detail/elapsed.hpp"
#include "rocescope/headers/extended_transport.hpp"
#include "sorting/sort.hpp"
#include "tracking/watchers/packet_role.hpp"

namespace rocescope::render {
namespace {

using What = PointClass::What;

constexpr std::string_view to_string(What what) noexcept {
  constexpr std::string_view kNames[] = {"send",    "write",         "read_request",    "atomic", "ack",  "nak",
                                         "rnr_nak", "read_response", "atomic_response", "cnp",    "other"};
  return kNames[static_cast<std::size_t>(what)];
}

What what_of(const Packet& packet) {
  const auto aeth = packet.header<Aeth>();
  if (aeth && aeth->kind() == AethKind::kNak) return What::kNak;
  if (aeth && aeth->kind() == AethKind::kRnrNak) return What::kRnrNak;
  switch (packet.roce.opcode->operation) {
    case Operation::kSend:
      return What::kSend;
    case Operation::kWrite:
    case Operation::kAtomicWrite:
      return What::kWrite;
    case Operation::kReadRequest:
    case Operation::kFlush:
      return What::kReadRequest;
    case Operation::kCompareSwap:
    case Operation::kFetchAdd:
      return What::kAtomic;
    case Operation::kAcknowledge:
      return What::kAck;
    case Operation::kReadResponse:
      return What::kReadResponse;
    case Operation::kAtomicAcknowledge:
      return What::kAtomicResponse;
    case Operation::kCnp:
      return What::kCnp;
    default:
      return What::kOther;
  }
}

constexpr std::int64_t kWrap = std::int64_t{1} << 24;

}  // namespace

std::int64_t PsnLine::near(Psn psn) const noexcept {
  return started_ ? line_ + last_.distance_to(psn) : kWrap + psn.value();
}

std::int64_t PsnLine::packet(Psn psn) noexcept {
  line_ = near(psn);
  last_ = psn;
  started_ = true;
  return line_;
}

bool PointClass::is_anomaly() const noexcept {
  if (what == What::kNak || what == What::kRnrNak || what == What::kCnp) return true;
  if (damaged || lost != LostWhere::kNowhere) return true;
  return verdict != VerdictKind::kInOrder && verdict != VerdictKind::kResponse && verdict != VerdictKind::kNone;
}

PointClass class_of(const PacketRecord& record, std::uint8_t sender) {
  const Packet& packet = *record.packet;
  const Verdict& verdict = record.verdict;
  PointClass result{.what = what_of(packet),
                    .opcode = packet.roce.opcode,
                    .sender = sender,
                    .requester = {},
                    .verdict = verdict.kind,
                    .cause = verdict.cause,
                    .lost = verdict.lost,
                    .lost_response = verdict.lost_response,
                    .ce = is_ce_marked(packet),
                    .damaged = verdict.damaged};
  if (result.what != What::kCnp) {
    result.requester = packet.roce.opcode->request ? sender : static_cast<std::uint8_t>(1 - sender);
  }
  return result;
}

PacketPoints::PacketPoints(std::int64_t first, std::int64_t last, Limits limits)
    : first_(first), width_(elapsed(first, last) / static_cast<std::int64_t>(limits.columns) + 1), limits_(limits) {}

std::uint32_t PacketPoints::number_of(const PointClass& point_class) {
  const auto [found, is_new] = numbers_.try_emplace(point_class, static_cast<std::uint32_t>(classes_.size()));
  if (is_new) classes_.push_back(point_class);
  return found->second;
}

void PacketPoints::add(const PacketRecord& record, const PointClass& point_class, std::int64_t psn,
                       std::uint32_t span) {
  const Frame& frame = record.packet->frame;
  ++packets_;
  if (point_class.is_anomaly()) add_note(record);
  put({frame.timestamp, psn, frame.number, span, number_of(point_class)});
}

void PacketPoints::add_note(const PacketRecord& record) {
  if (notes_.size() == limits_.points) return;
  Note note{.frame = record.packet->frame.number, .verdict = record.verdict, .nak_code = {}, .rnr_timer = {}};
  if (const auto aeth = record.packet->header<Aeth>()) {
    if (aeth->kind() == AethKind::kNak) note.nak_code = aeth->value();
    if (aeth->kind() == AethKind::kRnrNak) note.rnr_timer = aeth->value();
  }
  notes_.push_back(note);
}

void PacketPoints::put(const Point& point) {
  const PointClass& point_class = classes_[point.point_class];
  if (!thinned_ || point_class.is_anomaly()) {
    if (points_.size() < limits_.points) return points_.push_back(point);
    if (thinned_) {
      ++anomalies_left_out_;
      return;
    }
    thin();
    return put(point);
  }
  std::vector<Extremes>& columns = columns_[{point_class.what, point_class.sender}];
  columns.resize(limits_.columns);
  const std::int64_t column = std::max<std::int64_t>(elapsed(first_, point.time), 0) / width_;
  Extremes& extremes = columns[std::min(static_cast<std::size_t>(column), limits_.columns - 1)];
  if (!extremes.lowest || point.psn < extremes.lowest->psn) extremes.lowest = point;
  if (!extremes.highest || point.psn >= extremes.highest->psn) extremes.highest = point;
}

void PacketPoints::thin() {
  thinned_ = true;
  for (const Point& point : std::exchange(points_, {})) put(point);
}

std::vector<PacketPoints::Point> PacketPoints::all() const {
  std::vector<Point> points = points_;
  for (const auto& [group, columns] : columns_) {
    for (const Extremes& extremes : columns) {
      if (!extremes.lowest) continue;
      points.push_back(*extremes.lowest);
      if (extremes.highest->frame != extremes.lowest->frame) points.push_back(*extremes.highest);
    }
  }
  sorting::stable_sort(points, {}, &Point::frame);
  return points;
}

void PacketPoints::write_classes(JsonWriter& json) const {
  json.open_array("classes");
  for (const PointClass& each : classes_) {
    json.open_object();
    json.string("what", to_string(each.what));
    json.string("operation", each.opcode->name());
    json.number("sender", each.sender);
    each.requester ? json.number("requester", *each.requester) : json.null("requester");
    json.string("verdict", rocescope::to_string(each.verdict));
    json.string("cause", rocescope::to_string(each.cause));
    json.string("lost", rocescope::to_string(each.lost));
    json.string("lost_response", rocescope::to_string(each.lost_response));
    json.boolean("ce", each.ce);
    json.boolean("damaged", each.damaged);
    json.close_object();
  }
  json.close_array();
}

void PacketPoints::write_notes(const std::vector<Point>& points, JsonWriter& json) const {
  const auto write_number = [&](std::string_view key, std::uint64_t number) {
    if (number != 0) json.number(key, number);
  };
  json.open_array("notes");
  auto point = points.begin();
  for (const Note& note : notes_) {
    while (point != points.end() && point->frame < note.frame) ++point;
    if (point == points.end()) break;
    if (point->frame != note.frame) continue;
    json.open_array();
    json.number({}, point - points.begin());
    json.open_object();
    write_number("related", note.verdict.related);
    write_number("evidence", note.verdict.evidence);
    write_number("missing", note.verdict.missing);
    write_number("lost_responses", note.verdict.lost_responses);
    if (note.nak_code) {
      json.number("nak_code", *note.nak_code);
      json.string("nak", name_of(kNakCodeNames, *note.nak_code));
    }
    if (note.rnr_timer) json.number("rnr_timer", rnr_timer_ns(*note.rnr_timer));
    json.close_object();
    json.close_array();
  }
  json.close_array();
}

void PacketPoints::write(std::int64_t start, JsonWriter& json) const {
  const std::vector<Point> points = all();
  write_classes(json);
  json.open_object("points");
  write_differences(
      "t", points, [&](const Point& point) { return elapsed(start, point.time); }, json);
  write_differences(
      "psn", points, [](const Point& point) { return point.psn; }, json);
  write_differences(
      "frame", points, [](const Point& point) { return point.frame; }, json);
  write_numbers(
      "class", points, [](const Point& point) { return point.point_class; }, json);
  json.close_object();
  json.open_array("spans");
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i].span <= 1) continue;
    json.open_array();
    json.number({}, i);
    json.number({}, points[i].span);
    json.close_array();
  }
  json.close_array();
  write_notes(points, json);
  json.open_object("thinned");
  json.number("packets", packets_);
  json.number("points", points.size());
  thinned_ ? json.number("columns", limits_.columns) : json.null("columns");
  json.close_object();
  json.number("points_left_out", anomalies_left_out_);
}

}  // namespace rocescope::render
