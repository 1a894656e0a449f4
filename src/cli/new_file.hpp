// A file that an option names and that must not be there yet.
#pragma once

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cli/arguments.hpp"
#include "rocescope/result.hpp"

namespace rocescope::cli {

/// Has its name once it is complete: until then it is a draft beside it, which goes away with this object. A device or a pipe is written
/// as it is.
class NewFile {
 public:
  /// Fails if the file exists or cannot be made.
  [[nodiscard]] static Result<NewFile> create(const GivenOption& given);
  NewFile(NewFile&&) noexcept = default;
  NewFile& operator=(NewFile&&) = delete;
  ~NewFile();

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  /// finish() says whether it could be written.
  void write(std::string_view piece);
  /// Ends the file and gives it its name; the error, if there is one.
  [[nodiscard]] std::optional<Error> finish();

 private:
  struct Close {
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
  };

  NewFile(std::string path, std::optional<std::string> draft) : path_(std::move(path)), draft_(std::move(draft)) {}
  void fail();

  std::string path_;
  std::optional<std::string> draft_;  ///< what it is called until it is complete
  std::unique_ptr<std::FILE, Close> file_;
  std::optional<Error> error_;
};

}  // namespace rocescope::cli
