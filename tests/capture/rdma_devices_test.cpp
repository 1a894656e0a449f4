// Which RDMA device sends through which interface, from a folder laid out as the kernel lays out sysfs
// (Documentation/ABI/stable/sysfs-class-infiniband).
#include "capture/rdma_devices.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

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
    for (const RdmaLink& link : rdma_links(folder_.path())) pairs.emplace_back(link.device, link.interface);
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

}  // namespace
}  // namespace rocescope
