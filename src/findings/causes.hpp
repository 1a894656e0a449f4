// Which finding of a connection is the cause of another one.
#pragma once

#include <vector>

#include "rocescope/finding.hpp"

namespace rocescope::findings {

/// Names the cause of each consequence, where another finding of the same connection can be it.
void attribute(std::vector<Finding>& findings);

}  // namespace rocescope::findings
