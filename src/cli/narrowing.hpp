// --from, --to, --host, --qpn, --connection, --message, --capture-point: which packets of the capture a command looks at.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cli/values.hpp"
#include "rocescope/record.hpp"

namespace rocescope::cli {

/// Conditions that all must hold; of several of one kind, any one.
struct Narrowing {
  std::optional<Moment> from;  ///< included
  std::optional<Moment> to;    ///< included
  std::vector<AddressPrefix> hosts;
  std::vector<Qpn> queue_pairs;
  std::vector<std::uint32_t> connections;  ///< Verdict::connection
  std::vector<std::uint64_t> messages;     ///< Verdict::message
  std::vector<std::uint8_t> points;        ///< Frame::capture_point

  /// Whether it admits all packets.
  [[nodiscard]] bool empty() const noexcept {
    return !from && !to && hosts.empty() && queue_pairs.empty() && connections.empty() && messages.empty() &&
           points.empty();
  }
  [[nodiscard]] bool admits(const PacketRecord& record) const noexcept;
  /// Whether `time` is between `from` and `to`, in a capture that starts at `start`.
  [[nodiscard]] bool admits_time(std::int64_t time, std::int64_t start) const noexcept {
    return (!from || time >= from->absolute(start)) && (!to || time <= to->absolute(start));
  }
};

}  // namespace rocescope::cli
