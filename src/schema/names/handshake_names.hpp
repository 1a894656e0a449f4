// What the numbers of a handshake are called.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "rocescope/handshake.hpp"

namespace rocescope::schema {

/// What Handshake::sides are called, the index of one given.
[[nodiscard]] constexpr std::string_view side_name(std::size_t side) noexcept {
  return side == 0 ? "active" : "passive";
}
/// Why it was refused: `consumer reject`, `reason 99`, `status 1`; empty where it was not.
[[nodiscard]] std::string reject_reason(const Handshake& handshake);
/// The message that was refused: `REQ`; empty where none is named.
[[nodiscard]] std::string_view reject_about(const Handshake& handshake);

}  // namespace rocescope::schema
