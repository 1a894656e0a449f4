// Regular expressions: PCRE2, held to a bounded effort.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "rocescope/bytes.hpp"

namespace rocescope::filter {

/// A compiled pattern over bytes, ASCII letters in either case. Serves one thread at a time.
class Regex {
 public:
  /// Nothing if PCRE2 rejects the pattern; `error` says why.
  [[nodiscard]] static std::optional<Regex> compile(std::string_view pattern, std::string& error);

  Regex(Regex&&) noexcept;
  Regex& operator=(Regex&&) noexcept;
  Regex(const Regex&) = delete;
  Regex& operator=(const Regex&) = delete;
  ~Regex();

  /// Whether the pattern is found in `subject`. A search that takes more than a fixed number of steps counts as not found:
  /// patterns like (a*)*b could go on for hours.
  [[nodiscard]] bool found_in(Bytes subject) const noexcept;

 private:
  struct Implementation;
  explicit Regex(std::unique_ptr<Implementation> implementation) noexcept;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace rocescope::filter
