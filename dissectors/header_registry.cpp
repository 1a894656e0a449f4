// The table of all headers, made from the list in headers.hpp.
#include <array>
#include <utility>

#include "rocescope/headers.hpp"

namespace rocescope {
namespace {

template <class H>
constexpr bool flag_repeats() {
  if constexpr (requires { H::kRepeats; }) return H::kRepeats;
  return false;
}

template <class H>
constexpr bool flag_continues() {
  if constexpr (requires { H::kContinues; }) return H::kContinues;
  return false;
}

template <class H>
constexpr HeaderInfo info_of() {
  static_assert(tiles(H::kFields, H::kSize),
                "the header's field table has a hole, an overlap or a part outside its whole");
  return {H::kKind, H::kName, H::kTitle, H::kReference, H::kSize, H::kFields, flag_repeats<H>(), flag_continues<H>()};
}

template <class... H>
constexpr std::array<HeaderInfo, sizeof...(H)> table_of(HeaderList<H...>) {
  return {info_of<H>()...};
}

constexpr auto kHeaders = table_of(AllHeaders{});

constexpr bool in_order_of_kind() {
  for (std::size_t i = 0; i < kHeaders.size(); ++i) {
    if (static_cast<std::size_t>(kHeaders[i].kind) != i + 1) return false;
  }
  return true;
}
static_assert(in_order_of_kind(), "AllHeaders and HeaderKind differ");

}  // namespace

const HeaderInfo& header_info(HeaderKind kind) noexcept { return kHeaders[static_cast<std::size_t>(kind) - 1]; }

std::span<const HeaderInfo> all_headers() noexcept { return kHeaders; }

}  // namespace rocescope
