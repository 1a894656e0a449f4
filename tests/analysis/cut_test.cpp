// Reports on frames of which any part is missing.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "rocescope/analyze.hpp"
#include "rocescope/render.hpp"
#include "support/one_frame.hpp"
#include "support/pcap_walker.hpp"
#include "support/source_dir.hpp"

namespace rocescope {
namespace {

Report report_on(const Frame& frame) {
  testing::OneFrame source(frame, {.path = "cut.pcap", .format = "pcap", .interfaces = {{}}, .warnings = {}});
  return analyze(source);
}

constexpr std::size_t kHeaders = 160;  // bytes, in all layers; behind them is payload, which
constexpr std::size_t kStep = 5;       // is cut at every fifth length
// Under sanitizers, where this takes long, one length in so many of each frame, another one of the next frame. A release has all
// of them (tools/test --all).
#ifdef ROCESCOPE_SANITIZED
constexpr std::size_t kTurns = 4;
#else
constexpr std::size_t kTurns = 1;
#endif

class CutFrames : public ::testing::TestWithParam<const char*> {};

TEST_P(CutFrames, AreReportedOnWhateverIsLeft) {
  const testing::PcapWalker capture(rocescope::testing::source_dir() + "/captures/" + GetParam());
  std::set<std::uint32_t> lengths;
  for (const Frame& whole : capture.frames()) {
    if (!lengths.insert(whole.original_length).second) continue;  // one frame of each length
    for (std::size_t cut = lengths.size() % kTurns; cut <= whole.data.size();
         cut += kTurns * (cut < kHeaders ? 1 : kStep)) {
      Frame frame = whole;
      frame.data = whole.data.first(cut);
      for (const std::uint32_t original : {whole.original_length, static_cast<std::uint32_t>(cut)}) {
        frame.original_length = original;
        const Report report = report_on(frame);
        std::string text;
        render::append_report_text(report, text, {.detail = true, .all = true});
        EXPECT_THAT(text, ::testing::HasSubstr("\n  Packets    1, ")) << frame.number << " cut at " << cut;
        std::string json;
        render::append_report_json(report, json);
        EXPECT_TRUE(nlohmann::json::accept(json));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shipped, CutFrames,
                         ::testing::Values("lab_rping_write_ud_atomic.pcap", "lab_pingpong_atomic_udaddy.pcap"),
                         [](const auto& capture) { return capture.index == 0 ? "First" : "Second"; });

}  // namespace
}  // namespace rocescope
