// From tokens to a predicate.
#pragma once

#include <string_view>

#include "predicate.hpp"
#include "token.hpp"

namespace rocescope::filter {

/// The predicate that `text` describes, or null, and `error` says why.
[[nodiscard]] PredicatePtr parse(std::string_view text, FilterError& error);

}  // namespace rocescope::filter
