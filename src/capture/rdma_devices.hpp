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

/// All of this machine, by device; `sys` is where sysfs is. A device is beside the interfaces that its GIDs name, which VLANs are
/// among, the one that it was made on (rdma_rxe), and those of the same hardware.
[[nodiscard]] std::vector<RdmaLink> rdma_links(const std::string& sys = "/sys");

}  // namespace rocescope
