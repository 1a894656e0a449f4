// What to capture where the user does not say.
#pragma once

#include <cstdint>
#include <string>

namespace rocescope {

/// RoCEv2, RoCEv1 and PFC with up to two VLAN tags (in cooked mode one), in the language of pcap-filter(7); empty, which is every packet, for link
/// types that carry nothing else or that no filter knows. `dlt` is libpcap's number of the link type.
[[nodiscard]] std::string default_live_filter(int dlt);

}  // namespace rocescope
