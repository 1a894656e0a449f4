#include "render/report/agreement_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "render/report/report_sections.hpp"
#include "render/report/report_table.hpp"
#include "render/style.hpp"
#include "rocescope/text.hpp"

namespace rocescope::render {
using text::count;

namespace {

/// `starting PSNs`
std::string_view label_of(std::string_view name) {
  struct Label {
    std::string_view name;
    std::string_view text;
  };
  constexpr Label kLabels[] = {{"queue_pairs", "queue pairs"},
                               {"addresses", "addresses"},
                               {"starting_psns", "starting PSNs"},
                               {"path_mtus", "path MTUs"},
                               {"states", "states"},
                               {"messages", "messages"},
                               {"bytes", "bytes"},
                               {"outcomes", "outcomes"},
                               {"receives", "receives"},
                               {"keys", "keys"},
                               {"regions", "regions"},
                               {"datagrams", "datagrams"},
                               {"cm_requests", "CM requests"},
                               {"cm_established", "CM established"},
                               {"cm_rejects", "CM rejects"},
                               {"cm_disconnects", "CM disconnects"},
                               {"packets", "RoCE packets"},
                               {"counters", "counters of the devices"}};
  const auto* found =
      std::find_if(std::begin(kLabels), std::end(kLabels), [&](const Label& l) { return l.name == name; });
  return found == std::end(kLabels) ? name : found->text;
}

std::string_view label_of(PartOf part) {
  constexpr std::string_view kLabels[] = {"  only in the truth", "  only in the capture", "  in both"};
  return kLabels[static_cast<std::size_t>(part)];
}

/// `lab.ndjson:17, frame.number == 83, connection 2`
std::string where_to_look(const Difference& difference) {
  std::string text = difference.truth;
  const auto add = [&](const std::string& place) { text += (text.empty() ? "" : ", ") + place; };
  if (difference.packet != 0) add(fmt::format("frame.number == {}", difference.packet));
  if (difference.connection != 0) add(fmt::format("connection {}", difference.connection));
  return text;
}

void append_line(std::string_view text, Tone tone, bool color, std::string& out) {
  {
    const Toned toned(tone, color, out);
    out += text;
  }
  out += '\n';
}

/// One line: is it all the same?
void append_verdict(const Agreement& agreement, const AgreementTextOptions& options, std::string& out) {
  const bool color = options.color;
  const std::string capture = safe_text(options.capture);
  if (!agreement.compares()) return append_line("Nothing to compare", Tone::kWarning, color, out);
  if (agreement.agrees()) return append_line(capture + " agrees with the truth", Tone::kGood, color, out);
  const std::uint64_t differences = agreement.differences.size() + agreement.unlisted;
  append_line(fmt::format("{} and the truth differ: {}", capture, count(differences, "difference")), Tone::kError,
              color, out);
}

void append_facts(const Agreement& agreement, std::string& out) {
  if (agreement.facts.empty()) return;
  ReportTable table({{"fact"},
                     {"in the truth", Align::kRight},
                     {"in the capture", Align::kRight},
                     {"agree", Align::kRight},
                     {"explained", Align::kRight},
                     {"differing", Align::kRight},
                     {"why"}});
  for (const ComparedFact& fact : agreement.facts) {
    std::string name(label_of(fact.name));
    if (!fact.detail.empty()) name += ": " + fact.detail;
    table.row({name, count(fact.truth), count(fact.capture), count(fact.agree), {}, count(fact.differing), {}});
    for (const Explained& part : fact.explained) {
      table.row({std::string(label_of(part.part)), {}, {}, {}, count(part.count), {}, part.why});
    }
  }
  out += '\n';
  table.append_to(out);
}

void append_differences(const Agreement& agreement, const AgreementTextOptions& options, std::string& out) {
  const auto& differences = agreement.differences;
  if (differences.empty()) return;
  out += '\n';
  append_line("Differences", Tone::kTitle, options.color, out);
  const std::size_t shown = options.all ? differences.size() : std::min(differences.size(), kShownDifferences);
  for (std::size_t i = 0; i < shown; ++i) {
    const std::string where = where_to_look(differences[i]);
    out += fmt::format("  {}\n", differences[i].what);
    if (!where.empty()) out += fmt::format("      look at: {}\n", where);
  }
  const std::uint64_t left = differences.size() - shown + agreement.unlisted;
  if (left > 0) out += fmt::format("  ... and {} more{}\n", count(left), options.all ? "" : " (-v shows all)");
}

}  // namespace

void append_agreement_text(const Agreement& agreement, const AgreementTextOptions& options, std::string& out) {
  append_verdict(agreement, options, out);
  out += fmt::format("  The truth is {}{}\n", safe_text(fmt::format("{}", fmt::join(agreement.truth_files, ", "))),
                     options.found.empty() ? std::string() : fmt::format(", found {}", options.found));
  if (agreement.capture_lost > 0 && agreement.compares() && !agreement.agrees()) {
    append_line(fmt::format("The capture lacks {} packets that were on the wire: differences may come from that",
                            count(agreement.capture_lost)),
                Tone::kWarning, options.color, out);
  }
  append_facts(agreement, out);
  append_differences(agreement, options, out);
  if (agreement.notes.empty()) return;
  out += '\n';
  append_line("Not compared", Tone::kTitle, options.color, out);
  for (const std::string& note : agreement.notes) out += fmt::format("  {}\n", note);
}

}  // namespace rocescope::render
