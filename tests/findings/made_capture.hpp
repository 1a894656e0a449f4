// Captures made of packets, and what is found in them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "analysis/packet_reader.hpp"
#include "filter/filter.hpp"
#include "rocescope/analyze.hpp"
#include "rocescope/capture.hpp"
#include "support/rc_packet.hpp"

namespace rocescope::testing {

class MadeCapture {
 public:
  MadeCapture() = default;
  MadeCapture(std::initializer_list<Buffer> frames) {
    for (const Buffer& frame : frames) add(frame);
  }

  /// The number of the frame.
  std::uint64_t add(Buffer frame, std::int64_t after = 10'000) {
    time_ += after;
    frames_.emplace_back(time_, std::move(frame));
    return frames_.size();
  }

  [[nodiscard]] Report report() const {
    Source source(*this);
    return analyze(source);
  }

  /// Of this finding; each one's filter is checked to show the packets that it names.
  [[nodiscard]] std::vector<Finding> findings(FindingId id) const {
    std::vector<Finding> found;
    for (const Finding& finding : report().findings) {
      if (finding.info->id != id) continue;
      check_filter(finding);
      found.push_back(finding);
    }
    return found;
  }

 private:
  class Source final : public FrameSource {
   public:
    explicit Source(const MadeCapture& capture) : capture_(capture) {}
    [[nodiscard]] bool next(Frame& frame) override {
      if (at_ == capture_.frames_.size()) return false;
      const auto& [time, bytes] = capture_.frames_[at_];
      frame = {.data = bytes,
               .original_length = static_cast<std::uint32_t>(bytes.size()),
               .timestamp = time,
               .number = ++at_};
      return true;
    }
    [[nodiscard]] std::span<const CaptureInfo> info() const override { return info_; }

   private:
    const MadeCapture& capture_;
    std::size_t at_ = 0;
    std::array<CaptureInfo, 1> info_;
  };

  void check_filter(const Finding& finding) const {
    if (finding.filter.empty()) return;
    const Result<filter::Filter> filter = filter::compile(finding.filter);
    ASSERT_TRUE(filter) << filter.error().message;
    std::vector<std::uint64_t> shown;
    Source source(*this);
    PacketReader reader(source);
    while (const PacketRecord* record = reader.next()) {
      if (filter->matches(*record)) shown.push_back(record->packet->frame.number);
    }
    EXPECT_FALSE(shown.empty()) << finding.filter;
    for (const std::uint64_t packet : finding.seen.packets) {
      if (packet == 0) continue;
      EXPECT_NE(std::find(shown.begin(), shown.end(), packet), shown.end()) << finding.filter << ": " << packet;
    }
  }

  std::int64_t time_ = 0;
  std::vector<std::pair<std::int64_t, Buffer>> frames_;
};

/// The first packets that a finding names.
inline std::vector<std::uint64_t> packets_of(const Finding& finding) {
  std::vector<std::uint64_t> packets(finding.seen.packets.begin(), finding.seen.packets.end());
  std::erase(packets, 0U);
  return packets;
}

}  // namespace rocescope::testing
