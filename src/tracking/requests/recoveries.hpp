// Recoveries of one side's requests: what makes the requester send again, what belongs to it, and what it shows about losses.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <vector>

#include "rocescope/detail/box.hpp"
#include "rocescope/detail/elapsed.hpp"
#include "rocescope/verdict.hpp"
#include "tracking/requests/request_order.hpp"
#include "tracking/requests/response_watch.hpp"
#include "tracking/requests/stream.hpp"

namespace rocescope {

/// A request packet with a wrong ICRC: what it shows, right or wrong.
struct DamagedRequest {
  Psn psn;
  std::uint32_t span = 1;
  std::uint64_t frame = 0;
};

class Recoveries {
 public:
  /// What distinguishes a NAK from others.
  struct Nak {
    Psn psn;
    ResendCause cause = ResendCause::kNone;
    std::uint32_t icrc = 0;  ///< ResponsePacket::icrc
    std::int64_t time = 0;
  };
  /// A NAK or RNR NAK: why packets from its PSN on come again.
  struct Evidence {
    Psn psn;
    std::uint64_t frame = 0;
    std::int64_t time = 0;
    ResendCause cause = ResendCause::kNone;  ///< kNone: it asks for nothing
    LostWhere lost = LostWhere::kNowhere;    ///< the packet that it names
    bool followed = false;                   ///< packets came again since
    std::int64_t rnr_timer = 0;              ///< ns that an RNR NAK asks for
    Nak last;                                ///< the last NAK: this one, or a later one that asked for nothing else
  };
  /// Where a packet that comes again stands in a recovery.
  struct Place {
    ResendCause cause = ResendCause::kUnknown;
    std::uint64_t evidence = 0;
    std::uint32_t skipped = 0;  ///< packets before it that the recovery must have sent and that were not seen
    bool goes_on = false;       ///< with the recovery under way
    bool late = false;          ///< it was skipped, and comes after all
  };

  /// The recovery that may still go on, or null. Lasts until the next packet.
  [[nodiscard]] const Recovery* current() const noexcept { return recovery_ ? &recovery_->facts : nullptr; }
  /// The recovery that the last packet ended, or null. Lasts until the next packet.
  [[nodiscard]] const Recovery* ended() const noexcept { return ended_ ? &ended_->facts : nullptr; }
  /// What the last NAK or RNR NAK asks for, or null.
  [[nodiscard]] const Evidence* evidence() const noexcept { return evidence_.get(); }

  /// Whether no packet has to come again and none was damaged, as far as known.
  [[nodiscard]] bool is_over() const noexcept {
    return !recovery_ && corrupt_->empty() && (!evidence_ || evidence_->followed);
  }
  /// Another packet comes.
  void begin_packet() noexcept { ended_.reset(); }
  /// A NAK or RNR NAK asks for something else than the last one.
  void ask(const Evidence& evidence) { evidence_ = std::make_unique<Evidence>(evidence); }
  /// Whether the requester was already asked for this packet and has not followed yet.
  [[nodiscard]] bool is_asked(Psn psn, ResendCause cause) const noexcept {
    return evidence_ && !evidence_->followed && evidence_->psn == psn && evidence_->cause == cause;
  }
  /// Notes a NAK of any kind, after its effects were handled.
  void note(const ResponsePacket& nak);
  /// Whether it is the last NAK once more, less than `window` ns from it. A responder sends a NAK again only after the requester sent again
  /// what the NAK asks for (IBTA 9.7.5). The capture may lack that: after an RNR NAK it takes the RNR timer at least, and where no request
  /// was seen nothing is known. The ICRC covers the IPv4 identification, which differs where the responder counts its packets.
  [[nodiscard]] bool is_copy(const ResponsePacket& nak, std::int64_t window) const noexcept {
    if (!evidence_) return false;
    const Nak& last = evidence_->last;
    const bool is_open = evidence_->cause != ResendCause::kNone && !evidence_->followed;
    if (!is_open && last.cause != ResendCause::kNone) return false;
    if (last.cause == ResendCause::kRnr) window = std::min(window, evidence_->rnr_timer);
    return last.psn == nak.psn && last.cause == nak.asks_for() && last.icrc == nak.icrc &&
           std::abs(elapsed(last.time, nak.time)) < window;
  }
  /// Whether a NAK since `since` makes the requester send `psn` again.
  [[nodiscard]] bool is_asked_since(std::int64_t since, Psn psn) const noexcept {
    return evidence_ && evidence_->cause != ResendCause::kNone && evidence_->time >= since &&
           !evidence_->psn.after(psn);
  }
  /// Whether the requester did nothing when a NAK asked for packets, and its timer has run out since.
  [[nodiscard]] bool is_ignored(std::int64_t now, RequestOrder& order, const ResponseWatch& responses) const {
    return evidence_ && !evidence_->followed && evidence_->cause == ResendCause::kNak &&
           elapsed(evidence_->time, now) >= responses.slowest_answer() && responses.timed_out(now, order);
  }
  /// The packet at `psn` was overtaken, even if a NAK asked for it since.
  void excuse(Psn psn) noexcept {
    if (evidence_ && evidence_->psn == psn) evidence_->lost = LostWhere::kNowhere;
  }
  /// Everything before `psn` arrived: a packet that a NAK asked for and that was not sent again was overtaken after the
  /// capture point.
  void acknowledge(Psn psn, const StreamLog& log);

  /// The recovery that sends a packet again; nothing: no known one.
  [[nodiscard]] std::optional<Place> place_of(const RequestPacket& packet, RequestOrder& order,
                                              const ResponseWatch& responses) const noexcept;
  /// A packet comes again.
  void resend(const RequestPacket& packet, const Place& place, Verdict& verdict, RequestOrder& order,
              const ResponseWatch& responses, const StreamLog& log);
  /// A packet that was sent again also takes the PSNs from `from` to before `end`.
  void extend(Psn from, Psn end) noexcept {
    if (recovery_ && recovery_->next == from) recovery_->next = end;
  }
  /// A packet beyond all that were seen ends the recovery.
  void end(const RequestPacket& packet, RequestOrder& order, const StreamLog& log);
  /// Whether the recovery goes back to the PSN that was asked for, and goes on from there.
  [[nodiscard]] bool goes_back() const noexcept;

  /// Adds a request with a wrong ICRC: any of its fields may be wrong, its PSN as well. Returns whether what it shows is likely.
  bool add_corrupt(const DamagedRequest& request, RequestOrder& order, const StreamLog& log);
  /// Adds one that did not seem to be of this flow, if something is missing before `end` and it shows a missing PSN or
  /// `whatever_psn` is true. Returns whether it added it.
  bool adopt_corrupt(DamagedRequest request, Psn end, bool whatever_psn, const RequestOrder& order);
  /// Whether there were any that may still explain a hole.
  [[nodiscard]] bool has_corrupt() const noexcept { return corrupt_.get() != nullptr; }
  /// All requests before `psn` were sent before now: as many of the missing ones as damaged packets came since the last
  /// request were seen damaged.
  void place_corrupt(Psn psn, const RequestOrder& order);
  /// Of `count` missing PSNs from `first` on, takes those out whose packets came damaged. Returns how many.
  std::uint32_t mark_corrupt(Psn first, std::uint32_t count, MissingPsns& missing) const;
  [[nodiscard]] bool has_corrupt(Psn psn) const noexcept;
  /// Returns the last frame that had `psn` and a wrong ICRC, and forgets these frames; 0: none.
  [[nodiscard]] std::uint64_t take_corrupt(Psn psn) noexcept;

  void count_lost(std::uint64_t packets, const StreamLog& log);
  /// The packet at hand is sent again, and the copy before it was lost on its way here. Where a NAK asked for it, the responder did
  /// not get it.
  void count_awaited(const StreamLog& log) const {
    if (recovery_ && recovery_->is_asked) ++log.troubles().lost_awaited;
  }
  /// A copy comes after all; if a copy was reported lost, it may be this one.
  void find_lost(SentPacket& packet, const StreamLog& log);
  /// A packet that the recovery must have sent, and that was not seen, arrived.
  void find_arrived(SentPacket& packet, const StreamLog& log);

 private:
  friend struct StateMembers;
  /// The recovery under way.
  struct Resending {
    Recovery facts;
    Psn next;               ///< the PSN that comes next if it goes on
    MissingPsns skipped;    ///< before next, and not seen since it began
    bool is_asked = false;  ///< a NAK asked for the packet at hand
  };
  struct CorruptPacket {
    Psn psn;  ///< the PSN that it shows, or the missing one that it stands for
    Psn due;  ///< the PSN that it shows, or, if that is unlikely, the PSN expected next
    std::uint32_t span = 1;
    bool placed = false;  ///< a request came since
    std::uint64_t frame = 0;
  };

  [[nodiscard]] bool answers_nak(Psn psn) const noexcept;
  void begin(const RequestPacket& packet, const Place& place, const RequestOrder& order, const ResponseWatch& responses,
             const StreamLog& log);
  void lose_skipped(Psn first, std::uint32_t psns, RequestOrder& order, const StreamLog& log);
  [[nodiscard]] std::uint64_t corrupt_since() const noexcept;
  [[nodiscard]] bool was_corrupt(Psn psn) const noexcept;
  [[nodiscard]] std::uint64_t count_corrupt(Psn first, std::uint32_t psns) const noexcept;
  [[nodiscard]] Psn due(const RequestOrder& order) const noexcept;
  /// The first PSN that must have been sent before a request of `psn`, and was not seen.
  [[nodiscard]] Psn missing_before(Psn psn, const RequestOrder& order) const noexcept {
    return psn.before(order.next()) ? due(order) : order.next();
  }

  std::unique_ptr<Evidence> evidence_;
  std::unique_ptr<Resending> recovery_;
  std::unique_ptr<Resending> ended_;
  // The last few of which no good copy was seen since and which are not acknowledged. Null: there never was one.
  Box<std::vector<CorruptPacket>> corrupt_;
};

}  // namespace rocescope
