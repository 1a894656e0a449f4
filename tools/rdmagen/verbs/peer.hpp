// Whether the other side of a connection is still there.
#pragma once

#include <atomic>
#include <cstdint>

namespace rocescope::rdmagen {

enum class PeerState : std::uint8_t {
  kThere,
  kDone,  ///< it has ended the connection
  kGone,  ///< it ended without notice
};

/// Polled while a connection runs.
class Peer {
 public:
  Peer() = default;
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;
  virtual ~Peer() = default;
  virtual PeerState state() = 0;
  /// Whether its end of the connection will be seen at all (UD over the CM has none).
  [[nodiscard]] virtual bool tells_its_end() const { return true; }
};

/// Set when the user interrupts: everything that waits must end.
extern std::atomic<bool> interrupted;

}  // namespace rocescope::rdmagen
