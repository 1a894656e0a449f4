#include "support/source_dir.hpp"

namespace rocescope::testing {

std::string source_dir() { return ROCESCOPE_SOURCE_DIR; }
std::string build_dir() { return ROCESCOPE_BUILD_DIR; }
std::string program() { return build_dir() + "/rocescope"; }

}  // namespace rocescope::testing
