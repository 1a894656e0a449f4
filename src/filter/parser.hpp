// From tokens to a predicate.
#pragma once

#include <string_view>

#include "filter/predicate.hpp"
#include "filter/token.hpp"

namespace rocescope::filter {

struct Parsed {
  PredicatePtr predicate;  ///< null after an error
  RecordParts parts;       ///< the parts that it reads
};

/// The predicate of `text`; on an error it is null and `error` says why.
[[nodiscard]] Parsed parse(std::string_view text, FilterError& error);

}  // namespace rocescope::filter
