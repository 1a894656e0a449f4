// What happened when, over the whole capture.
#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "analysis/connection_rank.hpp"
#include "render/html/packet_points.hpp"
#include "render/html/page_sections.hpp"
#include "rocescope/detail/elapsed.hpp"
#include "rocescope/text.hpp"
#include "sorting/sort.hpp"

namespace rocescope::render {
namespace {

constexpr std::size_t kMostPairs = 200;
constexpr std::size_t kMostSectionBytes = 3'000'000;  ///< of a section, about
constexpr std::size_t kMostNumbers = 100;

const RateSeries kNoRates;

/// What one host sends the other.
struct PairDirection {
  const RateSeries* roce = &kNoRates;         // as the report has it
  const RateSeries* roce_series = &kNoRates;  // the same or over shorter times
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

/// Whether one of both is no host: a damaged packet names it, and no other one.
bool is_damaged(const Direction& direction, const Report& report) {
  const auto names = [&](const IpAddress& address) {
    return std::ranges::binary_search(report.damaged_hosts, std::pair(address, direction.overlay_id));
  };
  return names(direction.source) || names(direction.destination);
}

Pairs pairs_of(const PageSource& source) {
  const Report& report = source.report;
  Pairs pairs;
  for (const HostRates& rates : report.host_rates) {
    const Direction direction{rates.source, rates.destination, rates.overlay_id};
    PairDirection& one = direction_of(direction, pairs);
    one.roce = one.roce_series = &rates.rates;
    pair_of(direction, pairs).wire_bytes += rates.rates.total().wire_bytes;
  }
  for (const auto& [direction, traffic] : source.traffic().hosts()) {
    const bool has_roce = !traffic.roce.empty() && !is_damaged(direction, report);
    if (!has_roce && traffic.tcp.empty() && traffic.other.empty()) continue;
    PairDirection& one = direction_of(direction, pairs);
    one.tcp = &traffic.tcp;
    one.other = &traffic.other;
    if (has_roce) one.roce_series = &traffic.roce;
    pair_of(direction, pairs).wire_bytes += traffic.tcp.total().wire_bytes + traffic.other.total().wire_bytes;
  }
  for (const auto& [direction, marked] : source.overview.messages().marked()) {
    if (is_damaged(direction, report)) continue;
    direction_of(direction, pairs).ce_packets = marked.total().packets;
  }
  for (const Connection& connection : report.connections) {
    HostPair& pair = pair_of({connection.sides[0].address, connection.sides[1].address, connection.overlay_id}, pairs);
    pair.trouble += trouble_packets(connection);
    for (const ConnectionSide& side : connection.sides) pair.trouble += side.cnp_packets + side.credit_stalls();
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

/// `has_packets`: else only what the report has is known.
void write_direction(const PairDirection& direction, const Grid& grid, bool has_packets, JsonWriter& json) {
  const Sent roce = direction.roce->total();
  json.open_object();
  json.open_object("roce");
  json.number("packets", roce.packets);
  json.number("wire_bytes", roce.wire_bytes);
  json.number("goodput_bytes", roce.goodput_bytes);
  json.number("resent_bytes", roce.resent_bytes);
  has_packets ? json.number("ce_packets", direction.ce_packets) : json.null("ce_packets");
  json.close_object();
  if (has_packets) {
    write_totals_of("tcp", *direction.tcp, json);
    write_totals_of("other", *direction.other, json);
  } else {
    json.null("tcp");
    json.null("other");
  }
  json.number("interval", direction.roce_series->width());
  TrafficSeries series(grid);
  series.add_roce(*direction.roce_series);
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

}  // namespace

std::size_t write_pairs(const PageSource& source, JsonWriter& json) {
  const Grid grid = source.grid();
  const Pairs pairs = pairs_of(source);
  std::vector<const Pairs::value_type*> order;
  for (const auto& pair : pairs) order.push_back(&pair);
  sorting::stable_sort(order, [](const auto* a, const auto* b) {
    return std::pair(a->second.trouble, a->second.wire_bytes) > std::pair(b->second.trouble, b->second.wire_bytes);
  });
  write_grid(grid, source.start(), json);
  std::map<IpAddress, std::size_t> hosts;
  std::vector<IpAddress> host_list;
  const auto host = [&](const IpAddress& address) {
    const auto [found, is_new] = hosts.try_emplace(address, host_list.size());
    if (is_new) host_list.push_back(address);
    return found->second;
  };
  json.open_array("pairs");
  std::size_t shown = 0;
  for (; shown < std::min(order.size(), kMostPairs) && json.size() < kMostSectionBytes; ++shown) {
    const auto& [key, pair] = *order[shown];
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
    for (const PairDirection& direction : pair.directions) write_direction(direction, grid, source.has_packets, json);
    json.close_array();
    json.close_object();
  }
  json.close_array();
  json.open_array("hosts");
  for (const IpAddress& address : host_list) json.string(to_text(address));
  json.close_array();
  json.number("left_out", order.size() - shown);
  TrafficSeries all(grid);
  all.add_roce(source.roce());
  all.add_tcp(source.traffic().all().tcp);
  all.add_other(source.traffic().all().other);
  all.write("all", json);
  return order.size() - shown;
}

void write_connection_rates(const PageSource& source, JsonWriter& json) {
  const Report& report = source.report;
  constexpr std::size_t kFewBuckets = 60;
  constexpr std::size_t kMostConnections = 10'000;
  const std::int64_t first = report.totals.first_time.value_or(0);
  const Grid grid = Grid::over(first, report.totals.last_time.value_or(first), source.interval, kFewBuckets);
  write_grid(grid, report.start.value_or(0), json);
  json.open_object("connections");
  std::size_t shown = 0;
  for (const Connection& connection : report.connections) {
    if (shown == kMostConnections || json.size() > kMostSectionBytes) break;
    ++shown;
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
  json.number("left_out", report.connections.size() - shown);
}

}  // namespace rocescope::render
