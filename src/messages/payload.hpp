// Payload of messages: what a subscriber asks for, and what it is given.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "rocescope/bytes.hpp"
#include "rocescope/connection.hpp"
#include "rocescope/handshake.hpp"
#include "rocescope/psn.hpp"
#include "rocescope/record.hpp"

namespace rocescope {

/// Bytes of a message that are not here.
struct Hole {
  enum class Reason : std::uint8_t {
    kNotSeen,    ///< no packet with them was seen
    kCut,        ///< the capture cut the packet
    kBeyondCap,  ///< the subscriber did not ask for so many, or there are too many in all
  };
  std::uint64_t offset =
      0;  ///< from the first byte of the message; where its beginning was not seen, from the first that was
  std::uint64_t length = 0;  ///< 0: not known, at the beginning or the end of what was seen
  Reason reason = Reason::kNotSeen;
  friend bool operator==(const Hole&, const Hole&) = default;
};

/// A SEND, or a datagram. Given once, when its last missing packet comes, however often its packets were sent or captured; with
/// holes where it ends without them. Those of a connection come in the order in which they are complete.
struct SendPayload {
  /// The packet that completes it, or the response that ends it; null: its connection is followed no longer. Of a datagram
  /// itself.
  const PacketRecord* record = nullptr;
  const Connection* connection = nullptr;  ///< null: a datagram
  std::size_t sender = 0;                  ///< the side of the connection that sent it
  Psn first_psn;                           ///< of what was seen
  std::uint64_t first_frame = 0;           ///< of what was seen
  Bytes bytes;                             ///< up to the cap; zero in holes. Lasts until the next packet
  std::uint64_t length = 0;                ///< with what is not here, as far as that is known
  std::span<const Hole> holes;             ///< in their order
  std::optional<std::uint32_t> immediate;
  std::optional<std::uint32_t> invalidated_r_key;

  /// Whether all of it is here.
  [[nodiscard]] bool is_whole() const noexcept { return holes.empty(); }
};

/// What one packet writes to the memory of its receiver, or one response reads. Given once, as it comes.
struct DataPayload {
  const PacketRecord& record;
  const Connection& connection;
  std::size_t requester = 0;  ///< the side that asked for it: of a WRITE the sender, of a READ the receiver
  bool is_read = false;
  bool is_last = false;                  ///< of its message
  std::optional<std::uint64_t> address;  ///< of its first byte; nothing where that is not known
  std::optional<std::uint32_t> r_key;
  std::optional<std::uint64_t> offset;  ///< in the message; nothing where that is not known
  Bytes bytes;                          ///< in the frame
  std::uint32_t length = 0;             ///< more than bytes where the capture cut the packet
  std::uint64_t skipped = 0;  ///< bytes of the message directly before it that were not seen, and may come yet
  std::optional<std::uint32_t> immediate;
};

/// What a subscriber wants of a connection.
struct PayloadWish {
  bool sends = false;
  bool data = false;              ///< WRITEs and READs
  std::uint32_t most = 1U << 20;  ///< bytes kept of a SEND of several packets
};

class PayloadSubscriber {
 public:
  PayloadSubscriber() = default;
  PayloadSubscriber(const PayloadSubscriber&) = delete;
  PayloadSubscriber& operator=(const PayloadSubscriber&) = delete;
  virtual ~PayloadSubscriber() = default;

  /// Asked with the first packet of a connection, and again when its handshake becomes known: that has the service ID, the port and
  /// the private data, which name the protocol. `handshake` is null where there is none.
  [[nodiscard]] virtual PayloadWish wish(const Connection& /*connection*/, const Handshake* /*handshake*/) {
    return {};
  }
  /// Whether it wants the datagrams with this Q_Key.
  [[nodiscard]] virtual bool wants_datagrams(std::uint32_t /*q_key*/) { return false; }

  virtual void observe(const SendPayload& /*payload*/) {}
  virtual void observe(const DataPayload& /*payload*/) {}
};

}  // namespace rocescope
