#include "capture/capture_reader.hpp"

#include <fmt/format.h>

#include "rocescope/text.hpp"

namespace rocescope {

void CaptureReader::end() {
  ended_ = true;
  const std::string& damage = stream_->damage();
  if (!damage.empty()) info_.warnings.push_back(fmt::format("{}; {}", damage, kept()));
}

void CaptureReader::end_cut(std::uint64_t offset) {
  ended_ = true;
  const std::string& damage = stream_->damage();
  info_.warnings.push_back(fmt::format("{}: the record at {} is incomplete; {}",
                                       damage.empty() ? "the capture is cut at its end" : damage, place(offset),
                                       kept()));
}

void CaptureReader::end_damaged(std::uint64_t offset, std::string_view why) {
  ended_ = true;
  info_.warnings.push_back(fmt::format("the record at {} is damaged: {}; {} before it", place(offset), why, kept()));
}

std::string CaptureReader::place(std::uint64_t offset) const {
  return fmt::format("byte {}{}", offset, stream_->compression().empty() ? "" : " of the decompressed data");
}

std::string CaptureReader::kept() const {
  if (frames_ == 0) return "no frame was read";
  return fmt::format("{} {} read", frames_, text::plural(frames_, "frame was", "frames were"));
}

}  // namespace rocescope
