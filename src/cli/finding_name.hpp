// Findings by name.
#pragma once

#include <string_view>

#include "rocescope/finding.hpp"
#include "rocescope/result.hpp"

namespace rocescope::cli {

/// The finding that is called `name`; the error suggests the nearest one.
[[nodiscard]] Result<const FindingInfo*> finding_named(std::string_view name);

}  // namespace rocescope::cli
