// The packets of one side's requests on a queue pair, and what they bring about.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "rocescope/connection.hpp"
#include "rocescope/detail/elapsed.hpp"
#include "rocescope/message.hpp"
#include "rocescope/opcode.hpp"
#include "rocescope/psn.hpp"
#include "rocescope/times.hpp"
#include "rocescope/verdict.hpp"
#include "tracking/moment.hpp"

namespace rocescope {

/// A request packet, as far as the engine cares.
struct RequestPacket {
  const OpcodeInfo* opcode = nullptr;
  Psn psn;
  std::uint64_t frame = 0;
  std::int64_t time = 0;                    ///< nanoseconds since 1970
  std::uint32_t icrc = 0;                   ///< or what stands in its place: SentPacket::icrc
  bool has_icrc = false;                    ///< that is the ICRC, which is right
  std::uint16_t identification = 0;         ///< of IPv4; 0 without it
  std::uint32_t payload = 0;                ///< bytes, without pad; 0 where the opcode has none
  std::optional<std::uint64_t> address;     ///< of the first packet of a WRITE, READ, ATOMIC, FLUSH
  std::optional<std::uint32_t> r_key;       ///< with address
  std::optional<std::uint32_t> dma_length;  ///< of a RETH: bytes of the whole message
  std::optional<std::uint32_t> immediate;
  std::optional<std::uint32_t> invalidated_r_key;
  bool asks_for_ack = false;  ///< AckReq
  bool counts = true;         ///< whether it counts: see Tracker::track()
  /// Packets of its connection from before this time may be missing in the capture; if the set-up was seen, none are.
  std::int64_t watched_since = std::numeric_limits<std::int64_t>::min();
};

/// A response packet: an acknowledgement, or a READ response.
struct ResponsePacket {
  enum class Kind : std::uint8_t { kAck, kRnrNak, kSequenceNak, kFatalNak, kAtomicAck, kRead };
  Kind kind = Kind::kAck;
  Position position = Position::kOnly;  ///< of a READ response
  Psn psn;
  std::uint64_t frame = 0;
  std::int64_t time = 0;             ///< nanoseconds since 1970
  std::uint32_t icrc = 0;            ///< that it has
  std::uint32_t payload = 0;         ///< bytes of a READ response
  std::uint8_t value = 0;            ///< NAK code, RNR timer code; of a positive one the code of its credits
  std::optional<std::uint32_t> msn;  ///< where there is an AETH

  [[nodiscard]] bool is_negative() const noexcept {
    return kind == Kind::kRnrNak || kind == Kind::kSequenceNak || kind == Kind::kFatalNak;
  }
  /// For a NAK: why the requester sends again; kNone: it does not, since its request is refused.
  [[nodiscard]] ResendCause asks_for() const noexcept {
    if (kind == Kind::kFatalNak) return ResendCause::kNone;
    return kind == Kind::kRnrNak ? ResendCause::kRnr : ResendCause::kNak;
  }
};

/// An ACK that did not reach the requester, and the packet that shows it.
struct LostAck {
  LostWhere where = LostWhere::kNowhere;
  std::uint64_t frame = 0;
  std::int64_t time = 0;
};

/// A request packet that was sent again although the original arrived, as its receiver's answers to both show.
struct NeedlessCopy {
  std::uint64_t frame = 0;  ///< 0: none
  std::int64_t time = 0;
};

/// What packets bring about. Their owner lends it to the requesters of a capture, one after the other.
struct StreamNews {
  std::vector<Message> ended;      ///< that the packet ended; its reader clears it
  std::vector<Measure> measures;   ///< what the packet measured
  LostAck lost_ack;                ///< that the packet showed
  NeedlessCopy needless;           ///< the same
  bool is_nak_copy = false;        ///< it is the NAK before it, seen twice
  std::uint64_t messages = 0;      ///< of the capture so far: a new one takes the next number
  std::uint64_t moment = 0;        ///< the number of the frame at hand; see Moment
  BegunMessages* begun = nullptr;  ///< takes down which messages began; null: nobody asks
  std::uint32_t doubt = 0;         ///< the number of the Doubt that it is of; 0: of none
  /// Memory of streams that have no message open, for those that open one.
  std::vector<std::vector<Message>> spare;

  /// The number of a message that begins with the packet at hand.
  [[nodiscard, gnu::always_inline]] std::uint64_t begin_message() {
    ++messages;
    if (begun != nullptr) [[unlikely]]
      begun->push_back({.frame = moment, .doubt = doubt});
    return messages;
  }
};

/// Where the parts of a requester count what the packet at hand brings about.
struct StreamLog {
  StreamTotals& totals;
  StreamNews& news;

  [[nodiscard]] [[gnu::cold, gnu::noinline]] StreamTroubles& troubles() const { return totals.troubles.make(); }
  /// A time between packets, which need not be in the order of their times.
  void measure(TimeKind kind, std::int64_t from, std::int64_t to, std::int64_t asked = 0) const {
    const std::int64_t ns = elapsed(from, to);
    if (ns >= 0) news.measures.push_back({kind, ns, asked});
  }
  /// The message_time of a READ that its requester does not ask for again.
  void measure_read(const Message& read) const {
    const std::int64_t ns = elapsed(read.first_time, read.completion_time);
    if (!read.has_first || ns < 0) return;
    news.measures.push_back({.kind = TimeKind::kMessageTime, .ns = ns, .read = read.number, .counts = read.counts});
  }
  void withdraw_read(std::uint64_t message) const {
    news.measures.push_back({.kind = TimeKind::kMessageTime, .read = message, .withdrawn = true});
  }
  void measure_stall(std::int64_t ns) const {
    news.measures.push_back({TimeKind::kStall, ns});
    StreamTroubles& counts = troubles();
    ++counts.stalls;
    counts.longest.stall = std::max(counts.longest.stall, ns);
    counts.stalled += std::min(ns, std::numeric_limits<std::int64_t>::max() - counts.stalled);
  }
};

}  // namespace rocescope
