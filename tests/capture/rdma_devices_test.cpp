// Which RDMA device sends through which interface, and what it counts, from a folder laid out as the kernel lays out sysfs
// (Documentation/ABI/stable/sysfs-class-infiniband).
#include "capture/rdma_devices.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "capture/rdma_watch.hpp"
#include "support/temporary_folder.hpp"

namespace rocescope {
namespace {

class RdmaDevicesTest : public ::testing::Test {
 protected:
  void file(const std::string& name, const std::string& text) const {
    const std::filesystem::path path = folder_.path("class/infiniband/" + name);
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  std::vector<std::pair<std::string, std::string>> links() const {
    std::vector<std::pair<std::string, std::string>> pairs;
    for (const RdmaDevice& device : rdma_devices(folder_.path())) {
      for (const std::string& interface : device.interfaces) pairs.emplace_back(device.name, interface);
    }
    return pairs;
  }

  const testing::TemporaryFolder folder_;
};

using Pairs = std::vector<std::pair<std::string, std::string>>;

TEST_F(RdmaDevicesTest, AreNoneWithoutTheFolder) { EXPECT_EQ(links(), Pairs{}); }

TEST_F(RdmaDevicesTest, AreBesideTheInterfacesOfTheirGids) {
  file("mlx5_0/ports/1/gid_attrs/ndevs/0", "enp1s0f0np0\n");
  file("mlx5_0/ports/1/gid_attrs/ndevs/1", "enp1s0f0np0\n");
  file("mlx5_0/ports/1/gid_attrs/ndevs/2", "enp1s0f0np0.7\n");
  file("mlx5_0/ports/1/gid_attrs/ndevs/3", "");
  file("mlx5_1/ports/1/gid_attrs/ndevs/0", "enp1s0f1np1\n");
  EXPECT_EQ(links(), (Pairs{{"mlx5_0", "enp1s0f0np0"}, {"mlx5_0", "enp1s0f0np0.7"}, {"mlx5_1", "enp1s0f1np1"}}));
}

TEST_F(RdmaDevicesTest, AreBesideThoseOfTheSameHardware) {
  file("irdma0/device/net/ens2/address", "");
  EXPECT_EQ(links(), (Pairs{{"irdma0", "ens2"}}));
}

TEST_F(RdmaDevicesTest, OfSoftwareAreBesideWhatTheyWereMadeOn) {
  file("rxe0/parent", "enp0s1\n");
  EXPECT_EQ(links(), (Pairs{{"rxe0", "enp0s1"}}));
}

TEST_F(RdmaDevicesTest, HaveTheDriverOfTheirHardware) {
  file("mlx5_0/ports/1/gid_attrs/ndevs/0", "enp1s0f0np0\n");
  std::filesystem::create_directories(folder_.path("class/infiniband/mlx5_0/device"));
  std::filesystem::create_symlink("../../../../bus/pci/drivers/mlx5_core",
                                  folder_.path("class/infiniband/mlx5_0/device/driver"));
  file("rxe0/parent", "enp0s1\n");
  const std::vector<RdmaDevice> devices = rdma_devices(folder_.path());
  ASSERT_EQ(devices.size(), 2U);
  EXPECT_EQ(devices[0].driver, "mlx5_core");
  EXPECT_FALSE(devices[0].software);
  EXPECT_EQ(devices[1].driver, "");
  EXPECT_TRUE(devices[1].software);
}

// Names as in drivers/infiniband of Linux: core/sysfs.c, sw/rxe, hw/bnxt_re, hw/irdma.
TEST_F(RdmaDevicesTest, CountThePacketsOfAllPortsByWhicheverNames) {
  file("mlx5_0/ports/1/counters/port_xmit_packets", "1000\n");
  file("mlx5_0/ports/1/counters/port_rcv_packets", "200\n");
  file("mlx5_0/ports/1/counters/port_xmit_data", "77777\n");
  file("mlx5_0/ports/1/hw_counters/rx_write_requests", "99\n");
  file("mlx5_0/ports/2/counters/port_xmit_packets", "30\n");
  file("mlx5_0/ports/2/counters/port_rcv_packets", "4\n");
  file("rxe0/ports/1/hw_counters/sent_pkts", "5\n");
  file("rxe0/ports/1/hw_counters/rcvd_pkts", "6\n");
  file("bnxt_re0/ports/1/hw_counters/tx_pkts", "7\n");
  file("bnxt_re0/ports/1/hw_counters/rx_pkts", "8\n");
  file("irdma0/ports/1/hw_counters/ip4OutPkts", "1\n");
  file("irdma0/ports/1/hw_counters/ip4InPkts", "2\n");
  file("irdma0/ports/1/hw_counters/ip6OutPkts", "3\n");
  file("irdma0/ports/1/hw_counters/ip6InPkts", "4\n");
  file("silent0/ports/1/hw_counters/lifespan", "10\n");
  EXPECT_EQ(rdma_packets("mlx5_0", folder_.path()), 1234U);
  EXPECT_EQ(rdma_packets("rxe0", folder_.path()), 11U);
  EXPECT_EQ(rdma_packets("bnxt_re0", folder_.path()), 15U);
  EXPECT_EQ(rdma_packets("irdma0", folder_.path()), 10U);
  EXPECT_EQ(rdma_packets("silent0", folder_.path()), std::nullopt);
  EXPECT_EQ(rdma_packets("absent0", folder_.path()), std::nullopt);
}

class RdmaWatchTest : public RdmaDevicesTest {
 protected:
  RdmaWatchTest() {
    file("mlx5_0/ports/1/gid_attrs/ndevs/0", "enp1s0f0np0\n");
    count("mlx5_0", 1000);
    file("mlx5_1/ports/1/gid_attrs/ndevs/0", "enp1s0f1np1\n");
    count("mlx5_1", 2000);
  }
  void count(const std::string& device, int packets) const {
    file(device + "/ports/1/counters/port_xmit_packets", std::to_string(packets) + "\n");
  }
  RdmaWatch watch(const std::vector<std::string>& interfaces) const { return RdmaWatch(interfaces, folder_.path()); }
};

TEST_F(RdmaWatchTest, TellsWhatWasCountedSinceItsStart) {
  RdmaWatch watch = this->watch({"enp0s9", "enp1s0f0np0"});
  watch.look();
  EXPECT_TRUE(watch.counted().empty());
  count("mlx5_0", 1005);
  count("mlx5_1", 2005);
  EXPECT_TRUE(watch.counted().empty()) << "before the next look";
  watch.look();
  const std::vector<CountedRdma> counted = watch.counted();
  ASSERT_EQ(counted.size(), 1U);
  EXPECT_EQ(counted[0].index, 1U);
  EXPECT_EQ(counted[0].interface, "enp1s0f0np0");
  EXPECT_EQ(counted[0].device, "mlx5_0");
  EXPECT_EQ(counted[0].packets, 5U);
}

TEST_F(RdmaWatchTest, TakesAllDevicesForAnyAndTheDeviceItselfByItsPorts) {
  RdmaWatch any = watch({"any"});
  RdmaWatch device = watch({"mlx5_1:1"});
  count("mlx5_0", 1001);
  count("mlx5_1", 2001);
  any.look();
  device.look();
  EXPECT_EQ(any.counted().size(), 2U);
  ASSERT_EQ(device.counted().size(), 1U);
  EXPECT_EQ(device.counted()[0].device, "mlx5_1");
}

TEST_F(RdmaWatchTest, SaysNothingOfCountersThatWereReset) {
  RdmaWatch watch = this->watch({"enp1s0f0np0"});
  count("mlx5_0", 3);
  watch.look();
  EXPECT_TRUE(watch.counted().empty());
}

}  // namespace
}  // namespace rocescope
