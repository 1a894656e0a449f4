// Reads files of truth: NDJSON as rdmagen and the lab write it.
#pragma once

#include <span>
#include <string>

#include "rocescope/result.hpp"
#include "truth/truth.hpp"

namespace rocescope::truth {

/// Reads `paths` as one truth: files of one side or of both, or a result folder of the lab. Skips events and fields that are not
/// in the schema. The error says where: `server.ndjson:17: event post has no qpn`.
[[nodiscard]] Result<Truth> read_truth(std::span<const std::string> paths);

}  // namespace rocescope::truth
