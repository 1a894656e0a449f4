// Which RDMA devices send through which network interfaces.
#pragma once

#include <string>
#include <vector>

namespace rocescope {

/// A pair of them.
struct RdmaLink {
  std::string device;     ///< `mlx5_0`
  std::string interface;  ///< `enp1s0f0np0`
};

/// All pairs of this machine, by device; `sys` is the path of sysfs. A device belongs to the interfaces that its GIDs name (VLANs
/// too), to the one that it was created on (rdma_rxe), and to those of the same hardware.
[[nodiscard]] std::vector<RdmaLink> rdma_links(const std::string& sys = "/sys");

}  // namespace rocescope
