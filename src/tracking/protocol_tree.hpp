// The protocol hierarchy: which protocols stood in which, with packets and bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rocescope/record.hpp"
#include "rocescope/totals.hpp"

namespace rocescope {

/// Counts each packet at every protocol that it holds. Headers of one protocol (BTH, AETH; an IPv6 header and its
/// extension headers) are one node; what the dissectors do not read is named by its EtherType or IP protocol number.
class ProtocolTree {
 public:
  static constexpr std::size_t kDefaultMaxNodes = 1'024;

  explicit ProtocolTree(std::size_t max_nodes = kDefaultMaxNodes);

  void add(const PacketRecord& record);

  /// The outermost protocols, each with what it carries.
  [[nodiscard]] std::vector<ProtocolNode> protocols() const;
  /// The most frequent first.
  [[nodiscard]] std::vector<OtherPackets> other_packets() const;
  /// Packets with protocols that came when the tree was full; they count at the outer protocols that it knows.
  [[nodiscard]] const Traffic& untracked() const noexcept { return untracked_; }

 private:
  using Index = std::uint32_t;
  static constexpr Index kNothing = 0;  // the root is nobody's child
  struct Node {
    ProtocolId protocol;
    Index first_child = kNothing;
    Index next_sibling = kNothing;
    Traffic traffic;
    std::uint64_t other_packets = 0;  // that end here and are no RoCE
  };

  /// The child of `parent` that stands for `protocol`; kNothing when it is new and the tree is full.
  [[nodiscard]] Index child(Index parent, ProtocolId protocol);
  [[nodiscard]] std::vector<ProtocolNode> children(Index parent) const;

  std::vector<Node> nodes_;
  std::size_t max_nodes_;
  Traffic untracked_;
};

}  // namespace rocescope
