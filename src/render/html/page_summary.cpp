// What the page says first: the verdict, the facts, the findings.
#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string>

#include "render/html/page_sections.hpp"
#include "render/report/finding_blocks.hpp"
#include "render/report/finding_text.hpp"
#include "render/report/report_sections.hpp"
#include "rocescope/detail/elapsed.hpp"
#include "rocescope/text.hpp"

namespace rocescope::render {
namespace {

constexpr std::size_t kMostBlocks = 500;
constexpr std::size_t kMostOwners = 100;

/// Keeps the facts of the report for people, in place of lines of text.
class FactList final : public ReportPage {
 public:
  FactList() : ReportPage(kPlain, unused_) {}

  using ReportPage::fact;
  void title(std::string_view text) override { headline_ = text; }
  void fact(std::string_view label, std::string_view text, Tone /*tone*/, const Aside& /*aside*/) override {
    facts_.emplace_back(label, text);
  }

  void write(JsonWriter& json) const {
    json.string("headline", headline_);
    json.open_array("facts");
    for (const auto& [label, text] : facts_) {
      json.open_array();
      json.string(label);
      json.string(text);
      json.close_array();
    }
    json.close_array();
  }

 private:
  static constexpr ReportTextOptions kPlain{};
  std::string unused_;
  std::string headline_;
  std::vector<std::pair<std::string, std::string>> facts_;
};

std::vector<FindingBlock> blocks_of(const Report& report, bool notes) {
  return finding_blocks(report, {.notes = notes, .each = false, .most = kReportRows});
}

std::string capitalized(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

void write_verdict(const Report& report, JsonWriter& json) {
  const std::vector<FindingBlock> blocks = blocks_of(report, false);
  json.open_object("verdict");
  if (report.totals.roce.packets == 0) {
    json.string("severity", "note");
    json.string("text", "No RoCE packets");
  } else if (blocks.empty() && silence(report) == Silence::kUnknown) {
    json.string("severity", "warning");
    json.string("text", "Nothing is known for certain");
  } else if (blocks.empty()) {
    json.string("severity", "good");
    json.string("text", silence(report) == Silence::kGood ? "Nothing wrong was seen"
                                                          : "Nothing wrong was seen in the other connections");
  } else {
    const FindingBlock& worst = blocks.front();
    const std::size_t more = blocks.size() - 1;
    json.string("severity", to_string(worst.severity));
    json.string("text", capitalized(text_of(worst.lines.front(), worst)));
    json.string("whose", whose(worst, report.capture_points.size() > 1));
    json.number("block", 0);
    json.string("more", more == 0 ? "" : "and " + text::count(more, "more cause"));
  }
  json.close_object();
}

void write_totals(const PageSource& source, JsonWriter& json) {
  const Report& report = source.report;
  std::optional<std::uint64_t> dropped;
  for (const CaptureReport& capture : report.captures) {
    for (const CaptureInterface& each : capture.info.interfaces) {
      if (each.dropped) dropped = dropped.value_or(0) + *each.dropped;
    }
  }
  json.open_object("totals");
  json.number("packets", report.totals.traffic.packets);
  json.number("bytes", report.totals.traffic.bytes);
  json.number("roce_packets", report.totals.roce.packets);
  json.number("roce_bytes", report.totals.roce.bytes);
  json.number("connections", report.connections.size());
  json.number("handshakes", report.handshakes.size());
  json.number("messages", source.all_messages());
  json.number("hosts", report.hosts.size());
  dropped ? json.number("capture_dropped", *dropped) : json.null("capture_dropped");
  json.close_object();
}

/// Null where the number stands for none.
void write_unless_zero(std::string_view key, std::uint64_t number, JsonWriter& json) {
  number != 0 ? json.number(key, number) : json.null(key);
}

void write_line(const FindingLine& line, const FindingBlock& block, std::int64_t start, JsonWriter& json) {
  const Finding& finding = *line.finding;
  const FindingInfo& info = *finding.info;
  json.open_object();
  json.string("id", info.name);
  json.string("title", info.title);
  json.string("severity", to_string(info.severity));
  json.string("role", to_string(info.role));
  json.boolean("is_consequence", finding.cause != nullptr);
  json.string("text", text_of(line, block));
  json.number("number", line.number);
  json.string("unit", info.unit);
  json.number("weight", line.weight);
  json.string("strength", to_string(line.strength));
  write_unless_zero("connection", finding.connection, json);
  finding.side ? json.number("side", *finding.side) : json.null("side");
  write_unless_zero("handshake", finding.handshake, json);
  json.number("count", line.seen.count);
  const bool has_time = line.seen.count > 0;
  has_time ? json.number("first", elapsed(start, line.seen.first_time)) : json.null("first");
  has_time ? json.number("last", elapsed(start, line.seen.last_time)) : json.null("last");
  json.open_array("packets");
  for (const std::uint64_t packet : line.seen.packets) {
    if (packet != 0) json.number({}, packet);
  }
  json.close_array();
  finding.filter.empty() || line.number > 1 ? json.null("filter") : json.string("filter", finding.filter);
  json.close_object();
}

void write_block(const FindingBlock& block, bool has_points, std::int64_t start, JsonWriter& json) {
  const Finding& cause = *block.lines.front().finding;
  json.open_object();
  json.string("severity", to_string(block.severity));
  json.string("whose", whose(block, has_points));
  json.string("kind", block.owners.empty() ? "capture" : noun_of(block));
  json.open_array("owners");
  for (std::size_t i = 0; i < std::min(block.owners.size(), kMostOwners); ++i) json.number({}, block.owners[i]);
  json.close_array();
  json.number("owners_number", block.owners.size());
  const bool has_path = cause.path && block.hosts == 0;
  has_path ? json.string("from", to_text(cause.path->from)) : json.null("from");
  has_path ? json.string("to", to_text(cause.path->to)) : json.null("to");
  json.open_array("lines");
  for (const FindingLine& line : block.lines) write_line(line, block, start, json);
  json.close_array();
  json.close_object();
}

}  // namespace

std::uint64_t PageSource::all_messages() const {
  std::uint64_t messages = report.evicted.sides.messages();
  for (const Connection& connection : report.connections) {
    for (const ConnectionSide& side : connection.sides) messages += side.messages();
  }
  return messages;
}

void write_summary(const PageSource& source, JsonWriter& json) {
  const Report& report = source.report;
  write_verdict(report, json);
  FactList facts;
  append_summary(report, facts);
  facts.write(json);
  write_totals(source, json);
}

void write_findings(const Report& report, JsonWriter& json) {
  const std::vector<FindingBlock> blocks = blocks_of(report, true);
  json.open_array("blocks");
  for (std::size_t i = 0; i < std::min(blocks.size(), kMostBlocks); ++i) {
    write_block(blocks[i], report.capture_points.size() > 1, report.start.value_or(0), json);
  }
  json.close_array();
  json.number("left_out", blocks.size() - std::min(blocks.size(), kMostBlocks));
}

void write_explanations(const Report& report, JsonWriter& json) {
  std::map<std::string_view, const FindingInfo*> infos;
  for (const Finding& finding : report.findings) infos[finding.info->name] = finding.info;
  for (const auto& [name, info] : infos) {
    json.open_object(name);
    json.string("severity", to_string(info->severity));
    json.string("role", to_string(info->role));
    json.string("title", info->title);
    json.string("meaning", info->meaning);
    json.string("sureness", info->sureness);
    json.string("why", info->why);
    json.string("what_to_do", info->what_to_do);
    json.close_object();
  }
}

}  // namespace rocescope::render
