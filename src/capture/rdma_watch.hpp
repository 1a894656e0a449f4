// What the RDMA devices count that send through the interfaces of a live capture.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace rocescope {

/// An RDMA device that counts packets while a capture runs.
struct CountedRdma {
  std::size_t index = 0;      ///< of the interface among those named
  std::string interface;      ///< that was named to capture on; may be the device itself
  std::string device;         ///< `mlx5_0`
  std::uint64_t packets = 0;  ///< that it counted meanwhile; of all interfaces that it sends through
  bool software = false;      ///< as of RdmaDevice
};

/// Watches the RDMA devices of the interfaces of a live capture, from construction on.
class RdmaWatch {
 public:
  /// `any` has all devices. `sys` is the path of sysfs.
  explicit RdmaWatch(const std::vector<std::string>& interfaces, std::string sys = "/sys");

  /// Reads the counters.
  void look();
  /// The devices that counted packets before the last look, in the order of the interfaces.
  [[nodiscard]] std::vector<CountedRdma> counted() const;

 private:
  struct Watched {
    CountedRdma device;  ///< with the packets of the last look
    std::uint64_t at_start;
  };

  std::string sys_;
  std::vector<Watched> watched_;
};

}  // namespace rocescope
