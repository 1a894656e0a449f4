// The device's own counters, where the kernel shows them.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace rocescope::rdmagen {

using Counters = std::map<std::string, std::uint64_t>;

/// Every counter in `directory` (one file each, a decimal number); files that hold something else are left out, and a
/// directory that is not there has none.
[[nodiscard]] Counters read_counters(const std::string& directory);

/// /sys/class/infiniband/DEVICE/ports/PORT/hw_counters.
[[nodiscard]] std::string hw_counters_directory(const std::string& device, unsigned port);

}  // namespace rocescope::rdmagen
