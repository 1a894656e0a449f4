// What the NICs would have counted.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "render/report/report_sections.hpp"
#include "render/report/report_table.hpp"
#include "rocescope/host.hpp"
#include "rocescope/text.hpp"

namespace rocescope::render {

using text::count;

/// A row for each counter that is not 0 everywhere, a column for each host.
void append_counters(const Report& report, ReportPage& page) {
  if (report.hosts.empty()) return;
  page.section("Counters, as the NICs would have them");
  const std::size_t hosts = page.shown(report.hosts.size());
  std::vector<std::string> addresses;
  std::vector<std::array<std::uint64_t, kNicCounters>> values;
  for (std::size_t i = 0; i < hosts; ++i) {
    addresses.push_back(to_text(report.hosts[i].address));
    values.push_back(nic_counters(report.hosts[i]));
  }
  std::vector<ReportTable::Column> columns{{"counter"}, {"of rxe"}};
  for (const std::string& address : addresses) columns.push_back({address, Align::kRight});
  ReportTable table(std::move(columns));
  for (const NicCounterInfo& info : nic_counter_infos()) {
    const auto index = static_cast<std::size_t>(info.counter);
    const auto is_zero = [&](const auto& host) { return host[index] == 0; };
    if (std::all_of(values.begin(), values.end(), is_zero)) continue;
    std::vector<std::string> cells{std::string(name_of(info)), std::string(info.rxe)};
    for (const auto& host : values) cells.push_back(count(host[index]));
    table.row(std::move(cells));
  }
  table.append_to(page.out(), page.width());
  page.rest(report.hosts.size(), "hosts");
}

}  // namespace rocescope::render
