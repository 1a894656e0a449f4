// Cuts a frame at every length: what every dissector has to stand.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>

#include "rocescope/dissect.hpp"

namespace rocescope::testing {

/// Layers that say what stands behind the end of the packet: HeaderKind has them last. How much of it was captured
/// changes what they are.
inline bool behind_the_packet(HeaderKind kind) { return kind >= HeaderKind::kTrailer; }

/// Whether `cut` is `full` or a part of it that starts where it starts. The part of a message that holds a header of
/// its own, of which not enough was captured to read it, is payload.
inline bool starts_like(const Layer& cut, const Layer& full) {
  return cut.offset == full.offset && cut.length <= full.length &&
         (cut.kind == full.kind || cut.kind == HeaderKind::kPayload);
}

/// Dissects the first 0, 1, 2, ... bytes of `frame` as a capture that cut it there has them, each in memory of its own
/// so that a sanitizer sees a read behind the last. Expects that every layer found is one of the whole frame's, in
/// order, only the last perhaps shorter; that dissection stopped because the capture cut the packet, where bytes of the
/// packet itself are missing; and otherwise for the reason for which it stops in the whole frame.
inline void expect_cut_at_every_length(const Frame& frame, const DissectOptions& options = {}) {
  auto whole = std::make_unique<Packet>();
  dissect(frame, *whole, options);
  std::uint64_t packet_end = std::max<std::uint64_t>(frame.original_length, frame.data.size());
  for (const Layer& layer : whole->layers()) {
    if (behind_the_packet(layer.kind)) packet_end = std::min<std::uint64_t>(packet_end, layer.offset);
  }
  auto packet = std::make_unique<Packet>();
  for (std::size_t length = 0; length < frame.data.size(); ++length) {
    const std::unique_ptr<std::uint8_t[]> bytes(new std::uint8_t[length]);
    if (length > 0) std::memcpy(bytes.get(), frame.data.data(), length);
    Frame cut = frame;
    cut.data = {bytes.get(), length};
    cut.original_length = static_cast<std::uint32_t>(std::max<std::size_t>(frame.original_length, frame.data.size()));
    dissect(cut, *packet, options);

    const auto layers = packet->layers();
    for (std::size_t i = 0; i < layers.size(); ++i) {
      ASSERT_LE(layers[i].offset + layers[i].length, length) << "a layer reaches past the cut";
      if (behind_the_packet(layers[i].kind)) break;
      ASSERT_LT(i, whole->layers().size()) << "frame " << frame.number << " cut at " << length;
      const Layer& original = whole->layers()[i];
      ASSERT_TRUE(starts_like(layers[i], original))
          << "frame " << frame.number << " cut at " << length << ", layer " << i;
      if (i + 1 < layers.size()) {
        ASSERT_EQ(layers[i].length, original.length)
            << "frame " << frame.number << " cut at " << length << ", layer " << i;
      }
    }
    const StopReason reason = packet->stop.reason;
    if (length < packet_end && whole->stop.reason == StopReason::kNone) {
      ASSERT_EQ(reason, StopReason::kTruncated) << "frame " << frame.number << " cut at " << length;
    } else {
      ASSERT_TRUE(reason == StopReason::kTruncated || reason == whole->stop.reason)
          << "frame " << frame.number << " cut at " << length;
    }
    const bool cut_by_a_mirror =
        whole->stop.reason == StopReason::kTruncated && packet->stop.offset == whole->stop.offset;
    if (reason == StopReason::kTruncated && !cut_by_a_mirror) {
      ASSERT_GT(packet->stop.offset + std::uint64_t{packet->stop.needed}, length)
          << "frame " << frame.number << " cut at " << length;
    }
  }
}

}  // namespace rocescope::testing
