// The capture filter where the user gives none.
#pragma once

#include <cstdint>
#include <string>

namespace rocescope {

/// RoCEv2, RoCEv1 and PFC with up to two VLAN tags (in cooked mode one), in the language of pcap-filter(7). Empty, which passes
/// every packet, for link types that carry nothing else or that filters do not know. `dlt` is libpcap's number of the link type.
[[nodiscard]] std::string default_live_filter(int dlt);

}  // namespace rocescope
