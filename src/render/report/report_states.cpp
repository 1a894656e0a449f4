// The states that queue pairs went through.
#include <fmt/format.h>

#include <algorithm>

#include "render/report/row_table.hpp"
#include "rocescope/text.hpp"
#include "schema/tables.hpp"

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
  const SecondsSince seconds(report);
  std::uint32_t number = 0;
  RowTable<ConnectionSide> table(
      report, schema::kSide,
      {{"no.", [&](const ConnectionSide&) { return fmt::format("{}", number); }, Align::kRight},
       {"queue pair", [](const ConnectionSide& side) { return to_text(side.address, side.qpn); }},
       {"went to, by packet", states_text},
       {"the last at", [&](const ConnectionSide& side) { return seconds(side.states.back().time); }, Align::kRight}});
  for (std::size_t i = 0; i < page.shown(report.connections.size()); ++i) {
    const Connection& connection = report.connections[i];
    number = connection.number;
    for (const ConnectionSide& side : connection.sides) {
      if (!side.states.empty()) table.row(side);
    }
  }
  table.end(page);
  page.note("In parentheses: concluded from packets of the other side, or from silence");
  page.rest(report.connections.size(), "connections");
}

}  // namespace rocescope::render
