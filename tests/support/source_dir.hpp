// Where the sources are, and what was built: behind functions, so that what a compiler makes of a test is the same in every checkout.
#pragma once

#include <string>

namespace rocescope::testing {

[[nodiscard]] std::string source_dir();
[[nodiscard]] std::string build_dir();
/// The path of rocescope.
[[nodiscard]] std::string program();

}  // namespace rocescope::testing
