// Pairs work requests with messages, one to one and in order.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "rocescope/message.hpp"
#include "verify/truth_book.hpp"

namespace rocescope::verify {

/// A work request and its message, or one of them alone.
struct Pairing {
  std::optional<std::size_t> request;
  std::optional<std::size_t> message;
  unsigned fields = 0;  ///< of a pair: the fields that differ
};

/// Pairs work requests and messages in their order. After a difference it skips as few as possible until both match again.
[[nodiscard]] std::vector<Pairing> align(std::span<const WorkRequest> requests, std::span<const Message> messages);

}  // namespace rocescope::verify
