// The protocol hierarchy: which protocols stood in which, with packets and bytes.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "rocescope/record.hpp"
#include "rocescope/report.hpp"

namespace rocescope {

/// Counts each packet at every protocol that it holds. Headers of one protocol (BTH, AETH; an IPv6 header and its
/// extension headers) are one node; what the dissectors do not read is named by its EtherType or IP protocol number.
class ProtocolTree {
 public:
  static constexpr std::size_t kDefaultMaxNodes = 1'024;

  explicit ProtocolTree(std::size_t max_nodes = kDefaultMaxNodes);

  void add(const PacketRecord& record);
  /// RoCE packets of the same layers as `packet`.
  void add(const Packet& packet, const Traffic& traffic);

  /// The outermost protocols, each with what it carries.
  [[nodiscard]] std::vector<ProtocolNode> protocols();
  /// The most frequent first.
  [[nodiscard]] std::vector<OtherPackets> other_packets() const;
  /// Packets with protocols that came when the tree was full; they count at the outer protocols that it knows.
  [[nodiscard]] const Traffic& untracked() const noexcept { return untracked_; }

 private:
  friend struct StateMembers;
  using Index = std::uint32_t;
  static constexpr Index kNothing = 0;  // the root is no child
  struct Node {
    ProtocolId protocol;
    Index first_child = kNothing;
    Index next_sibling = kNothing;
    Index parent = kNothing;
    Traffic traffic;
    std::uint64_t first_packet = 0;   // number of the first frame
    std::uint64_t other_packets = 0;  // that end here and are no RoCE
  };

  /// The child of `parent` that stands for `protocol`, which `frame` has; kNothing when it is new and the tree is full.
  [[nodiscard]] Index child(Index parent, ProtocolId protocol, std::uint64_t frame);
  [[nodiscard]] std::vector<ProtocolNode> children(Index parent) const;

  /// The kinds of a packet's layers, in their order, up to the payload. Those of protocols above RoCE need not fit.
  struct Shape {
    static constexpr std::size_t kMost = 16;
    static constexpr HeaderKind kBehind{0x100};  ///< the first kind that does not fit
    std::array<std::uint8_t, kMost> kinds{};
    [[nodiscard]] std::array<std::uint64_t, 2> halves() const noexcept {
      return std::bit_cast<std::array<std::uint64_t, 2>>(kinds);
    }
    friend bool operator==(const Shape& a, const Shape& b) noexcept {
      const auto x = a.halves();
      const auto y = b.halves();
      return ((x[0] ^ y[0]) | (x[1] ^ y[1])) == 0;
    }
  };
  /// RoCE packets of one shape, which are not yet counted in their nodes.
  struct Known {
    Shape shape;
    Index leaf = kNothing;  ///< their innermost protocol; kNothing: there are none
    Traffic traffic;
  };
  static constexpr std::size_t kMostKnown = 64;  // a power of 2

  /// Where a packet counts.
  struct Place {
    Index innermost = kNothing;  ///< of its protocols that the tree knows, made where they are new
    bool complete = false;       ///< false: the tree is full, and has not all
  };

  /// None of packets with more layers, or with one that does not fit.
  [[nodiscard]] static std::optional<Shape> shape_of(const Packet& packet) noexcept;
  [[nodiscard]] static std::size_t slot_of(const Shape& shape) noexcept;
  void count(const Traffic& traffic, Index innermost);
  void count(Known& known);
  [[nodiscard]] Place descend(const Packet& packet);

  std::vector<Node> nodes_;
  std::array<Known, kMostKnown> known_{};
  std::size_t max_nodes_;
  Traffic untracked_;
};

}  // namespace rocescope
