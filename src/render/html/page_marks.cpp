// Where trouble was, over the whole capture.
#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "render/html/packet_points.hpp"
#include "render/html/page_sections.hpp"
#include "rocescope/detail/elapsed.hpp"
#include "rocescope/text.hpp"

namespace rocescope::render {
namespace {

constexpr std::size_t kMostPauses = 100;

/// Side of a connection, by its address.
class SenderSides {
 public:
  explicit SenderSides(const Report& report) {
    for (const Connection& connection : report.connections) known_[connection.number] = &connection;
  }
  [[nodiscard]] std::optional<int> of(const Mark& mark) const {
    const auto found = known_.find(mark.connection);
    if (found == known_.end()) return std::nullopt;
    for (const int side : {0, 1}) {
      if (found->second->sides[static_cast<std::size_t>(side)].address == mark.source) return side;
    }
    return std::nullopt;
  }

 private:
  std::map<std::uint32_t, const Connection*> known_;
};

void write_events(const Report& report, const MarkLog& log, JsonWriter& json) {
  const std::vector<Mark> marks = log.marks();
  const SenderSides sides(report);
  json.open_object("events");
  const std::int64_t start = report.start.value_or(0);
  write_differences(
      "t", marks, [&](const Mark& mark) { return elapsed(start, mark.time); }, json);
  write_numbers(
      "kind", marks, [](const Mark& mark) { return static_cast<unsigned>(mark.kind); }, json);
  write_numbers(
      "connection", marks, [](const Mark& mark) { return mark.connection; }, json);
  json.open_array("side");
  for (const Mark& mark : marks) {
    const auto side = sides.of(mark);
    side ? json.number({}, *side) : json.null({});
  }
  json.close_array();
  write_differences(
      "frame", marks, [](const Mark& mark) { return mark.frame; }, json);
  json.close_object();
  json.number("left_out", log.left_out());
}

void write_pauses(const Report& report, JsonWriter& json) {
  const std::int64_t start = report.start.value_or(0);
  json.open_array("pauses");
  for (std::size_t i = 0; i < std::min(report.pauses.size(), kMostPauses); ++i) {
    const PauseTotals& pause = report.pauses[i];
    std::string mac;
    append_mac(pause.source, mac);
    json.open_object();
    json.string("source", mac);
    pause.priority ? json.number("priority", *pause.priority) : json.null("priority");
    json.number("t", elapsed(start, pause.first_time));
    json.number("until", elapsed(start, pause.last_time));
    json.number("xoff", pause.xoff);
    json.number("pauses", pause.pauses);
    json.close_object();
  }
  json.close_array();
  json.number("pauses_left_out", report.pauses.size() - std::min(report.pauses.size(), kMostPauses));
}

void write_drops(const Report& report, JsonWriter& json) {
  json.open_array("drops");
  for (const CaptureReport& capture : report.captures) {
    for (const CaptureInterface& each : capture.info.interfaces) {
      if (each.dropped.value_or(0) == 0) continue;
      json.open_object();
      json.string("capture", capture.info.path);
      json.string("interface", each.name);
      json.number("dropped", *each.dropped);
      json.close_object();
    }
  }
  json.close_array();
}

}  // namespace

Grid PageSource::grid() const {
  constexpr std::size_t kMostBuckets = 512;
  const CaptureTotals& totals = report.totals;
  const std::int64_t first = totals.first_time.value_or(0);
  return Grid::over(first, totals.last_time.value_or(first), traffic().interval(), kMostBuckets);
}

void write_marks(const PageSource& source, JsonWriter& json) {
  const Grid grid = source.grid();
  const MarkLog& log = source.traffic().marks();
  const auto counts = [&](MarkKind kind) {
    GridSeries series;
    add_rates(log.counts(kind), &Sent::packets, grid, series);
    return series;
  };
  json.open_array("kinds");
  for (std::size_t i = 0; i < kMarkKinds; ++i) json.string(to_string(static_cast<MarkKind>(i)));
  json.close_array();
  json.open_object("series");
  for (std::size_t i = 0; i < kMarkKinds; ++i) {
    const auto kind = static_cast<MarkKind>(i);
    if (source.has_packets) write_series(to_string(kind), counts(kind), json);
  }
  json.close_object();
  GridSeries packets;
  add_rates(source.roce(), &Sent::packets, grid, packets);
  write_series("roce_packets", packets, json);
  write_events(source.report, log, json);
  write_pauses(source.report, json);
  write_drops(source.report, json);
}

}  // namespace rocescope::render
