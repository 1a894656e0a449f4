// The list of CM messages.
#include <fmt/format.h>

#include <algorithm>

#include "render/report/row_table.hpp"
#include "rocescope/text.hpp"
#include "schema/names/cm_names.hpp"
#include "schema/tables.hpp"

namespace rocescope::render {
using text::count;

namespace {

using std::string;

string hex_id(const std::optional<std::uint32_t>& id) { return id ? fmt::format("0x{:08x}", *id) : string(); }

/// `0x000012`; the receiver's queue pair of a message that names only that one as `to 0x000012`.
string queue_pair(const CmEvent& event) {
  if (event.local_qpn) return to_text(*event.local_qpn);
  if (event.remote_qpn) return "to " + to_text(*event.remote_qpn);
  return {};
}

/// The end of an IP connection: `10.0.0.1:51032`, `[fe80::1]:51032`.
string socket_address(const IpAddress& address, std::uint16_t port) {
  return address.is_v4() ? fmt::format("{}:{}", to_text(address), port)
                         : fmt::format("[{}]:{}", to_text(address), port);
}

/// What the RDMA IP CM service says of the addresses; in short where they are those of the packet.
string ip_addresses(const CmEvent& event, bool all) {
  if (!event.ip) return {};
  const auto& [source, source_port, destination, destination_port] = *event.ip;
  if (!all && source == event.source && destination == event.destination)
    return fmt::format("from port {}", source_port);
  return fmt::format("{} > {}", socket_address(source, source_port), socket_address(destination, destination_port));
}

/// The private data up to their last byte that is not zero.
string private_data(const CmEvent& event, bool all) {
  constexpr std::size_t kShort = 8;
  const auto last =
      std::find_if(event.private_data.rbegin(), event.private_data.rend(), [](std::uint8_t byte) { return byte != 0; });
  const auto size = static_cast<std::size_t>(event.private_data.rend() - last);
  if (size == 0) return {};
  string text = "private data ";
  append_hex(Bytes(event.private_data).first(all ? size : std::min(size, kShort)), text);
  if (!all && size > kShort) text += fmt::format("... ({} bytes)", size);
  return text;
}

string details(const CmEvent& event, bool all) {
  string text;
  const auto add = [&](const string& part) {
    if (!part.empty()) text += (text.empty() ? "" : ", ") + part;
  };
  if (event.retry_of) add(fmt::format("retry of packet {}", *event.retry_of));
  if (event.reason) add(fmt::format("{} rejected: {}", schema::cm_about(event), schema::cm_reason(event)));
  if (event.message == CmMessage::kMra) add(fmt::format("{} received", schema::cm_about(event)));
  if (event.status.value_or(0) != 0) add(schema::cm_status(event));
  add(string(schema::cm_transport(event)));
  add(schema::cm_service(event));
  add(ip_addresses(event, all));
  add(private_data(event, all));
  return text;
}

}  // namespace

void append_cm(const Report& report, ReportPage& page) {
  if (report.cm_events.empty() || !page.detail()) return;  // the table of handshakes is shorter
  page.section("CM messages");
  const bool all = page.all();
  RowTable<CmEvent> table(
      report, schema::kCmMessage,
      {"packet",
       "time",
       "source",
       "destination",
       "message",
       {"local ID", [](const CmEvent& row) { return hex_id(row.request_id ? row.request_id : row.local_comm_id); }},
       {"remote ID", [](const CmEvent& row) { return hex_id(row.remote_comm_id); }},
       {"QP", queue_pair, Align::kRight},
       "starting_psn",
       {"transaction", [all](const CmEvent& row) { return all ? fmt::format("0x{:016x}", row.transaction_id) : ""; }},
       {"details", [all](const CmEvent& row) { return details(row, all); }}});
  table.rows(report.cm_events, "CM messages", page);
  if (report.unlisted_cm_events > 0) {
    page.note(fmt::format("{} further messages, beyond the limit of this list", count(report.unlisted_cm_events)));
  }
}

}  // namespace rocescope::render
