// Congestion: classes, marks and notifications, pauses.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "render/report/report_sections.hpp"
#include "render/report/report_table.hpp"
#include "rocescope/text.hpp"

namespace rocescope::render {
namespace {

using std::string;
using text::count;
using text::duration;

string share(std::uint64_t part, std::uint64_t whole) {
  return part == 0 ? string() : fmt::format("{} ({:.3g} %)", count(part), 100.0 * double(part) / double(whole));
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

void append_classes(const CongestionTotals& congestion, ReportPage& page) {
  ReportTable table({{"DSCP", Align::kRight},
                     {"PCP", Align::kRight},
                     {"data", Align::kRight},
                     {"ACK", Align::kRight},
                     {"CNP", Align::kRight},
                     {"CM", Align::kRight}});
  for (const ClassTraffic& traffic : congestion.classes) {
    const auto& [dscp, pcp] = traffic.traffic_class;
    table.row({fmt::format("{}", dscp), pcp ? fmt::format("{}", *pcp) : string(),
               count_or_nothing(traffic.of(PacketRole::kData)), count_or_nothing(traffic.of(PacketRole::kAck)),
               count_or_nothing(traffic.of(PacketRole::kCnp)), count_or_nothing(traffic.of(PacketRole::kCm))});
  }
  table.append_to(page.out());
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
  std::stable_sort(rows.begin(), rows.end(), [](const MarkedSender& a, const MarkedSender& b) {
    return a.congestion->marked + a.congestion->cnps > b.congestion->marked + b.congestion->cnps;
  });
  return rows;
}

void append_marks(const Report& report, ReportPage& page) {
  const std::vector<MarkedSender> rows = rows_of(report);
  if (rows.empty()) return;
  page.out() += '\n';
  ReportTable table({{"no.", Align::kRight},
                     {"sender of data"},
                     {"marked CE", Align::kRight},
                     {"without CNP", Align::kRight},
                     {"CNP", Align::kRight},
                     {"without mark", Align::kRight},
                     {"mark to CNP"},
                     {"CNP to CNP"},
                     {"sent after CNP", Align::kRight},
                     {"not slower", Align::kRight}});
  for (std::size_t i = 0; i < page.shown(rows.size()); ++i) {
    const auto& [connection, sender, congestion] = rows[i];
    const ConnectionSide& side = connection->sides[sender];
    const ConnectionSide& notifier = connection->sides[1 - sender];
    table.row({fmt::format("{}", connection->number), to_text(side.address), share(congestion->marked, side.ecn.all()),
               count_or_nothing(congestion->marked_unnotified), count_or_nothing(congestion->cnps),
               count_or_nothing(congestion->cnps_without_mark), times_text(notifier, TimeKind::kCnpDelay),
               times_text(notifier, TimeKind::kCnpInterval), reaction_text(congestion->reaction),
               share(congestion->reaction.not_slower, congestion->reaction.looked_at)});
  }
  table.append_to(page.out());
  page.rest(rows.size(), "senders");
}

void append_pauses(const Report& report, ReportPage& page) {
  if (report.pauses.empty()) return;
  page.out() += '\n';
  ReportTable table({{"asked by"},
                     {"priority", Align::kRight},
                     {"XOFF", Align::kRight},
                     {"XON", Align::kRight},
                     {"pauses", Align::kRight},
                     {"ended by XON", Align::kRight},
                     {"paused", Align::kRight},
                     {"longest", Align::kRight}});
  for (std::size_t i = 0; i < page.shown(report.pauses.size()); ++i) {
    const PauseTotals& pause = report.pauses[i];
    string source;
    append_mac(pause.source, source);
    const auto time = [](std::uint64_t ns) { return ns == 0 ? string() : duration(static_cast<std::int64_t>(ns)); };
    table.row({source, pause.priority ? fmt::format("{}", *pause.priority) : "link", count_or_nothing(pause.xoff),
               count_or_nothing(pause.xon), count_or_nothing(pause.pauses), count_or_nothing(pause.ended),
               time(pause.paused), time(pause.longest)});
  }
  table.append_to(page.out());
  page.rest(report.pauses.size(), "ports and classes");
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
  if (!congestion.classes.empty()) append_classes(congestion, page);
  append_marks(report, page);
  append_pauses(report, page);
}

}  // namespace rocescope::render
