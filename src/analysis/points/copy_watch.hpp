// Finds out which packets of a capture are copies of others: seen again somewhere else on their way.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "analysis/points/copy_counts.hpp"
#include "analysis/points/fingerprint.hpp"
#include "analysis/points/place_table.hpp"
#include "analysis/points/recent.hpp"
#include "model/shard_sieve.hpp"
#include "rocescope/packet.hpp"
#include "tracking/connections/flow_key.hpp"

namespace rocescope {

/// Two hosts, whichever sends.
struct HostsAtPlace {
  IpAddress lower;
  IpAddress higher;
  std::uint32_t place = 0;
  friend bool operator==(const HostsAtPlace&, const HostsAtPlace&) noexcept = default;
};
struct HostsAtPlaceHash {
  [[nodiscard]] std::size_t operator()(const HostsAtPlace& hosts) const noexcept {
    return mix(mix(mix(hash_seed(), hosts.lower), hosts.higher), hosts.place);
  }
};

/// Looks at all packets of a place at first, later at a few; of these it sees each copy.
class CopyWatch {
 public:
  static constexpr std::uint8_t kMostTimes = CopyShare::kMostTimes;
  /// ns: a packet that comes again later than this was sent again, or replayed. The clocks of two ends in one file
  /// differ by less.
  static constexpr std::int64_t kLongest = 10'000'000'000;

  /// Whether it looks at the packet.
  [[nodiscard]] bool wants(const Packet& packet, std::size_t place) const noexcept {
    return wants_all(place) || (packet.is_roce() && wants(packet.roce.psn));
  }
  /// Whether it looks at all packets of the place.
  [[nodiscard]] bool wants_all(std::size_t place) const noexcept {
    return place >= places_.size() || places_[place].looked_at < kWatched;
  }
  /// Whether it looks at a RoCE packet with this PSN, at a place where it does not look at all packets.
  [[nodiscard]] static bool wants(Psn psn) noexcept { return is_sampled(psn); }
  /// Counts a packet that it wants, and that is seen at `place`.
  /// `ahead`: end_look_ahead() follows before it is placed.
  void observe(const Packet& packet, std::size_t place, const Fingerprint& fingerprint, bool ahead);
  /// No more packets are observed before those observed so far are placed.
  void end_look_ahead();
  /// A new place appeared after packets were counted: looks at all packets again from now on.
  void expect_copies();

  /// Whether two places see the same packets.
  [[nodiscard]] bool share(std::size_t a, std::size_t b) const noexcept { return shared_[a][b]; }
  /// Whether some packets of the place come there more than once as a rule.
  [[nodiscard]] bool repeats(std::size_t place) const noexcept {
    return place < places_.size() && places_[place].repeats;
  }
  /// How often packets of these hosts come at the place, 1 to kMostTimes.
  [[nodiscard]] std::uint8_t times(const HostsAtPlace& hosts) const;
  /// How often the packet had come to the place before. `observed`: observe() was shown it, and nothing behind it.
  [[nodiscard]] std::uint8_t came_before(const Packet& packet, std::size_t place, const Fingerprint& fingerprint,
                                         bool observed);
  /// When the packet had come to the place before, the earliest first; `observed` as of came_before().
  struct Earlier {
    std::array<std::int64_t, 8> times{};
    std::size_t count = 0;
    [[nodiscard]] std::span<const std::int64_t> all() const noexcept { return std::span(times).first(count); }
    void add(std::int64_t time) noexcept;
  };
  [[nodiscard]] Earlier times_before(const Packet& packet, std::size_t place, const Fingerprint& fingerprint,
                                     bool observed);
  /// What distinguishes copies of the packet from packets that were sent again; null: its sender counts its packets, or
  /// nothing does.
  [[nodiscard]] CopyDelays* delays_of(const Packet& packet, const HostsAtPlace& hosts,
                                      const Fingerprint& fingerprint) noexcept;
  /// ns: how much later than a packet its copy comes, where the clocks of two points are so far apart that no network keeps packets as
  /// long; else 0.
  [[nodiscard]] std::int64_t clocks_apart(const HostsAtPlace& hosts) const;
  /// Whether they pass one point after the other, so that the first copies of both directions are of different points. If not,
  /// the clock of one point is behind by more than they take there and back.
  /// Does not change any more once it is known.
  [[nodiscard]] bool in_path(const HostsAtPlace& hosts);
  /// Whether there are copies: two places share packets, or one repeats them.
  [[nodiscard]] bool has_copies() const noexcept { return has_copies_; }
  /// No packet comes any more: gives back the memory of those that are remembered.
  void forget_packets() {
    seen_ = Recent<Seen>(kMostSeen);
    requests_ = Recent<Request>(kMostSeen);
    returns_ = Recent<Return>(kMostSeen);
  }
  /// Calls `use(hosts)` with hosts whose packets have copies, where nothing distinguishes the copies from packets that
  /// were sent again.
  template <class Use>
  void visit_unclear(Use use) const {
    for (const auto& [hosts, counts] : hosts_) {
      if (counts.unclear || (times(hosts) == 1 && counts.answers_come_again())) use(hosts);
    }
  }
  /// Calls `use(hosts, until, many)` with hosts where copies of their packets came before it was known that there are
  /// any; `until` and `many` as UnsureHosts has them.
  template <class Use>
  void visit_late(Use use) const {
    constexpr std::uint64_t kFew = 100;  // one of so many
    for (const auto& [hosts, counts] : hosts_) {
      const bool has_copies = counts.again > 0 || counts.all().copied > 0;
      if (counts.unknown_copies == 0 || !has_copies || times(hosts) == 1) continue;
      use(hosts, counts.unknown_until, counts.unknown_copies * kFew > counts.about_packets());
    }
  }
  /// Whether packets of these hosts were seen at the place.
  [[nodiscard]] bool has_seen(const HostsAtPlace& hosts) const { return hosts_.contains(hosts); }

 private:
  friend struct StateMembers;
  static constexpr std::uint32_t kMostSeen = 8'192;
  static constexpr std::uint32_t kManySeen = 65'536;  // where there may be copies
  static constexpr std::size_t kMostHosts = 4'096;
  static constexpr std::size_t kMostSettled = 256;  // pairs of hosts whose delays are looked at each alone
  static constexpr std::uint32_t kWatched = 4'096;  // packets of a place that are all looked at; later, some are

  struct SeenAt {
    std::uint8_t place = 0;
    std::uint8_t copies = 0;
    bool answered = false;         // of a request: its response was seen there
    std::uint32_t answer = 0;      // which one it is of the answers of its hosts, while all are looked at; 0: none
    std::int64_t answered_at = 0;  // when
    std::int64_t time = 0;         // of the first
    std::uint32_t number = 0;      // of the packets of the place that were looked at
    CopyShare::Order order;        // of the packets of its hosts there
    CopyShare::Order order_in_place;
  };
  struct Seen {
    std::uint64_t hash = 0;
    std::int64_t time = 0;
    bool counted = false;     // its sender counts its IP packets
    std::uint8_t places = 0;  // of `at`
    std::array<SeenAt, 4> at{};
  };
  /// A packet that came again to a place, which its sender did not count.
  struct Return {
    std::uint64_t hash = 0;
    std::uint32_t hosts = 0;
    std::uint8_t place = 0;
    std::uint8_t direction = 0;
    Earlier came;
  };
  struct Request {
    std::uint64_t hash = 0;
    std::uint64_t packet = 0;  // the hash of its fingerprint
  };
  struct PlaceCounts {
    CopyCounts counts;
    std::uint32_t packets = 0;  // that were looked at, and came for the first time
    std::uint32_t watched = 0;  // of these, while all were looked at at first
    std::uint32_t looked_at = 0;
    bool is_sampled = false;  // kWatched packets were looked at once: what is looked at later is not all
    bool repeats = false;
    /// Where a packet is counted that comes for the first time; null: nowhere.
    [[nodiscard]] CopyShare* share_of(const Packet& packet, CopyCounts& its) const noexcept;
    /// Where a copy of the packet `at` is counted.
    [[nodiscard]] CopyShare* share_of(const SeenAt& at, CopyCounts& its) const noexcept;
  };
  /// Packets at two places whose senders do not count them: they may have been sent twice.
  struct Pair {
    std::uint32_t soon = 0;     // at both, too soon after each other for that
    std::uint32_t matches = 0;  // at both
    std::uint32_t first = 0;    // of these, by their order at the place that saw them first
    std::uint32_t last = 0;
  };

  void look_far();
  void note_copies(PlaceCounts& place, const CopyCounts* hosts) noexcept;
  /// Packets are now known to come several times to the place. Notes this for all hosts there but `noted`, for which
  /// the caller noted it.
  void note_unknown(std::size_t place, const CopyCounts* noted, std::int64_t until) noexcept;
  [[nodiscard]] static std::uint8_t times_of(const CopyCounts& hosts, const CopyCounts& place) noexcept;
  void come_first(const Packet& packet, std::size_t place, Seen& seen, CopyCounts* hosts);
  [[nodiscard]] static bool is_connected(const Packet& packet) noexcept;
  [[nodiscard]] static bool is_answer(const Packet& packet) noexcept;
  void note_answer(const Packet& packet, std::size_t place, SeenAt& at, CopyCounts& hosts) const noexcept;
  void note_return(const Packet& packet, std::size_t place, const SeenAt& at, CopyCounts& hosts, std::uint64_t hash,
                   bool answered);
  /// Where the request that a response answers was seen at the place; null: nowhere.
  [[nodiscard]] SeenAt* find_asked(const Packet& packet, std::size_t place);
  /// Whether the packets of both directions come again at distances of their own, which are taken for those of copies then.
  [[nodiscard]] bool settle_delays(CopyCounts& counts, std::size_t place);
  void match(const Seen& seen, std::size_t place, std::int64_t time);
  [[nodiscard]] static bool is_counted(const Packet& packet, const Fingerprint& fingerprint,
                                       CopyCounts& hosts) noexcept;
  void match_at_end(std::size_t a, std::size_t b, const Pair& pair) noexcept;
  [[nodiscard]] static bool are_copies(Pair& pair, const SeenAt& at, bool soon) noexcept;
  [[nodiscard]] CopyCounts* counts_of(const Packet& packet, std::size_t place);

  std::vector<PlaceCounts> places_;
  std::array<std::bitset<PlaceTable::kMost>, PlaceTable::kMost> shared_;
  std::unordered_map<std::uint32_t, Pair> pairs_;  // of places
  std::unordered_map<HostsAtPlace, CopyCounts, HostsAtPlaceHash> hosts_;
  Recent<Seen> seen_{kMostSeen};
  Recent<Request> requests_{kMostSeen};
  Recent<Return> returns_{kMostSeen};
  std::uint32_t last_hosts_ = 0;  // their number
  bool has_repetitions_ = false;
  bool has_copies_ = false;
};

/// The hosts of a packet at `place`.
[[nodiscard]] HostsAtPlace hosts_of(const Packet& packet, std::size_t place) noexcept;
/// 0: from the lower address to the higher one; 1: back.
[[nodiscard]] std::size_t direction_of(const Packet& packet) noexcept;

}  // namespace rocescope
