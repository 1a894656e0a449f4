#include "capture/recorder.hpp"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <system_error>
#include <utility>

namespace rocescope {
namespace {

/// `20261120183005`, in local time as dumpcap has it.
std::string moment(std::int64_t nanoseconds) {
  const std::time_t seconds = nanoseconds / 1'000'000'000;
  std::tm local{};
  localtime_r(&seconds, &local);
  std::array<char, 16> text{};
  std::strftime(text.data(), text.size(), "%Y%m%d%H%M%S", &local);
  return text.data();
}

/// `ring_00001_20261120183005.pcapng`
std::string numbered(const std::string& path, std::uint64_t number, std::int64_t time) {
  const std::filesystem::path whole(path);
  const std::string name =
      fmt::format("{}_{:05}_{}{}", whole.stem().string(), number, moment(time), whole.extension().string());
  return (whole.parent_path() / name).string();
}

}  // namespace

Result<std::unique_ptr<Recorder>> Recorder::create(std::string path, const FileSwitch& when, PcapngSection section,
                                                   const CaptureInfo& info) {
  std::unique_ptr<Recorder> self(new Recorder(std::move(path), when, std::move(section), info));
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  if (!self->begin_file(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count())) return *self->error_;
  return self;
}

bool Recorder::write(const Frame& frame) {
  if (error_) return false;
  if (is_full(frame.timestamp) && (!end_file() || !begin_file(frame.timestamp))) return false;
  if (!first_time_) first_time_ = frame.timestamp;
  ++packets_here_;
  if (!writer_->write(frame, frame.interface_id)) error_ = writer_->error();
  return !error_;
}

bool Recorder::finish() { return !error_ && end_file(); }

bool Recorder::is_full(std::int64_t time) const {
  if (when_.bytes > 0 && packets_here_ > 0 && writer_->bytes() >= when_.bytes) return true;
  if (when_.packets > 0 && packets_here_ >= when_.packets) return true;
  return when_.duration > 0 && first_time_ && time - *first_time_ >= when_.duration;
}

bool Recorder::begin_file(std::int64_t time) {
  current_ = when_.any() ? numbered(path_, files_ + 1, time) : path_;
  Result<std::unique_ptr<PcapngWriter>> created = PcapngWriter::create(current_, section_);
  if (!created) {
    error_ = created.error();
    return false;
  }
  if (writer_ != nullptr) {
    packets_ += writer_->packets();
    bytes_ += writer_->bytes();
  }
  writer_ = std::move(*created);
  ++files_;
  packets_here_ = 0;
  first_time_.reset();
  for (const CaptureInterface& each : interfaces_) {
    if (!writer_->add_interface(each)) error_ = writer_->error();
  }
  kept_.push_back(current_);
  if (when_.files > 0 && kept_.size() > when_.files) {
    std::error_code ignored;  // if somebody else removed the oldest file, it is gone as wanted
    std::filesystem::remove(kept_.front(), ignored);
    kept_.pop_front();
  }
  if (when_.files == 0) kept_.clear();
  return !error_;
}

bool Recorder::end_file() {
  for (std::uint32_t i = 0; i < counters_.size() && i < writer_->interfaces(); ++i) {
    writer_->set_received(i, counters_[i].received);
    writer_->set_dropped(i, counters_[i].dropped_by_kernel + counters_[i].dropped_by_interface);
  }
  if (!writer_->finish()) error_ = writer_->error();
  return !error_;
}

}  // namespace rocescope
