// Service IDs as people know them.
#pragma once

#include <cstdint>
#include <string>

namespace rocescope::schema {

/// `TCP port 7174 (rping)` of the RDMA IP CM service (IBTA A11), `service 0x0000000000000001` of any other.
[[nodiscard]] std::string service_text(std::uint64_t service_id);

}  // namespace rocescope::schema
