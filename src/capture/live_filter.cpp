#include "capture/live_filter.hpp"

#include <fmt/format.h>
#include <pcap/pcap.h>

namespace rocescope {
namespace {

// CNPs and CM messages over RoCEv2 have this port as well.
constexpr const char* kRoceV2 = "udp port 4791";
constexpr const char* kUntagged = "udp port 4791 or ether proto 0x8915 or ether proto 0x8808";

}  // namespace

std::string default_live_filter(int dlt) {
  switch (dlt) {
    case DLT_EN10MB:
      // Behind `vlan` all offsets count from below the tag, to the end of the expression.
      return fmt::format("{0} or (vlan and ({0} or (vlan and ({0}))))", kUntagged);
    // Cooked mode has no `vlan`. The kernel has taken off one tag, so that the packet below it looks untagged. With two
    // tags it gives the protocol below both and leaves one tag in the packet.
    case DLT_LINUX_SLL:
    case DLT_LINUX_SLL2:
      return kUntagged;
    case DLT_RAW:
    case DLT_IPV4:
    case DLT_IPV6:
    case DLT_NULL:
    case DLT_LOOP:
      return kRoceV2;
    default:
      return {};
  }
}

}  // namespace rocescope
