// The tracker: follows queue pairs from packet to packet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "rocescope/breach.hpp"
#include "rocescope/congestion.hpp"
#include "rocescope/connection.hpp"
#include "rocescope/detail/shard.hpp"
#include "rocescope/eviction.hpp"
#include "rocescope/final_numbers.hpp"
#include "rocescope/handshake.hpp"
#include "rocescope/host.hpp"
#include "rocescope/memory_region.hpp"
#include "rocescope/message.hpp"
#include "rocescope/rate_series.hpp"
#include "rocescope/record.hpp"
#include "rocescope/verdict.hpp"

namespace rocescope {

class ExpressLane;
struct BegunMessage;
class PayloadSubscriber;

struct TrackOptions {
  // If the IPv4 identification shows in which order a host sent, it decides instead.
  std::int64_t reorder_window = 1'000'000;  ///< ns: a hole filled sooner than this was reordering
  std::int64_t duplicate_window = 250'000;  ///< ns: sooner than any ACK timeout: a copy is the capture's
  std::int64_t rate_interval = 10'000'000;  ///< ns: of the buckets in which rates are counted
  std::int64_t cnp_window = 1'000'000;      ///< ns: what a sender sends before and after a CNP is compared over this
  std::uint64_t link_speed = 0;             ///< bits per second, for the quanta of PFC; 0: not known
  std::size_t max_connections = 1'048'576;  ///< that are followed at a time
  /// ns: a connection without packets for so long, and a sixteenth of it at most, is evicted by the time of the packets, and in
  /// expire(); to make room for new ones, those are that had none for longest. A packet whose time is further from the others' is
  /// believed with the next. 0: none ever is; packets of connections above the limit are counted and not judged.
  std::int64_t idle_timeout = 0;
  /// Of which packets are tracked that count. Others are such as set connections up: no connection of another shard is made.
  std::optional<Shard> shard{};
};

/// What a tracker knows of the packets so far.
struct Tracking {
  /// Without those that were evicted. A tracker sorts them by number; a report shows those with the most trouble first, then
  /// those with the most bytes.
  std::deque<Connection> connections;
  std::uint64_t untracked_connection_packets = 0;  ///< of connections above the limit
  std::vector<MemoryRegion> memory_regions;        ///< without evicted ones; those to which the most bytes moved first
  std::uint64_t untracked_region_requests = 0;     ///< to regions above the limit
  std::vector<Handshake> handshakes;               ///< by number
  std::uint64_t unlisted_handshakes = 0;           ///< messages of further ones, above the limit
  RateSeries rates;                                ///< of all RoCE packets
  std::vector<HostRates> host_rates;               ///< those who sent most first
  std::vector<Host> hosts;                         ///< by address
  std::uint64_t untracked_host_packets = 0;        ///< of pairs of hosts above the limit
  CongestionTotals congestion;
  std::vector<PauseTotals> pauses;           ///< by MAC address and class
  std::uint64_t untracked_pause_frames = 0;  ///< of ports above the limit
  Sightings sightings;                       ///< evidence for findings, from packets of no connection
  Breaches breaches;                         ///< by packets of no connection
};

/// How far the requests of one side of a connection are, by the packets so far.
struct Progress {
  InFlight in_flight;               ///< also before the first response
  std::optional<Psn> acknowledged;  ///< the highest PSN that responses cover; none while nothing is known to be
};

/// Whether a connection is wanted: who its sides are is known, what is counted of it may be less than there was.
using ConnectionChoice = std::function<bool(const Connection& connection)>;

/// Is shown a message that `side` of `connection` requested. Both last until it returns; of the connection, who its sides are
/// is known, and what is counted of it goes on.
using MessageVisitor = std::function<void(const Connection& connection, std::size_t side, const Message& message)>;

/// Which messages a MessageVisitor is shown.
enum class MessageChoice : std::uint8_t {
  kAll,
  kTroubled,  ///< those that not ends_well(), and perhaps others: costs less
};

/// Feed it the packets of a capture in their order. A verdict follows from the packets before alone and stays.
class Tracker {
 public:
  explicit Tracker(const TrackOptions& options = {});
  ~Tracker();
  Tracker(Tracker&&) noexcept;
  Tracker& operator=(Tracker&&) noexcept;

  /// `counts`: whether what the packet shows is counted. A packet that does not count is followed all the same, so that verdicts
  /// and the numbers of connections and messages are those of the whole capture; but finish(), snapshot() and on_message() leave
  /// out whatever it shows: a loss counts with the packet that shows it, a message with the one that ends it. A connection is
  /// `partial` then: what is open at its end does not count, and maxima are those of all its packets.
  [[nodiscard]] Verdict track(const PacketRecord& record, bool counts = true);
  /// The lane for packets that are just what comes next of their connection, from now on: those that it takes are not given to
  /// track(). Lasts as long as the tracker. For this library alone.
  [[nodiscard]] ExpressLane& open_express_lane();
  /// A packet that track() will be given kAhead calls later, or sooner: what is known of its connection is fetched into the
  /// caches meanwhile. Changes nothing but how long tracking takes.
  void look_ahead(const Packet& packet) noexcept;
  static constexpr std::size_t kAhead = 16;

  /// Shows each message that counts to `visitor` from now on: when it ends, which need not be the order in which they began. The tracker
  /// forgets it then.
  void on_message(MessageVisitor visitor, MessageChoice choice = MessageChoice::kAll);
  /// At the end: shows those that did not end, by connection, side and PSN. With the others they are all there were. `is_wanted`: of which
  /// connections; empty: of all.
  void visit_open_messages(const MessageVisitor& visitor, const ConnectionChoice& is_wanted = {});

  /// Gives `subscriber`, which must outlive the tracker, the payload that it asks for from now on (messages/payload.hpp).
  void subscribe(PayloadSubscriber& subscriber);

  /// Gives `visitor` what is evicted from now on; it may not call the tracker. Without one it is lost.
  void on_eviction(EvictionVisitor visitor);
  /// Nothing came for `quiet` ns after the last packet that was tracked: evicts what is idle by then.
  void expire(std::int64_t quiet);
  /// How many connections are followed now.
  [[nodiscard]] std::size_t followed() const noexcept;
  /// The progress of the requests that `requester` sends to the queue pair `responder` on one of them; nothing: there
  /// are none, or the express lane is open.
  [[nodiscard]] std::optional<Progress> progress(std::uint32_t connection, const IpAddress& requester,
                                                 std::optional<Qpn> responder) const;
  /// Their numbers, the lowest first.
  [[nodiscard]] std::vector<std::uint32_t> numbers() const;
  /// Which of them had another number as well, so far; without those that were evicted. The cost grows with the connections.
  [[nodiscard]] FinalNumbers final_numbers() const;
  /// The numbers of those with packets that count, the lowest first.
  [[nodiscard]] std::vector<std::uint32_t> counted_numbers() const;

  /// The results so far, as finish() would give them, without memory regions, rates and hosts. Of connections only those
  /// named, without numbers that were joined with others or evicted. Tracking goes on. The cost grows with the named
  /// connections and with the handshakes.
  [[nodiscard]] Tracking snapshot(std::span<const std::uint32_t> connections) const;

  /// The memory regions named by messages that have ended, in no order. The cost grows with them.
  [[nodiscard]] std::vector<MemoryRegion> memory_regions() const;

  // What it takes to find the order of what several trackers saw of the same frames: see tracking/moment.hpp. For this library alone.
  /// The moment at hand, which lasts as long as the tracker.
  [[nodiscard]] const std::uint64_t& moment() const noexcept;
  void set_moment(std::uint64_t moment) noexcept;
  /// From now on order() is known, and messages that begin are appended to `begun` where that is not null: then some have other numbers.
  void note_order(std::vector<BegunMessage>* begun);
  /// Of each connection that was made, by number: connections of all trackers have the order of these.
  [[nodiscard]] std::vector<std::uint64_t> order() const;
  /// A frame of the capture came at `time`, ns since 1970, that is not tracked.
  void pass_time(std::uint32_t capture, std::int64_t time);
  /// The files that packets come from, by Frame::capture_id, where there are several. A connection can be followed as far as those files
  /// reach that saw it. Not called: there is one.
  void name_captures(const std::vector<std::string>& paths);
  /// Connections on the express lane: the full state of all is as if no packet had taken it.
  void settle();

  /// All that is known of the packets. The tracker must not be used afterwards.
  [[nodiscard]] Tracking finish() &&;

 private:
  friend struct StateMembers;
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace rocescope
