#include "render/html/html_report.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "render/html/page_sections.hpp"
#include "render/html/page_text.hpp"
#include "rocescope/text.hpp"
#include "tracking/elapsed.hpp"

namespace rocescope::render {
namespace {

std::string title_of(const Report& report) {
  std::string title;
  for (const CaptureReport& capture : report.captures) {
    const std::string& path = capture.info.path;
    title += (title.empty() ? "" : ", ") + (path == "-" ? "standard input" : path.substr(path.rfind('/') + 1));
  }
  return title;
}

/// Sentences.
std::vector<std::string> left_out_of(const PageSource& source, const TableSize& messages) {
  const Report& report = source.report;
  const DetailRecorder* const details = source.details;
  std::vector<std::string> texts;
  const std::size_t connections = report.connections.size();
  const std::size_t shown = details == nullptr ? 0 : details->details().size();
  if (details == nullptr) {
    texts.emplace_back("Packets of connections: the capture came from a pipe and could not be read twice.");
  } else if (shown < connections) {
    texts.push_back(
        fmt::format("{} of {} have no graphs of their packets: those with the most trouble are shown in "
                    "full, the others with their rates.",
                    text::count(connections - shown), text::count(connections, "connection")));
  }
  std::size_t thinned = 0;
  for (std::size_t i = 0; i < shown; ++i) thinned += details->details()[i]->is_complete() ? 0U : 1U;
  if (thinned > 0) {
    texts.push_back(
        fmt::format("{} {} more packets than a graph can show: of those without trouble it shows the lowest "
                    "and the highest PSN in each column of time, and all others.",
                    text::count(thinned, "connection"), text::plural(thinned, "has", "have")));
  }
  if (messages.left_out > 0) {
    texts.push_back(
        fmt::format("{} of {} are not in the table of messages: it has those that were refused, lost, sent "
                    "again or not answered first{}.",
                    text::count(messages.left_out), text::count(messages.rows + messages.left_out, "message"),
                    source.details == nullptr || source.has_all_details() ? ", then the first ones" : ""));
  }
  if (const std::uint64_t marks = source.traffic().marks().left_out(); marks > 0) {
    texts.push_back(
        fmt::format("{} of NAKs, retransmissions and the like have no mark of their own; the counts over "
                    "time have them.",
                    text::count(marks, "packet")));
  }
  return texts;
}

void write_texts(std::string_view key, const std::vector<std::string>& texts, JsonWriter& json) {
  json.open_array(key);
  for (const std::string& text : texts) json.string(text);
  json.close_array();
}

void write_sizes(const std::vector<TableSize>& tables, JsonWriter& json) {
  json.open_object("tables");
  for (const TableSize& table : tables) {
    json.open_array(table.name);
    json.number({}, table.rows);
    json.number({}, table.left_out);
    json.close_array();
  }
  json.close_object();
}

void write_meta(const PageSource& source, const std::vector<TableSize>& tables, const PageFacts& facts,
                JsonWriter& json) {
  const Report& report = source.report;
  const DetailRecorder* const details = source.details;
  constexpr int kPageSchema = 1;
  json.number("schema", kPageSchema);
  json.string("program", facts.program);
  json.string("title", title_of(report));
  json.open_array("files");
  for (const CaptureReport& capture : report.captures) json.string(capture.info.path);
  json.close_array();
  const std::int64_t start = report.start.value_or(0);
  json.string("start_ns", std::to_string(start));
  json.string("start_time", date_and_time(start, Zone::kUtc, 9) + " UTC");
  json.number("duration", elapsed(report.totals.first_time.value_or(0), report.totals.last_time.value_or(0)));
  write_texts("narrowing", facts.narrowing, json);
  write_texts("left_out", left_out_of(source, tables.back()), json);
  write_sizes(tables, json);
  json.number("connections", report.connections.size());
  json.open_array("detailed");
  if (details != nullptr) {
    for (const auto& detail : details->details()) json.number({}, detail->connection().number);
  }
  json.close_array();
}

}  // namespace

void write_html_report(const Report& report, OverviewRecorder& overview, DetailRecorder* details,
                       const PageFacts& facts, const PageDocument::Sink& sink) {
  PageDocument page(sink, page_text());
  const PageSource source{.report = report, .overview = overview, .details = details, .interval = facts.interval};
  const auto add = [&](std::string_view name, auto write) { page.add_object(name, write); };
  const std::vector<TableSize> tables = write_tables(source, page);
  add("meta", [&](JsonWriter& json) { write_meta(source, tables, facts, json); });
  add("summary", [&](JsonWriter& json) { write_summary(source, json); });
  add("findings", [&](JsonWriter& json) { write_findings(report, json); });
  add("explain", [&](JsonWriter& json) { write_explanations(report, json); });
  add("pairs", [&](JsonWriter& json) { write_pairs(source, json); });
  add("marks", [&](JsonWriter& json) { write_marks(source, json); });
  add("rates", [&](JsonWriter& json) { write_connection_rates(source, json); });
  if (details != nullptr) {
    for (const auto& detail : details->details()) {
      page.add(fmt::format("connection-{}", detail->connection().number), detail->json());
    }
  }
  page.finish();
}

std::string_view html_report_documentation() noexcept {
  return R"(
With --html, `analyze` also writes the report as one page for a browser, with graphs: what is wrong and where, the throughput
of each pair of hosts over time, and of the connections with the most trouble every packet over time and PSN, with what is in
flight, latencies, messages and the ladder of `flow`. The file needs no network and no other file. Nothing of a capture is
markup in it.

The captures are read twice. From a pipe, the page lacks what it shows of packets. Of at most 64 connections packets are shown,
those first that findings name; the others are shown with their rates. Where a graph would have more points than it can show, it
has the lowest and the highest in each column of time, and all packets that show trouble. The page says what it lacks.

All that the page shows stands in it as JSON, in elements of the type application/json.)";
}

}  // namespace rocescope::render
