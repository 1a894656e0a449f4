// The requests of one side of a connection, and what happened to them.
#include <concepts>
#include <string_view>
#include <type_traits>

#include "schema/make_column.hpp"
#include "schema/tables.hpp"

namespace rocescope::schema {
namespace {

constexpr auto kInFlightColumns =
    columns<InFlight>(number<&InFlight::messages>("messages", "messages").messages().max(),
                      number<&InFlight::packets>("packets", "packets").packets().max(),
                      number<&InFlight::bytes>("bytes", "payload").bytes().max(),
                      number<&InFlight::reads>("reads", "READs and atomics").messages().max());

constexpr auto packets_of = [](const StreamTotals& row) { return row.packets(); };

/// The two verdicts that nearly all packets have are counted apart.
void add_verdicts(StreamTotals& into, const StreamTotals& from) {
  into.sums.in_order += from.sums.in_order;
  into.sums.responses += from.sums.responses;
  if (from.troubles.get() == nullptr) return;
  auto& sum = into.troubles.make().packets;
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += from.troubles->packets[i];
}

template <auto member>
constexpr auto stream_count(std::string_view name, std::string_view help) {
  using Part = typename detail::OwnerOf<std::remove_cv_t<decltype(member)>>::Type;
  if constexpr (std::same_as<Part, StreamSums>) {
    return number<&StreamTotals::sums, member>(name, help).sum();
  } else if constexpr (std::same_as<Part, StreamTroubles>) {
    return number<&StreamTotals::troubles, member>(name, help).sum();
  } else {
    return number<&StreamTotals::troubles, &StreamTroubles::longest, member>(name, help).sum();
  }
}

/// The column of a count, a member of a part of StreamTotals.
template <auto member>
struct StreamCount : decltype(stream_count<member>({}, {})) {
  using Base = decltype(stream_count<member>({}, {}));
  constexpr StreamCount(std::string_view called, std::string_view meaning)
      : Base(stream_count<member>(called, meaning)) {}
};

constexpr auto kStreamColumns = stream_counts<StreamCount>([](const auto&... counted) {
  return columns<StreamTotals>(
      counted...,
      object<&StreamTotals::most_in_flight>(
          "most_in_flight", kInFlight,
          "sent and not acknowledged, each at its own time; 0 where no responses were seen")
          .parts<kInFlight>()
          .not_in_csv(),
      counts<VerdictKind, 1, packets_of>("verdicts", "packets by verdict: requests, and the responses to them")
          .packets()
          .without_zeros()
          .parts_by<&add_verdicts>()
          .csv("verdict_"),
      counts<ResendCause, 1, &StreamTotals::troubles, &StreamTroubles::resends>("retransmission_causes",
                                                                                "retransmissions by cause")
          .packets()
          .without_zeros()
          .sum()
          .csv("retransmission_"),
      counts<ResendCause, 1, &StreamTotals::troubles, &StreamTroubles::recoveries_by_cause>(
          "recovery_causes", "recoveries by the cause of their first packet")
          .without_zeros()
          .sum()
          .csv("recovery_"));
});

constexpr auto kSizeColumns = columns<SizeTable::Row>(
    number<&SizeTable::Row::at_least>("at_least", "of so many bytes, and less than twice as many").bytes(),
    number<&SizeTable::Row::messages>("messages", "messages").messages());

constexpr auto kOperationColumns = columns<OperationTotals>(
    text<&OperationTotals::operation>("operation", "SEND, RDMA WRITE, RDMA READ ..."),
    number<&OperationTotals::messages>("messages", "messages").messages().sum(),
    number<&OperationTotals::completed>("completed", "of these: acknowledged, or answered in full").messages().sum(),
    number<&OperationTotals::refused>("refused", "of these: a NAK ended them").messages().sum(),
    number<&OperationTotals::bytes>("bytes", "of READs those that they ask for").bytes().sum(),
    array<[](const OperationTotals& row) { return row.sizes.rows(); }>("sizes", kSize, "messages by size")
        .parts_by<[](OperationTotals& into, const OperationTotals& from) { into.sizes.merge(from.sizes); }>());

}  // namespace

constinit const Rows<InFlight> kInFlight{
    {"in_flight", "requests that were sent and not acknowledged", kInFlightColumns}};
constinit const Rows<StreamTotals> kStream{
    {"stream", "the requests of one side, and what happened to them", kStreamColumns}};
constinit const Rows<SizeTable::Row> kSize{{"size", "messages of one size", kSizeColumns}};
constinit const Rows<OperationTotals> kOperation{{"operation", "the messages of one operation", kOperationColumns}};

}  // namespace rocescope::schema
