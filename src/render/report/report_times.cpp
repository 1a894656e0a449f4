// Times and rates.
#include <fmt/format.h>

#include "render/report/row_table.hpp"
#include "rocescope/text.hpp"
#include "schema/tables.hpp"

namespace rocescope::render {
namespace {

using std::string;
using text::count;
using text::duration;
using text::quantity;

/// In the order of the kinds.
void append_rows(const TimeTable& times, RowTable<TimeSeries>& table) {
  for (std::size_t i = 0; i < kTimeKinds; ++i) {
    for (const TimeSeries& series : times.all()) {
      if (series.kind == static_cast<TimeKind>(i)) table.row(series);
    }
  }
}

string bit_rate(double bytes) { return bytes <= 0 ? string() : quantity(8 * bytes, "b/s"); }

string amplification(const RateSeries& rates) {
  return rates.total().resent_bytes == 0 ? string() : fmt::format("{:.3g}", rates.amplification());
}

string message_rate(const RateSeries& rates) {
  const double messages = rates.average(&Sent::messages);
  return messages <= 0 ? string() : quantity(messages, "/s");
}

}  // namespace

void append_times(const Report& report, ReportPage& page) {
  if (report.times.all().empty()) return;
  page.section("Times");
  string of;
  RowTable<TimeSeries> table(report, schema::kTime,
                             {{"no.", [&](const TimeSeries&) { return of; }, Align::kRight},
                              {"time", [](const TimeSeries& row) { return string(to_string(row.kind)); }},
                              {"count", Cells::kGrouped},
                              "min",
                              "p50",
                              "p90",
                              "p99",
                              "p99_9",
                              "max"});
  append_rows(report.times, table);
  if (page.all() && report.connections.size() > 1) {
    for (const Connection& connection : report.connections) {
      of = fmt::format("{}", connection.number);
      for (const ConnectionSide& side : connection.sides) append_rows(side.times, table);
    }
  }
  table.end(page);
}

void append_rates(const Report& report, ReportPage& page) {
  // Of less than a few intervals, rates mean little.
  constexpr std::size_t kFew = 10;
  if (report.host_rates.empty() || (!page.detail() && report.rates.buckets().size() < kFew)) return;
  page.section(fmt::format("Rates, the highest over {}", duration(report.rates.width())));
  using Row = const RateSeries&;
  const HostRates* pair = nullptr;  // null: of all hosts
  const auto average = [](auto sent) { return [sent](Row row) { return bit_rate(row.average(sent)); }; };
  const auto peak = [](auto sent) { return [sent](Row row) { return bit_rate(row.peak(sent)); }; };
  RowTable<RateSeries> table(report, schema::kRates,
                             {{"from", [&](Row) { return pair == nullptr ? "all" : to_text(pair->source); }},
                              {"to", [&](Row) { return pair == nullptr ? string() : to_text(pair->destination); }},
                              {"wire", average(&Sent::wire_bytes), Align::kRight},
                              {"highest", peak(&Sent::wire_bytes), Align::kRight},
                              {"payload", average(&Sent::payload_bytes), Align::kRight},
                              {"goodput", average(&Sent::goodput_bytes), Align::kRight},
                              {"highest", peak(&Sent::goodput_bytes), Align::kRight},
                              {"resent_bytes", Cells::kUnlessZero, "resent"},
                              {"sent/goodput", amplification, Align::kRight},
                              {"messages", message_rate, Align::kRight}});
  if (report.host_rates.size() > 1) table.row(report.rates);
  for (std::size_t i = 0; i < page.shown(report.host_rates.size()); ++i) {
    pair = &report.host_rates[i];
    table.row(pair->rates);
  }
  table.end(page);
  page.rest(report.host_rates.size(), "pairs of hosts");
  if (report.untracked_host_packets > 0) {
    page.note(fmt::format("{} packets of further hosts are left out: the table was full",
                          count(report.untracked_host_packets)));
  }
}

}  // namespace rocescope::render
