#include "support/source_dir.hpp"

namespace rocescope::testing {

std::string source_dir() { return ROCESCOPE_SOURCE_DIR; }

}  // namespace rocescope::testing
