// The last part of a packet's line: notes with commas between them.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>

#include "render/style.hpp"
#include "text/append.hpp"

namespace rocescope::render {

class Notes {
 public:
  /// Appends to `out`.
  Notes(bool color, std::string& out) : color_(color), out_(out) {}

  template <class... Values>
  void add(Tone tone, fmt::format_string<Values...> format, Values&&... values) {
    add_with(tone, [&](std::string& out) { text::append(out, format, std::forward<Values>(values)...); });
  }

  /// One note, which `write(std::string&)` appends.
  template <class Write>
  void add_with(Tone tone, Write write) {
    if (any_) out_ += ", ";
    any_ = true;
    const Toned toned(tone, color_, out_);
    write(out_);
  }

 private:
  bool color_;
  std::string& out_;
  bool any_ = false;
};

}  // namespace rocescope::render
