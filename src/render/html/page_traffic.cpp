// What happened when, over the whole capture.
#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "analysis/connection_rank.hpp"
#include "render/html/page_sections.hpp"
#include "render/html/packet_points.hpp"
#include "rocescope/text.hpp"
#include "tracking/elapsed.hpp"

namespace rocescope::render {
namespace {

constexpr std::size_t kGridBuckets = 512;
constexpr std::size_t kMostPairs = 200;
constexpr std::size_t kMostNumbers = 100;

const RateSeries kNoRates;

/// What one host sends the other.
struct PairDirection {
  const RateSeries* roce = &kNoRates;
  const RateSeries* tcp = &kNoRates;
  const RateSeries* other = &kNoRates;
  std::uint64_t ce_packets = 0;
};

struct HostPair {
  std::array<PairDirection, 2> directions;
  std::uint64_t wire_bytes = 0;
  std::uint64_t trouble = 0;
  std::vector<std::uint32_t> connections;
};

/// The lower address first.
struct PairKey {
  IpAddress first;
  IpAddress second;
  std::uint32_t overlay_id = 0;
  friend auto operator<=>(const PairKey&, const PairKey&) noexcept = default;
};

using Pairs = std::map<PairKey, HostPair>;

HostPair& pair_of(const Direction& direction, Pairs& pairs) {
  const auto [first, second] = std::minmax(direction.source, direction.destination);
  return pairs[{first, second, direction.overlay_id}];
}

PairDirection& direction_of(const Direction& direction, Pairs& pairs) {
  HostPair& pair = pair_of(direction, pairs);
  return pair.directions[direction.destination < direction.source ? 1 : 0];
}

Pairs pairs_of(const Report& report, OverviewRecorder& overview) {
  Pairs pairs;
  for (const HostRates& rates : report.host_rates) {
    const Direction direction{rates.source, rates.destination, rates.overlay_id};
    direction_of(direction, pairs).roce = &rates.rates;
    pair_of(direction, pairs).wire_bytes += rates.rates.total().wire_bytes;
  }
  for (const auto& [direction, traffic] : overview.others()) {
    PairDirection& one = direction_of(direction, pairs);
    one.tcp = &traffic.tcp;
    one.other = &traffic.other;
    pair_of(direction, pairs).wire_bytes += traffic.tcp.total().wire_bytes + traffic.other.total().wire_bytes;
  }
  for (const auto& [direction, marked] : overview.messages().marked()) {
    direction_of(direction, pairs).ce_packets = marked.total().packets;
  }
  for (const Connection& connection : report.connections) {
    HostPair& pair = pair_of({connection.sides[0].address, connection.sides[1].address, connection.overlay_id}, pairs);
    pair.trouble += trouble_packets(connection) + connection.sides[0].cnp_packets + connection.sides[1].cnp_packets;
    pair.connections.push_back(connection.number);
  }
  return pairs;
}

void write_totals_of(std::string_view key, const RateSeries& rates, JsonWriter& json) {
  const Sent total = rates.total();
  json.open_object(key);
  json.number("packets", total.packets);
  json.number("wire_bytes", total.wire_bytes);
  json.close_object();
}

/// The series of some directions together.
class TrafficSeries {
 public:
  explicit TrafficSeries(const Grid& grid) : grid_(grid) {}

  void add_roce(const RateSeries& rates) {
    add_rates(rates, &Sent::goodput_bytes, grid_, goodput_);
    add_rates(rates, &Sent::resent_bytes, grid_, resent_);
    add_rates(rates, &Sent::wire_bytes, grid_, wire_);
  }
  void add_tcp(const RateSeries& rates) { add_rates(rates, &Sent::wire_bytes, grid_, tcp_); }
  void add_other(const RateSeries& rates) { add_rates(rates, &Sent::wire_bytes, grid_, other_); }
  void write(std::string_view key, JsonWriter& json) const {
    json.open_object(key);
    write_series("goodput", goodput_, json);
    write_series("resent", resent_, json);
    write_series("roce_wire", wire_, json);
    write_series("tcp", tcp_, json);
    write_series("other", other_, json);
    json.close_object();
  }

 private:
  const Grid& grid_;
  GridSeries goodput_;
  GridSeries resent_;
  GridSeries wire_;
  GridSeries tcp_;
  GridSeries other_;
};

void write_direction(const PairDirection& direction, const Grid& grid, JsonWriter& json) {
  const Sent roce = direction.roce->total();
  json.open_object();
  json.open_object("roce");
  json.number("packets", roce.packets);
  json.number("wire_bytes", roce.wire_bytes);
  json.number("goodput_bytes", roce.goodput_bytes);
  json.number("resent_bytes", roce.resent_bytes);
  json.number("ce_packets", direction.ce_packets);
  json.close_object();
  write_totals_of("tcp", *direction.tcp, json);
  write_totals_of("other", *direction.other, json);
  json.number("interval", direction.roce->width());
  TrafficSeries series(grid);
  series.add_roce(*direction.roce);
  series.add_tcp(*direction.tcp);
  series.add_other(*direction.other);
  series.write("series", json);
  json.close_object();
}

void write_grid(const Grid& grid, std::int64_t start, JsonWriter& json) {
  json.number("start", elapsed(start, grid.start));
  json.number("width", grid.width);
  json.number("buckets", grid.buckets);
}

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
  write_differences("t", marks, [&](const Mark& mark) { return elapsed(start, mark.time); }, json);
  write_numbers("kind", marks, [](const Mark& mark) { return static_cast<unsigned>(mark.kind); }, json);
  write_numbers("connection", marks, [](const Mark& mark) { return mark.connection; }, json);
  json.open_array("side");
  for (const Mark& mark : marks) {
    const auto side = sides.of(mark);
    side ? json.number({}, *side) : json.null({});
  }
  json.close_array();
  write_differences("frame", marks, [](const Mark& mark) { return mark.frame; }, json);
  json.close_object();
  json.number("left_out", log.left_out());
}

void write_pauses(const Report& report, JsonWriter& json) {
  const std::int64_t start = report.start.value_or(0);
  json.open_array("pauses");
  for (std::size_t i = 0; i < std::min(report.pauses.size(), kMostNumbers); ++i) {
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
  json.number("pauses_left_out", report.pauses.size() - std::min(report.pauses.size(), kMostNumbers));
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

Grid capture_grid(const Report& report, std::int64_t interval) {
  const std::int64_t first = report.totals.first_time.value_or(0);
  return Grid::over(first, report.totals.last_time.value_or(first), interval, kGridBuckets);
}

void write_pairs(const Report& report, OverviewRecorder& overview, JsonWriter& json) {
  const Grid grid = capture_grid(report, overview.interval());
  const Pairs pairs = pairs_of(report, overview);
  std::vector<const Pairs::value_type*> order;
  for (const auto& pair : pairs) order.push_back(&pair);
  std::ranges::stable_sort(order, [](const auto* a, const auto* b) {
    return std::pair(a->second.trouble, a->second.wire_bytes) > std::pair(b->second.trouble, b->second.wire_bytes);
  });
  const std::size_t shown = std::min(order.size(), kMostPairs);
  write_grid(grid, report.start.value_or(0), json);
  std::map<IpAddress, std::size_t> hosts;
  std::vector<IpAddress> host_list;
  const auto host = [&](const IpAddress& address) {
    const auto [found, is_new] = hosts.try_emplace(address, host_list.size());
    if (is_new) host_list.push_back(address);
    return found->second;
  };
  json.open_array("pairs");
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& [key, pair] = *order[i];
    json.open_object();
    json.open_array("hosts");
    json.number({}, host(key.first));
    json.number({}, host(key.second));
    json.close_array();
    json.number("overlay_id", key.overlay_id);
    json.number("wire_bytes", pair.wire_bytes);
    json.number("trouble", pair.trouble);
    json.open_array("connections");
    for (std::size_t k = 0; k < std::min(pair.connections.size(), kMostNumbers); ++k) {
      json.number({}, pair.connections[k]);
    }
    json.close_array();
    json.number("connections_number", pair.connections.size());
    json.open_array("directions");
    for (const PairDirection& direction : pair.directions) write_direction(direction, grid, json);
    json.close_array();
    json.close_object();
  }
  json.close_array();
  json.open_array("hosts");
  for (const IpAddress& address : host_list) json.string(to_text(address));
  json.close_array();
  json.number("left_out", order.size() - shown);
  TrafficSeries all(grid);
  all.add_roce(report.rates);
  all.add_tcp(overview.all_others().tcp);
  all.add_other(overview.all_others().other);
  all.write("all", json);
}

void write_marks(const Report& report, OverviewRecorder& overview, JsonWriter& json) {
  const Grid grid = capture_grid(report, overview.interval());
  const MarkLog& log = overview.marks();
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
    write_series(to_string(kind), counts(kind), json);
  }
  json.close_object();
  GridSeries packets;
  add_rates(report.rates, &Sent::packets, grid, packets);
  write_series("roce_packets", packets, json);
  write_events(report, log, json);
  write_pauses(report, json);
  write_drops(report, json);
}

void write_connection_rates(const Report& report, std::int64_t interval, JsonWriter& json) {
  constexpr std::size_t kFewBuckets = 60;
  constexpr std::size_t kMostConnections = 10'000;
  const std::int64_t first = report.totals.first_time.value_or(0);
  const Grid grid = Grid::over(first, report.totals.last_time.value_or(first), interval, kFewBuckets);
  write_grid(grid, report.start.value_or(0), json);
  json.open_object("connections");
  std::size_t shown = 0;
  for (const Connection& connection : report.connections) {
    if (shown++ == kMostConnections) break;
    GridSeries goodput;
    GridSeries resent;
    for (const ConnectionSide& side : connection.sides) {
      add_rates(side.rates, &Sent::goodput_bytes, grid, goodput);
      add_rates(side.rates, &Sent::resent_bytes, grid, resent);
    }
    json.open_object(std::to_string(connection.number));
    write_series("goodput", goodput, json);
    write_series("resent", resent, json);
    json.close_object();
  }
  json.close_object();
  json.number("left_out", report.connections.size() - std::min(report.connections.size(), kMostConnections));
}

}  // namespace rocescope::render
