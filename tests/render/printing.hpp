// Packets in, text out.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/packet_reader.hpp"
#include "render/packets/packet_printer.hpp"
#include "rocescope/capture.hpp"
#include "support/source_dir.hpp"

namespace rocescope::render {

/// Frames from memory, on Ethernet, a millisecond apart.
class MemorySource : public FrameSource {
 public:
  explicit MemorySource(std::vector<std::vector<std::uint8_t>> frames) : frames_(std::move(frames)) {
    info_.interfaces.emplace_back();
    interface().section = 1;  // as of a pcapng file: those of a pcap file have no interface
  }

  [[nodiscard]] bool next(Frame& frame) override {
    if (at_ == frames_.size()) return false;
    frame = {};
    frame.data = frames_[at_];
    frame.original_length = original_length.value_or(static_cast<std::uint32_t>(frame.data.size()));
    frame.link_type = info_.interfaces[0].link_type;
    frame.timestamp = start + static_cast<std::int64_t>(at_) * step;
    frame.number = ++at_;
    return true;
  }
  [[nodiscard]] std::span<const CaptureInfo> info() const override { return {&info_, 1}; }
  [[nodiscard]] CaptureInterface& interface() { return info_.interfaces[0]; }

  std::optional<std::uint32_t> original_length;  ///< of all frames, where they were cut
  std::int64_t start = 1'795'198'544'102'624'000;
  std::int64_t step = 1'000'000;

 private:
  std::vector<std::vector<std::uint8_t>> frames_;
  CaptureInfo info_;
  std::size_t at_ = 0;
};

/// All that `printer` makes of the frames of `source`.
inline std::string print(PacketPrinter& printer, FrameSource& source) {
  PacketReader reader(source);
  std::string out;
  printer.begin(out);
  while (const PacketRecord* record = reader.next()) {
    printer.packet(*record, out);
    reader.mark_displayed();
  }
  printer.end(out);
  return out;
}

inline std::string print(PacketPrinter& printer, std::vector<std::vector<std::uint8_t>> frames) {
  MemorySource source(std::move(frames));
  return print(printer, source);
}

/// One of the captures that come with rocescope.
inline std::string lab_capture(const std::string& name) {
  return rocescope::testing::source_dir() + "/captures/" + name;
}

inline std::string print_capture(PacketPrinter& printer, const std::string& path) {
  auto source = open_capture(path);
  return source ? print(printer, **source) : source.error().message;
}

/// The `number`th (from 1) line of `text`.
inline std::string line_of(const std::string& text, std::size_t number) {
  std::size_t start = 0;
  while (--number > 0) start = text.find('\n', start) + 1;
  return text.substr(start, text.find('\n', start) - start);
}

}  // namespace rocescope::render
