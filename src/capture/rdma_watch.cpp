#include "capture/rdma_watch.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "capture/rdma_devices.hpp"

namespace rocescope {
namespace {

/// libpcap also takes `mlx5_0:2`, the second port of `mlx5_0`.
bool is_of(const RdmaDevice& device, const std::string& interface) {
  if (interface == "any" || interface.substr(0, interface.find(':')) == device.name) return true;
  return std::find(device.interfaces.begin(), device.interfaces.end(), interface) != device.interfaces.end();
}

}  // namespace

RdmaWatch::RdmaWatch(const std::vector<std::string>& interfaces, std::string sys) : sys_(std::move(sys)) {
  const std::vector<RdmaDevice> devices = rdma_devices(sys_);
  for (std::size_t i = 0; i < interfaces.size(); ++i) {
    for (const RdmaDevice& device : devices) {
      const std::optional<std::uint64_t> packets = rdma_packets(device.name, sys_);
      if (!packets || !is_of(device, interfaces[i])) continue;
      watched_.push_back({.device = {i, interfaces[i], device.name, 0, device.software}, .at_start = *packets});
    }
  }
}

void RdmaWatch::look() {
  for (Watched& each : watched_) {
    const std::uint64_t packets = rdma_packets(each.device.device, sys_).value_or(0);
    // Counters that were reset, or that fell with a port that went away, say nothing.
    each.device.packets = std::max(packets, each.at_start) - each.at_start;
  }
}

std::vector<CountedRdma> RdmaWatch::counted() const {
  std::vector<CountedRdma> found;
  for (const Watched& each : watched_) {
    if (each.device.packets > 0) found.push_back(each.device);
  }
  return found;
}

}  // namespace rocescope
