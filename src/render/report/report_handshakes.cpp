// The handshakes: one line each, and what they agreed on.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "render/report/report_sections.hpp"
#include "render/report/report_table.hpp"
#include "rocescope/text.hpp"
#include "schema/names/handshake_names.hpp"
#include "schema/names/service_text.hpp"

namespace rocescope::render {
namespace {

using std::string;
using text::count;
using text::duration;

string queue_pair(const HandshakeSide& side) {
  return side.qpn ? fmt::format("{} 0x{:06x}", to_text(side.address), side.qpn->value()) : to_text(side.address);
}

/// `established`, `rejected: invalid service ID`
string outcome(const Handshake& handshake) {
  string text(to_string(handshake.outcome));
  std::replace(text.begin(), text.end(), '_', ' ');
  if (handshake.reject) text += ": " + schema::reject_reason(handshake);
  return text;
}

/// Later ones may come first: data that the RTU was overtaken by.
string time_text(const std::optional<std::int64_t>& ns) {
  if (!ns) return {};
  return *ns < 0 ? fmt::format("-{}", duration(-*ns)) : duration(*ns);
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

template <class Number>
string number(const std::optional<Number>& value) {
  return value ? fmt::format("{}", *value) : string();
}

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

void append_parameters(const Report& report, ReportPage& page) {
  ReportTable table({{"no.", Align::kRight},
                     {"side"},
                     {"queue pair"},
                     {"first PSN", Align::kRight},
                     {"MTU", Align::kRight},
                     {"resources", Align::kRight},
                     {"depth", Align::kRight},
                     {"retries", Align::kRight},
                     {"RNR retries", Align::kRight},
                     {"ACK timeout", Align::kRight},
                     {"P_Key"},
                     {"credits"},
                     {"region told"}});
  for (std::size_t row = 0; row < page.shown(report.handshakes.size()); ++row) {
    const Handshake& handshake = report.handshakes[row];
    for (std::size_t i = 0; i < 2; ++i) {
      const HandshakeSide& side = handshake.sides[i];
      const bool first = i == 0;
      table.row({first ? fmt::format("{}", handshake.number) : string(), first ? "active" : "passive", queue_pair(side),
                 side.first_psn ? fmt::format("{}", side.first_psn->value()) : string(),
                 first && handshake.path_mtu != 0 ? fmt::format("{}", handshake.path_mtu) : string(),
                 number(side.responder_resources), number(side.initiator_depth),
                 first ? number(handshake.retry_count) : string(), number(side.rnr_retry_count),
                 !first || !handshake.ack_timeout ? string()
                 : *handshake.ack_timeout == 0    ? "without end"
                                                  : duration(*handshake.ack_timeout),
                 first && handshake.p_key ? fmt::format("0x{:04x}", *handshake.p_key) : string(),
                 !side.flow_control   ? string()
                 : *side.flow_control ? "yes"
                                      : "no",
                 region_text(side)});
    }
  }
  page.section("What the handshakes agreed on");
  table.append_to(page.out());
}

}  // namespace

void append_handshakes(const Report& report, ReportPage& page) {
  if (report.handshakes.empty()) return;
  page.section("Handshakes");
  ReportTable table({{"no.", Align::kRight},
                     {"time", Align::kRight},
                     {"active side"},
                     {"passive side"},
                     {"by"},
                     {"outcome"},
                     {"connection", Align::kRight},
                     {"service"},
                     {"REQ-REP", Align::kRight},
                     {"REP-RTU", Align::kRight},
                     {"RTU-data", Align::kRight},
                     {"DREQ-DREP", Align::kRight},
                     {"resent", Align::kRight},
                     {"packets"}});
  const SecondsSince seconds(report);
  for (std::size_t i = 0; i < page.shown(report.handshakes.size()); ++i) {
    const Handshake& handshake = report.handshakes[i];
    const HandshakeTimes times = times_of(handshake);
    table.row({fmt::format("{}", handshake.number), seconds(handshake.first_time()), queue_pair(handshake.sides[0]),
               queue_pair(handshake.sides[1]), string(to_string(handshake.kind)), outcome(handshake),
               handshake.connection == 0 ? string() : fmt::format("{}", handshake.connection),
               handshake.service_id ? schema::service_text(*handshake.service_id) : string(),
               time_text(times.req_to_rep), time_text(times.rep_to_rtu), time_text(times.rtu_to_data),
               time_text(times.dreq_to_drep), resent(handshake), page.detail() ? messages(handshake) : string()});
  }
  table.append_to(page.out());
  page.rest(report.handshakes.size(), "handshakes");
  if (report.unlisted_handshakes > 0) {
    page.note(fmt::format("{} messages of further handshakes, beyond the limit of this table",
                          count(report.unlisted_handshakes)));
  }
  if (page.detail()) append_parameters(report, page);
}

}  // namespace rocescope::render
