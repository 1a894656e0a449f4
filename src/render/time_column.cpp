// The time of a packet as -t wants it.
#include "render/time_column.hpp"

#include <algorithm>

namespace rocescope::render {
namespace {

bool has_nanoseconds(const PacketRecord& record) {
  constexpr std::int64_t kMicrosecond = 1000;
  if (record.interface != nullptr && record.interface->ticks_per_second > 1'000'000) return true;
  return record.packet->frame.timestamp % kMicrosecond != 0;
}

}  // namespace

void TimeColumn::append_span(std::int64_t from, std::int64_t to, std::string& out) const {
  const std::size_t width = static_cast<std::size_t>(decimals_) + 4;  // up to 999 seconds
  const std::size_t start = out.size();
  // Modulo 2^64: hostile time stamps may lie further apart than 63 bits of nanoseconds.
  append_seconds(static_cast<std::int64_t>(static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from)),
                 decimals_, out);
  out.insert(start, width - std::min(width, out.size() - start), ' ');
}

void TimeColumn::append(const PacketRecord& record, std::string& out) {
  if (has_nanoseconds(record)) decimals_ = 9;
  const std::int64_t time = record.packet->frame.timestamp;
  switch (format_) {
    case TimeFormat::kRelative:
      return append_span(record.first_timestamp, time, out);
    case TimeFormat::kDelta:
      return append_span(record.previous_timestamp.value_or(time), time, out);
    case TimeFormat::kDeltaDisplayed:
      return append_span(record.previous_displayed_timestamp.value_or(time), time, out);
    case TimeFormat::kAbsolute:
      return append_time_of_day(time, Zone::kLocal, decimals_, out);
    case TimeFormat::kAbsoluteDate:
      return append_date_and_time(time, Zone::kLocal, decimals_, out);
    case TimeFormat::kUtc:
      return append_time_of_day(time, Zone::kUtc, decimals_, out);
    case TimeFormat::kUtcDate:
      return append_date_and_time(time, Zone::kUtc, decimals_, out);
    case TimeFormat::kEpoch:
      return append_seconds(time, decimals_, out);
  }
}

}  // namespace rocescope::render
