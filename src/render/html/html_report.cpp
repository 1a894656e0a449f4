#include "render/html/html_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "render/html/page_sections.hpp"
#include "render/html/page_text.hpp"
#include "rocescope/detail/elapsed.hpp"
#include "rocescope/text.hpp"

namespace rocescope::render {
namespace {

std::string name_of(const CaptureReport& capture) {
  const std::string& path = capture.info.path;
  return path == "-" ? "standard input" : path;
}

std::string title_of(const Report& report) {
  std::string title;
  for (const CaptureReport& capture : report.captures) {
    const std::string path = name_of(capture);
    title += (title.empty() ? "" : ", ") + path.substr(path.rfind('/') + 1);
  }
  return title;
}

/// What was written.
struct Written {
  std::vector<TableSize> tables;  ///< the messages last
  std::vector<const ConnectionDetail*> details;
  std::size_t pairs_left_out = 0;
  std::vector<std::string_view> without;  ///< sections for which there was no room
};

/// Sentences.
std::vector<std::string> left_out_of(const PageSource& source, const Written& written) {
  const Report& report = source.report;
  std::vector<std::string> texts;
  const std::size_t connections = report.connections.size();
  const std::size_t shown = written.details.size();
  if (!source.has_packets) {
    texts.emplace_back(
        "What needs packets: graphs of the packets of connections, marks over time, and traffic other than RoCE. The "
        "page "
        "was made of partial results, which have none.");
  } else if (source.details == nullptr) {
    texts.emplace_back("Packets of connections: the capture came from a pipe and could not be read twice.");
  } else if (shown < connections) {
    texts.push_back(
        fmt::format("{} of {} have no graphs of their packets: those with the most trouble are shown in "
                    "full, the others with their rates.",
                    text::count(connections - shown), text::count(connections, "connection")));
  }
  const auto thinned = static_cast<std::size_t>(
      std::ranges::count_if(written.details, [](const ConnectionDetail* detail) { return !detail->is_complete(); }));
  if (thinned > 0) {
    texts.push_back(
        fmt::format("{} {} more packets than a graph can show: of those without trouble it shows the lowest "
                    "and the highest PSN in each column of time, and all others.",
                    text::count(thinned, "connection"), text::plural(thinned, "has", "have")));
  }
  if (!source.has_messages) {
    texts.emplace_back("Messages: the partial results were made without them (--no-messages).");
  } else if (const TableSize& messages = written.tables.back(); messages.left_out > 0) {
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
  if (written.pairs_left_out > 0) {
    texts.push_back(fmt::format("{} with less trouble and fewer bytes have no throughput of their own.",
                                text::count(written.pairs_left_out, "pair") + " of hosts"));
  }
  for (const TableSize& table : written.tables) {
    if (table.rows > 0 || table.left_out == 0 || &table == &written.tables.back()) continue;
    texts.push_back(fmt::format("The table of {}: it would make the page too large.", table.name));
  }
  for (const std::string_view name : written.without) {
    texts.push_back(fmt::format("The section {}: it would make the page too large.", name));
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

void write_meta(const PageSource& source, const Written& written, const PageFacts& facts, JsonWriter& json) {
  const Report& report = source.report;
  constexpr int kPageSchema = 1;
  json.number("schema", kPageSchema);
  json.string("program", facts.program);
  json.string("title", title_of(report));
  json.open_array("files");
  for (const CaptureReport& capture : report.captures) json.string(name_of(capture));
  json.close_array();
  const std::int64_t start = report.start.value_or(0);
  json.string("start_ns", std::to_string(start));
  json.string("start_time", date_and_time(start, Zone::kUtc, 9) + " UTC");
  json.number("duration", elapsed(report.totals.first_time.value_or(0), report.totals.last_time.value_or(0)));
  write_texts("narrowing", facts.narrowing, json);
  write_texts("left_out", left_out_of(source, written), json);
  write_sizes(written.tables, json);
  json.number("connections", report.connections.size());
  json.open_array("detailed");
  for (const ConnectionDetail* const detail : written.details) json.number({}, detail->connection().number);
  json.close_array();
}

}  // namespace

void write_html_report(const Report& report, OverviewRecorder& overview, DetailRecorder* details,
                       const PageFacts& facts, const PageDocument::Sink& sink) {
  PageDocument page(sink, page_text());
  const PageSource source{.report = report,
                          .overview = overview,
                          .details = details,
                          .interval = facts.interval,
                          .has_packets = facts.has_packets,
                          .has_messages = facts.has_messages};
  Written written;
  const auto add = [&](std::string_view name, auto write) {
    if (!page.add_object(name, write)) written.without.push_back(name);
  };
  add("summary", [&](JsonWriter& json) { write_summary(source, json); });
  add("findings", [&](JsonWriter& json) { write_findings(report, json); });
  add("explain", [&](JsonWriter& json) { write_explanations(report, json); });
  add("pairs", [&](JsonWriter& json) { written.pairs_left_out = write_pairs(source, json); });
  add("marks", [&](JsonWriter& json) { write_marks(source, json); });
  add("rates", [&](JsonWriter& json) { write_connection_rates(source, json); });
  written.tables = write_tables(source, page);
  if (details != nullptr) {
    for (const auto& detail : details->details()) {
      if (!page.add(fmt::format("connection-{}", detail->connection().number), detail->json())) break;
      written.details.push_back(detail.get());
    }
  }
  page.finish("meta", [&](JsonWriter& json) { write_meta(source, written, facts, json); });
}

std::string_view html_report_documentation() noexcept {
  return R"(
With --html, `analyze` also writes the report as one page for a browser, with graphs: what is wrong and where, the throughput
of each pair of hosts over time, and of the connections with the most trouble every packet over time and PSN, with what is in
flight, latencies, messages and the ladder of `flow`. The file needs no network and no other file. Nothing of a capture is
markup in it.

The captures are read twice. From a pipe, the page lacks what it shows of packets. Of at most 64 connections packets are shown,
those first that findings name; the others are shown with their rates. Where a graph would have more points than it can show, it
has the lowest and the highest in each column of time, and all packets that show trouble. No page is larger than 20 MB. The page
says what it lacks.

`merge` writes such a page, too. Partial results have no packets, so that it lacks what it would show of these.

All that the page shows stands in it as JSON, in elements of the type application/json.)";
}

}  // namespace rocescope::render
