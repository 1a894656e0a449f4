// A dissected frame: its layers, its RoCE packet if it holds one, and why dissection stopped.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "rocescope/address.hpp"
#include "rocescope/bytes.hpp"
#include "rocescope/frame.hpp"
#include "rocescope/header_kind.hpp"
#include "rocescope/opcode.hpp"
#include "rocescope/psn.hpp"

namespace rocescope {

/// A header found in a frame.
struct Layer {
  HeaderKind kind = HeaderKind::kNone;
  bool in_message = false;   ///< offset counts from the start of Packet::message
  std::uint32_t offset = 0;  ///< bytes from the start of the frame
  std::uint32_t length = 0;  ///< bytes captured; several headers long where a kind repeats (VLAN tags)
};

/// Why dissection ended before the packet did.
enum class StopReason : std::uint8_t {
  kNone,       ///< it did not
  kTruncated,  ///< the capture, or a mirror on the way to it, cut the packet
  kMalformed,  ///< the sender broke it: a length or a value that cannot be
  kFragment,   ///< the rest of the packet is in other IP fragments
  kEncrypted,  ///< MACsec, ESP
  kLimit,      ///< more layers or tunnels than we follow
};

/// "truncated", "malformed", ...; empty for kNone.
[[nodiscard]] constexpr std::string_view to_string(StopReason reason) noexcept {
  constexpr std::string_view kNames[] = {"", "truncated", "malformed", "fragment", "encrypted", "limit"};
  return kNames[static_cast<std::size_t>(reason)];
}

/// Where dissection ended and what it wanted there.
struct Stop {
  StopReason reason = StopReason::kNone;
  HeaderKind layer = HeaderKind::kNone;  ///< the header that could not be read
  std::uint32_t offset = 0;              ///< bytes from the start of the frame
  std::uint32_t needed = 0;              ///< bytes that the header wants from there
  std::uint32_t available = 0;  ///< bytes there: captured (kTruncated) or left in the enclosing protocol (kMalformed)
};

enum class Encapsulation : std::uint8_t {
  kNone,    ///< no RoCE or InfiniBand packet
  kRoceV1,  ///< EtherType 0x8915
  kRoceV2Ipv4,
  kRoceV2Ipv6,
  kInfiniBand,  ///< native: starts at an LRH
};

/// "RoCEv1", "RoCEv2" over either IP version, "InfiniBand"; empty for kNone.
[[nodiscard]] constexpr std::string_view to_string(Encapsulation encapsulation) noexcept {
  constexpr std::string_view kNames[] = {"", "RoCEv1", "RoCEv2", "RoCEv2", "InfiniBand"};
  return kNames[static_cast<std::size_t>(encapsulation)];
}

/// The RoCE packet in a frame. Offsets are bytes from the start of the frame; they and the lengths follow the
/// protocol's own length and may lie beyond what was captured.
struct RocePacket {
  Encapsulation encapsulation = Encapsulation::kNone;
  const OpcodeInfo* opcode = nullptr;  ///< set whenever encapsulation is not kNone
  Qpn dest_qp;
  Psn psn;
  std::uint16_t udp_source_port = 0;  ///< RoCEv2
  std::uint32_t network_offset = 0;   ///< the IP header, the GRH, or the LRH: where the ICRC starts to count
  std::uint32_t bth_offset = 0;
  std::uint32_t payload_offset = 0;
  std::uint32_t payload_length = 0;  ///< without pad
  std::uint8_t pad_length = 0;
  std::uint32_t end_offset = 0;  ///< one past the ICRC
  bool fragmented = false;       ///< the first fragment of a larger IP packet: the ICRC is in another frame
};

/// A frame and all that was found in it. Reusable: dissect() overwrites it. Holds no memory of its own.
struct Packet {
  static constexpr std::size_t kMaxLayers = 64;

  Frame frame;
  RocePacket roce;
  IpAddress source;  ///< innermost IP address or GID; all zero when there is none
  IpAddress destination;
  /// Bytes of the frame on the wire. Some captures cut the original length as well as the packet; then the packet's own
  /// length counts.
  std::uint64_t wire_length = 0;
  std::uint32_t overlay_id = 0;    ///< innermost VNI (VXLAN, GENEVE, NVGRE); 0 outside tunnels
  std::uint8_t traffic_class = 0;  ///< innermost IPv4 TOS, IPv6 or GRH traffic class
  std::uint8_t ip_protocol = 0;    ///< innermost IP protocol number; meaningful when an IP header was found
  std::uint8_t tunnel_depth = 0;
  Stop stop;
  /// The header that `stop` could not read whole, as far as its bytes are here; kNone where there is none. It is not among
  /// layers(), so that every layer there can be viewed; its fields that are wholly here are shown all the same.
  Layer partial;
  Bytes message;            ///< the message of several packets that this one ends, where its layers are among layers()
  std::uint64_t kinds = 0;  ///< bit_of() each layer
  std::uint8_t layer_count = 0;
  std::array<Layer, kMaxLayers> layer_storage;

  [[nodiscard]] std::span<const Layer> layers() const noexcept { return {layer_storage.data(), layer_count}; }
  [[nodiscard]] bool is_roce() const noexcept { return roce.encapsulation != Encapsulation::kNone; }

  /// Bytes that the capture card put before the frame (ERF): no part of it, though the capture counts them in.
  [[nodiscard]] std::uint32_t record_header_length() const noexcept {
    std::uint32_t length = 0;
    for (const Layer& layer : layers()) {
      if (layer.kind != HeaderKind::kErf && layer.kind != HeaderKind::kErfExtension &&
          layer.kind != HeaderKind::kErfEthernetPad) {
        break;
      }
      length += layer.length;
    }
    return length;
  }
  /// Whether the capture lacks bytes of the packet. Some captures cut the original length as well; then only the
  /// protocols' own lengths show it, as far as they were dissected.
  [[nodiscard]] bool is_cut() const noexcept {
    return stop.reason == StopReason::kTruncated || frame.data.size() < frame.original_length;
  }

  /// A bit that the kind shares with a few others.
  [[nodiscard]] static constexpr std::uint64_t bit_of(HeaderKind kind) noexcept {
    return std::uint64_t{1} << (static_cast<unsigned>(kind) % 64);
  }
  /// The last (innermost) layer of a kind, or null.
  [[nodiscard]] const Layer* find(HeaderKind kind) const noexcept {
    if ((kinds & bit_of(kind)) == 0) return nullptr;
    for (std::size_t i = layer_count; i > 0; --i) {
      if (layer_storage[i - 1].kind == kind) return &layer_storage[i - 1];
    }
    return nullptr;
  }
  /// What the offset of a layer counts in.
  [[nodiscard]] Bytes bytes_with(const Layer& layer) const noexcept { return layer.in_message ? message : frame.data; }
  /// A view of the innermost header of type H, or nothing.
  template <class H>
  [[nodiscard]] std::optional<H> header() const noexcept {
    const Layer* layer = find(H::kKind);
    if (layer == nullptr) return std::nullopt;
    return H(bytes_with(*layer).data() + layer->offset);
  }
};

}  // namespace rocescope
