#include "cli/merging.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "analysis/points/message_comparisons.hpp"
#include "cli/keep.hpp"
#include "cli/packet_input.hpp"
#include "cli/part_files.hpp"
#include "cli/part_page.hpp"
#include "cli/report_options.hpp"
#include "partial/points.hpp"
#include "render/json_writer.hpp"
#include "render/report/report_json.hpp"
#include "render/style.hpp"
#include "rocescope/final_numbers.hpp"
#include "rocescope/render.hpp"
#include "rocescope/text.hpp"
#include "sorting/sort.hpp"

namespace rocescope::cli {
namespace {

using partial::SharedFlows;

/// What a report is written to beside standard output.
class MoreOutput {
 public:
  /// `number`: of the first of several capture points; none: of one analysis.
  [[nodiscard]] static Result<MoreOutput> open(const MergedParts& merged, std::optional<std::size_t> number,
                                               const Arguments& arguments);
  /// All of `merged` but its observations.
  [[nodiscard]] std::optional<Error> write_messages(const MergedParts& merged);
  [[nodiscard]] std::optional<Error> finish(const Report& report);

 private:
  std::optional<CsvFolder> csv_;
  std::optional<PartPage> page_;
  bool has_messages_ = true;
};

Result<MoreOutput> MoreOutput::open(const MergedParts& merged, std::optional<std::size_t> number,
                                    const Arguments& arguments) {
  MoreOutput more;
  more.has_messages_ = merged.has_messages;
  Result<std::optional<PartPage>> page = PartPage::open(arguments, merged.observations.report, number);
  if (!page) return page.error();
  if (*page) more.page_.emplace(std::move(**page));
  if (const GivenOption* const given = arguments.last(kCsv)) {
    Result<CsvFolder> csv = CsvFolder::open(number ? fmt::format("{}/{}", given->value, *number) : given->value);
    if (!csv) return csv.error();
    more.csv_.emplace(std::move(*csv));
  }
  return more;
}

std::optional<Error> MoreOutput::write_messages(const MergedParts& merged) {
  if (!csv_ && !(page_ && has_messages_)) return std::nullopt;
  Connection connection;
  std::optional<Error> error = show_messages(merged, [&](const partial::MessageRecord& record) {
    if (record.connection == 0) return;
    connection.number = record.connection;
    for (std::size_t i = 0; i < 2; ++i) {
      connection.sides[i].address = record.sides[i].address;
      connection.sides[i].qpn = record.sides[i].qpn;
    }
    if (csv_) csv_->add(connection, record.side, record.message);
    if (page_) page_->add(connection, record.side, record.message);
  });
  if (error && csv_) csv_->remove();
  return error;
}

std::optional<Error> MoreOutput::finish(const Report& report) {
  if (csv_) csv_->finish(report);
  std::optional<Error> error;
  if (page_) error = page_->finish(report, has_messages_);
  return csv_ && csv_->error() ? csv_->error() : error;
}

}  // namespace

Result<ExitCode> report_on(MergedParts& merged, bool as_json, Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  Output& output = invocation.output;
  if (!merged.is_whole) return missing_text(merged);
  Result<MoreOutput> more = MoreOutput::open(merged, std::nullopt, arguments);
  if (!more) return more.error();
  if (std::optional<Error> error = more->write_messages(merged)) return *std::move(error);
  const Report& report = keep(conclude(std::move(merged.observations)));
  const std::optional<Error> error = more->finish(report);
  if (as_json) {
    render::append_report_json(report, output.text());
  } else {
    render::append_report_text(report, output.text(), report_style(arguments, output));
  }
  output.flush();
  if (!output.error()) warn_of_cut(counts_of(report.totals), invocation.messages);
  if (error) return *error;
  return exit_code(report, arguments);
}

namespace {

using Groups = std::vector<std::vector<PartFile>>;

/// Of each group one result, one after the other. Shards may be missing.
Result<ExitCode> put_together(const Groups& groups, PartialFile& partial) {
  for (const std::vector<PartFile>& group : groups) {
    Result<MergedParts> merged = merge_parts(group, partial.has_messages());
    if (!merged) return merged.error();
    if (partial.has_messages()) {
      const auto add = [&](const partial::MessageRecord& record) { partial.writer().add(record); };
      if (std::optional<Error> error = show_messages(*merged, add)) return *std::move(error);
    }
    const bool is_last = &group == &groups.back();
    std::optional<Error> error;
    if (is_last) error = partial.finish(merged->observations);
    if (error) return *std::move(error);
    if (is_last) break;
    partial.writer().finish(merged->observations);
    partial.begin_next();
  }
  return ExitCode::kDone;
}

/// Results of several analyses, each with its capture points. One is in memory at a time.
class PointReports {
 public:
  PointReports(const Groups& groups, bool as_json, Invocation& invocation)
      : invocation_(invocation), as_json_(as_json) {
    for (const std::vector<PartFile>& files : groups)
      groups_.push_back({.files = files, .parts = {}, .numbers = {}, .point_of = {}});
  }
  [[nodiscard]] Result<ExitCode> run();

 private:
  struct Group {
    std::vector<PartFile> files;
    MergedParts parts;     // without what was read
    FinalNumbers numbers;  // of connections
    bool has_several_points = false;
    std::vector<std::uint16_t> point_of;     // of several: by connection number less 1; 0: it is not known
    std::uint16_t first_point = 0;           // less 1
    std::vector<std::size_t> comparisons{};  // of flows that its points saw: places in comparisons_
  };

  [[nodiscard]] std::optional<Error> look();
  [[nodiscard]] std::optional<Error> compare();
  [[nodiscard]] std::optional<Error> report(Group& group, render::JsonWriter& json);
  /// The flow of packets of a message that `sender` sent, where it is compared.
  [[nodiscard]] std::optional<FlowKey> compared_flow(const partial::MessageRecord& record, std::size_t sender,
                                                     std::uint64_t packets, MessageComparisons& comparisons) const;
  /// Where packets of a connection were seen; nothing: it was evicted from an analysis of several points, and nobody knows any more.
  [[nodiscard]] static std::optional<std::uint16_t> point_of(const Group& group, std::uint32_t connection) {
    if (!group.has_several_points) return static_cast<std::uint16_t>(group.first_point + 1);
    const std::size_t place = std::size_t{connection} - 1;
    const std::uint16_t point = place < group.point_of.size() ? group.point_of[place] : std::uint16_t{0};
    return point == 0 ? std::nullopt : std::optional(static_cast<std::uint16_t>(group.first_point + point));
  }
  void number_points(Observations& observations, Group& group) const;
  [[nodiscard]] std::vector<CapturePoint> points_of(const Report& report, const Group& group) const;

  Invocation& invocation_;
  bool as_json_;
  std::vector<Group> groups_;
  std::vector<CapturePoint> points_;
  SharedFlows flows_;
  std::map<std::uint16_t, CaptureFaults> faults_;  // of captures, by point
  std::uint64_t compared_messages_ = 0;
  std::vector<FlowComparison> comparisons_;
  std::uint64_t uncompared_ = 0;
  ExitCode code_ = ExitCode::kDone;
};

/// What distinguishes the place from those of other analyses.
std::string place_text(const Report& report, const std::string& place) {
  if (report.captures.empty() || place.starts_with(report.captures.front().info.path)) return place;
  const std::size_t more = report.captures.size() - 1;
  return fmt::format("{}{}: {}", report.captures.front().info.path,
                     more == 0 ? "" : fmt::format(" and {}", text::count(more, "more file")), place);
}

/// What the packets of a connection show to be wrong with their capture. What arrived though it was not seen again does not: its requester
/// may send only what is missing.
CaptureFaults faults_of(const Connection& connection) {
  CaptureFaults faults;
  for (const ConnectionSide& side : connection.sides) {
    faults.add({.misses = side.capture_lost() + side.read_responses_not_captured() > 0,
                .copies = side.verdicts(VerdictKind::kCaptureDuplicate) > 0});
  }
  return faults;
}

/// Finds out which capture points and which flows there are.
std::optional<Error> PointReports::look() {
  constexpr std::size_t kMostPoints = 65'535;
  for (std::uint32_t i = 0; i < groups_.size(); ++i) {
    Group& group = groups_[i];
    Result<MergedParts> merged = merge_parts(group.files, invocation_.arguments.has(kCsv));
    if (!merged) return merged.error();
    if (!merged->is_whole) return missing_text(*merged);
    if (!merged->has_messages) {
      invocation_.messages.warning(fmt::format(
          "{} has no messages (--no-messages): what it saw is compared with nothing", group.files.front().name));
    }
    const Report& report = merged->observations.report;
    if (points_.size() + report.capture_points.size() > kMostPoints)
      return Error{fmt::format("the results have more than {} capture points: merge fewer at a time", kMostPoints)};
    group.first_point = static_cast<std::uint16_t>(points_.size());
    group.has_several_points = report.capture_points.size() > 1;
    for (CapturePoint point : report.capture_points) {
      point.number = static_cast<std::uint16_t>(points_.size() + 1);
      for (std::string& place : point.places) place = place_text(report, place);
      points_.push_back(std::move(point));
    }
    for (const Connection& connection : report.connections) {
      group.numbers.add(connection);
      faults_[static_cast<std::uint16_t>(group.first_point + connection.capture_point)].add(faults_of(connection));
      if (group.has_several_points) {
        if (connection.number > group.point_of.size()) group.point_of.resize(connection.number);
        group.point_of[connection.number - 1] = connection.capture_point;
      }
      for (std::size_t side = 0; side < 2; ++side) {
        const ConnectionSide& requester = connection.sides[side];
        const ConnectionSide& responder = connection.sides[1 - side];
        const std::uint64_t messages =
            requester.messages() +
            responder.operations.of(Operation::kReadRequest).messages;  // and the responses to these
        if (merged->has_messages && responder.qpn && messages > 0)
          flows_.add(i, SharedFlows::key_of(requester.address, responder.address, *responder.qpn), messages);
      }
    }
    group.parts = std::move(*merged);
    group.parts.observations = {};
  }
  compared_messages_ = flows_.choose(ComparedFlows::kMost, MessageComparisons::kMostMessages);
  return std::nullopt;
}

std::optional<FlowKey> PointReports::compared_flow(const partial::MessageRecord& record, std::size_t sender,
                                                   std::uint64_t packets, MessageComparisons& comparisons) const {
  const auto& from = record.sides[sender];
  const auto& to = record.sides[1 - sender];
  if (!to.qpn || packets == 0) return std::nullopt;
  const FlowKey key = SharedFlows::key_of(from.address, to.address, *to.qpn);
  const SharedFlows::Choice choice = flows_.choice_of(key);
  if (choice == SharedFlows::Choice::kTooMany) comparisons.count_uncompared(packets);
  return choice == SharedFlows::Choice::kCompared ? std::optional(key) : std::nullopt;
}

/// Compares the messages of flows that several of the analyses saw.
std::optional<Error> PointReports::compare() {
  MessageComparisons comparisons;
  comparisons.expect(compared_messages_);
  for (const auto& [point, faults] : faults_) comparisons.note_faults(point, faults);
  for (const Group& group : groups_) {
    if (!group.parts.has_messages) continue;
    std::optional<Error> error = show_messages(group.parts, [&](const partial::MessageRecord& record) {
      if (record.connection == 0) return;
      const std::uint32_t connection = group.numbers.of(record.connection);
      const std::optional<std::uint16_t> point = point_of(group, connection);
      const Message& message = record.message;
      const std::uint64_t packets = std::uint64_t{message.packets} + message.resent_packets;
      const std::uint64_t responses = std::uint64_t{message.responses} + message.resent_responses;
      const auto requests_of = compared_flow(record, record.side, packets, comparisons);
      if (requests_of && point) {
        comparisons.add(*requests_of, *point, connection, message, record.sides[record.side].qpn);
      } else if (requests_of) {
        comparisons.count_uncompared(packets);
      }
      if (!message.is_read()) return;
      const auto responses_of = compared_flow(record, 1 - record.side, responses, comparisons);
      if (responses_of && point) {
        comparisons.add_responses(*responses_of, *point, connection, message, record.sides[1 - record.side].qpn);
      } else if (responses_of) {
        comparisons.count_uncompared(responses);
      }
    });
    if (error) return error;
  }
  const auto group_of = [&](std::uint16_t point) -> Group& {
    return *(std::ranges::upper_bound(groups_, point - 1, {}, &Group::first_point) - 1);
  };
  comparisons_ = comparisons.take();
  uncompared_ = comparisons.uncompared();
  for (std::size_t place = 0; place < comparisons_.size(); ++place) {
    Group& from = group_of(comparisons_[place].from);
    Group& to = group_of(comparisons_[place].to);
    if (&from == &to) continue;  // one analysis compared their packets
    from.comparisons.push_back(place);
    to.comparisons.push_back(place);
  }
  return std::nullopt;
}

/// Its own, and those that it is compared with.
std::vector<CapturePoint> PointReports::points_of(const Report& report, const Group& group) const {
  std::set<std::size_t> places;
  for (std::size_t i = 0; i < report.capture_points.size(); ++i) places.insert(group.first_point + i);
  for (const FlowComparison& row : report.comparisons)
    places.insert({row.from - std::size_t{1}, row.to - std::size_t{1}});
  std::vector<CapturePoint> points;
  for (const std::size_t place : places) {
    if (place < points_.size()) points.push_back(points_[place]);  // a file may name any
  }
  return points;
}

/// Points have the numbers that they have among those of all analyses.
void PointReports::number_points(Observations& observations, Group& group) const {
  Report& report = observations.report;
  const auto change = [&](std::uint16_t& point) {
    if (point != 0) point = static_cast<std::uint16_t>(point + group.first_point);
  };
  for (Connection& connection : report.connections) change(connection.capture_point);
  for (Handshake& handshake : report.handshakes) change(handshake.capture_point);
  for (Finding& finding : observations.evicted_findings) change(finding.capture_point);
  for (FlowComparison& row : report.comparisons) {
    change(row.from);
    change(row.to);
  }
  const std::size_t last_point = group.first_point + report.capture_points.size();
  const auto number_here = [&](const FlowComparison& row) {
    const bool is_from = row.from > group.first_point && row.from <= last_point;
    return is_from ? row.from_connection : row.to_connection;
  };
  sorting::sort(group.comparisons, {}, [&](std::size_t place) {
    const FlowComparison& row = comparisons_[place];
    return std::tuple(number_here(row), row.source, row.dest_qp, row.from, row.to);
  });
  for (const std::size_t place : group.comparisons) report.comparisons.push_back(comparisons_[place]);
  group.comparisons = {};
  report.capture_points = points_of(report, group);
  report.uncompared_packets += uncompared_;
}

std::optional<Error> PointReports::report(Group& group, render::JsonWriter& json) {
  const Arguments& arguments = invocation_.arguments;
  Output& output = invocation_.output;
  Result<MergedParts> merged = merge_parts(group.files, false);
  if (!merged) return merged.error();
  Result<MoreOutput> more = MoreOutput::open(*merged, group.first_point + std::size_t{1}, arguments);
  if (!more) return more.error();
  if (std::optional<Error> error = more->write_messages(*merged)) return error;
  const std::size_t points = merged->observations.report.capture_points.size();
  number_points(merged->observations, group);
  const Report report = conclude(std::move(merged->observations));
  std::optional<Error> error = more->finish(report);
  const std::size_t last = group.first_point + points;
  const std::string numbers =
      points < 2 ? fmt::format(" {}", last) : fmt::format("s {} to {}", group.first_point + 1, last);
  if (as_json_) {
    render::write_report(report, json);
  } else {
    const render::ReportTextOptions style = report_style(arguments, output);
    if (group.first_point > 0) output.write("\n");
    {
      const render::Toned toned(render::Tone::kTitle, style.color, output.text());
      output.write(fmt::format("Capture point{} of {}", numbers, points_.size()));
    }
    output.write("\n");
    render::append_report_text(report, output.text(), style);
  }
  output.commit();
  if (!output.error())
    warn_of_cut(counts_of(report.totals), invocation_.messages, fmt::format("capture point{}: ", numbers));
  if (error) return error;
  code_ = std::max(code_, exit_code(report, arguments));
  return std::nullopt;
}

Result<ExitCode> PointReports::run() {
  if (std::optional<Error> error = look()) return *std::move(error);
  if (std::optional<Error> error = compare()) return *std::move(error);
  render::JsonWriter json(invocation_.output.text());
  if (as_json_) {
    json.open_object();
    json.string("type", "reports");
    json.number("schema", 1);
    json.open_array("reports");
  }
  for (Group& group : groups_) {
    if (std::optional<Error> error = report(group, json)) return *std::move(error);
  }
  if (as_json_) {
    json.close_array();
    json.close_object();
    invocation_.output.write("\n");
  }
  invocation_.output.flush();
  return code_;
}

}  // namespace

Result<ExitCode> merge_files(std::span<const std::string> files, bool as_json, PartialFile* partial,
                             Invocation& invocation) {
  Result<std::vector<partial::Part>> heads = read_heads(files);
  if (!heads) return heads.error();
  const Result<std::vector<std::vector<std::size_t>>> places = partial::group(*heads, partial == nullptr);
  if (!places) return places.error();
  Groups groups;
  for (const std::vector<std::size_t>& group : *places) {
    std::vector<PartFile>& its = groups.emplace_back();
    for (const std::size_t place : group) its.push_back({(*heads)[place].name, (*heads)[place].start});
  }
  if (partial != nullptr) return put_together(groups, *partial);
  if (groups.size() > 1) return PointReports(groups, as_json, invocation).run();
  Result<MergedParts> merged = merge_parts(groups.front(), invocation.arguments.has(kCsv));
  if (!merged) return merged.error();
  return report_on(*merged, as_json, invocation);
}

}  // namespace rocescope::cli
