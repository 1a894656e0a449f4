// Errors for the user: what is wrong, and what to run next.
#pragma once

#include <stdexcept>
#include <string>

namespace rocescope::rdmagen {

class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& what, std::string hint = {}) : std::runtime_error(what), hint_(std::move(hint)) {}
  /// What to do about it; may be empty.
  [[nodiscard]] const std::string& hint() const noexcept { return hint_; }

 private:
  std::string hint_;
};

/// A wrong command line.
class UsageError : public Error {
 public:
  using Error::Error;
};

}  // namespace rocescope::rdmagen
