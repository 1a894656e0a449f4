// How far a capture agrees with the truth, for people.
#pragma once

#include <string>
#include <string_view>

#include "truth/agreement.hpp"

namespace rocescope::render {

struct AgreementTextOptions {
  bool all = false;             ///< every difference, not the first kShownDifferences
  std::string_view found = {};  ///< where the program found the truth: "beside the capture"; empty: the user named it
  bool color = false;
  std::string_view capture = "The capture";  ///< what it is called
};

inline constexpr std::size_t kShownDifferences = 20;

/// Appends a table of facts, the differences, and what was not compared.
void append_agreement_text(const Agreement& agreement, const AgreementTextOptions& options, std::string& out);

}  // namespace rocescope::render
