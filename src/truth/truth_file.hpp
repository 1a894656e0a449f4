// Reads files of truth: NDJSON as rdmagen and the lab write it.
#pragma once

#include <span>
#include <string>

#include "rocescope/result.hpp"
#include "truth/truth.hpp"

namespace rocescope::truth {

/// Reads `paths` as one truth: the file of either side or one of both, or the result folder of the lab that has them. Events and fields that are not in the schema are
/// passed over. The error says where: `server.ndjson:17: event post has no qpn`.
[[nodiscard]] Result<Truth> read_truth(std::span<const std::string> paths);

}  // namespace rocescope::truth
