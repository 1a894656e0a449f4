// Fuzz target: frames of real captures in any order and with bytes changed, through a ladder of each connection that they make.
#include <algorithm>
#include <cstdlib>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "captured_frames.hpp"
#include "ladder/ladder.hpp"
#include "render/ladder/ladder_printer.hpp"
#include "rocescope/dissect.hpp"
#include "rocescope/tracker.hpp"

namespace rocescope {
namespace {

using Frames = std::vector<testing::CapturedFrame>;

void check(bool holds) {
  if (!holds) std::abort();
}

/// Shows each to `visitor` as tracked, and gives what is known in the end.
template <class Visitor>
Tracking track(const Frames& frames, Visitor visitor) {
  Tracker tracker;
  Packet packet;
  for (const testing::CapturedFrame& each : frames) {
    Frame frame = each.frame;
    frame.data = each.bytes;
    dissect(frame, packet);
    PacketRecord record;
    record.packet = &packet;
    record.verdict = tracker.track(record);
    visitor(record);
  }
  return std::move(tracker).finish();
}

/// What must hold of the events of one ladder.
class LadderCheck {
 public:
  LadderCheck(const Connection& connection, const LadderScope& scope, bool fold, std::size_t width, bool details)
      : scope_(scope),
        ladder_(scope, {.fold = fold}, [this](const LadderEvent& event) { tell(event); }),
        printers_{render::make_ladder_text({.details = details, .width = width, .remark = {}}),
                  render::make_ladder_json()} {
    for (const auto& printer : printers_) printer->begin(connection, 0, nullptr, text_);
  }

  void add(const PacketRecord& record) {
    constexpr std::uint64_t kMostAtOnce = 100;
    const std::uint64_t before = events_;
    if (scope_.sender_of(record)) ++packets_;
    ladder_.add(record);
    check(events_ - before <= kMostAtOnce);  // so many it held at most
    text_.clear();
  }
  void finish() {
    ladder_.finish();
    check(counted_ == packets_);
    for (const auto& printer : printers_) printer->end(text_);
  }

 private:
  void tell(const LadderEvent& event) {
    ++events_;
    check(event.last_frame >= event.frame);
    if (const auto* run = std::get_if<PacketRun>(&event.what)) {
      check(event.frame > last_frame_);
      last_frame_ = event.frame;
      counted_ += run->packets;
    }
    for (const auto& printer : printers_) printer->event(event, text_);
  }

  LadderScope scope_;
  Ladder ladder_;
  std::unique_ptr<render::LadderPrinter> printers_[2];
  std::string text_;
  std::uint64_t events_ = 0;
  std::uint64_t packets_ = 0;
  std::uint64_t counted_ = 0;
  std::uint64_t last_frame_ = 0;
};

}  // namespace
}  // namespace rocescope

// First the width of the terminal, and whether runs are folded; then five bytes a packet: which frame (two bytes), which byte of it
// is changed, how, and how long after the packet before it comes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rocescope;
  constexpr std::size_t kHead = 2;
  constexpr std::size_t kPacket = 5;
  if (size < kHead) return 0;
  Frames frames;
  std::int64_t time = 0;
  for (std::size_t at = kHead; at + kPacket <= size; at += kPacket) {
    const auto& captured = testing::captured_frames();
    testing::CapturedFrame frame = captured[static_cast<std::size_t>(data[at] << 8 | data[at + 1]) % captured.size()];
    if (!frame.bytes.empty()) frame.bytes[data[at + 2] % frame.bytes.size()] ^= data[at + 3];
    const std::uint8_t step = data[at + 4];
    if (step == 0xFF) time = std::numeric_limits<std::int64_t>::max();
    if (step == 0xFE) time = std::numeric_limits<std::int64_t>::min();
    if (step < 0xC0)
      time = static_cast<std::int64_t>(static_cast<std::uint64_t>(time) + (std::uint64_t{1} << step % 64));
    frame.frame.timestamp = time;
    frame.frame.number = frames.size() + 1;
    frames.push_back(std::move(frame));
  }
  const Tracking known = track(frames, [](const PacketRecord&) {});
  constexpr std::size_t kMostLadders = 4;
  std::vector<std::unique_ptr<LadderCheck>> ladders;
  for (const Connection& connection : known.connections) {
    if (ladders.size() == kMostLadders) break;
    const LadderScope scope(known.connections, connection.number);
    ladders.push_back(
        std::make_unique<LadderCheck>(connection, scope, (data[1] & 1U) == 0, data[0], (data[1] & 2U) != 0));
  }
  track(frames, [&](const PacketRecord& record) {
    for (const auto& each : ladders) each->add(record);
  });
  for (const auto& each : ladders) each->finish();
  return 0;
}
