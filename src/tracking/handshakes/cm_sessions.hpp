// Sessions of the communication manager: from REQ to DREP, and service ID resolution.
#pragma once

#include <cstdint>
#include <optional>

#include "rocescope/packet.hpp"
#include "tracking/connections/connection_setup.hpp"
#include "tracking/connections/flow_key.hpp"
#include "tracking/connections/key_table.hpp"
#include "tracking/handshakes/handshake_table.hpp"

namespace rocescope {

/// Puts CM messages (IBTA 12.6) together by their communication IDs, which are unique at each node only.
class CmSessions {
 public:
  explicit CmSessions(HandshakeTable& table) : table_(table) {}

  /// The handshake that `packet` changes; nothing where it is no CM message.
  [[nodiscard]] std::optional<HandshakeNews> observe(const Packet& packet);
  /// Forgets what it knows of handshakes that the table does not have any more.
  void forget_taken() {
    sessions_.erase_if([this](const auto& entry) { return !table_.has(entry.second.handshake); });
  }

 private:
  friend struct StateMembers;
  struct Key {
    IpAddress sender;
    IpAddress receiver;
    std::uint16_t capture_point = 1;
    std::uint32_t id = 0;  ///< that the sender chose: its communication ID, or that of its SIDR request
    bool sidr = false;
    friend bool operator==(const Key&, const Key&) noexcept = default;
  };
  struct KeyHash {
    [[nodiscard]] std::size_t operator()(const Key& key) const noexcept {
      const std::uint64_t number = (std::uint64_t{key.id} << 1) | static_cast<std::uint64_t>(key.sidr);
      return mix(mix(mix(hash_seed(), key.sender), key.receiver), number);
    }
  };
  /// A handshake, and a side of it: the one that chose the ID.
  struct Place {
    std::uint32_t handshake = 0;
    std::uint32_t side = 0;
  };

  [[nodiscard]] std::optional<HandshakeNews> on_req(const Packet& packet);
  [[nodiscard]] std::optional<HandshakeNews> on_rep(const Packet& packet);
  [[nodiscard]] std::optional<HandshakeNews> on_rej(const Packet& packet);
  [[nodiscard]] std::optional<HandshakeNews> on_sidr_req(const Packet& packet);
  [[nodiscard]] std::optional<HandshakeNews> on_sidr_rep(const Packet& packet);
  template <class Message>
  [[nodiscard]] std::optional<HandshakeNews> on_other(const Packet& packet, HandshakeMessage message);
  /// The session of both IDs, a new one where none is known, and the side that sent the packet. Null: too many.
  [[nodiscard]] std::pair<Handshake*, std::size_t> place(const Packet& packet, std::uint32_t local_id,
                                                         std::uint32_t remote_id);
  [[nodiscard]] HandshakeNews news(Handshake& handshake, HandshakeMessage message, std::size_t sender,
                                   const Packet& packet);

  HandshakeTable& table_;
  KeyTable<Key, Place, KeyHash> sessions_;
};

}  // namespace rocescope
