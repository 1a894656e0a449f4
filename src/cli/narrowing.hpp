// --from, --to, --host, --qpn: which packets of the capture a command looks at.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "rocescope/packet.hpp"
#include "values.hpp"

namespace rocescope::cli {

/// Conditions that all must hold; of several hosts, or several queue pairs, any one.
struct Narrowing {
  std::optional<std::int64_t> from;  ///< nanoseconds since 1970, included
  std::optional<std::int64_t> to;    ///< included
  std::vector<AddressPrefix> hosts;
  std::vector<Qpn> queue_pairs;

  [[nodiscard]] bool admits(const Packet& packet) const noexcept;
};

}  // namespace rocescope::cli
