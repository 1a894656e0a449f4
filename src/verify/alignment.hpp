// Work requests beside messages, one to one and in order.
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
  unsigned fields = 0;  ///< that differ; of a pair
};

/// Pairs what is in order. Where both do not go on alike, what is left out or not the same is found by where they go on
/// alike again, with as few left out as can be.
[[nodiscard]] std::vector<Pairing> align(std::span<const WorkRequest> requests, std::span<const Message> messages);

}  // namespace rocescope::verify
