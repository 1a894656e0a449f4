// Wireshark's headers, and what differs between the versions that the plugin is built for: 4.0 and 4.4.
#pragma once

#include <cstdint>
#include <type_traits>

// clang-format off: not all of these include what they need, and wireshark.h comes before all of them
#include <epan/conversation.h>
#include <epan/conversation_table.h>
#include <epan/epan_dissect.h>
#include <epan/expert.h>
#include <epan/follow.h>
#include <epan/funnel.h>
#include <epan/packet.h>
#include <epan/prefs.h>
#include <epan/srt_table.h>
#include <epan/stat_tap_ui.h>
#include <epan/stats_tree.h>
#include <epan/tap.h>
#include <epan/to_str.h>
#include <wireshark.h>
#include <wiretap/wtap.h>
// clang-format on

namespace rocescope::wireshark {

#if WIRESHARK_VERSION_MAJOR > 4 || WIRESHARK_VERSION_MINOR >= 4
using Bool = bool;
#else
using Bool = gboolean;  // an int
#endif

/// Whoever saves the displayed packets saves `frame` as well.
template <class Info>
void depend_on(Info* pinfo, std::uint32_t frame) {
  if constexpr (std::is_invocable_v<decltype(mark_frame_as_depended_upon), Info*, std::uint32_t>) {
    mark_frame_as_depended_upon(pinfo, frame);
  } else {
    mark_frame_as_depended_upon(pinfo->fd, frame);
  }
}

/// The name of the interface that the frame was captured on; null: not known.
template <class Info>
const char* interface_name(const Info* pinfo, std::uint32_t interface, std::uint32_t section) {
  if constexpr (std::is_invocable_v<decltype(epan_get_interface_name), decltype(pinfo->epan), std::uint32_t>) {
    return epan_get_interface_name(pinfo->epan, interface);
  } else {
    return epan_get_interface_name(pinfo->epan, interface, section);
  }
}

inline nstime_t to_nstime(std::int64_t nanoseconds) noexcept {
  return {static_cast<time_t>(nanoseconds / 1'000'000'000), static_cast<int>(nanoseconds % 1'000'000'000)};
}

}  // namespace rocescope::wireshark
