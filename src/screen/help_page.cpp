// The keys, and the meaning of the columns.
#include <string_view>

#include "screen/pages.hpp"

namespace rocescope::screen {

void draw_help(Area area, Cells& cells) {
  struct Entry {
    std::string_view key;
    std::string_view text;
  };
  constexpr Entry kEntries[] = {
      {"Up Down j k", "mark another connection; PgUp, PgDn, Home, End as well"},
      {"Enter", "open it: rates, times, last messages; q or Esc closes it"},
      {"t r l n", "sort by trouble (failed ones first), rate, p99, number"},
      {"/", "list only those with a text: an address, number, state"},
      {"e", "list only those that failed or had trouble"},
      {"Esc", "list all again"},
      {"s", "write its packets to connection-N.pcapng; s ends that"},
      {"p", "pause the screen; the capture goes on"},
      {"q Ctrl-C", "end the capture and print the report"},
      {"", ""},
      {"state", "ERR or RESET of either queue pair, else the further state"},
      {"b/s", "of both directions, headers included, since the last look"},
      {"out", "messages outstanding: requested and not yet answered"},
      {"p50 p99", "from the first packet of a message to its completion"},
      {"trouble", "packets sent again, and NAKs except sequence errors"},
      {"Resent CE", "share of packets sent again, marked, since the last look"},
      {"NAKs CNPs", "since the start"},
      {"Dropped", "lost by the kernel or an interface, since the start"},
      {"IOPS ...", "commands of protocols such as NVMe-oF, since the last look"},
  };
  std::size_t y = area.top;
  for (const Entry& entry : kEntries) {
    if (y == area.bottom) return;
    cells.text(1, y, entry.key, Tone::kTitle);
    cells.text(14, y++, entry.text);
  }
}

}  // namespace rocescope::screen
