// The table of memory regions.
#include <fmt/format.h>

#include "render/report/row_table.hpp"
#include "rocescope/text.hpp"
#include "schema/tables.hpp"

namespace rocescope::render {
namespace {

using std::string;
using text::count;

string range_text(const AddressRange& range) {
  return range.empty ? string() : fmt::format("0x{:x}-0x{:x}", range.lowest, range.highest);
}

/// `1, 2, 3`, or how many there are.
string users_text(const MemoryRegion& region) {
  constexpr std::size_t kListed = 4;
  if (region.more_users) return fmt::format("more than {}", MemoryRegion::kMostUsers);
  if (region.users.size() > kListed) return fmt::format("{} connections", region.users.size());
  return fmt::format("{}", fmt::join(region.users, ", "));
}

}  // namespace

void append_regions(const Report& report, ReportPage& page) {
  if (report.memory_regions.empty()) return;
  page.section("Memory regions, as requests show them");
  constexpr Cells kCount = Cells::kUnlessZero;
  RowTable<MemoryRegion> table(
      report, schema::kRegion,
      {"responder",
       "r_key",
       {"addresses touched", [](const MemoryRegion& region) { return range_text(region.touched); }},
       {"reads", kCount},
       {"read_bytes", kCount},
       {"writes", kCount},
       {"written_bytes", kCount},
       {"atomics", kCount},
       {"flushes", kCount},
       {"refused", kCount},
       {"addresses refused", [](const MemoryRegion& region) { return range_text(region.refused_range); }},
       {"connection", users_text}});
  table.rows(report.memory_regions, "regions", page);
  if (const EvictedRegions& evicted = report.evicted.regions; evicted.regions > 0) {
    page.note(fmt::format("{} requests to {} regions that were evicted, idle", count(evicted.all.requests()),
                          count(evicted.regions)));
  }
  if (report.untracked_region_requests > 0) {
    page.note(fmt::format("{} requests to further regions are left out: the table was full",
                          count(report.untracked_region_requests)));
  }
}

}  // namespace rocescope::render
