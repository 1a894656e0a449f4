// The counters of a live capture, for a Prometheus server.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "model/live_update.hpp"
#include "rocescope/result.hpp"

namespace rocescope::metrics {

/// Serves http://ADDRESS:PORT/metrics from threads of its own.
class LiveMetrics {
 public:
  virtual ~LiveMetrics() = default;
  /// Adds `update` to the served counters. Call it once for each update, in their order.
  virtual void show(const LiveUpdate& update) = 0;
  /// Where it is served: `http://127.0.0.1:9417/metrics`.
  [[nodiscard]] virtual const std::string& url() const = 0;

 protected:
  LiveMetrics() = default;
  LiveMetrics(const LiveMetrics&) = default;
  LiveMetrics& operator=(const LiveMetrics&) = default;
};

/// Starts to serve at `address`: `127.0.0.1:9417`, `[::1]:9417` where the web server of prometheus-cpp has IPv6 (Debian's has not),
/// or `9417` for 127.0.0.1; port 0 is any free port. Fails if the program may not listen there, and in a build without
/// prometheus-cpp. From then on SIGPIPE is ignored.
[[nodiscard]] Result<std::unique_ptr<LiveMetrics>> serve(const std::string& address, std::string_view version);

/// The names and labels of all metrics, as text for the manual.
[[nodiscard]] const std::string& documentation();

}  // namespace rocescope::metrics
