// A file of whole records.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rocescope/result.hpp"

namespace rocescope {

/// Collects records and writes them out in large pieces. After a failure, as on a full disk, the file keeps the whole
/// records and nothing more is written.
class CaptureFile {
 public:
  /// Creates `path`, or empties it; `-` is standard output. None of `inputs` is overwritten, whatever its name.
  [[nodiscard]] static Result<std::unique_ptr<CaptureFile>> create(const std::string& path,
                                                                   std::span<const std::string> inputs);
  ~CaptureFile();
  CaptureFile(const CaptureFile&) = delete;
  CaptureFile& operator=(const CaptureFile&) = delete;

  /// Append a record to it, then call end_record().
  [[nodiscard]] std::string& text() noexcept { return text_; }
  /// `is_packet`: whether packets() counts it. False after an error.
  bool end_record(bool is_packet) {
    records_.push_back({text_.size(), is_packet});
    return text_.size() < kLarge ? !error_ : flush();
  }
  /// Writes out the collected records. False after an error.
  bool flush();
  /// Writes out the rest and closes the file. False after an error.
  bool close();

  /// Packets that were written out. After flush() or close() these are all, or all before an error.
  [[nodiscard]] std::uint64_t packets() const noexcept { return packets_; }
  /// Bytes of all records.
  [[nodiscard]] std::uint64_t bytes() const noexcept { return offset_ + text_.size(); }
  /// The first error: `cannot write one.pcapng: No space left on device`.
  [[nodiscard]] const std::optional<Error>& error() const noexcept { return error_; }

 private:
  static constexpr std::size_t kLarge = std::size_t{1} << 18;  // bytes worth a system call

  struct Record {
    std::size_t end = 0;  // in text_
    bool is_packet = false;
  };

  CaptureFile(int descriptor, bool owned, std::string path)
      : descriptor_(descriptor), owned_(owned), path_(std::move(path)) {}
  void fail(int error);
  void keep_whole_records(std::size_t bytes_written);
  void cut_file();

  int descriptor_;
  bool owned_;
  std::string path_;
  std::string text_;
  std::vector<Record> records_;  // in text_
  std::uint64_t packets_ = 0;    // written out
  std::uint64_t offset_ = 0;     // bytes of the records written out
  std::optional<Error> error_;
};

}  // namespace rocescope
