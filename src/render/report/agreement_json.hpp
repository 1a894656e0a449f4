// How far a capture agrees with the truth, as JSON.
#pragma once

#include <string>
#include <string_view>

#include "truth/agreement.hpp"

namespace rocescope::render {

/// Grows when a member is renamed, removed or changes its meaning; new members may come at any time.
inline constexpr int kAgreementSchema = 2;

/// Appends one JSON object and a line feed. `capture` is its name where there are several; else empty.
void append_agreement_json(const Agreement& agreement, std::string_view capture, std::string& out);

/// The members, for the manual.
[[nodiscard]] const std::string& agreement_json_documentation();

}  // namespace rocescope::render
