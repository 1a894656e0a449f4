// Payload of messages: what a subscriber asks for and gets.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "rocescope/bytes.hpp"
#include "rocescope/connection.hpp"
#include "rocescope/handshake.hpp"
#include "rocescope/message.hpp"
#include "rocescope/packet.hpp"
#include "rocescope/psn.hpp"
#include "rocescope/record.hpp"

namespace rocescope {

/// The payload of a RoCE packet, as far as it is in the frame.
[[nodiscard]] inline Bytes captured_payload(const Packet& packet) noexcept {
  const Bytes frame = packet.frame.data;
  const std::size_t begin = std::min<std::size_t>(packet.roce.payload_offset, frame.size());
  return frame.subspan(begin, std::min<std::size_t>(packet.roce.payload_length, frame.size() - begin));
}

/// Missing bytes of a message.
struct Hole {
  enum class Reason : std::uint8_t {
    kNotSeen,    ///< no packet with them was seen
    kCut,        ///< the capture cut the packet
    kBeyondCap,  ///< beyond the subscriber's limit or the limit of all
  };
  std::uint64_t offset = 0;  ///< from the first byte of the message, or from the first that was seen
  std::uint64_t length = 0;  ///< 0: unknown; then the hole is at the beginning or the end
  Reason reason = Reason::kNotSeen;
  friend bool operator==(const Hole&, const Hole&) = default;
};

/// A SEND, or a datagram. Delivered once, when its last missing packet comes, however often its packets were sent or captured, or
/// with holes when it ends without them. The messages of a connection come in the order of their completion.
struct SendPayload {
  /// The packet that completes it, or the response that ends it; null: its connection is no longer followed. For a
  /// datagram, its packet.
  const PacketRecord* record = nullptr;
  const Connection* connection = nullptr;  ///< null: a datagram
  std::size_t sender = 0;                  ///< the side of the connection that sent it
  Psn first_psn;                           ///< of what was seen
  std::uint64_t first_frame = 0;           ///< of what was seen
  Bytes bytes;                             ///< up to the cap; zero in holes. Lasts until the next packet
  std::uint64_t length = 0;                ///< with holes of known length
  std::span<const Hole> holes;             ///< in their order
  bool resent = false;  ///< its last packet is known to be a copy of one that was lost and not seen here
  /// ns: if its last packet was lost before the capture saw it, what is here is a copy that most likely came so long after it, or later;
  /// 1 where it came directly behind a copy. 0: unknown.
  std::int64_t copy_after = 0;
  bool counts = true;  ///< as Tracker::track() has it, of its last packet
  std::optional<std::uint32_t> immediate;
  std::optional<std::uint32_t> invalidated_r_key;

  /// The bytes before the first hole.
  [[nodiscard]] Bytes start() const noexcept {
    return holes.empty() ? bytes : bytes.first(std::min<std::uint64_t>(holes[0].offset, bytes.size()));
  }
  /// Whether it has no holes.
  [[nodiscard]] bool is_whole() const noexcept { return holes.empty(); }
};

/// The data that one packet writes to the receiver's memory, or that one response reads. Delivered once, as it comes.
struct DataPayload {
  const PacketRecord& record;
  const Connection& connection;
  std::size_t requester = 0;  ///< the side that asked for it: of a WRITE the sender, of a READ the receiver
  bool is_read = false;
  bool is_last = false;                  ///< of its message
  std::optional<std::uint64_t> address;  ///< of its first byte, if known
  std::optional<std::uint32_t> r_key;
  std::optional<std::uint64_t> offset;  ///< in the message, if known
  Bytes bytes;                          ///< in the frame
  std::uint32_t length = 0;             ///< more than `bytes` if the capture cut the packet
  bool counts = true;                   ///< as Tracker::track() has it
  std::uint64_t skipped = 0;    ///< bytes of the message directly before it that were not seen, and may come yet
  bool resent = false;          ///< of a WRITE, as SendPayload has it
  std::int64_t copy_after = 0;  ///< the same
  std::optional<std::uint32_t> immediate;
};

/// A packet comes again that its receiver lacks: it was lost, or one before it, behind which the receiver takes nothing (IBTA 9.7.5.1.4).
/// So what it was sent from this packet on, it takes now or later, although it was seen before.
struct TakenAgain {
  const Connection& connection;
  std::size_t sender = 0;
  Psn psn;
  std::int64_t time = 0;  ///< ns since 1970
  const OpcodeInfo& opcode;
};

/// The wishes of a subscriber for a connection.
struct PayloadWish {
  bool sends = false;
  bool data = false;              ///< WRITEs and READs
  std::uint32_t most = 1U << 20;  ///< bytes kept of a SEND of several packets
  /// It does not know yet: it is asked again after each SEND. It gets none before one that has the form of a message of a
  /// protocol (dissectors/ulp/). It also gets WRITEs with such a form.
  bool undecided = false;
};

/// What the subscribers want of a connection, the least first.
enum class PayloadInterest : std::uint8_t { kUnasked, kNone, kUndecided, kSends, kData };

class PayloadSubscriber {
 public:
  PayloadSubscriber() = default;
  PayloadSubscriber(const PayloadSubscriber&) = delete;
  PayloadSubscriber& operator=(const PayloadSubscriber&) = delete;
  virtual ~PayloadSubscriber() = default;

  /// Called with the first packet of a connection, and again when its handshake becomes known, which has the service ID, the port
  /// and the private data that name the protocol. `handshake` may be null.
  [[nodiscard]] virtual PayloadWish wish(const Connection& /*connection*/, const Handshake* /*handshake*/) {
    return {};
  }
  /// Whether its wish for a connection is another one since the SEND that it was shown last.
  [[nodiscard]] bool has_other_wish() const noexcept { return has_other_wish_; }
  /// That wish, if so.
  [[nodiscard]] virtual PayloadWish other_wish(const Connection& /*connection*/) { return {}; }
  /// Whether it wants the datagrams with this Q_Key.
  [[nodiscard]] virtual bool wants_datagrams(std::uint32_t /*q_key*/) { return false; }

  virtual void observe(const SendPayload& /*payload*/) {}
  virtual void observe(const DataPayload& /*payload*/) {}
  virtual void observe(const TakenAgain& /*taken*/) {}
  /// A message of `side` ended, and the subscriber wants payload of the connection. READs may end again.
  virtual void observe_end(const Connection& /*connection*/, std::size_t /*side*/, const Message& /*message*/) {}
  /// The connection is no longer followed.
  virtual void forget(const Connection& /*connection*/) {}

 protected:
  bool has_other_wish_ = false;
};

}  // namespace rocescope
