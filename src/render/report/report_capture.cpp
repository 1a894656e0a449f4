// Capture facts, protocol hierarchy, operations, and where dissection ended early.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "render/report/row_table.hpp"
#include "rocescope/header.hpp"
#include "rocescope/text.hpp"
#include "schema/names/protocol_names.hpp"
#include "schema/tables.hpp"

namespace rocescope::render {
using text::count;
using text::duration;
using text::quantity;

namespace {

using std::string;

/// A moment that --from and --to take as it stands, with as many digits as it needs.
string moment(std::int64_t time) {
  constexpr std::int64_t kMicrosecond = 1000;
  return date_and_time(time, Zone::kUtc, time % kMicrosecond == 0 ? 6 : 9) + "Z";
}

string resolution(std::uint64_t ticks_per_second) {
  switch (ticks_per_second) {
    case 1:
      return "seconds";
    case 1'000:
      return "milliseconds";
    case 1'000'000:
      return "microseconds";
    case 1'000'000'000:
      return "nanoseconds";
    default:
      return fmt::format("1/{} s", count(ticks_per_second));
  }
}

string interface_text(const CaptureInterface& interface) {
  string text = interface.name.empty() ? "" : safe_text(interface.name) + ": ";
  text += schema::link_type_name(interface.link_type);
  if (interface.snap_length > 0) text += fmt::format(", snap length {}", count(interface.snap_length));
  text += fmt::format(", times in {}", resolution(interface.ticks_per_second));
  if (interface.dropped) text += fmt::format(", {} dropped", count(*interface.dropped));
  return text;
}

/// `38.2 packets/s`, `1,067 packets/s`
string packet_rate(double rate) {
  constexpr double kLarge = 1e3;
  if (rate < kLarge) return quantity(rate, "packets/s");
  return count(static_cast<std::uint64_t>(std::llround(rate))) + " packets/s";
}

void append_totals(const CaptureTotals& totals, ReportPage& page) {
  page.fact("Packets", fmt::format("{}, RoCE {}", count(totals.traffic.packets), count(totals.roce.packets)));
  string size = fmt::format("{} on the wire, RoCE {}", bytes(totals.traffic.bytes), bytes(totals.roce.bytes));
  if (totals.captured_bytes != totals.traffic.bytes) size += fmt::format("; {} captured", bytes(totals.captured_bytes));
  page.fact("Bytes", size);
  if (!totals.first_time) return;
  page.fact("From", moment(*totals.first_time));
  page.fact("To", fmt::format("{} ({})", moment(*totals.last_time), duration_text(totals)));
  if (totals.out_of_order_packets > 0) {
    page.fact("Order", fmt::format("{} earlier than the packet before", count(totals.out_of_order_packets)));
  }
  if (totals.duration() == 0) return;
  const double seconds = static_cast<double>(totals.duration()) / 1e9;
  page.fact("Rate", fmt::format("{}, {}", packet_rate(static_cast<double>(totals.traffic.packets) / seconds),
                                quantity(static_cast<double>(totals.traffic.bytes) * 8 / seconds, "b/s")));
}

/// `infiniband`, `ethertype 0x0806 (ARP)`: a number has its name beside it, where it has one.
string name_and_label(ProtocolId protocol) {
  string name = schema::protocol_name(protocol);
  if (protocol.space == ProtocolId::Space::kHeader) return name;
  const string label = schema::protocol_label(protocol);
  const auto same = [](char a, char b) { return std::tolower(a) == std::tolower(b); };
  if (std::equal(name.begin(), name.end(), label.begin(), label.end(), same)) return name;
  return fmt::format("{} ({})", name, label);
}

struct ProtocolLine {
  const ProtocolNode* node = nullptr;
  std::size_t depth = 0;
};

/// Each protocol behind the one that carries it.
void collect(const std::vector<ProtocolNode>& nodes, std::size_t depth, std::vector<ProtocolLine>& lines) {
  for (const ProtocolNode& node : nodes) {
    lines.push_back({&node, depth});
    collect(node.children, depth + 1, lines);
  }
}

}  // namespace

void append_captures(const Report& report, ReportPage& page) {
  page.section("Capture");
  for (const CaptureReport& capture : report.captures) {
    const CaptureInfo& info = capture.info;
    page.fact("File", fmt::format("{} ({})", safe_text(info.path), info.format));
    const std::size_t shown = page.shown(info.interfaces.size());
    for (std::size_t i = 0; i < shown; ++i) page.fact("Interface", interface_text(info.interfaces[i]));
    page.rest(info.interfaces.size(), "interfaces");
    if (report.captures.size() > 1) append_totals(capture.totals, page);
    for (const string& warning : info.warnings) page.fact("Warning", safe_text(warning), Tone::kWarning);
  }
  if (report.captures.size() != 1) page.section("All captures together");
  append_totals(report.totals, page);
}

void append_protocols(const Report& report, ReportPage& page) {
  if (report.protocols.empty()) return;
  page.section("Protocols");
  std::vector<ProtocolLine> lines;
  collect(report.protocols, 0, lines);
  std::size_t depth = 0;
  const auto name = [&](const ProtocolNode& node) { return string(depth * 2, ' ') + name_and_label(node.protocol); };
  RowTable<ProtocolNode> table(report, schema::kProtocol, {{"protocol", name}, "packets", "bytes"});
  for (std::size_t i = 0; i < page.shown(lines.size()); ++i) {
    depth = lines[i].depth;
    table.row(*lines[i].node);
  }
  table.end(page);
  page.rest(lines.size(), "protocols");
  if (report.untracked_protocols.packets > 0) {
    page.note(fmt::format("{} packets have protocols beyond the limit of this table",
                          count(report.untracked_protocols.packets)));
  }
}

void append_operations(const Report& report, ReportPage& page) {
  if (report.operations.empty()) return;
  page.section("Operations");
  const auto opcode = [](const OperationCount& row) { return fmt::format("0x{:02x}", row.opcode->code); };
  RowTable<OperationCount> table(report, schema::kOperationCount,
                                 {{"opcode", opcode, Align::kRight}, "name", "packets", "bytes", "payload_bytes"});
  for (const OperationCount& operation : report.operations) table.row(operation);
  table.end(page);
}

void append_stops(const Report& report, ReportPage& page) {
  if (report.stops.empty()) return;
  page.section("Not dissected to the end");
  const auto at = [](const StopCount& stop) {
    return string(stop.layer == HeaderKind::kNone ? "" : header_info(stop.layer).title);
  };
  RowTable<StopCount> table(report, schema::kStop, {"reason", {"at", at}, "packets", "first_packet"});
  for (const StopCount& stop : report.stops) table.row(stop);
  table.end(page);
}

}  // namespace rocescope::render
