// Where the sources are: behind a function, so that what a compiler makes of a test is the same in every checkout.
#pragma once

#include <string>

namespace rocescope::testing {

[[nodiscard]] std::string source_dir();

}  // namespace rocescope::testing
