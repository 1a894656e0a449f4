// The last look at a live capture, after which nothing comes: it finds what only the end shows, however much was seen before.
#include <gmock/gmock.h>

#include <set>
#include <string>

#include "analysis/live_looks.hpp"
#include "support/rc_packet.hpp"

namespace rocescope::live_last_look_test {
namespace {

using live_looks::findings_in;
using live_looks::findings_of;
using live_looks::look_at;
using live_looks::Looked;
using nlohmann::json;
using ::testing::IsSupersetOf;

/// A capture of Ethernet frames, and behind it packets of others, each of a flow of its own.
class Crowded : public FrameSource {
 public:
  static constexpr std::uint32_t kOthers = 1'200;  // more than the evidence that every look looks at

  explicit Crowded(FrameSource& source) : source_(source) {}
  [[nodiscard]] bool next(Frame& frame) override {
    if (others_ == 0 && source_.next(frame)) {
      last_ = frame;
      return true;
    }
    if (others_ == kOthers) return false;
    constexpr std::uint32_t kFirstQp = 0x1000;
    constexpr std::int64_t kMicrosecond = 1'000;
    ++others_;
    data_ = testing::rc_packet({.dest_qp = kFirstQp + others_});
    frame = last_;
    frame.data = data_;
    frame.original_length = static_cast<std::uint32_t>(data_.size());
    frame.number += others_;
    frame.timestamp += others_ * kMicrosecond;
    return true;
  }
  [[nodiscard]] std::span<const CaptureInfo> info() const override { return source_.info(); }

 private:
  FrameSource& source_;
  Frame last_;
  testing::Buffer data_;
  std::uint32_t others_ = 0;
};

/// The last packets are of others than the connection with a command that nobody answered, or that was tried again.
TEST(LiveLastLook, FindsWhatOnlyTheEndShowsWhereMuchWasSeen) {
  for (const std::string name : {"nvme_stops.pcapng", "iser_abort.pcapng"}) {
    const auto source = open_capture(testing::shipped(name));
    ASSERT_TRUE(source) << name;
    Crowded crowded(**source);
    const Looked looked = look_at(crowded, {}, 50);
    ASSERT_GT(looked.report["flows"].size(), 1'000U) << name;
    EXPECT_THAT(findings_of(findings_in(looked.lines)), IsSupersetOf(findings_of(looked.report["findings"]))) << name;
  }
}

}  // namespace
}  // namespace rocescope::live_last_look_test
