// What connections carry, and their commands.
#include <fmt/format.h>

#include <string>

#include "render/report/row_table.hpp"
#include "rocescope/text.hpp"
#include "schema/tables.hpp"

namespace rocescope::render {
namespace {

using std::string;
using text::count;
using text::duration;

string size_text(const CommandTotals& row) {
  return row.at_least ? fmt::format("{}", *row.at_least) : string("unknown");
}

/// `14`, `14+` for at least 14; nothing for 0.
string resent_text(const CommandTotals& row) {
  return row.resent == 0 ? string() : fmt::format("{}{}", count(row.resent), row.resent_is_cut ? "+" : "");
}

string size_of(const Command& row) { return row.size_is_cut ? string("unknown") : fmt::format("{}", row.bytes); }

template <class Row>
string operation_text(const Row& row) {
  return row.operation.empty() ? "unknown" : string(row.operation);
}

/// `43 ms target, 0.3 ms request, 2 ms data, 0 resent`: what took no time is left out.
string p99_text(const CommandTotals& row) {
  if (!row.at_p99) return {};
  const bool is_cut = row.at_p99->place_is_cut;
  string text = is_cut ? "" : fmt::format("{} target, ", duration(row.at_p99->target));
  text += fmt::format("{} request", duration(row.at_p99->request));
  if (row.at_p99->data > 0) text += fmt::format(", {} data", duration(row.at_p99->data));
  if (row.at_p99->resend > 0) text += fmt::format(", {} for copies", duration(row.at_p99->resend));
  if (row.at_p99->unknown > 0) text += fmt::format(", {} unknown", duration(row.at_p99->unknown));
  return is_cut ? text : text + fmt::format(", {} resent", count(row.at_p99_resent));
}

string operation_of(const Command& row) {
  if (row.operation.empty()) return "unknown";
  return row.detail.empty() ? string(row.operation) : fmt::format("{}, {}", row.operation, safe_text(row.detail));
}

string target_of(const CarriedProtocol& row) { return safe_text(row.target_name); }

void append_carried(const Report& report, ReportPage& page) {
  page.section("What connections carry");
  constexpr Cells kCount = Cells::kUnlessZero;
  RowTable<CarriedProtocol> table(report, schema::kCarried,
                                  {"connection",
                                   "protocol",
                                   "known_by",
                                   "confidence",
                                   "test",
                                   "library",
                                   "kinds",
                                   "queue",
                                   "depth",
                                   {"target", target_of},
                                   {"commands", kCount},
                                   {"failed", kCount},
                                   {"most_outstanding", kCount},
                                   {"encrypted", kCount},
                                   {"unreadable", kCount}});
  table.rows(report.commands.carried, "connections", page);
}

string status_of(const CommandFailures& row) { return text::status(row.status_name, row.status); }

void append_failures(const Report& report, ReportPage& page) {
  if (report.commands.failures.empty()) return;
  page.section("Commands that did not succeed, by status");
  RowTable<CommandFailures> table(report, schema::kCommandFailures,
                                  {"protocol",
                                   {"operation", operation_text<CommandFailures>},
                                   {"status", status_of},
                                   "commands",
                                   "connection",
                                   "first_packet",
                                   "first_time"});
  table.rows(report.commands.failures, "kinds", page);
}

void append_slowest(const Report& report, ReportPage& page) {
  if (!page.detail() || report.commands.slowest.empty()) return;
  page.section("The slowest commands");
  RowTable<Command> table(report, schema::kCommand,
                          {"connection",
                           "queue",
                           {"operation", operation_of},
                           "target",
                           "offset",
                           {"bytes", size_of, Align::kRight},
                           "request_packet",
                           "response_packet",
                           "latency",
                           "request",
                           "data",
                           "resend",
                           {"unknown", Cells::kUnlessZero},
                           "target_time",
                           {"resent", Cells::kUnlessZero}});
  table.rows(report.commands.slowest, "commands", page);
}

}  // namespace

void append_commands(const Report& report, ReportPage& page) {
  if (report.commands.empty()) return;
  append_carried(report, page);
  if (report.commands.totals.empty()) return;
  page.section("Commands by operation and size");
  constexpr Cells kCount = Cells::kUnlessZero;
  RowTable<CommandTotals> table(report, schema::kCommandTotals,
                                {"protocol",
                                 {"operation", operation_text<CommandTotals>},
                                 {"bytes from", size_text, Align::kRight},
                                 "commands",
                                 {"failed", kCount},
                                 {"outstanding", kCount},
                                 {"no_status", kCount},
                                 {"resent", resent_text, Align::kRight},
                                 {"commands_per_second", Cells::kGrouped},
                                 {"bytes_per_second", Cells::kPerSecond},
                                 "latency_p50",
                                 "latency_p99",
                                 "latency_max",
                                 {"of the p99", p99_text}});
  table.rows(report.commands.totals, "kinds", page);
  if (report.commands.unlisted > 0) {
    page.note(fmt::format("{} further commands are counted and not listed", count(report.commands.unlisted)));
  }
  append_failures(report, page);
  append_slowest(report, page);
}

}  // namespace rocescope::render
