// A build that cannot serve metrics.
#include "metrics/live_metrics.hpp"

namespace rocescope::metrics {

Result<std::unique_ptr<LiveMetrics>> serve(const std::string&, std::string_view) {
  return Error{"this build cannot serve metrics. Install prometheus-cpp (Debian: prometheus-cpp-dev) and build again"};
}

}  // namespace rocescope::metrics
