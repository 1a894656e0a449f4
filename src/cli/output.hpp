// Standard output: written in large pieces, with errors such as a full disk.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "rocescope/result.hpp"

namespace rocescope::cli {

/// Whether what is written to a pipe or a socket can reach nobody any more.
[[nodiscard]] bool is_unread(int descriptor) noexcept;

/// Collects text and writes it out when it has grown large. The first error stays; what is written after it is dropped.
class Output {
 public:
  static constexpr std::size_t kLarge = std::size_t{1} << 18;  ///< bytes worth a system call

  /// Writes to the file descriptor, which the caller owns.
  explicit Output(int descriptor);
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  /// For printers to append to; call commit() after each packet or line.
  [[nodiscard]] std::string& text() noexcept { return text_; }
  void write(std::string_view text) { text_ += text; }
  /// Writes the text if it is large, or always after flush_always(). The first pieces are smaller, so that the reader
  /// does not wait for a large one.
  void commit() {
    if (!flush_always_ && text_.size() < piece_) return;
    flush();
    piece_ = std::min(2 * piece_, kLarge);
  }
  void flush();
  /// For writes of others to standard output: ends the program as SIGPIPE does.
  void end_where_nobody_reads() const;
  /// Every commit() writes: for readers who wait for each packet.
  void flush_always() noexcept { flush_always_ = true; }

  [[nodiscard]] bool is_terminal() const noexcept { return is_terminal_; }
  /// The first error; nothing is written after it.
  [[nodiscard]] const std::optional<Error>& error() const noexcept { return error_; }

 private:
  int descriptor_;
  bool is_terminal_;
  bool flush_always_ = false;
  std::size_t piece_ = 1024;  // bytes worth a system call by now
  std::string text_;
  std::optional<Error> error_;
};

/// Columns of the terminal that standard output is; else what COLUMNS says, if it is set.
[[nodiscard]] std::optional<std::size_t> terminal_width();

}  // namespace rocescope::cli
