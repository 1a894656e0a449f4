// RoCEv2 frames laid out by hand, and what a dissected one shows.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "rocescope/dissect.hpp"
#include "rocescope/field_value.hpp"
#include "support/hex.hpp"

namespace rocescope::testing {

using Buffer = std::vector<std::uint8_t>;

/// Appends `value` as `bytes` bytes, most significant first.
inline void append(Buffer& buffer, std::uint64_t value, std::size_t bytes) {
  for (std::size_t i = bytes; i > 0; --i) buffer.push_back(static_cast<std::uint8_t>(value >> (8 * (i - 1))));
}
inline void append(Buffer& buffer, Bytes bytes) { buffer.insert(buffer.end(), bytes.begin(), bytes.end()); }

/// Ethernet, IPv4, UDP to port 4791 and a BTH, then `after_bth`, then an ICRC of zeros.
inline Buffer roce_frame(std::uint8_t opcode, std::uint32_t dest_qp, Bytes after_bth) {
  const std::uint64_t udp_length = 8 + 12 + after_bth.size() + 4;
  Buffer frame = hex("020000000002 020000000001 0800 45 00");
  append(frame, 20 + udp_length, 2);
  append(frame, hex("0001 4000 40 11 0000 0a000001 0a000002 c001 12b7"));
  append(frame, udp_length, 2);
  append(frame, 0, 2);
  append(frame, opcode, 1);
  append(frame, 0x00FFFF, 3);
  append(frame, dest_qp, 4);
  append(frame, 5, 4);
  append(frame, after_bth);
  append(frame, 0, 4);
  return frame;
}

/// Where the payload of a ud_frame starts.
inline constexpr std::size_t kUdPayload = 62;

/// A UD SEND Only; the payload's length is a multiple of four.
inline Buffer ud_frame(std::uint32_t dest_qp, std::uint32_t source_qp, std::uint32_t q_key, Bytes payload) {
  Buffer after_bth;
  append(after_bth, q_key, 4);
  append(after_bth, source_qp, 4);
  append(after_bth, payload);
  return roce_frame(0x64, dest_qp, after_bth);
}

/// Dissects what a capture kept, `captured`, of a frame of `original_length` bytes. The packet shares the bytes.
inline Packet dissect_cut(const Buffer& captured, std::size_t original_length) {
  Packet packet;
  dissect({.data = captured, .original_length = static_cast<std::uint32_t>(original_length)}, packet);
  return packet;
}
inline Packet dissect_frame(const Buffer& frame) { return dissect_cut(frame, frame.size()); }

/// The first `captured` bytes of `frame`, in memory of their own, so that a sanitizer sees a read beyond them.
inline Buffer cut(const Buffer& frame, std::size_t captured) {
  return {frame.begin(), frame.begin() + static_cast<std::ptrdiff_t>(captured)};
}

/// The first value of the field `name`, or nothing.
inline std::optional<FieldValue> value_of(const Packet& packet, std::string_view name) {
  std::optional<FieldValue> found;
  for_each_field(packet, [&](const Layer&, const FieldValue& value) {
    if (!found && value.field->name == name) found = value;
  });
  return found;
}

/// The kinds of a packet's layers, in order.
inline std::vector<HeaderKind> kinds_of(const Packet& packet) {
  std::vector<HeaderKind> kinds;
  for (const Layer& layer : packet.layers()) kinds.push_back(layer.kind);
  return kinds;
}

}  // namespace rocescope::testing
