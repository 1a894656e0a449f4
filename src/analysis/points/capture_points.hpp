// At which capture point each packet was seen.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analysis/points/copy_watch.hpp"
#include "analysis/points/file_rings.hpp"
#include "analysis/points/place_table.hpp"
#include "analysis/points/recent.hpp"
#include "analysis/points/unsure_hosts.hpp"
#include "rocescope/capture.hpp"
#include "rocescope/capture_point.hpp"
#include "rocescope/packet.hpp"

namespace rocescope {

/// Places that see the same packets are different points; others belong to the same. A place where nearly all packets come twice is two
/// points: each copy belongs to one of them by its order among the copies of its packet.
class CapturePoints {
 public:
  /// Call with each frame as soon as `source` gave it. If it gave several at once, call pass() with the time of the
  /// last one.
  void begin(const Frame& frame, const FrameSource& source) { rings_.observe(frame, source); }
  void pass(std::uint32_t capture, std::int64_t last) { rings_.pass(capture, last); }
  /// Counts a packet that observe() gets later. With a few thousand packets before the first one, and before the first
  /// of each interface, it knows from the start what it would otherwise learn on the way.
  void learn(const Packet& packet);
  /// Returns whether some of the first packets are cut. If so, it forgets what learn() got before that was known: call
  /// learn() again with all packets.
  [[nodiscard]] bool forget_learned();
  /// Call after the last learn().
  void end_learning() { watch_.end_look_ahead(); }
  [[nodiscard]] bool has_several_interfaces() const noexcept { return interfaces_.size() > 1; }
  /// Whether no packet of this interface came yet; false for interfaces beyond the limit.
  [[nodiscard]] bool is_new(const Frame& frame) const noexcept;

  /// Whether observe() needs only the packets that it wants() from the place of the last packet: packets of that place
  /// are seen at one capture point, and no other point sees them.
  [[nodiscard]] bool knows_last_place() const noexcept {
    return !watch_.has_copies() && !watch_.wants_all(places_.last());
  }
  [[nodiscard]] static bool wants(Psn psn) noexcept { return CopyWatch::wants(psn); }
  [[nodiscard]] bool has_copies() const noexcept { return watch_.has_copies(); }

  /// How many interfaces were seen. When a new one comes, observe() needs all packets again.
  [[nodiscard]] std::size_t interfaces() const noexcept { return interfaces_.size(); }

  /// Members of PacketRecord with the same names, and Frame::capture_point.
  struct Sight {
    std::uint8_t capture_point = 1;
    bool repeated = false;
    std::uint64_t fingerprint = 0;
    std::uint32_t uncut = UncutLength::kAny;  ///< that the fingerprint is of
    std::uint32_t capture = 0;                ///< the first of the captures that the packet's capture continues
  };
  /// The packets in the order of the capture.
  [[nodiscard]] Sight observe(const Packet& packet);

  /// Pairs of hosts where nobody knows at which points their packets were seen.
  [[nodiscard]] UnsureHosts unsure_hosts() const;
  /// No packet comes any more.
  void forget_packets() { watch_.forget_packets(); }
  /// By number, without their traffic. `captures` are those that the packets came from.
  [[nodiscard]] std::vector<CapturePoint> points(std::span<const CaptureInfo> captures) const;

 private:
  friend struct StateMembers;
  static constexpr std::size_t kMostHosts = 65'536;
  static constexpr std::uint32_t kMostRanks = 262'144;
  static constexpr std::uint32_t kMostSendings = 65'536;
  static constexpr std::size_t kMostPoints = UnsureHosts::kMostPoints;

  /// Copies at a place that have the same order.
  struct Stand {
    std::uint8_t place = 0;
    std::uint8_t copy = 0;  ///< from 0
    friend bool operator==(const Stand&, const Stand&) noexcept = default;
  };
  struct Point {
    std::vector<Stand> stands;
  };
  /// The packets between two hosts at a place where copies of them were expected.
  struct Parted {
    std::uint64_t sent = 0;
    std::uint64_t alone = 0;  // without
    // In the time at the end that copies take: packets without any copy so far, and copies of what was sent before.
    std::uint64_t pending = 0;
    std::uint64_t last_copies = 0;
    std::int64_t last = 0;   // time
    std::int64_t most = 0;   // ns: so long copies take
    std::uint8_t times = 1;  // how often packets come
  };
  /// A packet, of a sender that does not count its packets, at its place: it comes once for each time it was sent, and
  /// with its copies.
  struct Sending {
    std::int64_t time = 0;
    std::uint16_t number = 0;  // of the times it was sent
    std::uint8_t copy = 0;
    bool followed = false;  // the next copy came
    [[nodiscard]] bool is_alone(const Parted& hosts) const noexcept;
  };
  struct Sendings {
    std::uint64_t hash = 0;
    Parted* hosts = nullptr;
    std::uint16_t sent = 0;  // times
    std::uint8_t count = 0;
    std::array<Sending, 8> last{};
    [[nodiscard]] std::span<const Sending> all() const noexcept { return std::span(last).first(count); }
    [[nodiscard]] Sending& add(std::int64_t time, CopyDelays& delays);
    void settle(Parted& into) const noexcept;
  };
  /// How often a packet came at its place.
  struct Rank {
    std::uint64_t hash = 0;
    std::int64_t time = 0;
    std::uint8_t copies = 0;
  };

  void note_interface(const Frame& frame);
  /// Which copy of its packet it is, from 0. `is_learned`: the watch saw it and later packets; `watched`: the watch saw
  /// it, but no later ones. If packets that are sent again are identical, the hash of the fingerprint becomes one of
  /// this transmission.
  [[nodiscard]] std::uint8_t copy_of(const Packet& packet, std::size_t place, Fingerprint& fingerprint, bool is_learned,
                                     bool watched);
  [[nodiscard]] std::uint8_t copy_by_delay(const Packet& packet, std::size_t place, Fingerprint& fingerprint,
                                           CopyDelays& delays, Parted& hosts, bool is_learned, bool watched);
  [[nodiscard]] std::uint8_t point_of(const Stand& stand);
  [[nodiscard]] bool may_join(const Stand& stand, const Point& point) const;
  /// Whether another point saw packets of these hosts before.
  [[nodiscard]] bool is_repeated(const Packet& packet, std::uint8_t point);

  FileRings rings_;
  PlaceTable places_;
  UncutLength uncut_;
  CopyWatch watch_;
  std::vector<InterfaceOf> interfaces_;
  std::uint64_t learned_ = 0;  // number of the last frame
  std::vector<Point> points_;
  std::array<std::array<std::uint8_t, CopyWatch::kMostTimes>, PlaceTable::kMost> numbers_{};  // of points; 0: none yet
  Recent<Rank> ranks_{kMostRanks};
  Recent<Sendings> sendings_{kMostSendings};
  std::unordered_map<HostsAtPlace, Parted, HostsAtPlaceHash> parted_;  // by copy_by_delay(), at most kMostHosts
  std::unordered_map<HostsAtPlace, std::uint8_t, HostsAtPlaceHash> first_points_;
};

}  // namespace rocescope
