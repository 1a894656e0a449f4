// The table of connections.
#include <fmt/format.h>

#include "render/report/report_sections.hpp"
#include "render/report/report_table.hpp"
#include "rocescope/text.hpp"

namespace rocescope::render {
using text::count;

namespace {

using std::string;

string queue_pair(const ConnectionSide& side) {
  return side.qpn ? fmt::format("{} 0x{:06x}", to_text(side.address), side.qpn->value()) : to_text(side.address);
}

/// A number of both sides, where there is any.
template <class Count>
string both(const Connection& connection, Count count_of) {
  const std::uint64_t sum = count_of(connection.sides[0]) + count_of(connection.sides[1]);
  return sum == 0 ? string() : count(sum);
}

std::uint64_t messages(const ConnectionSide& side) { return side.messages(); }
std::uint64_t resent(const ConnectionSide& side) { return side.verdicts(VerdictKind::kRetransmission); }
std::uint64_t lost_before(const ConnectionSide& side) { return side.lost_before(); }
std::uint64_t lost_after(const ConnectionSide& side) { return side.lost_after(); }
std::uint64_t not_captured(const ConnectionSide& side) { return side.capture_lost(); }
std::uint64_t naks(const ConnectionSide& side) { return side.sequence_naks(); }
std::uint64_t rnr_naks(const ConnectionSide& side) { return side.rnr_naks(); }
std::uint64_t refused(const ConnectionSide& side) { return side.fatal_naks(); }
std::uint64_t out_of_order(const ConnectionSide& side) { return side.verdicts(VerdictKind::kOutOfOrder); }
std::uint64_t cnps(const ConnectionSide& side) { return side.cnp_packets; }
std::uint64_t marked(const ConnectionSide& side) { return side.ce_packets; }

/// `3 connections evicted, 2 idle, 1 to make room: 12 packets, 1.2 kB, 4 messages, 1 resent`
string evicted_text(const EvictedTotals& evicted) {
  string text = fmt::format("{} connection{} evicted", count(evicted.connections), evicted.connections == 1 ? "" : "s");
  const std::uint64_t idle = evicted.connections - evicted.crowded;
  if (idle > 0) text += fmt::format(", {} idle", count(idle));
  if (evicted.crowded > 0) text += fmt::format(", {} to make room", count(evicted.crowded));
  text += fmt::format(": {} packets, {}", count(evicted.sides.traffic.packets), bytes(evicted.sides.traffic.bytes));
  const auto add = [&](std::uint64_t number, std::string_view what) {
    if (number > 0) text += fmt::format(", {} {}", count(number), what);
  };
  add(messages(evicted.sides), "messages");
  add(resent(evicted.sides), "resent");
  add(lost_before(evicted.sides), "lost before");
  add(lost_after(evicted.sides), "lost after");
  add(not_captured(evicted.sides), "not captured");
  add(naks(evicted.sides), "NAK");
  add(rnr_naks(evicted.sides), "RNR");
  add(refused(evicted.sides), "refused");
  add(marked(evicted.sides), "CE");
  add(cnps(evicted.sides), "CNP");
  return text;
}

}  // namespace

void append_connections(const Report& report, ReportPage& page) {
  if (report.connections.empty() && report.evicted.connections == 0) return;
  page.section("Connections");
  ReportTable table({{"no.", Align::kRight},
                     {"side"},
                     {"peer"},
                     {"transport"},
                     {"paired"},
                     {"MTU", Align::kRight},
                     {"packets", Align::kRight},
                     {"bytes", Align::kRight},
                     {"messages", Align::kRight},
                     {"resent", Align::kRight},
                     {"lost before", Align::kRight},
                     {"lost after", Align::kRight},
                     {"out of order", Align::kRight},
                     {"not captured", Align::kRight},
                     {"NAK", Align::kRight},
                     {"RNR", Align::kRight},
                     {"refused", Align::kRight},
                     {"CE", Align::kRight},
                     {"CNP", Align::kRight}});
  for (std::size_t i = 0; i < page.shown(report.connections.size()); ++i) {
    const Connection& connection = report.connections[i];
    const auto& [side, peer] = connection.sides;
    table.row({fmt::format("{}", connection.number), queue_pair(side), queue_pair(peer),
               string(to_string(connection.transport)), string(to_string(connection.paired_by)),
               connection.path_mtu == 0 ? string() : fmt::format("{}", connection.path_mtu),
               count(side.traffic.packets + peer.traffic.packets), bytes(side.traffic.bytes + peer.traffic.bytes),
               both(connection, messages), both(connection, resent), both(connection, lost_before),
               both(connection, lost_after), both(connection, out_of_order), both(connection, not_captured),
               both(connection, naks), both(connection, rnr_naks), both(connection, refused), both(connection, marked),
               both(connection, cnps)});
  }
  table.append_to(page.out());
  page.rest(report.connections.size(), "connections");
  if (report.evicted.connections > 0) page.note(evicted_text(report.evicted));
  if (report.untracked_connection_packets > 0) {
    page.note(fmt::format("{} packets of further connections, beyond the limit of this table",
                          count(report.untracked_connection_packets)));
  }
}

}  // namespace rocescope::render
