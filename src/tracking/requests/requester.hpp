// One side's requests on a queue pair, and the responses to them: the PSN engine of RC and XRC (IBTA 9.7).
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "rocescope/tracker.hpp"
#include "rocescope/verdict.hpp"
#include "tracking/requests/open_messages.hpp"
#include "tracking/requests/recoveries.hpp"
#include "tracking/requests/request_order.hpp"
#include "tracking/requests/response_watch.hpp"
#include "tracking/requests/stream.hpp"

namespace rocescope {

/// Judges each packet from those before it. What is outstanding, and what that needs, its parts keep: the order of the requests,
/// what the responses say, recoveries and messages.
class Requester {
 public:
  /// Packets remembered of a stream once they are acknowledged.
  static constexpr std::size_t kRemembered = RequestOrder::kRemembered;
  /// Messages that wait for their end; the oldest goes first, and stays outstanding for good.
  static constexpr std::size_t kMostOpen = OpenMessages::kMost;

  /// From the CM or from packets: the largest payload; 0 is unknown.
  void set_mtu(std::uint32_t bytes) noexcept { order_.set_mtu(bytes); }
  [[nodiscard]] std::uint32_t mtu() const noexcept { return order_.mtu(); }
  /// From the CM: the first PSN. What lies between it and the first packet seen is missing.
  void start_at(Psn psn) noexcept { order_.start_at(psn); }
  /// From the CM: how long the requester waits for an ACK at least, ns; 0: not known.
  void set_ack_timeout(std::int64_t ns) noexcept { responses_.set_ack_timeout(ns); }

  [[nodiscard]] Verdict request(const RequestPacket& packet, const TrackOptions& options, StreamNews& news);
  [[nodiscard]] Verdict response(const ResponsePacket& packet, StreamNews& news);
  /// A request with a wrong ICRC, which its receiver drops. Its PSN may be what is wrong.
  void corrupt(Psn psn, std::uint64_t frame, StreamNews& news);
  /// Of a transport without acknowledgements: nothing will come again, and every message that is all here has ended.
  void settle(std::uint64_t frame, std::int64_t time, StreamNews& news);

  /// Whether requests are outstanding that `psn` can answer.
  [[nodiscard]] bool is_outstanding(Psn psn) const noexcept { return order_.is_outstanding(psn); }
  /// Not UC: there nothing is ever sent again, so what comes late was overtaken, and a copy is the capture's.
  void set_reliable(bool reliable) noexcept { order_.set_reliable(reliable); }
  [[nodiscard]] bool started() const noexcept { return order_.started(); }
  /// The lowest PSN that nothing seen spans. Meaningful once it started.
  [[nodiscard]] Psn next() const noexcept { return order_.next(); }
  /// Whether the request packet at `psn` was seen.
  [[nodiscard]] bool has_seen(Psn psn) const noexcept { return order_.has_seen(psn); }
  /// Whether the responder must have carried out the request at `psn`.
  [[nodiscard]] bool has_arrived(Psn psn) const noexcept { return order_.has_arrived(psn); }
  /// Whether responses have acknowledged everything before `psn`.
  [[nodiscard]] bool has_acknowledged_before(Psn psn) const noexcept {
    return order_.started() && !order_.unacknowledged().before(psn);
  }
  [[nodiscard]] StreamTotals totals() const;
  /// What must hold whatever came: each request has one verdict; those seen for the first time, sent again and seen twice
  /// are all; the bytes of messages other than READs are the payload that was seen for the first time.
  [[nodiscard]] bool conserves() const noexcept;
  /// Messages that did not end yet, in the order of their PSNs.
  [[nodiscard]] std::span<const Message> open_messages() const noexcept { return messages_.all(); }

  /// The recovery that may still go on, or null. Lasts until the next packet.
  [[nodiscard]] const Recovery* recovery() const noexcept { return recoveries_.current(); }
  /// The recovery that the last packet ended, or null. Lasts until the next packet.
  [[nodiscard]] const Recovery* ended_recovery() const noexcept { return recoveries_.ended(); }

  /// What the next request, or response, will need beside this object comes nearer.
  void prefetch_for_request(Position position) const noexcept {
    order_.sent().prefetch_next();
    messages_.prefetch_for_request(position);
  }
  void prefetch_for_response() const noexcept {
    order_.sent().prefetch_last();
    messages_.prefetch_for_response();
  }

 private:
  using Place = Recoveries::Place;

  [[nodiscard]] StreamLog begin_packet(StreamNews& news) noexcept {
    news.measures.clear();
    recoveries_.begin_packet();
    return {totals_, news};
  }
  [[nodiscard]] Verdict judge_new(const RequestPacket& packet, const StreamLog& log);
  [[nodiscard]] Verdict judge_missing(const RequestPacket& packet, const TrackOptions& options, const StreamLog& log);
  [[nodiscard]] Verdict judge_copy(const RequestPacket& packet, const TrackOptions& options, const StreamLog& log);
  void add_new(const RequestPacket& packet, std::uint32_t span, std::uint32_t hole_us, Verdict& verdict,
               const StreamLog& log);
  void count_in_flight(const SentPacket& packet);
  [[nodiscard]] Place why_again(const RequestPacket& packet, const SentPacket* original, std::int64_t reorder_window);
  [[nodiscard]] std::optional<Place> place_of(const RequestPacket& packet) const noexcept {
    return recoveries_.place_of(packet, order_, responses_);
  }
  void resend(const RequestPacket& packet, const Place& place, Verdict& verdict, const StreamLog& log) {
    recoveries_.resend(packet, place, verdict, order_, responses_, log);
  }
  void set_span(const std::optional<RequestOrder::ReadSpan>& read) noexcept;
  [[nodiscard]] bool has_all() const noexcept;

  [[nodiscard]] Verdict answer_to_unseen(const ResponsePacket& packet, const StreamLog& log);
  [[nodiscard]] Verdict acknowledged(const ResponsePacket& packet, const StreamLog& log);
  [[nodiscard]] Verdict read_response(const ResponsePacket& packet, const StreamLog& log);
  void relate(Psn psn, Verdict& verdict) noexcept;
  [[nodiscard]] LostWhere where_lost(const ResponsePacket& nak) noexcept;
  void measure_nak(const ResponsePacket& nak, const StreamLog& log);
  /// Everything before `psn` arrived.
  void cover(Psn psn, const ResponsePacket& by, const StreamLog& log);

  RequestOrder order_;
  ResponseWatch responses_;
  Recoveries recoveries_;
  OpenMessages messages_;
  StreamTotals totals_;
  std::uint64_t copies_ = 0;  ///< requests that had been seen before, capture duplicates left out
};

}  // namespace rocescope
