// What timeouts show of the ACKs that the requester did not get.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

#include "rocescope/psn.hpp"
#include "tracking/requests/stream.hpp"

namespace rocescope {

/// A responder answers a duplicate request with an ACK of the last one that it carried out (IBTA 9.7.5.1.2). Where packets are sent
/// again after a timeout, and the first ACK after that comes twice, it had carried them out before: the ACKs that it sent then did not
/// reach the requester. Only streams with timeouts have one of these.
class LostAcks {
 public:
  /// The requester's timer has run out: it sends packets again that have waited since `since`, beginning with `packet`.
  /// The caller passes each of them, also this one, to resend().
  void begin_try(const RequestPacket& packet, std::int64_t since, const StreamLog& log);
  /// A packet is sent again.
  void resend(const RequestPacket& packet) noexcept;
  /// Whether the next response can show no lost ACK.
  [[nodiscard]] bool is_quiet() const noexcept { return !try_ && tries_ == 0; }
  /// Any response.
  void answer(const ResponsePacket& packet, const StreamLog& log);
  /// Packets are sent again that an ACK at `acknowledged_at` covers.
  void resend_acknowledged(const RequestPacket& packet, std::int64_t acknowledged_at, const StreamLog& log);

 private:
  friend struct StateMembers;
  static constexpr std::size_t kMostAnswers = 8;
  /// The packets that are sent again, and the first ACK after them.
  struct Try {
    std::int64_t began = 0;
    std::int64_t waited = 0;
    std::uint64_t asked = 0;  // packets of them that ask for an ACK
    Psn last_asked;           // the last of these
    ResponsePacket first;     // of answers
    std::array<std::uint32_t, kMostAnswers> icrcs{};
    std::size_t answers = 0;  // ACKs, all of the same PSN, each another packet: icrcs has theirs
  };
  void count_answer(const ResponsePacket& packet, const StreamLog& log);
  void end_try(const StreamLog& log);

  std::optional<Try> try_;
  std::uint64_t tries_ = 0;        // since a response came
  std::int64_t silent_since_ = 0;  // where there are tries
  std::int64_t lost_after_at_ =
      std::numeric_limits<std::int64_t>::min();  // when the last ACK came that was lost after the capture point
};

}  // namespace rocescope
