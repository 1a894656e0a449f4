// Frames of real captures, for targets whose inputs choose among them.
#pragma once

#include <cstdlib>
#include <initializer_list>
#include <string>
#include <vector>

#include "rocescope/capture.hpp"
#include "support/source_dir.hpp"

namespace rocescope::testing {

struct CapturedFrame {
  std::vector<std::uint8_t> bytes;
  Frame frame;  ///< whose data are not there any more
};

/// Of these captures, behind those that are there.
inline void append_frames(std::initializer_list<const char*> names, std::vector<CapturedFrame>& frames) {
  for (const char* name : names) {
    const auto source = open_capture(rocescope::testing::source_dir() + "/captures/" + name);
    if (!source) std::abort();
    Frame frame;
    while ((*source)->next(frame)) frames.push_back({{frame.data.begin(), frame.data.end()}, frame});
  }
}

/// Handshakes of all kinds, data of several connections, losses, datagrams.
inline const std::vector<CapturedFrame>& captured_frames() {
  static const std::vector<CapturedFrame> kFrames = [] {
    std::vector<CapturedFrame> frames;
    append_frames({"rdmagen_several-cm.pcapng", "rdmagen_several-exchange.pcapng", "pingpong-srq.pcapng",
                   "impaired_out-loss_heavy.pcapng", "fault-wrong-rkey.pcapng", "ucmatose.pcapng"},
                  frames);
    return frames;
  }();
  return kFrames;
}

}  // namespace rocescope::testing
