// Flush Extended Transport Header, IBTA A19.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                      Reserved                     |SEL|  PLT  |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
#pragma once

#include "rocescope/header.hpp"

namespace rocescope {

inline constexpr ValueName kFlushSelectivityNames[] = {{0, 0, "memory region range"}, {1, 1, "whole memory region"}};
inline constexpr ValueName kFlushPlacementNames[] = {
    {1, 1, "global visibility"}, {2, 2, "persistence"}, {3, 3, "global visibility and persistence"}};

struct Feth : HeaderView<Feth> {
  static constexpr HeaderKind kKind = HeaderKind::kFeth;
  static constexpr std::string_view kName = "infiniband.feth";
  static constexpr std::string_view kTitle = "Flush Extended Transport Header";
  static constexpr std::string_view kReference = "IBTA A19";
  static constexpr std::size_t kSize = 4;
  static constexpr Field kFields[] = {
      field::number("infiniband.feth.reserved26", "Reserved", 0, 26),
      field::number("infiniband.feth.sel", "Selectivity level", 26, 2).named(kFlushSelectivityNames),
      field::hex("infiniband.feth.plt", "Placement type", 28, 4).named(kFlushPlacementNames),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint8_t selectivity() const noexcept { return get<"infiniband.feth.sel">(); }
  [[nodiscard]] constexpr std::uint8_t placement() const noexcept { return get<"infiniband.feth.plt">(); }
};

}  // namespace rocescope
