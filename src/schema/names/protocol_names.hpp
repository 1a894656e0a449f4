// What the things in a report are called.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rocescope/flow.hpp"
#include "rocescope/report.hpp"

namespace rocescope::schema {

/// The name that data has: Wireshark's of the protocols that we dissect (`eth`, `infiniband`), otherwise the kind of
/// number and the number: `ethertype 0x0806`, `ip protocol 132`, `link type 105`. `llc` for all of IEEE 802.2.
[[nodiscard]] std::string protocol_name(ProtocolId protocol);

/// The name for people: `Ethernet`, `TCP`, `ARP`; the number where nobody has given it a name.
[[nodiscard]] std::string protocol_label(ProtocolId protocol);

/// `Ethernet`, `Linux cooked v2`; `link type 105` of those without a name here.
[[nodiscard]] std::string link_type_name(std::uint32_t link_type);

/// The set's members as people write them.
[[nodiscard]] std::vector<std::string_view> transport_names(TransportSet transports);

}  // namespace rocescope::schema
