// Writes the frames of a capture into one or several pcapng files.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "capture/pcapng_writer.hpp"
#include "rocescope/capture.hpp"
#include "rocescope/frame.hpp"
#include "rocescope/live.hpp"
#include "rocescope/result.hpp"

namespace rocescope {

/// When the recorder closes a file and begins the next one; all zero: never. Each file is a whole capture.
struct FileSwitch {
  std::uint64_t bytes = 0;       ///< the most of one file
  std::uint64_t packets = 0;     ///< the most of one file
  std::int64_t duration = 0;     ///< nanoseconds after its first packet
  std::uint32_t files = 0;       ///< keep only so many, the newest; 0: all
  std::uint32_t stop_after = 0;  ///< begin only so many; 0: no limit

  [[nodiscard]] bool any() const noexcept { return bytes > 0 || packets > 0 || duration > 0 || files > 0; }
};

class Recorder {
 public:
  /// Creates the first file: `path`, with `-` for standard output, or where files are switched `path` with a number and the
  /// time in its name (`ring_00001_20261120183005.pcapng`), as dumpcap names them. Every file has the interfaces of `info`.
  [[nodiscard]] static Result<std::unique_ptr<Recorder>> create(std::string path, const FileSwitch& when,
                                                                PcapngSection section, const CaptureInfo& info);

  /// Whether a frame of that time would begin one file too many. Do not write such a frame.
  [[nodiscard]] bool is_over(std::int64_t time) const {
    return when_.stop_after > 0 && files_ >= when_.stop_after && is_full(time);
  }
  /// Whether every further frame would.
  [[nodiscard]] bool is_over() const { return first_time_ && is_over(*first_time_); }
  /// False after an error, as with all that follow.
  bool write(const Frame& frame);
  /// Hands all packets so far to the operating system.
  bool flush() { return writer_->flush(); }
  /// The counters so far: each file ends with them.
  void set_counters(std::span<const LiveCounters> counters) { counters_.assign(counters.begin(), counters.end()); }
  /// Ends the last file.
  bool finish();

  /// Packets in all files, deleted ones included: after flush() or finish() these are all, or all before an error.
  [[nodiscard]] std::uint64_t packets() const noexcept { return packets_ + writer_->packets(); }
  /// Bytes of all files, likewise.
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_ + writer_->bytes(); }
  /// The number of files begun.
  [[nodiscard]] std::uint64_t files() const noexcept { return files_; }
  /// The path of the current file.
  [[nodiscard]] const std::string& path() const noexcept { return current_; }
  [[nodiscard]] const std::optional<Error>& error() const noexcept { return error_; }

 private:
  Recorder(std::string path, const FileSwitch& when, PcapngSection section, const CaptureInfo& info)
      : path_(std::move(path)),
        when_(when),
        section_(std::move(section)),
        interfaces_(info.interfaces.begin(), info.interfaces.end()) {}
  bool begin_file(std::int64_t time);
  bool end_file();
  [[nodiscard]] bool is_full(std::int64_t time) const;

  std::string path_;
  FileSwitch when_;
  PcapngSection section_;
  std::vector<CaptureInterface> interfaces_;
  std::vector<LiveCounters> counters_;
  std::unique_ptr<PcapngWriter> writer_;
  std::string current_;
  std::deque<std::string> kept_;  ///< files to be deleted when there are too many
  std::uint64_t files_ = 0;
  std::uint64_t packets_ = 0;  ///< of files before this one
  std::uint64_t bytes_ = 0;
  std::uint64_t packets_here_ = 0;
  std::optional<std::int64_t> first_time_;
  std::optional<Error> error_;
};

}  // namespace rocescope
