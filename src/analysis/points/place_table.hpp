// The places of a capture: what shows by itself where a packet was seen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analysis/points/file_rings.hpp"
#include "rocescope/capture.hpp"
#include "rocescope/packet.hpp"

namespace rocescope {

/// Packets of one interface with the same headers around their IP packet: a mirror may wrap or tag its copies.
struct Place {
  std::uint32_t capture = 0;
  std::uint32_t interface = 0;
  std::uint32_t index = 0;         ///< of the interface, in Linux cooked captures v2; 0: none
  std::uint64_t headers = 0;       ///< hash of the kinds of those around the IP packet
  bool has_ip = true;              ///< false: it has none of the other packets yet, and no headers
  std::vector<HeaderKind> around;  ///< these kinds, outermost first
  /// Whether both are of the same interface.
  [[nodiscard]] bool is_beside(const Place& other) const noexcept {
    return capture == other.capture && interface == other.interface && index == other.index;
  }
};

class PlaceTable {
 public:
  /// The last one stands for all further ones.
  static constexpr std::size_t kMost = 64;

  /// The index of the place, which may be new. `interface`: FileRings::first_of() of the packet's.
  [[nodiscard]] std::size_t find(const Packet& packet, const InterfaceOf& interface);
  /// The last result of find().
  [[nodiscard]] std::size_t last() const noexcept { return last_; }
  [[nodiscard]] std::size_t size() const noexcept { return places_.size(); }
  /// In words: how it differs from the others. `behind`: captures that continue its interface.
  [[nodiscard]] std::string name(std::size_t place, std::span<const CaptureInfo> captures, std::size_t behind) const;
  [[nodiscard]] InterfaceOf interface(std::size_t place) const noexcept {
    return {places_[place].capture, places_[place].interface};
  }

 private:
  friend struct StateMembers;
  std::vector<Place> places_;
  std::size_t last_ = 0;
};

}  // namespace rocescope
