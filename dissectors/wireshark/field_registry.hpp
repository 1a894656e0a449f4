// Fields as Wireshark registers them.
#pragma once

#include <string_view>

#include "wireshark/epan.hpp"

namespace rocescope::wireshark {

/// A copy that lasts as long as the program.
[[nodiscard]] const char* keep(std::string_view text);

/// What a row of our tables becomes. Wireshark keeps the names and the identifier: they last as long as the program.
[[nodiscard]] inline hf_register_info field_info(int* identifier, const char* name, const char* filter_name,
                                                 ftenum type, int display, const void* strings = nullptr) {
  return {identifier, {name, filter_name, type, display, strings, 0, nullptr, HFILL}};
}

}  // namespace rocescope::wireshark
