// Capture files and what they hold: totals, interfaces, protocols, operations, ICRCs, stops.
#include <algorithm>

#include "rocescope/header.hpp"
#include "schema/make_column.hpp"
#include "schema/names/protocol_names.hpp"
#include "schema/tables.hpp"
#include "sorting/sort.hpp"

namespace rocescope::schema {
namespace {

constexpr auto kTrafficColumns =
    columns<Traffic>(number<&Traffic::packets>("packets", "packets").packets().sum().titled("packets"),
                     number<&Traffic::bytes>("bytes", "their bytes on the wire").bytes().sum().titled("bytes"));

std::optional<std::uint64_t> duration_of(const CaptureTotals& totals) {
  return totals.first_time ? std::optional(totals.duration()) : std::nullopt;
}

constexpr auto kTotalsColumns = columns<CaptureTotals>(
    members<&CaptureTotals::traffic>(kTraffic).parts<kTraffic>(),
    members<&CaptureTotals::roce>(kTraffic, "roce_").parts<kTraffic>(),
    number<&CaptureTotals::captured_bytes>("captured_bytes", "bytes that the captures hold").bytes().sum(),
    number<&CaptureTotals::cut_packets>("cut_packets", "packets of which the capture lacks bytes").packets().sum(),
    number<&CaptureTotals::out_of_order_packets>("out_of_order_packets", "with an earlier time than the packet before")
        .packets()
        .sum(),
    time<&CaptureTotals::first_time>("first_time", "the earliest time of a packet").earliest(),
    time<&CaptureTotals::last_time>("last_time", "the latest").latest(),
    duration<&duration_of>("duration", "from the first to the last time"));

/// No text: absent.
std::optional<std::string_view> if_any(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional<std::string_view>(text);
}

constexpr auto kInterfaceColumns = columns<CaptureInterface>(
    text<[](const CaptureInterface& row) { return if_any(row.name); }>("name", "as the capture names it"),
    text<[](const CaptureInterface& row) { return if_any(row.description); }>("description",
                                                                              "as the capture describes it"),
    number<&CaptureInterface::section>("section", "the pcapng section that describes it, from 1").unless_zero(),
    number<&CaptureInterface::number>("number", "within its section, from 0"),
    number<&CaptureInterface::link_type>("link_type", "LINKTYPE_ number"),
    text<[](const CaptureInterface& row) { return link_type_name(row.link_type); }>("link_type_name", "in words"),
    number<&CaptureInterface::snap_length>("snap_length", "the most of a packet that was kept").bytes().unless_zero(),
    number<&CaptureInterface::ticks_per_second>("ticks_per_second", "resolution of the time stamps"),
    number<&CaptureInterface::dropped>("dropped_packets", "lost while capturing").packets());

constexpr auto kCaptureColumns = columns<CaptureReport>(
    text<&CaptureReport::info, &CaptureInfo::path>("path", "as the user named it; - is standard input"),
    text<&CaptureReport::info, &CaptureInfo::format>("format",
                                                     "pcap or pcapng, and how it is compressed; empty: it has no byte"),
    members<&CaptureReport::totals>(kCaptureTotals),
    array<&CaptureReport::info, &CaptureInfo::interfaces>("interfaces", kInterface, "interfaces of the capture"),
    list<&CaptureReport::info, &CaptureInfo::warnings>("warnings", Type::kText, "sentences: damage that was skipped"));

constexpr auto kProtocolColumns = columns<ProtocolNode>(
    text<[](const ProtocolNode& row) { return protocol_name(row.protocol); }>(
        "name", "Wireshark's, or ethertype 0x0806, ip protocol 132, link type 105"),
    text<[](const ProtocolNode& row) { return protocol_label(row.protocol); }>("label", "the name for people"),
    members<&ProtocolNode::traffic>(kTraffic).parts<kTraffic>(),
    array<&ProtocolNode::children>("protocols", kProtocol, "what it carries; absent where that is nothing")
        .where<[](const ProtocolNode& row) { return !row.children.empty(); }>());

constexpr auto kOtherColumns = columns<OtherPackets>(
    text<[](const OtherPackets& row) { return protocol_name(row.protocol); }>("name", "as of protocols"),
    text<[](const OtherPackets& row) { return protocol_label(row.protocol); }>("label", "the name for people"),
    number<&OtherPackets::packets>("packets", "packets").packets().sum());

constexpr auto kOperationCountColumns = columns<OperationCount>(
    number<[](const OperationCount& row) { return row.opcode->code; }>("opcode", "of the BTH").not_added(),
    text<[](const OperationCount& row) { return row.opcode->name(); }>("name", "of the opcode").titled("operation"),
    text<[](const OperationCount& row) { return row.opcode->transport; }>("transport", "RC, UC, UD, XRC ..."),
    text<[](const OperationCount& row) { return row.opcode->operation; }>("operation",
                                                                          "without transport and position"),
    members<&OperationCount::traffic>(kTraffic).parts<kTraffic>(),
    number<&OperationCount::payload_bytes>("payload_bytes", "without headers and pad").bytes().sum().titled("payload"));

/// Numbers by the names of reasons, in the order in which they occurred.
void show_reasons(const void* row, Visitor visit) {
  for (const IcrcTotals::Unverifiable& entry : static_cast<const IcrcTotals*>(row)->unverifiable) {
    const std::string_view reason = to_string(entry.reason);
    const Count count{reason.empty() ? "unknown" : reason, entry.packets};
    visit(&count);
  }
}

std::string_view reason_at(std::size_t index) {
  constexpr auto kLast = static_cast<std::size_t>(StopReason::kLimit);
  if (index == 0) return "unknown";
  return index <= kLast ? to_string(static_cast<StopReason>(index)) : std::string_view();
}

void add_unverifiable(IcrcTotals& into, const IcrcTotals& from) {
  for (const IcrcTotals::Unverifiable& more : from.unverifiable) {
    const auto known = std::ranges::find(into.unverifiable, more.reason, &IcrcTotals::Unverifiable::reason);
    if (known == into.unverifiable.end()) {
      into.unverifiable.push_back(more);
      continue;
    }
    known->packets += more.packets;
    known->first_packet = std::min(known->first_packet, more.first_packet);
  }
  sorting::sort(into.unverifiable, {}, &IcrcTotals::Unverifiable::first_packet);
}

constexpr auto unverifiable() {
  ColumnOf<IcrcTotals> column;
  column.name = "unverifiable";
  column.help = "packets by the reason why their ICRC could not be verified";
  column.type = Type::kCounts;
  column.unit = Unit::kPackets;
  column.each = &show_reasons;
  column.name_at = &reason_at;
  return column.parts_by<&add_unverifiable>();
}

constexpr auto kIcrcColumns = columns<IcrcTotals>(
    boolean<&IcrcTotals::verified>("verified", "false with --no-icrc"),
    number<&IcrcTotals::good>("good", "packets whose ICRC is right").packets().sum(),
    number<&IcrcTotals::bad>("bad", "packets whose ICRC is wrong").packets().sum(),
    number<&IcrcTotals::damaged>("damaged", "bad ones whose senders have right ones as well: damaged on their way here")
        .packets()
        .sum(),
    number<&IcrcTotals::rewritten>("rewritten", "good ones whose UDP source port the capture rewrote").packets().sum(),
    number<&IcrcTotals::unsearched>("unsearched", "bad ones for which no other source port was tried").packets().sum(),
    unverifiable());

constexpr auto kStopColumns = columns<StopCount>(
    text<&StopCount::reason>("reason", "why dissection ended early").titled("reason"), text<[](const StopCount& row) {
      return row.layer == HeaderKind::kNone ? std::nullopt : std::optional(header_info(row.layer).name);
    }>("header", "the header that could not be read"),
    number<&StopCount::packets>("packets", "packets").packets().sum().titled("packets"),
    number<&StopCount::first_packet>("first_packet", "the number of the first of them")
        .earliest()
        .titled("first packet"));

}  // namespace

constinit const Rows<Traffic> kTraffic{{"traffic", "packets and their bytes", kTrafficColumns}};
constinit const Rows<CaptureTotals> kCaptureTotals{{"totals", "what was read", kTotalsColumns}};
constinit const Rows<CaptureInterface> kInterface{{"interface", "an interface of a capture", kInterfaceColumns}};
constinit const Rows<CaptureReport> kCapture{{"capture", "a capture file", kCaptureColumns}};
constinit const Rows<ProtocolNode> kProtocol{{"protocol", "a protocol and what it carries", kProtocolColumns}};
constinit const Rows<OtherPackets> kOtherPackets{
    {"other_packets", "packets without RoCE, by innermost protocol", kOtherColumns}};
constinit const Rows<OperationCount> kOperationCount{
    {"operation_count", "an opcode that occurred", kOperationCountColumns}};
constinit const Rows<IcrcTotals> kIcrc{{"icrc", "the invariant CRCs", kIcrcColumns}};
constinit const Rows<StopCount> kStop{{"stop", "dissection that ended early", kStopColumns}};

}  // namespace rocescope::schema
