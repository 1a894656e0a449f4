#include "render/report/live_json.hpp"

#include <cstdint>
#include <string_view>

#include "render/json_writer.hpp"
#include "render/report/row_documentation.hpp"
#include "render/report/row_json.hpp"
#include "schema/tables.hpp"

namespace rocescope::render {
namespace {

/// A line with the members that `write` writes.
template <class Write>
void append_line(std::string& out, Write write) {
  JsonWriter json(out, JsonSpace::kLine);
  json.open_object();
  write(json);
  json.close_object();
  out += '\n';
}

/// A line with a row of the report.
template <class Row>
void append_row(std::string_view type, std::int64_t time, const schema::Rows<Row>& rows, const Row& row,
                std::string& out) {
  append_line(out, [&](JsonWriter& json) {
    json.string("type", type);
    json.number("time", time);
    write_members(rows, row, json);
  });
}

/// Without the rates over time, which are long: a reader of every interval has them already.
Connection without_series(const Connection& connection) {
  Connection copy = connection;
  for (ConnectionSide& side : copy.sides) side.rates = {};
  return copy;
}

}  // namespace

void append_live_json(const LiveUpdate& update, std::string& out) {
  append_line(out, [&](JsonWriter& json) { write_members(schema::kInterval, update, json); });
  for (const Connection& connection : update.connections) {
    append_row("connection", update.time, schema::kConnection, without_series(connection), out);
  }
  for (const Finding& finding : update.findings) {
    append_row("finding", update.time, schema::kFinding, finding, out);
  }
}

const std::string& live_json_documentation() {
  static const std::string kText = [] {
    std::string text =
        R"(One object a line, written once every --every and at the end. Each has "type" and "time", nanoseconds since 1970-01-01
UTC: the time of writing, by the clock as it was at the start, even if it is set later. Numbers count what the report is
about.

  "interval"        what is new: see below
  "connection"      one that had packets in the interval, as it is by now: the
                    members of "connections" of the report, rates empty
  "finding"         a new one: the members of "findings" of the report. Later
                    packets may add to it or disprove it: the report is final.
                    A finding that rests on silence (cm_incomplete, cm_timeout,
                    one_sided) comes after a minute of silence, or at the end.
  "report"          the last line: the report of the whole capture, as
                    `analyze --json` writes it; see rocescope-analyze(1)

The JSON Schema that is installed with the program has "interval" among its definitions.

)";
    append_documentation(schema::kInterval, text);
    return text;
  }();
  return kText;
}

}  // namespace rocescope::render
