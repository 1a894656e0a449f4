#include "verify/outcome.hpp"

#include "rocescope/headers/extended_transport.hpp"

namespace rocescope::verify {
namespace {

bool is_refused(const Message& message, NakCode code) {
  return message.outcome == MessageOutcome::kRefused && message.nak_code == static_cast<std::uint8_t>(code);
}

}  // namespace

std::optional<bool> agrees(std::string_view status, const Message& message) noexcept {
  if (status == "SUCCESS") {
    return message.outcome == MessageOutcome::kCompleted || message.outcome == MessageOutcome::kUnacknowledged;
  }
  if (status == "REM_INV_REQ_ERR") return is_refused(message, NakCode::kInvalidRequest);
  if (status == "REM_ACCESS_ERR") return is_refused(message, NakCode::kRemoteAccessError);
  if (status == "REM_OP_ERR") return is_refused(message, NakCode::kRemoteOperationalError);
  if (status == "RETRY_EXC_ERR" || status == "RNR_RETRY_EXC_ERR") {
    return message.outcome == MessageOutcome::kOutstanding;
  }
  return std::nullopt;
}

std::string outcome_text(const Message& message) {
  std::string text(to_string(message.outcome));
  if (message.outcome != MessageOutcome::kRefused) return text;
  switch (static_cast<NakCode>(message.nak_code)) {
    case NakCode::kInvalidRequest:
      return text + " (invalid request)";
    case NakCode::kRemoteAccessError:
      return text + " (remote access error)";
    case NakCode::kRemoteOperationalError:
      return text + " (remote operational error)";
    default:
      return text;
  }
}

}  // namespace rocescope::verify
