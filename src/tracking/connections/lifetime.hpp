// Where a connection ended: drivers reuse queue pair numbers, and no packet need announce the next connection.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "tracking/connections/flow_packet.hpp"

namespace rocescope {

struct ConnectionState;
struct Doubt;

/// Of a connection that ended, or that other connections of the same queue pairs came after. Most have none.
struct Lifetime {
  Lifetime();
  Lifetime(Lifetime&&) noexcept;
  Lifetime& operator=(Lifetime&&) noexcept;
  ~Lifetime();

  bool closed = false;         ///< both sides said so
  std::int64_t closed_at = 0;  ///< when, ns
  std::uint32_t other = 0;  ///< the number of another connection of the same queue pairs, the first of a chain; 0: none
  bool waits = false;       ///< one packet may be all of it: another must agree before it has the queue pairs
  std::uint16_t source_port = 0;  ///< of that packet
  std::unique_ptr<Doubt> doubt;   ///< null: there is none
};

/// How a packet fits what was seen of a connection.
enum class Fit : std::uint8_t {
  kUsual,     ///< it goes on from there
  kDoubtful,  ///< it may go on from there, or be the first of a new connection
  kNone,      ///< it is of another connection
};

/// The requests or responses that `sender`, a side of `connection`, sends.
[[nodiscard]] Fit fit_of(const FlowPacket& packet, ConnectionState& connection, std::size_t sender);

/// Whether `packet` is near to what was seen last of a connection, whatever time has passed.
[[nodiscard]] bool is_near(const FlowPacket& packet, ConnectionState& connection, std::size_t sender);

/// Whether neither requests like `packet`, or those that it answers, nor responses to them were seen.
[[nodiscard]] bool is_unknown(const FlowPacket& packet, ConnectionState& connection, std::size_t sender);

/// PSNs that are near to each other.
inline constexpr std::int32_t kNearPsns = 4096;
/// ns: a queue pair does not end and begin anew in less.
inline constexpr std::int64_t kShortestPause = 50'000'000;

}  // namespace rocescope
