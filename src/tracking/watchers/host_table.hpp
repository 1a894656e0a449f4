// Counts and rates of each pair of hosts, rates of each side of a connection and of all packets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rocescope/host.hpp"
#include "rocescope/rate_series.hpp"
#include "rocescope/tracker.hpp"
#include "tracking/connections/by_connection.hpp"
#include "tracking/connections/flow_key.hpp"
#include "tracking/connections/key_table.hpp"
#include "tracking/tracked_packet.hpp"

namespace rocescope {

/// What one host sends another.
struct HostPair {
  RateSeries rates;
  WireCounts counts;
  std::size_t most_buckets = 0;  ///< of rates
  std::uint64_t order = 0;       ///< as HostRates has it
};

/// RoCE packets only.
class HostTable {
 public:
  static constexpr std::size_t kMostPairs = 16'384;

  /// `interval` in nanoseconds, at least 1: the width of the first buckets.
  explicit HostTable(std::int64_t interval) : interval_(interval) {}

  static constexpr unsigned kWants = traits::kRoce | traits::kDamaged;
  void observe(const TrackedPacket& tracked);
  /// What `sender` of a connection sent on the express lane in one bucket, the last of it at `time`.
  void add(ConnectionState& state, std::size_t sender, std::int64_t time, const Sent& sent);
  /// What the packets were that `sender` of a connection sent on the express lane.
  void add_counts(const ConnectionState& state, std::size_t sender, const WireCounts& counts);
  /// To the rates of a connection's sides alone.
  void observe_apart(const TrackedPacket& tracked) const;
  /// All that it counted.
  void report(Tracking& tracking) const;
  /// The rates of the sides of a connection have no more buckets than there are for its place.
  void settle(Connection& connection, const ConnectionState& state, std::int64_t end) const;

  /// Those with the most bytes first.
  static void sort(std::vector<HostRates>& pairs);
  /// Of the series with this number, from 1.
  [[nodiscard]] static std::size_t most_buckets(std::uint32_t number) noexcept;

 private:
  friend struct StateMembers;
  /// The more series there are, the fewer buckets the further ones get; in the end one.
  static constexpr std::uint32_t kBuckets = 65'536;

  struct Key {
    IpAddress source;
    IpAddress destination;
    std::uint32_t overlay_id = 0;
    friend bool operator==(const Key&, const Key&) noexcept = default;
  };
  struct KeyHash {
    [[nodiscard]] std::size_t operator()(const Key& pair) const noexcept {
      return mix(mix(mix(hash_seed(), pair.source), pair.destination), pair.overlay_id);
    }
  };

  /// What the source of the packet sends its destination, or with `reversed` the other way; null where there are too many.
  [[nodiscard]] HostPair* find(const TrackedPacket& tracked, bool reversed);
  [[nodiscard]] HostPair* find(const ConnectionState& state, std::size_t sender);
  [[nodiscard]] HostPair* find(const Key& key);
  /// A damaged packet of no known flow: it makes no pair of hosts, since its addresses may be what is wrong.
  void observe_stray(const Packet& packet);
  /// Those with the most bytes first.
  [[nodiscard]] std::vector<HostRates> pairs() const;
  /// By address.
  [[nodiscard]] std::vector<Host> hosts() const;
  /// To what all sent, and to what its source and its destination did.
  void add_to_hosts(const TrackedPacket& tracked, std::int64_t now, Sent sent);
  void add(HostPair& pair, std::int64_t now, const Sent& sent) const;
  void add(const TrackedPacket& tracked, std::size_t side, std::int64_t now, const Sent& sent) const;
  void add(const ConnectionState& state, ConnectionSide& side, std::int64_t now, const Sent& sent) const;

  std::int64_t interval_;
  std::uint64_t frame_ = 0;       // of the packet at hand
  std::uint64_t last_order_ = 0;  // of the last pair
  RateSeries all_;
  KeyTable<Key, HostPair, KeyHash> pairs_;
  ByConnection<HostPair*, nullptr> by_connection_;  // by sender, into pairs_
  KeyTable<Key, std::uint64_t, KeyHash> strays_;    // by destination alone
  std::uint64_t untracked_ = 0;                     // packets of pairs that came when there were too many
};

}  // namespace rocescope
