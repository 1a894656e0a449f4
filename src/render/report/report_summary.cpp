// The first lines of the report: what to know at one glance.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "render/report/finding_blocks.hpp"
#include "render/report/report_sections.hpp"
#include "rocescope/text.hpp"
#include "schema/names/cm_names.hpp"
#include "schema/names/protocol_names.hpp"
#include "sorting/sort.hpp"
#include "text/cut_packets.hpp"

namespace rocescope::render {
using text::count;

namespace {

using std::string;

string packets(std::uint64_t number) { return count(number, "packet"); }

/// `176 TCP, 8 UDP`; the rest of a long list as one number.
string other_packets(const Report& report) {
  constexpr std::size_t kMost = 6;
  string text;
  std::uint64_t rest = 0;
  for (std::size_t i = 0; i < report.other_packets.size(); ++i) {
    const OtherPackets& other = report.other_packets[i];
    if (i >= kMost) {
      rest += other.packets;
    } else {
      text += fmt::format("{}{} {}", i > 0 ? ", " : "", count(other.packets), schema::protocol_label(other.protocol));
    }
  }
  if (rest > 0) text += fmt::format(", {} others", count(rest));
  return text;
}

/// `RoCEv2`; `RoCE` where there is more than one kind.
string encapsulations(const Report& report) {
  std::set<string> names;
  for (const Flow& flow : report.flows) names.insert(string(to_string(flow.encapsulation)));
  return names.size() == 1 ? *names.begin() : "RoCE";
}

/// `RC 1,200, UD 64, CNP 6`, the most frequent first.
string transports(const Report& report) {
  struct Count {
    Transport transport;
    std::uint64_t packets;
  };
  std::vector<Count> counts;
  for (const OperationCount& operation : report.operations) {
    const Transport transport = operation.opcode->transport;
    const auto found =
        std::find_if(counts.begin(), counts.end(), [&](const Count& known) { return known.transport == transport; });
    if (found == counts.end()) {
      counts.push_back({transport, operation.traffic.packets});
    } else {
      found->packets += operation.traffic.packets;
    }
  }
  sorting::stable_sort(counts, [](const Count& a, const Count& b) { return a.packets > b.packets; });
  string text;
  for (const Count& entry : counts) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", to_string(entry.transport), count(entry.packets));
  }
  return text;
}

/// `lab.pcap: `; nothing for several captures.
string capture_name(const Report& report) {
  if (report.captures.size() != 1) return {};
  const string& path = report.captures.front().info.path;
  if (path == "-") return "standard input: ";
  return safe_text(path.substr(path.rfind('/') + 1)) + ": ";
}

string headline(const Report& report) {
  const CaptureTotals& totals = report.totals;
  if (totals.traffic.packets == 0) {
    return report.packets_read == 0 ? "no packets" : fmt::format("no packets (of {} read)", count(report.packets_read));
  }
  const bool has_all = totals.traffic.packets == report.packets_read;
  const string read = has_all ? string() : fmt::format(" (of {} read)", count(report.packets_read));
  if (totals.roce.packets == 0) {
    const string none =
        has_all ? "no RoCE packets" : fmt::format("{}{}, none of them RoCE", packets(totals.traffic.packets), read);
    return none + "; " + other_packets(report);
  }
  const string share = totals.roce.packets == totals.traffic.packets
                           ? fmt::format("all {}", encapsulations(report))
                           : fmt::format("{} of them {}", count(totals.roce.packets), encapsulations(report));
  return fmt::format("{}{} in {}, {}", packets(totals.traffic.packets), read, duration_text(totals), share);
}

string roce_line(const Report& report) {
  std::set<IpAddress> addresses;
  std::uint64_t size = 0;  // as packets: each once, however many capture points saw it
  std::uint64_t payload = 0;
  for (const Flow& flow : report.flows) {
    addresses.insert(flow.source);
    addresses.insert(flow.destination);
  }
  for (const OperationCount& operation : report.operations) {
    size += operation.traffic.bytes;
    payload += operation.payload_bytes;
  }
  const bool partial = report.untracked_flows.packets > 0;
  return fmt::format("{}; {}{} between {}{} addresses; {}, payload {}", transports(report), partial ? "over " : "",
                     count(report.flows.size(), "flow"), partial ? "over " : "", count(addresses.size()), bytes(size),
                     bytes(payload));
}

string rewritten(const Report& report) {
  const auto flows = std::count_if(report.flows.begin(), report.flows.end(),
                                   [](const Flow& flow) { return flow.rewritten_packets > 0; });
  return fmt::format("source port rewritten by the capture in {} of {}: verified with the real port",
                     packets(report.icrc.rewritten), count(static_cast<std::uint64_t>(flows), "flow"));
}

/// `4 REQ, 4 REP, 4 RTU; 1 retry`
void append_cm_line(const Report& report, ReportPage& page) {
  if (report.cm_events.empty()) return;
  std::map<CmMessage, std::uint64_t> messages;
  std::uint64_t retries = 0;
  for (const CmEvent& event : report.cm_events) {
    ++messages[event.message];
    if (event.retry_of) ++retries;
  }
  string text;
  for (const auto& [message, number] : messages) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count(number), schema::cm_message_name(message));
  }
  if (retries > 0) text += fmt::format("; {} {}", count(retries), text::plural(retries, "retry", "retries"));
  const bool rejected = messages.contains(CmMessage::kRej);
  page.fact("CM", text, rejected ? Tone::kError : Tone::kPlain);
}

/// `50 unverifiable (truncated)`, `3 unverifiable (2 truncated, 1 fragment)`
string unverifiable(const IcrcTotals& icrc) {
  std::uint64_t all = 0;
  string reasons;
  for (const auto& entry : icrc.unverifiable) {
    all += entry.packets;
    if (!reasons.empty()) reasons += ", ";
    if (icrc.unverifiable.size() > 1) reasons += count(entry.packets) + " ";
    reasons += to_string(entry.reason);
  }
  return fmt::format("{} unverifiable ({})", count(all), reasons);
}

void append_icrc(const Report& report, ReportPage& page) {
  const IcrcTotals& icrc = report.icrc;
  if (!icrc.verified) return page.fact("ICRC", "not verified; a rule that only a few packets break is not reported");
  string text;
  const auto add = [&](const string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (icrc.good == report.totals.roce.packets) {
    add("all good");
  } else if (icrc.good > 0) {
    add(count(icrc.good) + " good");
  }
  if (icrc.damaged > 0) add(count(icrc.damaged) + " damaged");
  if (icrc.bad > icrc.damaged) add(count(icrc.bad - icrc.damaged) + " bad");
  if (icrc.unsearched > 0) add(count(icrc.unsearched) + " of them not tried with other source ports");
  if (!icrc.unverifiable.empty()) add(unverifiable(icrc));
  const Tone tone = icrc.bad > 0 ? Tone::kError : icrc.unverifiable.empty() ? Tone::kGood : Tone::kWarning;
  page.fact("ICRC", text, tone);
  if (icrc.rewritten > 0) page.fact("", rewritten(report), Tone::kWarning);
}

/// What the capture itself lost.
void append_losses(const Report& report, ReportPage& page) {
  const CaptureTotals& totals = report.totals;
  if (totals.cut_packets > 0) {
    const text::CutPackets cut = text::cut_packets(report.stops);
    page.fact("Cut",
              fmt::format("{}: {}", packets(totals.cut_packets),
                          cut.lacks.empty() ? "not all of their bytes are here" : cut.lacks),
              Tone::kWarning);
  }
  std::uint64_t dropped = 0;
  for (const CaptureReport& capture : report.captures) {
    for (const CaptureInterface& interface : capture.info.interfaces) dropped += interface.dropped.value_or(0);
  }
  if (dropped > 0) page.fact("Dropped", packets(dropped) + " while capturing", Tone::kWarning);
  std::uint64_t malformed = 0;
  for (const StopCount& stop : report.stops) {
    if (stop.reason == StopReason::kMalformed) malformed += stop.packets;
  }
  if (malformed > 0) page.fact("Malformed", packets(malformed) + ": see below", Tone::kError);
}

/// What the packets themselves show that the capture lacks, or has in another order.
void append_gaps(const Report& report, ReportPage& page) {
  std::uint64_t missed = report.evicted.sides.capture_lost();
  std::uint64_t early = report.evicted.sides.answered_early();
  std::int64_t apart = report.evicted.sides.most_answered_early();
  for (const Connection& connection : report.connections) {
    if (connection.unsure) continue;
    for (const ConnectionSide& side : connection.sides) {
      if (side.first_packet != 0) missed += side.capture_lost();  // else it is one way
      early += side.answered_early();
      apart = std::max(apart, side.most_answered_early());
    }
  }
  if (missed > 0) {
    page.fact("Missed", fmt::format("at least {} that arrived: what was counted is at least that", packets(missed)),
              Tone::kWarning);
  }
  const auto one_sided = static_cast<std::uint64_t>(std::ranges::count_if(
      report.findings, [](const Finding& finding) { return finding.info->id == FindingId::kOneSided; }));
  if (one_sided > 0) {
    page.fact("One way",
              fmt::format("{} of {}: what the other direction would show is unknown", count(one_sided),
                          count(report.connections.size(), "connection")),
              Tone::kWarning);
  }
  if (const string unsure = unsure_connections(report); !unsure.empty()) {
    page.fact("Unknown",
              fmt::format("what {} lost or sent again: what came twice may be copies by the capture", unsure),
              Tone::kWarning);
  }
  if (early > 0) {
    page.fact("Order",
              fmt::format(
                  "{} behind {}: {}", count(early, "message"), text::plural(early, "its ACK", "their ACKs"),
                  apart > 0 ? fmt::format(
                                  "an ACK precedes its message by up to {0}, the two directions are at least {0} apart",
                                  text::duration(apart))
                            : "the capture does not keep the order of the two directions"),
              Tone::kWarning);
  }
}

}  // namespace

void append_summary(const Report& report, ReportPage& page) {
  page.title(capture_name(report) + headline(report));
  if (report.totals.roce.packets > 0) {
    page.fact("Traffic", roce_line(report));
    append_points(report, page);
    append_icrc(report, page);
    append_cm_line(report, page);
    if (!report.other_packets.empty()) page.fact("Others", other_packets(report));
  }
  append_losses(report, page);
  append_gaps(report, page);
}

}  // namespace rocescope::render
