// Text in lines.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace rocescope::text {

/// `text` cut at spaces into lines of at most `width` characters (a longer word stands alone). A number stays with the word
/// behind it: `414 ms`.
[[nodiscard]] std::vector<std::string> wrap(std::string_view text, std::size_t width);

}  // namespace rocescope::text
