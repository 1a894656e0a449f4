// What passed on the express lane, for those who count flows.
#pragma once

#include <cstdint>
#include <functional>

#include "rocescope/psn.hpp"
#include "tracking/connections/flow_key.hpp"

namespace rocescope {

/// Packets of one direction of a connection, one after the other.
struct ExpressRun {
  FlowKey key;
  std::int64_t last_time = 0;  ///< ns since 1970
  std::uint64_t requests = 0;
  std::uint64_t responses = 0;
  std::uint64_t bad_responses = 0;  ///< of these, with a wrong ICRC
  std::uint64_t wire_bytes = 0;
  std::uint64_t payload_bytes = 0;
  Psn first_request;  ///< the others take the PSNs behind it
  Psn first_response;
  std::uint64_t response_psns = 0;  ///< from the first to the last
};
using ExpressVisitor = std::function<void(const ExpressRun& run)>;

}  // namespace rocescope
