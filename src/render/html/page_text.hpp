// The page that src/render/page makes, as it is built into the program.
#pragma once

#include <string_view>

namespace rocescope::render {

/// Empty where this build has none.
[[nodiscard]] std::string_view page_text() noexcept;

}  // namespace rocescope::render
