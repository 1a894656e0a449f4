#include "render/report/finding_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "rocescope/text.hpp"

namespace rocescope::render {

using std::string;
using text::count;

namespace {

string path_of(const Finding& finding) {
  return finding.path ? to_text(finding.path->from, finding.path->to) : string();
}

}  // namespace

std::string_view noun_of(const FindingBlock& block) {
  return block.lines.front().finding->connection != 0 ? "connection" : "handshake";
}

string whose(const FindingBlock& block, bool has_points) {
  if (block.owners.empty()) return {};
  const Finding& finding = *block.lines.front().finding;
  const std::size_t number = block.owners.size();
  string text =
      number == 1 ? fmt::format("{} {}", noun_of(block), block.owners.front()) : count(number, noun_of(block));
  if (block.hosts > 0) text += fmt::format(" of {}", count(block.hosts, "host"));
  if (finding.capture_point != 0 && has_points) text += fmt::format(", point {}", finding.capture_point);
  for (const Finding* other : block.elsewhere)
    text += fmt::format(", at point {} connection {}", other->capture_point, other->connection);
  if (block.hosts == 0 && finding.path) text += ", " + path_of(finding);
  if (number == 1) return text;
  constexpr std::size_t kWorst = 3;
  const std::span<const std::uint32_t> worst(block.owners.data(), std::min(number, kWorst));
  return text + fmt::format("; the worst: {}", fmt::join(worst, ", "));
}

namespace {

/// `31 NAKs` of the unit `NAKs`
string amount_text(std::uint64_t weight, std::string_view unit) {
  return count(weight, unit.substr(0, unit.size() - 1));
}

/// What a finding says behind its amount, where it is a doubt: ` not seen, lost before the capture point or missed by the capture`. Else
/// nothing.
std::string_view doubt_of(const Finding& finding) {
  std::string_view rest = finding.what;
  const auto skip = [&](std::string_view words) {
    const bool begins = rest.starts_with(words);
    if (begins) rest.remove_prefix(words.size());
    return begins;
  };
  skip(in_words(finding.strength));
  if (finding.info->unit.empty() || !skip(amount_text(finding.weight, finding.info->unit))) return {};
  const bool is_for_all = rest.find_first_of("0123456789") == std::string_view::npos;
  return is_for_all && rest.find(" or ") != std::string_view::npos ? rest : std::string_view();
}

/// `1,204 packets were sent again, on 37 connections`, `PSN sequence errors: 31 NAKs`
string sum_text(const FindingLine& line, const FindingBlock& block) {
  const FindingInfo& info = *line.finding->info;
  string text(info.title);
  if (!info.unit.empty()) {
    const string amount = string(in_words(line.strength)) + amount_text(line.weight, info.unit);
    if (const std::string_view doubt = doubt_of(*line.weakest); !doubt.empty()) {
      text = amount;
      text += doubt;
    } else if (line.weight > 1 && text.starts_with(info.unit)) {
      text = amount + text.substr(info.unit.size());
    } else {
      text += ": " + amount;
    }
  }
  if (line.number == block.owners.size()) return text;
  return text + fmt::format(", on {}", count(line.number, noun_of(block)));
}

/// The text of one connection. Names the path where it is another one than that of the cause.
string single_text(const FindingLine& line, const FindingBlock& block) {
  const string path = path_of(*line.finding);
  const bool is_other_way = path != path_of(*block.lines.front().finding);
  return (is_other_way ? path + ": " : string()) + line.finding->what;
}

}  // namespace

string text_of(const FindingLine& line, const FindingBlock& block) {
  return block.owners.size() > 1 ? sum_text(line, block) : single_text(line, block);
}

}  // namespace rocescope::render
