// Congestion: classes, marks and notifications, pauses.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "render/report/row_table.hpp"
#include "rocescope/text.hpp"
#include "schema/tables.hpp"
#include "sorting/sort.hpp"

namespace rocescope::render {
namespace {

using std::string;
using text::count;
using text::duration;

string share(std::uint64_t part, std::uint64_t whole) {
  return part == 0 ? string() : fmt::format("{} ({})", count(part), text::percent(part, whole));
}

/// The median and the most, `12.3 us, 1.16 ms at most`.
string times_text(const ConnectionSide& side, TimeKind kind) {
  const Histogram* times = side.times.find(kind);
  if (times == nullptr) return {};
  const string middle = duration(static_cast<std::int64_t>(times->quantile(500)));
  if (times->count() == 1) return middle;
  return fmt::format("{}, {} at most", middle, duration(static_cast<std::int64_t>(times->max())));
}

string reaction_text(const CnpReaction& reaction) {
  if (reaction.looked_at == 0) return {};
  const double change = 100.0 * (double(reaction.bytes_after) / double(reaction.bytes_before) - 1);
  return fmt::format("{:+.0f} %", change);
}

void append_classes(const Report& report, ReportPage& page) {
  RowTable<ClassTraffic> table(report, schema::kClass,
                               {"dscp",
                                "pcp",
                                {"data_packets", Cells::kUnlessZero},
                                {"ack_packets", Cells::kUnlessZero},
                                {"cnp_packets", Cells::kUnlessZero},
                                {"cm_packets", Cells::kUnlessZero}});
  for (const ClassTraffic& traffic : report.congestion.classes) table.row(traffic);
  table.end(page);
}

struct MarkedSender {
  const Connection* connection = nullptr;
  std::size_t sender = 0;
  const Congestion* congestion = nullptr;
};

/// Senders whose data was marked or notified of, those with the most CNPs and marks first.
std::vector<MarkedSender> rows_of(const Report& report) {
  std::vector<MarkedSender> rows;
  for (const Connection& connection : report.connections) {
    for (std::size_t i = 0; i < 2; ++i) {
      const Congestion* congestion = connection.sides[i].congestion.get();
      if (congestion != nullptr && congestion->marked + congestion->cnps > 0)
        rows.push_back({&connection, i, congestion});
    }
  }
  sorting::stable_sort(rows, [](const MarkedSender& a, const MarkedSender& b) {
    return a.congestion->marked + a.congestion->cnps > b.congestion->marked + b.congestion->cnps;
  });
  return rows;
}

void append_marks(const Report& report, ReportPage& page) {
  const std::vector<MarkedSender> rows = rows_of(report);
  if (rows.empty()) return;
  page.out() += '\n';
  const MarkedSender* of = nullptr;
  const auto sender = [&]() -> const ConnectionSide& { return of->connection->sides[of->sender]; };
  const auto notifier = [&]() -> const ConnectionSide& { return of->connection->sides[1 - of->sender]; };
  using Row = const Congestion&;
  RowTable<Congestion> table(
      report, schema::kCongestion,
      {{"no.", [&](Row) { return fmt::format("{}", of->connection->number); }, Align::kRight},
       {"sender of data", [&](Row) { return to_text(sender().address); }},
       {"marked CE", [&](Row row) { return share(row.marked, sender().ecn.all()); }, Align::kRight},
       {"marked_unnotified", Cells::kUnlessZero},
       {"cnps", Cells::kUnlessZero},
       {"cnps_without_mark", Cells::kUnlessZero},
       {"mark to CNP", [&](Row) { return times_text(notifier(), TimeKind::kCnpDelay); }},
       {"CNP to CNP", [&](Row) { return times_text(notifier(), TimeKind::kCnpInterval); }},
       {"sent after CNP", [](Row row) { return reaction_text(row.reaction); }, Align::kRight},
       {"not slower", [](Row row) { return share(row.reaction.not_slower, row.reaction.looked_at); }, Align::kRight}});
  for (std::size_t i = 0; i < page.shown(rows.size()); ++i) {
    of = &rows[i];
    table.row(*of->congestion);
  }
  table.end(page);
  page.rest(rows.size(), "senders");
}

void append_pauses(const Report& report, ReportPage& page) {
  if (report.pauses.empty()) return;
  page.out() += '\n';
  constexpr Cells kCount = Cells::kUnlessZero;
  const auto priority = [](const PauseTotals& row) { return row.priority ? fmt::format("{}", *row.priority) : "link"; };
  RowTable<PauseTotals> table(report, schema::kPause,
                              {"source",
                               {"priority", priority, Align::kRight},
                               {"xoff", kCount},
                               {"xon", kCount},
                               {"pauses", kCount},
                               {"ended", kCount},
                               {"paused", kCount},
                               {"longest", kCount}});
  table.rows(report.pauses, "ports and classes", page);
  if (report.untracked_pause_frames > 0) {
    page.note(fmt::format("{} pauses of further ports are left out: the table was full",
                          count(report.untracked_pause_frames)));
  }
}

}  // namespace

void append_congestion(const Report& report, ReportPage& page) {
  const CongestionTotals& congestion = report.congestion;
  const EcnCounts& data = congestion.of(PacketRole::kData);
  const bool marks = data.all() > data.of(Ecn::kNotEct) || congestion.cnps > 0;
  if (!marks && congestion.classes.size() < 2 && report.pauses.empty()) return;
  page.section("Congestion");
  if (data.all() > 0) {
    page.fact("Data", fmt::format("{} ECT(0), {} ECT(1), {} CE, {} not-ECT", count(data.of(Ecn::kEct0)),
                                  count(data.of(Ecn::kEct1)), count(data.of(Ecn::kCe)), count(data.of(Ecn::kNotEct))));
  }
  if (congestion.untracked_cnps > 0) {
    page.fact("CNP", fmt::format("{} to queue pairs that nothing else was seen of", count(congestion.untracked_cnps)));
  }
  if (!congestion.classes.empty()) append_classes(report, page);
  append_marks(report, page);
  append_pauses(report, page);
}

}  // namespace rocescope::render
