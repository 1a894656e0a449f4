// Blocks: the pieces of a file with a partial result. Each has a name, is compressed and has checksums of its own.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "rocescope/result.hpp"

namespace rocescope::partial {

/// What a file with a partial result begins with. Not text, so that a conversion of line ends is detected.
inline constexpr std::string_view kMagic = "\x89RSP\r\n\x1A\n";
/// Changes when what follows kMagic and this number does; what sections hold is described in the first of them.
inline constexpr std::uint32_t kFormat = 2;

/// The size limit of a block before compression; most are smaller.
inline constexpr std::size_t kMostRaw = std::size_t{1} << 20;

/// The section of the last block, which is empty.
inline constexpr std::string_view kEnd = "end";

using Sink = std::function<void(std::string_view)>;

/// kMagic, kFormat.
void write_start(const Sink& sink);

/// Cuts a section into blocks. A section has one at least.
class SectionWriter {
 public:
  /// `name`: of 40 letters at most.
  SectionWriter(std::string_view name, const Sink& sink) : name_(name), sink_(sink) {}
  void write(std::string_view bytes) {
    std::ranges::copy(bytes, room(bytes.size()));
    added(bytes.size());
  }
  /// Room for the next bytes, at most `most`; call added() with their number.
  [[nodiscard]] char* room(std::size_t most) {
    if (raw_.size() - used_ < most) raw_.resize(std::max(2 * raw_.size(), used_ + most));
    return raw_.data() + used_;
  }
  void added(std::size_t size) {
    used_ += size;
    if (used_ >= kMostRaw) write_block(kMostRaw);
  }
  void write(char byte) {
    if (used_ == raw_.size()) static_cast<void>(room(1));
    raw_[used_] = byte;
    added(1);
  }
  /// Writes what is left.
  void finish();

 private:
  void write_block(std::size_t size);

  std::string_view name_;
  const Sink& sink_;
  std::uint32_t sequence_ = 0;
  std::string raw_;  ///< and room
  std::size_t used_ = 0;
};

/// Reads blocks one after the other.
class BlockReader {
 public:
  /// Opens a file, or the result that begins at byte `start` of it, and verifies all checksums up to its end. The error
  /// names the file, and the section that is damaged.
  [[nodiscard]] static Result<BlockReader> open(const std::string& path, std::uint64_t start = 0);

  /// Where in the file the next result begins; 0: this is the last.
  [[nodiscard]] std::uint64_t next() const noexcept { return next_; }

  /// The section of the next block; empty at the end. Changes with take() and skip().
  [[nodiscard]] std::string_view section() const noexcept { return section_; }
  /// Its number within the section, from 0.
  [[nodiscard]] std::uint32_t sequence() const noexcept { return sequence_; }
  /// Decompresses the next block into `raw`.
  [[nodiscard]] std::optional<Error> take(std::string& raw);
  /// Leaves out the rest of the section.
  [[nodiscard]] std::optional<Error> skip();
  /// `cannot read PATH: WHAT`.
  [[nodiscard]] Error error(std::string_view what) const;

 private:
  struct Close {
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
  };
  BlockReader(std::string path, std::uint64_t start) : path_(std::move(path)), start_(start) {}
  [[nodiscard]] std::optional<Error> start();
  /// Reads the head of the next block.
  [[nodiscard]] std::optional<Error> look();
  [[nodiscard]] std::optional<Error> take_stored();
  [[nodiscard]] Error damaged(std::string_view how) const;
  [[nodiscard]] bool fill(char* bytes, std::size_t size);
  /// Behind the last block.
  [[nodiscard]] std::optional<Error> look_behind();

  std::string path_;
  std::uint64_t start_;
  std::uint64_t next_ = 0;
  std::unique_ptr<std::FILE, Close> file_;
  std::string section_;
  std::uint32_t sequence_ = 0;
  std::uint32_t raw_size_ = 0;
  std::uint32_t stored_size_ = 0;
  std::uint32_t checksum_ = 0;
  std::string stored_;
};

}  // namespace rocescope::partial
