// The table of memory regions.
#include <fmt/format.h>

#include "render/report/report_sections.hpp"
#include "render/report/report_table.hpp"
#include "rocescope/text.hpp"

namespace rocescope::render {
namespace {

using std::string;
using text::count;

string range_text(const AddressRange& range) {
  return range.empty ? string() : fmt::format("0x{:x}-0x{:x}", range.lowest, range.highest);
}

string bytes_or_nothing(std::uint64_t number) { return number == 0 ? string() : bytes(number); }

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
  ReportTable table({{"responder"},
                     {"R_Key"},
                     {"addresses touched"},
                     {"READ", Align::kRight},
                     {"bytes read", Align::kRight},
                     {"WRITE", Align::kRight},
                     {"bytes written", Align::kRight},
                     {"ATOMIC", Align::kRight},
                     {"FLUSH", Align::kRight},
                     {"refused", Align::kRight},
                     {"addresses refused"},
                     {"connection"}});
  for (std::size_t i = 0; i < page.shown(report.memory_regions.size()); ++i) {
    const MemoryRegion& region = report.memory_regions[i];
    table.row({to_text(region.responder), fmt::format("0x{:08x}", region.r_key), range_text(region.touched),
               count_or_nothing(region.reads), bytes_or_nothing(region.read_bytes), count_or_nothing(region.writes),
               bytes_or_nothing(region.written_bytes), count_or_nothing(region.atomics),
               count_or_nothing(region.flushes), count_or_nothing(region.refused), range_text(region.refused_range),
               users_text(region)});
  }
  table.append_to(page.out());
  page.rest(report.memory_regions.size(), "regions");
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
