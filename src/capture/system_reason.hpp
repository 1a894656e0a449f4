// The system's text for an error.
#pragma once

#include <string>
#include <system_error>

namespace rocescope {

/// The text of an `errno` value: `No such file or directory`.
[[nodiscard]] inline std::string system_reason(int error) { return std::system_category().message(error); }

}  // namespace rocescope
