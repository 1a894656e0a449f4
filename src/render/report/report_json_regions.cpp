#include "render/report/report_json_regions.hpp"

#include <fmt/format.h>

#include "text/address_text.hpp"

namespace rocescope::render {
namespace {

/// As text: readers of JSON that take numbers for doubles would spoil addresses.
void write_range(const AddressRange& range, std::string_view lowest, std::string_view highest, JsonWriter& json) {
  if (range.empty) return;
  json.string(lowest, fmt::format("0x{:016x}", range.lowest));
  json.string(highest, fmt::format("0x{:016x}", range.highest));
}

void write_region(const MemoryRegion& region, JsonWriter& json) {
  json.open_object();
  json.string("responder", to_text(region.responder));
  json.number("overlay_id", region.overlay_id);
  json.number("r_key", region.r_key);
  json.number("reads", region.reads);
  json.number("read_bytes", region.read_bytes);
  json.number("writes", region.writes);
  json.number("written_bytes", region.written_bytes);
  json.number("atomics", region.atomics);
  json.number("flushes", region.flushes);
  json.number("refused", region.refused);
  write_range(region.touched, "lowest_address", "highest_address", json);
  write_range(region.refused_range, "refused_lowest_address", "refused_highest_address", json);
  json.open_array("connections");
  for (const std::uint32_t connection : region.users) json.number({}, connection);
  json.close_array();
  json.boolean("more_connections", region.more_users);
  json.number("first_packet", region.first_packet);
  json.number("first_time", region.first_time);
  json.number("last_time", region.last_time);
  json.close_object();
}

}  // namespace

void write_regions(const std::vector<MemoryRegion>& regions, JsonWriter& json) {
  json.open_array("memory_regions");
  for (const MemoryRegion& region : regions) write_region(region, json);
  json.close_array();
}

}  // namespace rocescope::render
