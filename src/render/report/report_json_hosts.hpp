// Rates and the counters of NICs in the JSON report.
#pragma once

#include <vector>

#include "render/json_writer.hpp"
#include "rocescope/host.hpp"
#include "rocescope/rate_series.hpp"

namespace rocescope::render {

void write_rates(const RateSeries& rates, JsonWriter& json);
void write_host_rates(const std::vector<HostRates>& pairs, JsonWriter& json);
void write_nic_counters(const std::vector<Host>& hosts, JsonWriter& json);

}  // namespace rocescope::render
