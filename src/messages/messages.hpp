// Passes the payload of messages to subscribers, such as dissectors of the protocols above.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "messages/payload.hpp"
#include "messages/send_assembly.hpp"
#include "messages/transfers.hpp"
#include "rocescope/message.hpp"
#include "rocescope/verdict.hpp"

namespace rocescope {

/// Where handshakes are found, which takes a while.
class HandshakeSource {
 public:
  /// Null: it is not here.
  [[nodiscard]] virtual const Handshake* find(std::uint32_t number) const = 0;

 protected:
  ~HandshakeSource() = default;
};

/// A packet of a connection, with its context.
struct PlacedPacket {
  const PacketRecord& record;
  const Connection& connection;
  const HandshakeSource& handshakes;
  std::size_t sender = 0;
  std::size_t requester = 0;  ///< the side whose requests it is about
  VerdictKind verdict = VerdictKind::kNone;
  bool seen_before = false;        ///< of a request: its PSN had been seen
  std::span<const Message> ended;  ///< messages of the requester
  bool counts = true;              ///< as Tracker::track() has it
  bool refuses = false;            ///< a NAK: its sender takes nothing of what it was sent from this PSN on
  Psn unacknowledged;              ///< the first of the requester that no response covers
  Psn next;                        ///< behind all that it sent, as far as was seen
  std::int64_t copy_after =
      0;  ///< ns: of its packets that were lost, copies mostly come so long after them, or later; 0: unknown
};

/// Copies bytes only for SENDs of several packets, on connections with a subscriber, up to kMostKept in all.
class Messages {
 public:
  static constexpr std::uint64_t kMostKept = 64U << 20;  ///< bytes

  /// The subscription starts now. The subscriber must outlive this object.
  void subscribe(PayloadSubscriber& subscriber) { subscribers_.push_back(&subscriber); }
  [[nodiscard]] bool has_subscribers() const noexcept { return !subscribers_.empty(); }

  /// A datagram.
  void observe(const PacketRecord& record);
  /// What the subscribers want of the connection; `handshake` may be null.
  [[nodiscard]] PayloadInterest ask(const Connection& connection, const Handshake* handshake);
  /// A packet of a connection. Returns what they want of those that follow.
  PayloadInterest observe(const PlacedPacket& placed);
  /// A message ended, on a connection whose payload the subscribers want.
  void observe_end(const Connection& connection, std::size_t side, const Message& message) {
    for (PayloadSubscriber* subscriber : subscribers_) subscriber->observe_end(connection, side, message);
  }
  /// The connection is no longer followed: passes on the incomplete SENDs.
  void forget(const Connection& connection);

 private:
  friend struct StateMembers;
  struct Side {
    SendAssembly sends;
    Transfers writes;
    Transfers reads;
    std::uint32_t mtu = 0;       // that its packets showed, and the responses to its READs
    std::int64_t resent_at = 0;  // the last of its packets that came again, ns since 1970
    std::optional<Psn> lacking;  // from which on its receiver took nothing of what was seen, as far as is known
  };
  /// Of a connection.
  struct Streams {
    std::vector<PayloadWish> wishes;  // of each subscriber
    PayloadWish any;
    std::uint32_t handshake = 0;
    std::uint32_t joined = 0;
    std::array<Side, 2> sides;
  };
  /// What the payload belongs to.
  struct Source {
    const PacketRecord* record = nullptr;
    const Connection& connection;
    std::size_t sender = 0;
    bool resent = false;
    bool counts = true;
    std::int64_t copy_after = 0;
  };

  void give_up(const Connection& connection);
  [[nodiscard]] Streams& streams_of(const PlacedPacket& placed) {
    const Connection& connection = placed.connection;
    const bool is_last = last_ != nullptr && last_number_ == connection.number;
    const bool is_known = is_last && last_->handshake == connection.handshake && last_->joined == connection.joined;
    return is_known ? *last_ : find_streams(placed);
  }
  [[nodiscard]] Streams& find_streams(const PlacedPacket& placed);
  void ask(Streams& streams, const PlacedPacket& placed);
  /// As SendPayload has it.
  [[nodiscard]] static std::int64_t copy_after(const PlacedPacket& placed, const Side& side);
  void ask_again(Streams& streams, const Connection& connection);
  void observe_again(const PlacedPacket& placed, Streams& streams);
  void observe_send(const PlacedPacket& placed, Streams& streams);
  void assemble(const SendAssembly::Part& part, const Source& source, Streams& streams);
  void observe_data(const PlacedPacket& placed, Streams& streams, bool is_like_message);
  void end_sends(const PlacedPacket& placed, Streams& streams);
  void give(SendAssembly::Run run, const Source& source, const Streams& streams);
  void give(const SendPayload& payload, const Streams& streams) {
    gave_ = true;
    std::size_t i = 0;
    for (const PayloadWish& wish : streams.wishes) {
      if (wish.sends) subscribers_[i]->observe(payload);
      ++i;
    }
  }

  std::vector<PayloadSubscriber*> subscribers_;
  std::unordered_map<std::uint32_t, Streams> streams_;  // by number of the connection
  Streams* last_ = nullptr;  // of these, the one of last_number_: mostly the next is the same
  std::uint32_t last_number_ = 0;
  std::uint64_t kept_ = 0;                // bytes
  std::vector<SendAssembly::Run> given_;  // of the last packet
  SendAssembly::Run spare_;               // one that was given before: the next takes its room
  bool gave_ = false;                     // SENDs, with the last packet
};

}  // namespace rocescope
