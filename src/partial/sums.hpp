// What shards counted, together.
#pragma once

#include "analysis/observations.hpp"

namespace rocescope::partial {

/// Adds what another shard observed, whose connections and commands have the numbers of the merged result.
void add(Observations&& part, Observations& to);

/// Puts the rows in their order, after the last add().
void sort_rows(Observations& observations);

}  // namespace rocescope::partial
