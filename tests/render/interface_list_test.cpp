// What `rocescope interfaces` says of machines that this project does not have.
#include "render/report/interface_list.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace rocescope {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

LiveDevice interface(const std::string& name, RoceWay roce = RoceWay::kNone, std::vector<std::string> rdma = {}) {
  LiveDevice device;
  device.name = name;
  device.up = device.running = true;
  device.link_type = "EN10MB";
  device.roce = roce;
  device.rdma_devices = std::move(rdma);
  return device;
}

LiveDevice adapter(const std::string& driver) {
  LiveDevice device = interface("enp1s0f0np0", RoceWay::kHardware, {"rdma0"});
  device.rdma_driver = driver;
  return device;
}

LiveDevice sniffer() {
  LiveDevice device = interface("rdma0", RoceWay::kHardware);
  device.is_rdma_device = true;
  return device;
}

std::string text_of(const std::vector<LiveDevice>& devices) {
  std::string text;
  render::append_interfaces_text(devices, text);
  return text;
}

TEST(InterfaceList, SaysWhereToCaptureWhatBypassesTheKernel) {
  EXPECT_THAT(
      text_of({interface("lo"), adapter(""), sniffer()}),
      HasSubstr(
          "\nWhere RoCE is seen, see rocescope-capture(7):\n"
          "  enp1s0f0np0: captures do not see RoCE of rdma0: hardware bypasses the kernel. Capture with -i rdma0\n"
          "  rdma0: copies by libpcap's RDMA sniffer: time stamps in us, and it does not count what it drops\n"));
}

TEST(InterfaceList, SaysThatLibpcapHasNoSniffer) {
  const std::string text = text_of({adapter("")});
  EXPECT_THAT(text,
              HasSubstr("This libpcap has no RDMA sniffer: mirror the port of the switch, or use another libpcap\n"));
  EXPECT_THAT(text, Not(HasSubstr("-i rdma0")));
}

TEST(InterfaceList, NamesTheToolsOfTheVendor) {
  EXPECT_THAT(text_of({adapter("mlx5_core"), sniffer()}),
              HasSubstr("Capture with -i rdma0. Else ibdump, or, with MLNX_OFED before 5.1, "
                        "ethtool --set-priv-flags enp1s0f0np0 sniffer on\n"));
  EXPECT_THAT(text_of({adapter("ice")}), HasSubstr("only port mirrors"));
  EXPECT_THAT(text_of({adapter("bnxt_en")}), HasSubstr("rdma-core"));
}

TEST(InterfaceList, SaysThatSoftwareIsSeen) {
  EXPECT_THAT(text_of({interface("enp0s1", RoceWay::kKernel, {"rxe0"})}),
              HasSubstr("  enp0s1: captures see RoCE of rxe0, which is software\n"));
}

TEST(InterfaceList, SaysThatThereIsNoRdmaDevice) {
  EXPECT_THAT(
      text_of({interface("lo"), interface("enp0s1")}),
      HasSubstr("  no RDMA device here: only RoCE of guests and containers, and what a port mirror or a tap brings\n"));
}

TEST(InterfaceList, HasTheSameAsJson) {
  std::string json;
  render::append_interfaces_json(std::vector{interface("lo"), adapter("mlx5_core"), sniffer()}, json);
  EXPECT_THAT(json, HasSubstr(R"("roce": "hardware")"));
  EXPECT_THAT(json, HasSubstr(R"("rdma_driver": "mlx5_core")"));
  EXPECT_THAT(json, HasSubstr(R"("is_rdma_device": true)"));
  EXPECT_THAT(json, Not(HasSubstr(R"("roce": "kernel")")));
}

}  // namespace
}  // namespace rocescope
