// Who is connected to whom, from the messages that say so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>

#include "connection_table.hpp"
#include "rocescope/packet.hpp"

namespace rocescope {

/// Reads CM messages and waits for the REP of each REQ.
class SetupWatcher {
 public:
  /// REQs without a REP that are remembered.
  static constexpr std::size_t kMostPending = 65'536;

  /// The connection that this packet completes, if it does.
  [[nodiscard]] std::optional<ConnectionSetup> add(const Packet& packet);

 private:
  struct Key {
    IpAddress initiator;
    IpAddress responder;
    std::uint32_t comm_id = 0;  ///< the initiator's
    friend bool operator==(const Key&, const Key&) noexcept = default;
  };
  struct KeyHash {
    [[nodiscard]] std::size_t operator()(const Key& key) const noexcept {
      return mix(mix(mix(hash_seed(), key.initiator), key.responder), key.comm_id);
    }
  };
  std::unordered_map<Key, ConnectionSetup, KeyHash> pending_;
};

}  // namespace rocescope
