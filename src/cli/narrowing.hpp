// --from, --to, --host, --qpn, --connection, --message: which packets of the capture a command looks at.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cli/values.hpp"
#include "rocescope/record.hpp"

namespace rocescope::cli {

/// Conditions that all must hold; of several of one kind, any one.
struct Narrowing {
  std::optional<std::int64_t> from;  ///< nanoseconds since 1970, included
  std::optional<std::int64_t> to;    ///< included
  std::vector<AddressPrefix> hosts;
  std::vector<Qpn> queue_pairs;
  std::vector<std::uint32_t> connections;  ///< Verdict::connection
  std::vector<std::uint64_t> messages;     ///< Verdict::message

  /// Whether it admits all packets.
  [[nodiscard]] bool empty() const noexcept {
    return !from && !to && hosts.empty() && queue_pairs.empty() && connections.empty() && messages.empty();
  }
  [[nodiscard]] bool admits(const PacketRecord& record) const noexcept;
};

}  // namespace rocescope::cli
