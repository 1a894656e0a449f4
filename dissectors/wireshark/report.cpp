// The report of `rocescope analyze`: tshark -z rocescope,report, and Tools > RoCE report.
#include <cstdio>
#include <string>

#include "rocescope/render.hpp"
#include "wireshark/statistics.hpp"

namespace rocescope::wireshark {
namespace {

/// Columns of Wireshark's window for texts.
constexpr std::size_t kWindowColumns = 72;

std::string report_text(std::size_t columns) {
  std::string text;
  guarded([&] {
    VerdictBook* const book = current_book();
    if (book == nullptr || book->frames() == 0) {
      text = "No packets: nothing to report.\n";
    } else if (book->report() != nullptr) {
      render::append_report_text(*book->report(), text, {.width = columns});
    } else {
      text = "The report needs all packets, and the preference \"Find out what went wrong\".\n";
    }
  });
  return text;
}

void print_report(void*) {
  end_only_pass();
  std::fputs(report_text(0).c_str(), stdout);
}

void begin_report(const char*, void*) {
  static int listener;
  GString* const error = register_tap_listener("rocescope", &listener, nullptr, TL_REQUIRES_NOTHING, nullptr,
                                               ignore_packet, print_report, nullptr);
  if (error != nullptr) g_string_free(error, TRUE);
}

void show_window(gpointer) {
  const funnel_ops_t* const functions = funnel_get_funnel_ops();
  if (functions == nullptr) return;
  funnel_text_window_t* const window = functions->new_text_window(functions->ops_id, "RoCE report");
  functions->set_text(window, report_text(kWindowColumns).c_str());
}

}  // namespace

bool has_one_pass() noexcept {
  const funnel_ops_t* const functions = funnel_get_funnel_ops();
  return functions == nullptr || functions->new_dialog == nullptr;
}

void end_only_pass() {
  VerdictBook* const book = current_book();
  if (book != nullptr && has_one_pass()) guarded([&] { book->end(); });
}

void register_report() {
  static stat_tap_ui ui = {
      REGISTER_PACKET_STAT_GROUP_UNSORTED, "RoCE report", "rocescope,report", begin_report, 0, nullptr};
  register_stat_tap_ui(&ui, nullptr);
  funnel_register_menu("RoCE report", REGISTER_TOOLS_GROUP_UNSORTED, show_window, nullptr, nullptr, false);
}

}  // namespace rocescope::wireshark
