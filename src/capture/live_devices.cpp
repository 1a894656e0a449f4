// The interfaces of the machine.
#include <fmt/format.h>
#include <net/if.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "capture/live_interface.hpp"
#include "capture/rdma_devices.hpp"
#include "rocescope/live.hpp"

namespace rocescope {
namespace {

std::string text_or_empty(const char* text) { return text == nullptr ? std::string() : std::string(text); }

std::vector<std::string> time_stamp_types(pcap_t* pcap) {
  std::vector<std::string> names;
  int* types = nullptr;
  const int count = pcap_list_tstamp_types(pcap, &types);
  for (int i = 0; i < count; ++i) names.push_back(text_or_empty(pcap_tstamp_type_val_to_name(types[i])));
  if (count > 0) pcap_free_tstamp_types(types);
  return names;
}

/// False for message buses, USB and the like, which libpcap lists as well.
bool is_network(const LiveDevice& device) {
  return device.name == "any" || device.is_rdma_device || ::if_nametoindex(device.name.c_str()) != 0;
}

/// Where several RDMA devices send through an interface, what bypasses the kernel decides.
void add_rdma(const RdmaDevice& rdma, LiveDevice& device) {
  device.is_rdma_device = device.is_rdma_device || rdma.name == device.name;
  const auto& interfaces = rdma.interfaces;
  if (std::find(interfaces.begin(), interfaces.end(), device.name) != interfaces.end()) {
    device.rdma_devices.push_back(rdma.name);
  } else if (rdma.name != device.name) {
    return;
  }
  if (device.roce == RoceWay::kHardware) return;
  device.roce = rdma.software ? RoceWay::kKernel : RoceWay::kHardware;
  device.rdma_driver = rdma.driver;
}

/// Finds out by opening it, with a small ring and not in promiscuous mode.
void probe(LiveDevice& device) {
  constexpr std::uint32_t kSmallRing = 1024;
  const LiveOptions options{
      .interfaces = {}, .filter = {}, .buffer_kib = kSmallRing, .promiscuous = false, .time_stamp_type = {}};
  std::array<char, PCAP_ERRBUF_SIZE> message{};
  const PcapHandle unopened(pcap_create(device.name.c_str(), message.data()));
  if (unopened != nullptr) device.time_stamp_types = time_stamp_types(unopened.get());
  const Result<PcapHandle> opened = activate(device.name, options, 1);
  if (!opened) {
    device.problem = opened.error().message;
    return;
  }
  device.link_type = text_or_empty(pcap_datalink_val_to_name(pcap_datalink(opened->get())));
}

}  // namespace

Result<std::vector<LiveDevice>> live_devices(const std::string& sys) {
  std::array<char, PCAP_ERRBUF_SIZE> message{};
  pcap_if_t* all = nullptr;
  if (pcap_findalldevs(&all, message.data()) != 0) {
    return Error{fmt::format("cannot list the interfaces: {}", message.data())};
  }
  const std::vector<RdmaDevice> rdma = rdma_devices(sys);
  std::vector<LiveDevice> devices;
  for (const pcap_if_t* each = all; each != nullptr; each = each->next) {
    LiveDevice device{.name = each->name,
                      .description = text_or_empty(each->description),
                      .up = (each->flags & PCAP_IF_UP) != 0,
                      .running = (each->flags & PCAP_IF_RUNNING) != 0,
                      .link_type = {},
                      .time_stamp_types = {},
                      .rdma_devices = {},
                      .rdma_driver = {},
                      .problem = {}};
    for (const RdmaDevice& one : rdma) add_rdma(one, device);
    if (!is_network(device)) continue;
    probe(device);
    devices.push_back(std::move(device));
  }
  pcap_freealldevs(all);
  return devices;
}

}  // namespace rocescope
