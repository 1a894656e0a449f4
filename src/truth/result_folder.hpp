// The files in the folder that a run of the lab leaves (tools/lab/README.md).
#pragma once

#include <string>
#include <vector>

#include "rocescope/result.hpp"

namespace rocescope::truth {

[[nodiscard]] bool is_folder(const std::string& path);

/// The files of truth in `folder`: the lab's and those of rdmagen, by name. At least one.
[[nodiscard]] Result<std::vector<std::string>> truths_in(const std::string& folder);

/// The captures of both ends of the wire in `folder`, by name; where it has none, those made inside a machine. At least one.
/// Each shows all packets, so they must not be read as one.
[[nodiscard]] Result<std::vector<std::string>> captures_in(const std::string& folder);

}  // namespace rocescope::truth
