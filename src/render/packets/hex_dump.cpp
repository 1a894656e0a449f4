// A frame's bytes in hex and ASCII.
#include "render/packets/hex_dump.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "text/append.hpp"

namespace rocescope::render {

void append_hex_dump(Bytes bytes, std::string& out) {
  constexpr std::size_t kBytesPerLine = 16;
  for (std::size_t at = 0; at < bytes.size(); at += kBytesPerLine) {
    const Bytes line = bytes.subspan(at, std::min(kBytesPerLine, bytes.size() - at));
    text::append(out, "{:04x} ", at);
    for (const std::uint8_t byte : line) text::append(out, " {:02x}", byte);
    out.append(3 * (kBytesPerLine - line.size()) + 3, ' ');
    for (const std::uint8_t byte : line) out += byte >= 0x20 && byte < 0x7F ? static_cast<char>(byte) : '.';
    out += '\n';
  }
  out += '\n';
}

}  // namespace rocescope::render
