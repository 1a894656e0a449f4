// Fuzz target: pieces of real captures, changed, in any order: the report must be the same whether packets may take the express lane or
// not, and so must the messages; and so must the updates of a live capture between pauses, while it evicts connections.
#include <algorithm>
#include <cstdlib>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analysis/analysis.hpp"
#include "captured_frames.hpp"
#include "render/report/live_json.hpp"
#include "rocescope/render.hpp"

namespace rocescope {
namespace {

using testing::CapturedFrame;

/// And many READs.
const std::vector<CapturedFrame>& frames_with_reads() {
  static const std::vector<CapturedFrame> kFrames = [] {
    std::vector<CapturedFrame> frames = testing::captured_frames();
    testing::append_frames({"lost_answers_in-read.pcapng", "lost-heavy.pcapng", "psn_wrap.pcapng", "several.pcapng"},
                           frames);
    return frames;
  }();
  return kFrames;
}

/// Datagrams: only the first few thousand packets are all looked at for copies.
const std::vector<CapturedFrame>& first_frames() {
  static const std::vector<CapturedFrame> kFrames = [] {
    constexpr std::size_t kCount = 4'200;
    constexpr std::size_t kIdentification = 18;
    constexpr std::size_t kOpcode = 42;
    constexpr std::uint8_t kDatagram = 0x64;
    std::vector<CapturedFrame> frames;
    for (const CapturedFrame& each : testing::captured_frames()) {
      if (each.bytes.size() > kOpcode && each.bytes[kOpcode] == kDatagram && frames.empty())
        frames.assign(kCount, each);
    }
    for (std::size_t i = 0; i < frames.size(); ++i) {
      frames[i].bytes[kIdentification] = static_cast<std::uint8_t>(i >> 8);
      frames[i].bytes[kIdentification + 1] = static_cast<std::uint8_t>(i);
    }
    return frames;
  }();
  return kFrames;
}

/// Says that it has none after every `pause` of those behind the first, as a live capture does; 0: never.
class FramesInMemory : public FrameSource {
 public:
  FramesInMemory(std::span<const CapturedFrame> frames, std::size_t pause) : frames_(frames), pause_(pause) {
    info_.path = "fuzzed";
    info_.format = "pcap";
    info_.interfaces.resize(1);
  }
  bool next(Frame& frame) override {
    if (next_ == frames_.size()) return false;
    const bool may_pause = pause_ != 0 && next_ > 0 && next_ % pause_ == 0;
    if (may_pause && !std::exchange(pauses_, true)) return false;
    pauses_ = false;
    frame = frames_[next_].frame;
    frame.data = frames_[next_].bytes;
    frame.number = ++next_;
    frame.interface_id = frame.capture_id = 0;
    return true;
  }
  std::span<const CaptureInfo> info() const override { return {&info_, 1}; }
  bool ended() const { return next_ == frames_.size(); }

 private:
  std::span<const CapturedFrame> frames_;
  CaptureInfo info_;
  std::size_t next_ = 0;
  std::size_t pause_;
  bool pauses_ = false;
};

void append(const Connection& connection, std::size_t side, const Message& message, std::string& out) {
  for (const std::uint64_t number :
       {std::uint64_t{connection.number}, std::uint64_t{side}, message.number,
        static_cast<std::uint64_t>(message.outcome), std::uint64_t{message.first_psn.value()},
        std::uint64_t{message.last_psn.value()}, message.bytes, std::uint64_t{message.packets},
        std::uint64_t{message.resent_packets}, std::uint64_t{message.responses},
        std::uint64_t{message.resent_responses}, std::uint64_t{message.all_responses}, std::uint64_t{message.late_us},
        message.address.value_or(1), std::uint64_t{message.immediate.value_or(1)}, message.first_frame,
        message.last_frame, message.completion_frame, static_cast<std::uint64_t>(message.completion_time)}) {
    out += std::to_string(number) + ' ';
  }
  out += '\n';
}

std::string report_of(std::span<const CapturedFrame> frames, bool express, bool live) {
  constexpr std::size_t kPause = 97;
  constexpr std::int64_t kIdleTimeout = 3'000'000;
  FramesInMemory source(frames, live ? kPause : 0);
  AnalysisOptions options;
  options.ahead = ReadingAhead::kBatches;
  options.is_live = live;
  if (live) options.track.idle_timeout = kIdleTimeout;
  Analysis analysis(source, options);
  if (live) analysis.watch(0);
  if (express) analysis.take_express_lane();
  std::string out;
  analysis.on_message([&](const Connection& connection, std::size_t side, const Message& message) {
    append(connection, side, message, out);
  });
  const std::vector<LiveCounters> counters(1);
  for (bool more = true; more;) {
    more = !source.ended();
    while (analysis.next() != nullptr) {
    }
    if (!live) continue;
    const LookKind kind = more ? LookKind::kOneOfMany : LookKind::kLast;
    render::append_live_json(analysis.look(static_cast<std::int64_t>(analysis.packets_read()), counters, kind), out);
  }
  render::append_report_json(analysis.finish(), out);
  return out;
}

/// Changes a piece as `how` says.
void change(std::vector<CapturedFrame>& piece, std::uint8_t how) {
  if (piece.empty()) return;
  const std::size_t at = (how >> 3) % piece.size();
  CapturedFrame& frame = piece[at];
  switch (how % 8) {
    case 1:
      piece.erase(piece.begin() + static_cast<std::ptrdiff_t>(at));
      return;
    case 2:
      piece.insert(piece.begin() + static_cast<std::ptrdiff_t>(at), CapturedFrame(frame));
      return;
    case 3:
      frame.bytes[(how * 7U) % frame.bytes.size()] ^= static_cast<std::uint8_t>(1U << (how % 5));
      return;
    case 4:
      for (CapturedFrame& each : piece) each.bytes.resize(std::min<std::size_t>(each.bytes.size(), 40U + how));
      return;
    case 5:
      for (std::size_t i = at; i < piece.size(); ++i) piece[i].frame.timestamp += std::int64_t{1} << (how % 32);
      return;
    case 6:
      if (at + 1 < piece.size()) std::swap(piece[at].bytes, piece[at + 1].bytes);
      return;
    case 7:
      frame.frame.timestamp -= std::int64_t{1} << (how % 32);
      return;
    default:
      return;
  }
}

}  // namespace
}  // namespace rocescope

// Four bytes a piece: its first frame (two bytes), how many frames follow, how it is changed. Three bytes are left: behind many datagrams.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rocescope;
  constexpr std::size_t kPiece = 4;
  constexpr std::size_t kMostFrames = 1'500;
  const std::vector<CapturedFrame>& captured = frames_with_reads();
  std::vector<CapturedFrame> frames;
  if (size % kPiece == kPiece - 1) frames = first_frames();
  const std::size_t most = frames.size() + kMostFrames;
  std::int64_t clock = 1'700'000'000'000'000'000;
  for (std::size_t at = 0; at + kPiece <= size && frames.size() < most; at += kPiece) {
    const std::size_t first = static_cast<std::size_t>(data[at] << 8 | data[at + 1]) % captured.size();
    const std::size_t count = std::min<std::size_t>(data[at + 2] + 1U, captured.size() - first);
    std::vector<CapturedFrame> piece(captured.begin() + static_cast<std::ptrdiff_t>(first),
                                     captured.begin() + static_cast<std::ptrdiff_t>(first + count));
    const std::int64_t start = piece.front().frame.timestamp;
    for (CapturedFrame& each : piece) each.frame.timestamp += clock - start;
    clock = piece.back().frame.timestamp + 20'000;
    change(piece, data[at + 3]);
    frames.insert(frames.end(), piece.begin(), piece.end());
  }
  for (const bool live : {false, true}) {
    if (report_of(frames, false, live) != report_of(frames, true, live)) std::abort();
  }
  return 0;
}
