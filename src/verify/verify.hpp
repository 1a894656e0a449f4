// Compares the report of a capture with the truth.
#pragma once

#include "rocescope/report.hpp"
#include "truth/agreement.hpp"
#include "truth/truth.hpp"
#include "verify/wire_book.hpp"

namespace rocescope::verify {

/// Compares `report` and `messages`, which come from a whole capture, with the truth.
[[nodiscard]] Agreement verify(const truth::Truth& truth, const Report& report, const MessageList& messages);

}  // namespace rocescope::verify
