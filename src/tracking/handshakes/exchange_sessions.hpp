// rdmagen's set-up exchange: which queue pairs hosts create, and which two are connected.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>

#include "messages/payload.hpp"
#include "rocescope/headers/exchange.hpp"
#include "rocescope/packet.hpp"
#include "tracking/connections/connection_setup.hpp"
#include "tracking/connections/flow_key.hpp"
#include "tracking/handshakes/handshake_table.hpp"

namespace rocescope {

/// Puts its messages together by the queue pairs that they name (tools/rdmagen/core/exchange_messages.hpp).
class ExchangeSessions final : public PayloadSubscriber {
 public:
  /// Queue pairs and regions that are remembered; then they are all forgotten.
  static constexpr std::size_t kMostRemembered = 65'536;

  explicit ExchangeSessions(HandshakeTable& table) : table_(table) {}

  [[nodiscard]] bool wants_datagrams(std::uint32_t q_key) override { return q_key == kExchangeKey; }
  using PayloadSubscriber::observe;
  void observe(const SendPayload& payload) override;
  /// What the last payload changed about a handshake; nothing where the datagram is no message of the exchange, or only
  /// prepares a connection.
  [[nodiscard]] std::optional<HandshakeNews> take_news() { return std::exchange(news_, std::nullopt); }
  /// Forgets what it knows of handshakes that the table does not have any more.
  void forget_taken() {
    std::erase_if(sessions_, [this](const auto& entry) { return !table_.has(entry.second); });
  }

 private:
  friend struct StateMembers;
  struct Key {
    IpAddress sender;
    IpAddress receiver;
    std::uint16_t capture_point = 1;
    std::uint32_t number = 0;
    friend bool operator==(const Key&, const Key&) noexcept = default;
  };
  struct KeyHash {
    [[nodiscard]] std::size_t operator()(const Key& key) const noexcept {
      return mix(mix(mix(hash_seed(), key.sender), key.receiver), key.number);
    }
  };
  /// What a QP_CREATE message says about its sender's queue pair.
  struct CreatedQp {
    std::uint8_t type = 0;  ///< see kExchangeQpTypeNames
    Psn first_psn;
    std::uint32_t path_mtu = 0;
    HandshakeStep step;
  };
  /// The message behind the header of the exchange.
  [[nodiscard]] std::optional<HandshakeNews> read(ExchangeType type, Bytes message, const Packet& packet);
  template <class Connect>
  [[nodiscard]] std::optional<HandshakeNews> on_connect(const Packet& packet, const Connect& connect,
                                                        HandshakeMessage message, std::size_t sender);
  template <class Create>
  void on_create(const Packet& packet, HandshakeMessage message, const std::optional<Create>& create);
  void on_register(const Packet& packet, std::uint64_t address, std::uint64_t length);
  [[nodiscard]] Handshake* begin(const Packet& packet, std::size_t sender, Qpn client, Qpn server);
  void set_side(Handshake& handshake, std::size_t side);
  void set_region(Handshake& handshake, std::size_t side, std::uint32_t r_key, std::uint32_t ud_qpn);
  [[nodiscard]] static ConnectionSetup setup_of(const Handshake& handshake, std::int64_t time);

  HandshakeTable& table_;
  std::unordered_map<Key, CreatedQp, KeyHash> created_;        // by queue pair
  std::unordered_map<Key, AnnouncedRegion, KeyHash> regions_;  // by the queue pair that sent the message
  std::unordered_map<Key, std::uint32_t, KeyHash> sessions_;   // by the client's queue pair
  std::optional<HandshakeNews> news_;                          // of the last payload
};

}  // namespace rocescope
