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
#include "analysis/points/place_table.hpp"
#include "analysis/points/recent.hpp"
#include "rocescope/capture.hpp"
#include "rocescope/capture_point.hpp"
#include "rocescope/packet.hpp"

namespace rocescope {

/// Places that see the same packets are different points; others belong to the same. A place where nearly all packets come twice is two
/// points: each copy belongs to one of them by its order among the copies of its packet.
class CapturePoints {
 public:
  /// Counts a packet that observe() will be given later. A few thousand before the first, and before the first of each interface, let it
  /// know from there on what else it learns on the way.
  void learn(const Packet& packet);
  /// All that could be given to learn() was.
  void end_learning() { watch_.end_look_ahead(); }
  [[nodiscard]] bool has_several_interfaces() const noexcept { return interfaces_.size() > 1; }
  /// Whether no packet of this interface was given yet; false of those beyond the limit.
  [[nodiscard]] bool is_new(const Frame& frame) const noexcept;

  /// Whether observe() need not be shown the packets of the place of the packet that it was shown last, but for those that it wants():
  /// they are seen at the same capture point, and no other one sees them.
  [[nodiscard]] bool knows_last_place() const noexcept {
    return !watch_.has_copies() && !watch_.wants_all(places_.last());
  }
  [[nodiscard]] static bool wants(Psn psn) noexcept { return CopyWatch::wants(psn); }
  [[nodiscard]] bool has_copies() const noexcept { return watch_.has_copies(); }

  /// How many interfaces were seen. With another one, everything is wanted again.
  [[nodiscard]] std::size_t interfaces() const noexcept { return interfaces_.size(); }

  /// What PacketRecord has of these names, and Frame::capture_point.
  struct Sight {
    std::uint8_t capture_point = 1;
    bool repeated = false;
    std::uint64_t fingerprint = 0;
  };
  /// The packets in the order of the capture.
  [[nodiscard]] Sight observe(const Packet& packet);

  /// By number, without their traffic. `captures` are those that the packets came from.
  [[nodiscard]] std::vector<CapturePoint> points(std::span<const CaptureInfo> captures) const;

 private:
  static constexpr std::size_t kMostHosts = 65'536;
  static constexpr std::uint32_t kMostRanks = 262'144;
  static constexpr std::size_t kMostPoints = 64;

  /// The copies of a place that have the same order.
  struct Stand {
    std::uint8_t place = 0;
    std::uint8_t copy = 0;  ///< from 0
    friend bool operator==(const Stand&, const Stand&) noexcept = default;
  };
  struct Point {
    std::vector<Stand> stands;
  };
  /// How often a packet came at its place.
  struct Rank {
    std::uint64_t hash = 0;
    std::int64_t time = 0;
    std::uint8_t copies = 0;
  };

  void note_interface(const Frame& frame);
  /// Which copy of its packet it is, from 0. `is_learned`: the watch was shown it, and packets behind it; `watched`: it alone.
  [[nodiscard]] std::uint8_t copy_of(const Packet& packet, std::size_t place, const Fingerprint& fingerprint,
                                     bool is_learned, bool watched);
  [[nodiscard]] std::uint8_t point_of(const Stand& stand);
  [[nodiscard]] bool may_join(const Stand& stand, const Point& point) const;
  /// Whether another point saw packets of these hosts before.
  [[nodiscard]] bool is_repeated(const Packet& packet, std::uint8_t point);

  PlaceTable places_;
  CopyWatch watch_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> interfaces_;  // captures and their interfaces
  std::uint64_t learned_ = 0;                                        // number of the last frame
  std::vector<Point> points_;
  std::array<std::array<std::uint8_t, CopyWatch::kMostTimes>, PlaceTable::kMost> numbers_{};  // of points; 0: none yet
  Recent<Rank> ranks_{kMostRanks};
  std::unordered_map<HostsAtPlace, std::uint8_t, HostsAtPlaceHash> first_points_;
};

}  // namespace rocescope
