// Who is connected to whom, from the messages that say so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>

#include "connection_table.hpp"
#include "rocescope/packet.hpp"

namespace rocescope {

/// Reads CM messages and waits for the REP of each REQ; reads rdmagen's set-up exchange.
class SetupWatcher {
 public:
  /// REQs, and queue pairs of the exchange, that are remembered.
  static constexpr std::size_t kMostPending = 65'536;

  /// The connection that this packet completes, if it does.
  [[nodiscard]] std::optional<ConnectionSetup> add(const Packet& packet);

 private:
  struct Key {
    IpAddress sender;
    IpAddress receiver;
    std::uint32_t number = 0;  ///< chosen by the sender: its communication ID, or its queue pair
    friend bool operator==(const Key&, const Key&) noexcept = default;
  };
  struct KeyHash {
    [[nodiscard]] std::size_t operator()(const Key& key) const noexcept {
      return mix(mix(mix(hash_seed(), key.sender), key.receiver), key.number);
    }
  };
  /// What a QP_CREATE message says of its sender's queue pair.
  struct CreatedQp {
    Psn first_psn;
    std::uint32_t path_mtu = 0;
  };

  [[nodiscard]] std::optional<ConnectionSetup> add_cm(const Packet& packet);
  [[nodiscard]] std::optional<ConnectionSetup> add_exchange(const Packet& packet);

  std::unordered_map<Key, ConnectionSetup, KeyHash> requested_;
  std::unordered_map<Key, CreatedQp, KeyHash> created_;
};

}  // namespace rocescope
