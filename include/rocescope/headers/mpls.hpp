// MPLS label stack entry, RFC 3032 2.1. A stack of labels is one layer.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                 Label                 |  TC |S|      TTL      |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//
// TC: traffic class (once experimental bits). S: bottom of the stack.
#pragma once

#include "rocescope/header.hpp"

namespace rocescope {

/// Special-purpose labels (IANA).
inline constexpr ValueName kMplsLabelNames[] = {
    {0, 0, "IPv4 explicit null"}, {1, 1, "router alert"},  {2, 2, "IPv6 explicit null"},
    {3, 3, "implicit null"},      {7, 7, "entropy label"}, {13, 13, "generic associated channel"},
    {14, 14, "OAM alert"},        {15, 15, "extension"},
};

struct Mpls : HeaderView<Mpls> {
  static constexpr HeaderKind kKind = HeaderKind::kMpls;
  static constexpr std::string_view kName = "mpls";
  static constexpr std::string_view kTitle = "MPLS label";
  static constexpr std::string_view kReference = "RFC 3032";
  static constexpr std::size_t kSize = 4;
  static constexpr bool kRepeats = true;
  static constexpr Field kFields[] = {
      field::number("mpls.label", "Label", 0, 20).named(kMplsLabelNames),
      field::number("mpls.exp", "Traffic class", 20, 3),
      field::number("mpls.bottom", "Bottom of stack", 23, 1),
      field::number("mpls.ttl", "Time to live", 24, 8),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr bool is_bottom() const noexcept { return get<"mpls.bottom">() != 0; }
};

}  // namespace rocescope
