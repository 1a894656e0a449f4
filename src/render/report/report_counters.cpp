// What the NICs would have counted.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <utility>

#include "render/report/report_sections.hpp"
#include "render/report/report_table.hpp"
#include "rocescope/host.hpp"
#include "rocescope/text.hpp"

namespace rocescope::render {

using text::count;

namespace {

/// That copies of requests add to.
constexpr NicCounter kWithCopies[] = {NicCounter::kReceivedPackets, NicCounter::kDuplicateRequest};

/// By the host that they went to, and its VNI.
using Copies = std::map<std::pair<IpAddress, std::uint32_t>, std::uint64_t>;

/// Copies of requests that the network made, at least: as many as the capture point shows that has the most. The capture leaves out all
/// copies, and the NIC none of these.
Copies copies_of(const Report& report) {
  std::map<std::uint32_t, Copies> by_point;
  for (const Connection& connection : report.connections) {
    for (std::size_t side = 0; side < 2; ++side) {
      const std::uint64_t answered = connection.sides[side].answered_copies();
      if (answered > 0)
        by_point[connection.capture_point][{connection.sides[1 - side].address, connection.overlay_id}] += answered;
    }
  }
  Copies most;
  for (const auto& [point, copies] : by_point) {
    for (const auto& [host, count] : copies) most[host] = std::max(most[host], count);
  }
  return most;
}

/// A row for each counter that is not 0 for all of these hosts, a column for each of them.
void append_hosts(std::span<const Host> hosts, const Copies& all_copies, ReportPage& page) {
  std::vector<std::string> addresses;
  std::vector<std::array<std::uint64_t, kNicCounters>> values;
  std::vector<std::uint64_t> copies;
  for (const Host& host : hosts) {
    addresses.push_back(to_text(host.address));
    values.push_back(nic_counters(host));
    const auto its = all_copies.find({host.address, host.overlay_id});
    copies.push_back(its == all_copies.end() ? 0 : its->second);
    for (const NicCounter counter : kWithCopies) values.back()[static_cast<std::size_t>(counter)] += copies.back();
  }
  std::vector<ReportTable::Column> columns{{"counter"}, {"of rxe"}};
  for (const std::string& address : addresses) columns.push_back({address, Align::kRight});
  ReportTable table(std::move(columns));
  for (const NicCounterInfo& info : nic_counter_infos()) {
    const auto index = static_cast<std::size_t>(info.counter);
    const auto is_zero = [&](const auto& host) { return host[index] == 0; };
    if (std::all_of(values.begin(), values.end(), is_zero)) continue;
    std::vector<std::string> cells{std::string(name_of(info)), std::string(info.rxe)};
    const bool has_copies = std::ranges::find(kWithCopies, info.counter) != std::end(kWithCopies);
    for (std::size_t i = 0; i < hosts.size(); ++i)
      cells.push_back((has_copies && copies[i] > 0 ? "at least " : "") + count(values[i][index]));
    table.row(std::move(cells));
  }
  table.append_to(page.out(), page.width());
}

}  // namespace

/// A table for every 20 hosts.
void append_counters(const Report& report, ReportPage& page) {
  if (report.hosts.empty()) return;
  page.section("Counters, as the NICs would have them");
  const Copies copies = copies_of(report);
  std::span<const Host> hosts = std::span(report.hosts).first(page.shown(report.hosts.size()));
  while (!hosts.empty()) {
    const std::size_t columns = std::min(hosts.size(), kReportRows);
    append_hosts(hosts.first(columns), copies, page);
    hosts = hosts.subspan(columns);
    if (!hosts.empty()) page.out() += '\n';
  }
  page.rest(report.hosts.size(), "hosts");
}

}  // namespace rocescope::render
