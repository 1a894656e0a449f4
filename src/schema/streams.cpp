// The requests of one side of a connection, and what happened to them.
#include "schema/make_column.hpp"
#include "schema/tables.hpp"

namespace rocescope::schema {
namespace {

constexpr auto kInFlightColumns =
    columns<InFlight>(number<&InFlight::messages>("messages", "messages").messages().max(),
                      number<&InFlight::packets>("packets", "packets").packets().max(),
                      number<&InFlight::bytes>("bytes", "payload").bytes().max(),
                      number<&InFlight::reads>("reads", "READs and atomics").messages().max());

template <auto member>
constexpr auto trouble(std::string_view name, std::string_view help) {
  return number<&StreamTotals::troubles, member>(name, help).sum();
}

template <auto member>
constexpr auto longest(std::string_view name, std::string_view help) {
  return duration<&StreamTotals::troubles, &StreamTroubles::longest, member>(name, help).max();
}

constexpr auto packets_of = [](const StreamTotals& row) { return row.packets(); };

/// The two verdicts that nearly all packets have are counted apart.
void add_verdicts(StreamTotals& into, const StreamTotals& from) {
  into.sums.in_order += from.sums.in_order;
  into.sums.responses += from.sums.responses;
  if (from.troubles.get() == nullptr) return;
  auto& sum = into.troubles.make().packets;
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += from.troubles->packets[i];
}

constexpr auto kStreamColumns = columns<StreamTotals>(
    number<&StreamTotals::sums, &StreamSums::messages>("messages", "messages that began")
        .messages()
        .sum()
        .titled("messages"),
    number<&StreamTotals::sums, &StreamSums::messages_completed>("messages_completed",
                                                                 "acknowledged, or answered in full")
        .messages()
        .sum(),
    trouble<&StreamTroubles::messages_refused>("messages_refused", "that a NAK ended").messages(),
    number<&StreamTotals::sums, &StreamSums::payload_bytes>("payload_bytes",
                                                            "of requests, without copies that the capture made")
        .bytes()
        .sum(),
    trouble<&StreamTroubles::resent_bytes>("resent_bytes", "payload of requests that had been seen before").bytes(),
    trouble<&StreamTroubles::recoveries>("recoveries", "runs of retransmissions"),
    trouble<&StreamTroubles::missing>("missing_psns", "PSNs in gaps"),
    trouble<&StreamTroubles::lost_before>("lost_before",
                                          "packets that must have been sent and did not come: lost before the capture "
                                          "point, overtaken, or missed by the capture; findings say which")
        .packets()
        .titled("lost before"),
    trouble<&StreamTroubles::lost_awaited>("lost_before_awaited",
                                           "of lost_before: a NAK asked for them, so the responder did not get them")
        .packets(),
    trouble<&StreamTroubles::lost_after>(
        "lost_after",
        "packets seen here that a NAK asked for: lost or overtaken behind the capture point; findings say which")
        .packets()
        .titled("lost after"),
    trouble<&StreamTroubles::overtaken_after>(
        "overtaken_after", "packets that a NAK asked for, and that an ACK covered before they came again")
        .packets(),
    trouble<&StreamTroubles::capture_lost>("capture_lost", "PSNs that were acknowledged and never seen")
        .packets()
        .titled("not captured"),
    trouble<&StreamTroubles::arrived_unseen>("arrived_unseen",
                                             "packets that go-back-N sends again, not seen again and then acknowledged")
        .packets(),
    trouble<&StreamTroubles::answered_copies>(
        "answered_copies", "of capture_duplicate in verdicts: copies that their receiver answered as well")
        .packets(),
    trouble<&StreamTroubles::answered_early>("answered_early", "messages whose ACK stands before them in the capture")
        .messages(),
    trouble<&StreamTroubles::read_responses_missing>(
        "read_responses_missing", "READ responses that had not been seen when a later one of the same READ came")
        .packets()
        .titled("READ gaps"),
    number<&StreamTotals::sums, &StreamSums::acks>("acks", "ACKs").packets().sum(),
    trouble<&StreamTroubles::sequence_naks>("sequence_naks", "NAKs for PSN sequence errors").packets().titled("NAK"),
    trouble<&StreamTroubles::rnr_naks>("rnr_naks", "RNR NAKs").packets().titled("RNR"),
    trouble<&StreamTroubles::fatal_naks>("fatal_naks", "NAKs that end the queue pair").packets().titled("refused"),
    number<&StreamTotals::sums, &StreamSums::new_packets>("new_packets", "requests that had not been seen before")
        .packets()
        .sum(),
    trouble<&StreamTroubles::messages_lost>("messages_lost",
                                            "of UC: some of it was lost, so its receiver drops all of it")
        .messages(),
    trouble<&StreamTroubles::corrupt>("corrupt_packets", "requests with a wrong ICRC, which their receiver drops")
        .packets(),
    trouble<&StreamTroubles::corrupt_responses>("corrupt_responses",
                                                "responses with a wrong ICRC, which the requester drops")
        .packets(),
    trouble<&StreamTroubles::msn_backwards>("msn_backwards", "responses whose MSN was lower than one before").packets(),
    trouble<&StreamTroubles::rnr_too_early>(
        "rnr_too_early", "RNR NAKs after which the requester did not wait as long as they asked for"),
    trouble<&StreamTroubles::stalls>("stalls", "silences with requests outstanding"),
    duration<&StreamTotals::troubles, &StreamTroubles::stalled>("stalled", "all stalls together").sum(),
    longest<&StreamExtremes::stall>("longest_stall", "the longest of them"),
    trouble<&StreamTroubles::credit_stalls>("credit_stalls",
                                            "silences after an ACK without credits that ended when another gave some"),
    duration<&StreamTotals::troubles, &StreamTroubles::credit_stalled>("credit_stalled",
                                                                       "from these ACKs to those that gave credits")
        .sum(),
    trouble<&StreamTroubles::read_responses_lost_before>("read_responses_lost_before",
                                                         "READ responses that were not seen, and asked for again: lost "
                                                         "before the capture point or missed by the capture")
        .packets()
        .titled("READ lost before"),
    trouble<&StreamTroubles::read_responses_lost_after>(
        "read_responses_lost_after",
        "READ responses seen here, and asked for again: at least so many were lost behind it")
        .packets()
        .titled("READ lost after"),
    trouble<&StreamTroubles::read_responses_not_captured>(
        "read_responses_not_captured", "READ responses that were not seen, and that the requester must have")
        .packets()
        .titled("READ not captured"),
    trouble<&StreamTroubles::acks_lost_before>(
        "acks_lost_before", "ACKs that were not seen, of requests that were carried out: at least so many")
        .packets()
        .titled("ACK lost before"),
    trouble<&StreamTroubles::acks_lost_after>(
        "acks_lost_after",
        "ACKs seen here, after which their requests came again: at least so many were lost behind it")
        .packets()
        .titled("ACK lost after"),
    trouble<&StreamTroubles::silences>("silences",
                                       "three timeouts or more one after the other, and no response between them"),
    trouble<&StreamTroubles::silences_ended>("silences_ended", "of silences: a response came after all"),
    longest<&StreamExtremes::silence>("longest_silence",
                                      "the longest of silences, from the first packet that waited to the response that "
                                      "ended it, else to the last try"),
    number<&StreamTotals::troubles, &StreamTroubles::longest, &StreamExtremes::tries_in_silence>(
        "most_tries_in_silence", "the most times that packets were sent again in one of silences")
        .max(),
    longest<&StreamExtremes::answered_early>("longest_answered_early",
                                             "the most that the time of one of answered_early is behind that of its "
                                             "ACK: the clocks or the capture have the two "
                                             "directions at least so far apart"),
    trouble<&StreamTroubles::read_responses_lost_awaited>(
        "read_responses_lost_before_awaited",
        "of read_responses_lost_before: the requester asked for them first, so it lacks them")
        .packets(),
    object<&StreamTotals::most_in_flight>(
        "most_in_flight", kInFlight, "sent and not acknowledged, each at its own time; 0 where no responses were seen")
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
