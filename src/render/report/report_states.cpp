// The states that queue pairs went through.
#include <fmt/format.h>

#include <algorithm>

#include "render/report/report_sections.hpp"
#include "render/report/report_table.hpp"
#include "rocescope/text.hpp"

namespace rocescope::render {
namespace {

using std::string;

/// `INIT 4, (RTR) 6, RTS 6, ERR 257`
string states_text(const ConnectionSide& side) {
  string text;
  for (const QpTransition& to : side.states) {
    const string name = to.observed ? string(to_string(to.state)) : fmt::format("({})", to_string(to.state));
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, to.packet);
  }
  return text;
}

bool has_states(const Connection& connection) {
  return std::any_of(connection.sides.begin(), connection.sides.end(),
                     [](const ConnectionSide& side) { return !side.states.empty(); });
}

}  // namespace

void append_states(const Report& report, ReportPage& page) {
  if (std::none_of(report.connections.begin(), report.connections.end(), has_states)) return;
  page.section("States of the queue pairs");
  ReportTable table({{"no.", Align::kRight}, {"queue pair"}, {"went to, by packet"}, {"the last at", Align::kRight}});
  const SecondsSince seconds(report);
  for (std::size_t i = 0; i < page.shown(report.connections.size()); ++i) {
    const Connection& connection = report.connections[i];
    for (const ConnectionSide& side : connection.sides) {
      if (side.states.empty()) continue;
      const string qpn = side.qpn ? fmt::format(" 0x{:06x}", side.qpn->value()) : string();
      table.row({fmt::format("{}", connection.number), to_text(side.address) + qpn, states_text(side),
                 seconds(side.states.back().time)});
    }
  }
  table.append_to(page.out());
  page.note("In parentheses: concluded from packets of the other side, or from silence");
  page.rest(report.connections.size(), "connections");
}

}  // namespace rocescope::render
