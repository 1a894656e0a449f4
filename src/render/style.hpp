// Colours on a terminal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace rocescope::render {

/// What a piece of text is about; colours follow from it.
enum class Tone : std::uint8_t {
  kPlain,
  kTitle,       ///< bold
  kDim,         ///< what can be passed over
  kGood,        ///< green
  kError,       ///< red: NAKs, malformed packets, bad ICRCs
  kWarning,     ///< yellow: what the capture spoiled
  kConnection,  ///< cyan: connections set up and torn down
  kCongestion,  ///< magenta: marks, notifications, pauses
};

/// The escape sequence that starts `tone`; empty for kPlain.
[[nodiscard]] constexpr std::string_view escape_of(Tone tone) noexcept {
  constexpr std::string_view kEscapes[] = {"",           "\x1b[1m",  "\x1b[2m",  "\x1b[32m",
                                           "\x1b[31;1m", "\x1b[33m", "\x1b[36m", "\x1b[35m"};
  return kEscapes[static_cast<std::size_t>(tone)];
}

/// Colours what is appended to a string during its life, where colours are wanted.
class Toned {
 public:
  Toned(Tone tone, bool color, std::string& out) : out_(color && tone != Tone::kPlain ? &out : nullptr) {
    if (out_ != nullptr) *out_ += escape_of(tone);
  }
  ~Toned() {
    if (out_ != nullptr) *out_ += "\x1b[0m";
  }
  Toned(const Toned&) = delete;
  Toned& operator=(const Toned&) = delete;

 private:
  std::string* out_;
};

}  // namespace rocescope::render
