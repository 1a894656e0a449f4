// RDMA devices: the network interfaces that they send through, and how many packets they count.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rocescope {

struct RdmaDevice {
  std::string name;                     ///< `mlx5_0`
  std::vector<std::string> interfaces;  ///< that it sends through: `enp1s0f0np0`
  std::string driver;                   ///< of its hardware: `mlx5_core`; empty: not known, or it is software
  bool software = false;                ///< rdma_rxe: its packets go through the kernel
};

/// All of this machine, by name; `sys` is the path of sysfs. A device belongs to the interfaces that its GIDs name (VLANs
/// too), to the one that it was created on (rdma_rxe), and to those of the same hardware.
[[nodiscard]] std::vector<RdmaDevice> rdma_devices(const std::string& sys = "/sys");

/// The packets that the ports of a device sent and received since it started; none: it does not count them.
[[nodiscard]] std::optional<std::uint64_t> rdma_packets(const std::string& device, const std::string& sys = "/sys");

}  // namespace rocescope
