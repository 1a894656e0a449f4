#include "cli/new_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

namespace rocescope::cli {
namespace {

Error cannot_write_new(const std::string& path) {
  return Error{fmt::format("cannot write {}: {}", path, std::strerror(errno))};
}

}  // namespace

Result<NewFile> NewFile::create(const GivenOption& given) {
  const std::string& path = given.value;
  if (path.empty() || path == "-") {
    return Error{fmt::format("{} needs the name of a file{}", given.typed,
                             path.empty() ? "" : ", since standard output has the report")};
  }
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(path, ignored);
  if (std::filesystem::is_regular_file(status)) {
    return Error{fmt::format("{} is there already, and {} overwrites nothing. Name a new file", path, given.typed)};
  }
  const bool is_new = !std::filesystem::exists(status);
  NewFile file(path, is_new ? std::optional(fmt::format("{}.{}", path, ::getpid())) : std::nullopt);
  file.file_.reset(is_new ? std::fopen(file.draft_->c_str(), "wbx") : std::fopen(path.c_str(), "wb"));
  if (file.file_) return file;
  Error error = cannot_write_new(path);
  file.draft_.reset();  // it is not this file's
  return error;
}

NewFile::~NewFile() {
  std::error_code ignored;
  if (draft_) std::filesystem::remove(*draft_, ignored);
}

void NewFile::fail() {
  if (!error_) error_ = cannot_write_new(path_);
}

void NewFile::write(std::string_view piece) {
  if (!error_ && std::fwrite(piece.data(), 1, piece.size(), file_.get()) != piece.size()) fail();
}

std::optional<Error> NewFile::finish() {
  if (std::fclose(file_.release()) != 0) fail();
  if (error_ || !draft_) return error_;
  if (std::rename(draft_->c_str(), path_.c_str()) != 0) {
    fail();
    return error_;
  }
  draft_.reset();
  return std::nullopt;
}

}  // namespace rocescope::cli
