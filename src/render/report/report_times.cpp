// Times and rates.
#include <fmt/format.h>

#include "render/report/report_sections.hpp"
#include "render/report/report_table.hpp"
#include "rocescope/text.hpp"

namespace rocescope::render {
namespace {

using std::string;
using text::count;
using text::duration;
using text::quantity;

string time_text(std::uint64_t ns) { return duration(static_cast<std::int64_t>(ns)); }

void row(ReportTable& table, const string& of, const TimeTable& times) {
  for (std::size_t i = 0; i < kTimeKinds; ++i) {
    const auto kind = static_cast<TimeKind>(i);
    const Histogram* found = times.find(kind);
    if (found == nullptr) continue;
    table.row({of, string(to_string(kind)), count(found->count()), time_text(found->min()),
               time_text(found->quantile(500)), time_text(found->quantile(900)), time_text(found->quantile(990)),
               time_text(found->quantile(999)), time_text(found->max())});
  }
}

string bit_rate(double bytes) { return bytes <= 0 ? string() : quantity(8 * bytes, "b/s"); }

void row(ReportTable& table, const string& source, const string& destination, const RateSeries& rates) {
  const double messages = rates.average(&Sent::messages);
  table.row({source, destination, bit_rate(rates.average(&Sent::wire_bytes)), bit_rate(rates.peak(&Sent::wire_bytes)),
             bit_rate(rates.average(&Sent::payload_bytes)), bit_rate(rates.average(&Sent::goodput_bytes)),
             bit_rate(rates.peak(&Sent::goodput_bytes)),
             rates.total().resent_bytes == 0 ? string() : bytes(rates.total().resent_bytes),
             rates.total().resent_bytes == 0 ? string() : fmt::format("{:.3g}", rates.amplification()),
             messages <= 0 ? string() : quantity(messages, "/s")});
}

}  // namespace

void append_times(const Report& report, ReportPage& page) {
  if (report.times.all().empty()) return;
  page.section("Times");
  ReportTable table({{"no.", Align::kRight},
                     {"time"},
                     {"count", Align::kRight},
                     {"min", Align::kRight},
                     {"p50", Align::kRight},
                     {"p90", Align::kRight},
                     {"p99", Align::kRight},
                     {"p99.9", Align::kRight},
                     {"max", Align::kRight}});
  row(table, {}, report.times);
  if (page.all() && report.connections.size() > 1) {
    for (const Connection& connection : report.connections) {
      for (const ConnectionSide& side : connection.sides) row(table, fmt::format("{}", connection.number), side.times);
    }
  }
  table.append_to(page.out());
}

void append_rates(const Report& report, ReportPage& page) {
  // Of less than a few intervals, rates mean little.
  constexpr std::size_t kFew = 10;
  if (report.host_rates.empty() || (!page.detail() && report.rates.buckets().size() < kFew)) return;
  page.section(fmt::format("Rates, the highest over {}", duration(report.rates.width())));
  ReportTable table({{"from"},
                     {"to"},
                     {"wire", Align::kRight},
                     {"highest", Align::kRight},
                     {"payload", Align::kRight},
                     {"goodput", Align::kRight},
                     {"highest", Align::kRight},
                     {"resent", Align::kRight},
                     {"sent/goodput", Align::kRight},
                     {"messages", Align::kRight}});
  if (report.host_rates.size() > 1) row(table, "all", {}, report.rates);
  for (std::size_t i = 0; i < page.shown(report.host_rates.size()); ++i) {
    const HostRates& pair = report.host_rates[i];
    row(table, to_text(pair.source), to_text(pair.destination), pair.rates);
  }
  table.append_to(page.out());
  page.rest(report.host_rates.size(), "pairs of hosts");
  if (report.untracked_host_packets > 0) {
    page.note(fmt::format("{} packets of further hosts are left out: the table was full",
                          count(report.untracked_host_packets)));
  }
}

}  // namespace rocescope::render
