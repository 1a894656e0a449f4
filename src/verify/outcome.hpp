// The status of a completion beside the outcome of its message.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "rocescope/message.hpp"

namespace rocescope::verify {

/// Whether a message with this outcome can have a completion of this status; none: the wire shows nothing of such a status
/// (the work request was flushed, or failed locally).
[[nodiscard]] std::optional<bool> agrees(std::string_view status, const Message& message) noexcept;

/// `completed`, `refused (remote access error)`
[[nodiscard]] std::string outcome_text(const Message& message);

}  // namespace rocescope::verify
