// Congestion: marks, notifications, traffic classes, pauses.
#include <algorithm>
#include <utility>

#include "schema/make_column.hpp"
#include "schema/tables.hpp"
#include "sorting/sort.hpp"

namespace rocescope::schema {
namespace {

template <auto member>
constexpr auto reaction(std::string_view name, std::string_view help) {
  return number<&Congestion::reaction, member>(name, help).sum();
}

constexpr auto kCongestionColumns = columns<Congestion>(
    number<&Congestion::marked>("marked", "data packets with CE").packets().sum(),
    number<&Congestion::marked_unnotified>("marked_unnotified",
                                           "of these: no CNP came within --cnp-window of the first of them")
        .packets()
        .sum()
        .titled("without CNP"),
    number<&Congestion::cnps>("cnps", "CNPs to this sender").packets().sum().titled("CNP"),
    number<&Congestion::cnps_without_mark>("cnps_without_mark", "no marked packet was seen in the window before")
        .packets()
        .sum()
        .titled("without mark"),
    number<&Congestion::most_cnps>("most_cnps", "the most in one window").packets().max(),
    reaction<&CnpReaction::looked_at>("reactions", "CNPs with a complete window before and after").packets(),
    reaction<&CnpReaction::not_slower>("not_slower", "of these: after which it sent no less, to a sixteenth").packets(),
    reaction<&CnpReaction::bytes_before>("bytes_before", "that it sent in the windows before").bytes(),
    reaction<&CnpReaction::bytes_after>("bytes_after", "that it sent in the windows after").bytes());

template <PacketRole role>
std::uint64_t packets_in_role(const ClassTraffic& row) {
  return row.of(role);
}
template <PacketRole role>
void add_in_role(ClassTraffic& into, const ClassTraffic& from) {
  into.packets[static_cast<std::size_t>(role)] += from.of(role);
}
template <PacketRole role>
constexpr auto role_packets(std::string_view name, std::string_view help) {
  return number<&packets_in_role<role>>(name, help).packets().template parts_by<&add_in_role<role>>();
}

constexpr auto kClassColumns = columns<ClassTraffic>(
    number<&ClassTraffic::traffic_class, &TrafficClass::dscp>("dscp", "0 to 63").not_added().titled("DSCP"),
    number<&ClassTraffic::traffic_class, &TrafficClass::pcp>("pcp", "of the VLAN tag").not_added().titled("PCP"),
    role_packets<PacketRole::kData>("data_packets", "requests, READ responses, datagrams").titled("data"),
    role_packets<PacketRole::kAck>("ack_packets", "acknowledgements").titled("ACK"),
    role_packets<PacketRole::kCnp>("cnp_packets", "CNPs").titled("CNP"),
    role_packets<PacketRole::kCm>("cm_packets", "to queue pair 1").titled("CM"));

using EcnByRole = decltype(CongestionTotals::ecn);

template <std::size_t role>
void add_ecn(EcnByRole& into, const EcnByRole& from) {
  for (std::size_t i = 0; i < kEcnCodes; ++i) into[role].packets[i] += from[role].packets[i];
}
template <std::size_t role>
constexpr auto role_ecn(std::string_view help) {
  return counts < Ecn, 0, [](const EcnByRole& row) -> const auto& { return row[role].packets; }
  > (to_string(static_cast<PacketRole>(role)), help).packets().template parts_by<&add_ecn<role>>();
}

constexpr auto kEcnColumns = columns<EcnByRole>(role_ecn<0>("requests, READ responses, datagrams by mark"),
                                                role_ecn<1>("acknowledgements by mark"), role_ecn<2>("CNPs by mark"),
                                                role_ecn<3>("packets to queue pair 1 by mark"));

void add_all_ecn(CongestionTotals& into, const CongestionTotals& from) { merge(kEcn, into.ecn, from.ecn); }

void add_classes(CongestionTotals& into, const CongestionTotals& from) {
  for (const ClassTraffic& more : from.classes) {
    const auto same = std::ranges::find(into.classes, more.traffic_class, &ClassTraffic::traffic_class);
    if (same == into.classes.end()) {
      into.classes.push_back(more);
    } else {
      merge(kClass, *same, more);
    }
  }
  sorting::sort(into.classes, {}, [](const ClassTraffic& row) {
    constexpr std::uint8_t kBehindAll = 255;
    return std::pair(row.traffic_class.dscp, row.traffic_class.pcp.value_or(kBehindAll));
  });
}

constexpr auto kCongestionTotalsColumns = columns<CongestionTotals>(
    object<[](const CongestionTotals& row) { return &row.ecn; }>("ecn", kEcn,
                                                                 "packets by what they are for, and by mark")
        .parts_by<&add_all_ecn>(),
    array<&CongestionTotals::classes>("classes", kClass, "by DSCP, then by PCP").parts_by<&add_classes>(),
    number<&CongestionTotals::cnps>("cnps", "all CNPs").packets().sum(),
    number<&CongestionTotals::untracked_cnps>("untracked_cnps", "to a queue pair without any other packets")
        .packets()
        .sum());

constexpr auto kPauseColumns = columns<PauseTotals>(
    mac<&PauseTotals::source>("source", "MAC address of the port that asked").titled("asked by"),
    number<&PauseTotals::priority>("priority", "0 to 7; absent: the whole link").not_added(),
    number<&PauseTotals::xoff>("xoff", "frames that ask for silence").packets().sum().titled("XOFF"),
    number<&PauseTotals::xon>("xon", "frames that end it").packets().sum().titled("XON"),
    number<&PauseTotals::quanta>("quanta", "of 512 bit times, requested by XOFFs").sum(),
    number<&PauseTotals::pauses>("pauses", "runs of XOFFs that renew each other").sum().titled("pauses"),
    number<&PauseTotals::ended>("ended", "pauses that an XON ended").sum().titled("ended by XON"),
    duration<&PauseTotals::paused>("paused", "of all pauses; without --link-speed only of those that an XON ended")
        .sum()
        .titled("paused"),
    duration<&PauseTotals::longest>("longest", "the same, of one pause").max().titled("longest"),
    number<&PauseTotals::first_packet>("first_packet", "the number of the first frame").not_added(),
    time<&PauseTotals::first_time>("first_time", "of the first frame"),
    time<&PauseTotals::last_time>("last_time", "of the last frame"));

}  // namespace

constinit const Rows<Congestion> kCongestion{
    {"congestion", "a sender of data: its marked packets, and the CNPs to it", kCongestionColumns}};
constinit const Rows<ClassTraffic> kClass{{"class", "RoCEv2 packets of one traffic class", kClassColumns}};
constinit const Rows<EcnByRole> kEcn{{"ecn", "packets by mark: not_ect, ect1, ect0, ce", kEcnColumns}};
constinit const Rows<CongestionTotals> kCongestionTotals{
    {"congestion_totals", "of the whole capture, RoCEv2 only; copies that the capture made are left out",
     kCongestionTotalsColumns}};
constinit const Rows<PauseTotals> kPause{{"pause", "PFC and PAUSE by port and class", kPauseColumns}};

}  // namespace rocescope::schema
