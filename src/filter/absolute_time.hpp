// Dates with times as filters write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace rocescope::filter {

/// Nanoseconds since 1970-01-01 UTC of `2020-07-04`, `2020-07-04 12:34`, `2020-07-04T12:34:56.789`, with or without `Z` or an
/// offset from UTC like `+02:00` or `+0200`; or of Wireshark's `Sep 26, 2004 23:18:04.954975`, with or without ` UTC`. Local
/// time if it names no zone. Nothing for any other text.
[[nodiscard]] std::optional<std::int64_t> parse_absolute_time(const std::string& text);

}  // namespace rocescope::filter
