// Text in lines.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace rocescope::text {

/// Joins the lines of a raw string with spaces, without their indentation.
[[nodiscard]] std::string folded(std::string_view text);

/// `text` cut at spaces into lines of at most `width` characters (a longer word stands alone). A number stays with the word
/// behind it: `414 ms`.
[[nodiscard]] std::vector<std::string> wrap(std::string_view text, std::size_t width);

}  // namespace rocescope::text
