#include "analysis/protocol_tree.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <string_view>

#include "rocescope/field_value.hpp"
#include "rocescope/headers/numbers.hpp"
#include "sorting/sort.hpp"
#include "tracking/connections/flow_key.hpp"

namespace rocescope {
namespace {

using Space = ProtocolId::Space;

/// What the tree needs of each kind of header.
struct HeaderRole {
  /// The first kind of the same protocol; kNone for what belongs to the header before it.
  HeaderKind protocol = HeaderKind::kNone;
  const Field* ether_type = nullptr;  ///< the field that announces what follows
  const Field* ip_protocol = nullptr;
};

std::string_view protocol_name(const HeaderInfo& header) { return header.name.substr(0, header.name.find('.')); }

std::vector<HeaderRole> make_roles() {
  const auto headers = all_headers();
  std::vector<HeaderRole> roles(headers.size() + 1);
  for (const HeaderInfo& header : headers) {
    HeaderRole& role = roles[static_cast<std::size_t>(header.kind)];
    const std::string_view name = protocol_name(header);
    if (!header.continues && name != "rocescope") {
      role.protocol = std::find_if(headers.begin(), headers.end(), [&](const auto& other) {
                        return protocol_name(other) == name;
                      })->kind;
    }
    for (const Field& field : header.fields) {
      if (field.names.data() == std::data(kEtherTypeNames)) role.ether_type = &field;
      if (field.names.data() == std::data(kIpProtocolNames)) role.ip_protocol = &field;
    }
  }
  return roles;
}

const HeaderRole& role_of(HeaderKind kind) {
  static const std::vector<HeaderRole> kRoles = make_roles();
  return kRoles[static_cast<std::size_t>(kind)];
}

std::optional<std::uint32_t> read_last(const Packet& packet, const Layer& layer, const Field* field) {
  std::optional<std::uint32_t> number;
  if (field == nullptr) return number;
  for_each_field(packet, layer, [&](const Layer&, const FieldValue& value) {
    if (value.field == field) number = static_cast<std::uint32_t>(value.number);
  });
  return number;
}

/// What the last header announces that no dissector read; none where dissection ended for another reason. A frame without
/// any header is one of its link type.
std::optional<ProtocolId> unknown_protocol(const Packet& packet, const Layer* last) {
  if (last == nullptr) return ProtocolId{Space::kLinkType, packet.frame.link_type};
  if (packet.is_roce() || packet.stop.reason != StopReason::kNone) return std::nullopt;
  const HeaderRole& role = role_of(last->kind);
  if (const auto type = read_last(packet, *last, role.ether_type)) {
    constexpr std::uint32_t kFirstEtherType = 0x600;
    return ProtocolId{Space::kEtherType, *type < kFirstEtherType ? ProtocolId::kLlc : *type};
  }
  if (const auto protocol = read_last(packet, *last, role.ip_protocol)) {
    return ProtocolId{Space::kIpProtocol, *protocol};
  }
  return std::nullopt;
}

/// The protocols of a packet from the outermost inward.
class Path {
 public:
  [[nodiscard]] std::uint32_t node() const noexcept { return depth_ == 0 ? 0 : steps_[depth_ - 1].node; }

  void push(std::uint32_t node, ProtocolId protocol, HeaderKind opened_by) noexcept {
    steps_[depth_++] = {node, protocol, opened_by};
  }

  /// Whether a header belongs to a protocol that is open: a BTH's extensions, MACsec's integrity check behind all that it
  /// protects. If the first header of a protocol comes again, the protocol is within itself: IP in IP.
  [[nodiscard]] bool continues(ProtocolId protocol, HeaderKind kind) const noexcept {
    return std::any_of(steps_.begin(), steps_.begin() + static_cast<std::ptrdiff_t>(depth_),
                       [&](const Step& step) { return step.protocol == protocol && step.opened_by != kind; });
  }

 private:
  struct Step {
    std::uint32_t node = 0;
    ProtocolId protocol;
    HeaderKind opened_by = HeaderKind::kNone;
  };
  std::array<Step, Packet::kMaxLayers + 1> steps_;
  std::size_t depth_ = 0;
};

}  // namespace

ProtocolTree::ProtocolTree(std::size_t max_nodes) : nodes_(1), max_nodes_(max_nodes) {}

void ProtocolTree::add(const PacketRecord& record) {
  const Packet& packet = *record.packet;
  // What a RoCE packet holds follows from the kinds of its headers alone.
  const std::optional<Shape> shape = packet.is_roce() ? shape_of(packet) : std::nullopt;
  Known* known = shape ? &known_[slot_of(*shape)] : nullptr;
  if (known != nullptr && known->leaf != kNothing && known->shape == *shape) {
    return known->traffic.add(packet.wire_length);
  }
  const Place place = descend(packet);
  if (known != nullptr && place.complete) {
    count(*known);
    *known = {.shape = *shape, .leaf = place.innermost, .traffic = {}};
    return known->traffic.add(packet.wire_length);
  }
  count({.packets = 1, .bytes = packet.wire_length}, place.innermost);
  if (!place.complete) untracked_.add(packet.wire_length);
  if (!packet.is_roce() && place.innermost != kNothing) ++nodes_[place.innermost].other_packets;
}

void ProtocolTree::add(const Packet& packet, const Traffic& traffic) {
  const Place place = descend(packet);
  count(traffic, place.innermost);
  if (place.complete) return;
  untracked_.packets += traffic.packets;
  untracked_.bytes += traffic.bytes;
}

std::optional<ProtocolTree::Shape> ProtocolTree::shape_of(const Packet& packet) noexcept {
  Shape shape;
  std::size_t count = 0;
  constexpr HeaderKind kEnd = std::min(HeaderKind::kPayload, Shape::kBehind);
  for (const Layer& layer : packet.layers()) {
    if (layer.kind >= kEnd) {
      if (layer.kind >= HeaderKind::kPayload) break;
      return std::nullopt;
    }
    if (count == Shape::kMost) return std::nullopt;
    shape.kinds[count++] = static_cast<std::uint8_t>(layer.kind);
  }
  return shape;
}

std::size_t ProtocolTree::slot_of(const Shape& shape) noexcept {
  const auto halves = shape.halves();
  return mix(halves[0], halves[1]) % kMostKnown;
}

/// Counts packets at `innermost` and at all that it stands in.
void ProtocolTree::count(const Traffic& traffic, Index innermost) {
  for (Index at = innermost; at != kNothing; at = nodes_[at].parent) {
    nodes_[at].traffic.packets += traffic.packets;
    nodes_[at].traffic.bytes += traffic.bytes;
  }
}

void ProtocolTree::count(Known& known) {
  count(known.traffic, known.leaf);
  known.traffic = {};
}

ProtocolTree::Place ProtocolTree::descend(const Packet& packet) {
  Path path;
  const Layer* last = nullptr;
  const auto descend = [&](ProtocolId protocol, HeaderKind opened_by) {
    const Index next = child(path.node(), protocol, packet.frame.number);
    if (next == kNothing) return false;
    path.push(next, protocol, opened_by);
    return true;
  };

  for (const Layer& layer : packet.layers()) {
    if (layer.kind >= HeaderKind::kPayload) break;  // from here on, what stands behind all protocols
    const HeaderKind protocol = role_of(layer.kind).protocol;
    if (protocol == HeaderKind::kNone) continue;
    last = &layer;
    const ProtocolId id{Space::kHeader, static_cast<std::uint32_t>(protocol)};
    if (path.continues(id, layer.kind)) continue;
    if (!descend(id, layer.kind)) return {path.node(), false};
  }
  const auto unknown = unknown_protocol(packet, last);
  const bool complete = !unknown || descend(*unknown, HeaderKind::kNone);
  return {path.node(), complete};
}

ProtocolTree::Index ProtocolTree::child(Index parent, ProtocolId protocol, std::uint64_t frame) {
  Index* link = &nodes_[parent].first_child;
  while (*link != kNothing) {
    if (nodes_[*link].protocol == protocol) return *link;
    link = &nodes_[*link].next_sibling;
  }
  if (nodes_.size() > max_nodes_) return kNothing;
  const auto index = static_cast<Index>(nodes_.size());
  *link = index;
  Node& node = nodes_.emplace_back();
  node.protocol = protocol;
  node.parent = parent;
  node.first_packet = frame;
  return index;
}

std::vector<ProtocolNode> ProtocolTree::protocols() {
  for (Known& known : known_) count(known);
  return children(0);
}

std::vector<ProtocolNode> ProtocolTree::children(Index parent) const {
  std::vector<ProtocolNode> result;
  for (Index at = nodes_[parent].first_child; at != kNothing; at = nodes_[at].next_sibling) {
    const Node& node = nodes_[at];
    result.push_back({node.protocol, node.traffic, children(at), node.first_packet, node.other_packets});
  }
  sorting::stable_sort(
      result, [](const ProtocolNode& a, const ProtocolNode& b) { return a.traffic.packets > b.traffic.packets; });
  return result;
}

std::vector<OtherPackets> ProtocolTree::other_packets() const {
  std::vector<OtherPackets> result;
  for (const Node& node : nodes_) {
    if (node.other_packets == 0) continue;
    const auto found = std::find_if(result.begin(), result.end(),
                                    [&](const OtherPackets& other) { return other.protocol == node.protocol; });
    if (found == result.end()) {
      result.push_back({node.protocol, node.other_packets});
    } else {
      found->packets += node.other_packets;
    }
  }
  sorting::stable_sort(result, [](const OtherPackets& a, const OtherPackets& b) { return a.packets > b.packets; });
  return result;
}

}  // namespace rocescope
