// The handshakes: one line each, and what they agreed on.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "render/report/row_table.hpp"
#include "rocescope/text.hpp"
#include "schema/names/handshake_names.hpp"
#include "schema/tables.hpp"

namespace rocescope::render {
namespace {

using std::string;
using text::count;
using text::duration;

/// `established`, `rejected: invalid service ID`
string outcome(const Handshake& handshake) {
  string text(to_string(handshake.outcome));
  std::replace(text.begin(), text.end(), '_', ' ');
  if (handshake.reject) text += ": " + schema::reject_reason(handshake);
  return text;
}

string resent(const Handshake& handshake) {
  std::uint64_t repetitions = 0;
  for (const HandshakeStep& step : handshake.steps) repetitions += step.count - 1;
  return repetitions == 0 ? string() : count(repetitions);
}

/// `REQ 16, REP 17, DREQ 55 and 2 more up to 61`
string messages(const Handshake& handshake) {
  string text;
  for (const HandshakeStep& step : handshake.steps) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", to_string(step.message), step.packet);
    if (step.count > 1) text += fmt::format(" and {} more up to {}", step.count - 1, step.last_packet);
  }
  return text;
}

string side_text(const HandshakeSide& side) { return to_text(side.address, side.qpn); }

/// `0x55b2 (4096 B at 0x7f14c9edb000, in packet 4, proved by 6)`
string region_text(const HandshakeSide& side) {
  if (!side.region) return {};
  const AnnouncedRegion& region = *side.region;
  string text = fmt::format("0x{:08x} at 0x{:x}", region.r_key, region.address);
  if (region.length != 0) text += fmt::format(", {} B", region.length);
  text += fmt::format(", in packet {}", region.packet);
  if (region.proof) {
    text += fmt::format(" at byte {} of the private data ({}-endian), used by packet {}", region.proof->offset,
                        region.proof->big_endian ? "big" : "little", region.proof->packet);
  }
  return text;
}

string ack_timeout(const Handshake& handshake) {
  if (!handshake.ack_timeout) return {};
  return *handshake.ack_timeout == 0 ? "without end" : duration(*handshake.ack_timeout);
}

string p_key(const Handshake& handshake) {
  return handshake.p_key ? fmt::format("0x{:04x}", *handshake.p_key) : string();
}

void append_parameters(const Report& report, ReportPage& page) {
  const SecondsSince seconds(report);
  // The line of the active side shows what both sides agreed on.
  const Handshake* handshake = nullptr;
  bool active = false;
  const auto agreed = [&](std::string_view path) {
    return [&, value = ColumnText(schema::kHandshake, path)](const HandshakeSide&) {
      return active ? value(handshake, seconds) : string();
    };
  };
  RowTable<HandshakeSide> table(
      report, schema::kHandshakeSide,
      {{"no.", agreed("number"), Align::kRight},
       {"side", [&](const HandshakeSide&) { return string(schema::side_name(active ? 0 : 1)); }},
       {"queue pair", side_text},
       "first_psn",
       {"MTU", agreed("path_mtu"), Align::kRight},
       "responder_resources",
       "initiator_depth",
       {"retries", agreed("retry_count"), Align::kRight},
       "rnr_retry_count",
       {"ACK timeout", [&](const HandshakeSide&) { return active ? ack_timeout(*handshake) : string(); },
        Align::kRight},
       {"P_Key", [&](const HandshakeSide&) { return active ? p_key(*handshake) : string(); }},
       "flow_control",
       {"region announced", region_text}});
  for (std::size_t i = 0; i < page.shown(report.handshakes.size()); ++i) {
    handshake = &report.handshakes[i];
    for (const HandshakeSide& side : handshake->sides) {
      active = &side == handshake->sides.data();
      table.row(side);
    }
  }
  page.section("What the handshakes agreed on");
  table.end(page);
}

}  // namespace

void append_handshakes(const Report& report, ReportPage& page) {
  if (report.handshakes.empty()) return;
  page.section("Handshakes");
  const bool detail = page.detail();
  const SecondsSince seconds(report);
  RowTable<Handshake> table(
      report, schema::kHandshake,
      {"number",
       {"time", [&](const Handshake& row) { return seconds(row.first_time()); }, Align::kRight},
       {"active side", [](const Handshake& row) { return side_text(row.sides[0]); }},
       {"passive side", [](const Handshake& row) { return side_text(row.sides[1]); }},
       "kind",
       {"outcome", outcome},
       "connection",
       "service",
       "req_to_rep",
       "rep_to_rtu",
       "rtu_to_data",
       "dreq_to_drep",
       {"resent", resent, Align::kRight},
       {"packets", [detail](const Handshake& row) { return detail ? messages(row) : string(); }}});
  table.rows(report.handshakes, "handshakes", page);
  if (report.unlisted_handshakes > 0) {
    page.note(fmt::format("{} messages of further handshakes, beyond the limit of this table",
                          count(report.unlisted_handshakes)));
  }
  if (page.detail()) append_parameters(report, page);
}

}  // namespace rocescope::render
