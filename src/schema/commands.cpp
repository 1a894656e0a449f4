// What connections carry, and the commands of the protocols above RoCE.
#include "rocescope/detail/elapsed.hpp"
#include "schema/make_column.hpp"
#include "schema/per_second.hpp"
#include "schema/tables.hpp"

namespace rocescope::schema {
namespace {

constexpr std::string_view kStatusHelp =
    "NVMe-oF: Status Code Type x 256 + Status Code; NFS: nfsstat, 0x10000 + the accept state of RPC, 0x10100: denied, 0x20000 + the error of RPC over RDMA; iSER, SRP: SCSI status + additional sense code and qualifier x 256 + sense key x 2^24, 0x10000000 + the response, 0x20000000 + the status of a login, 0x30000000 + the response to task management, 0x40000000 + that to a logout, 0x50000000 + the reason of a Reject, 0x60000000 + the response code of SRP; SMB: the NT status; RTRS: errno";

constexpr auto kDepthColumns = columns<Depth>(
    number<&Depth::most>("most", "most commands outstanding at once"),
    duration<&Depth::command_time>(
        "command_time",
        "sum of the times that commands were outstanding, each from the last packet of its request to its response; divided by the interval: the average number outstanding (the first and the last bucket are partial)"));
constinit const Rows<Depth> kDepth{{"depth", "commands outstanding in a bucket of time", kDepthColumns}};

constexpr auto kDepthsColumns = columns<DepthSeries>(
    time<&DepthSeries::start>("start", "when the first bucket starts"),
    duration<&DepthSeries::width>("interval", "the width of a bucket: 1 ms, doubled until 128 buckets are enough"),
    series<&DepthSeries::buckets>(kDepth, "the buckets, as arrays"));
constinit const Rows<DepthSeries> kDepths{
    {"depths",
     "outstanding commands of a connection, from the first message about a command to the last; only commands that have responses; counted over all packets, whatever options leave out",
     kDepthsColumns}};

constexpr auto kDepthBucketColumns = columns<DepthBucket>(
    number<[](const DepthBucket& row) { return row.carried.connection; }>("connection", "its number"),
    text<[](const DepthBucket& row) { return row.carried.protocol; }>("protocol", "NVMe-oF ..."),
    time<&DepthBucket::start>("start", "when the bucket starts"),
    duration<&DepthBucket::width>("interval", "the width of the bucket"),
    members<[](const DepthBucket& row) -> const Depth& { return row.depth; }>(kDepth));

bool has_depths(const CarriedProtocol& row) { return !row.outstanding.empty(); }

constexpr auto kCarriedColumns = columns<CarriedProtocol>(
    number<&CarriedProtocol::connection>("connection", "its number").not_added().titled("no."),
    text<&CarriedProtocol::protocol>("protocol", "NVMe-oF ...").titled("protocol"),
    text<&CarriedProtocol::known_by>(
        "known_by",
        "service_id: only the port of the CM; shape: several messages have its form; private_data: the private data of the CM have its form; key_lines: the lines over TCP that set it up have its form, or the CLC messages of SMC-R do; messages: the CM and several messages agree; user: --decode-as")
        .titled("known by"),
    text<&CarriedProtocol::confidence>(
        "confidence",
        "certain: the set-up or --decode-as agrees with several messages, or the private data or --decode-as with one command and its response; likely: one sign that hardly any other protocol gives: the form of several messages, of private data or of key lines; guess: only the port or --decode-as, or most messages do not belong to the protocol")
        .titled("confidence"),
    text<&CarriedProtocol::test>(
        "test",
        "perftest: the test that the messages look like, such as ib_write_bw; ib_write, which may be either ib_write_lat or ib_write_bw, if both sides write, only one message was seen, or only packets of one side were seen; with one READ or ATOMIC at a time, a bandwidth test looks like a latency test")
        .titled("test"),
    text<&CarriedProtocol::mpi_library>(
        "library",
        "UCX: Open MPI or MPICH, if the tags of its first 256 SENDs show it: where only this library puts the rank, each side has one of its own")
        .titled("library"),
    text<&CarriedProtocol::kinds>(
        "kinds",
        "UCX: kinds of its first 256 SENDs: wire-up, tag, rendezvous, stream, active message, put, get, atomic. If it has no more SENDs and none of a rendezvous, WRITEs with data count as put, READs as get and ATOMICs as atomic; these may belong to a rendezvous on another connection of the two sides")
        .titled("kinds"),
    number<&CarriedProtocol::initiator>("initiator", "the side that sends commands: a number of sides").not_added(),
    number<&CarriedProtocol::queue>("queue", "NVMe-oF: the queue's ID; 0 is the admin queue")
        .not_added()
        .titled("queue"),
    number<&CarriedProtocol::depth>(
        "depth",
        "NVMe-oF: entries of the queue; SRP: requests that the login allows at once; rsockets, RTRS: messages that the server allows at once")
        .not_added()
        .titled("depth"),
    text<&CarriedProtocol::initiator_name>(
        "initiator_name",
        "NVMe-oF: the NQN of the host; iSER: the InitiatorName of the login; SRP: the initiator's port"),
    text<&CarriedProtocol::target_name>(
        "target_name",
        "NVMe-oF: the NQN of the subsystem; iSER: the TargetName of the login; SRP: the target's port; SMB: the share")
        .titled("target"),
    number<&CarriedProtocol::keep_alive_ms>("keep_alive_ms",
                                            "NVMe-oF: the Keep Alive Timeout of the Connect, in ms; 0: off")
        .not_added(),
    number<&CarriedProtocol::commands>("commands", "commands that were seen").sum().titled("commands"),
    number<&CarriedProtocol::failed>("failed", "commands with a status other than success").sum().titled("failed"),
    number<&CarriedProtocol::most_outstanding>(
        "most_outstanding",
        "most commands outstanding at once, of those that have responses; absent: no response was seen, or the time of the capture goes back by more than 10 ms")
        .max()
        .titled("most at once"),
    object<&CarriedProtocol::outstanding>("outstanding", kDepths,
                                          "commands outstanding over time; absent where most_outstanding is")
        .where<&has_depths>()
        .not_in_csv(),
    number<&CarriedProtocol::unfollowed>("unfollowed", "commands beyond the limit of those followed at once").sum(),
    number<&CarriedProtocol::unreadable>("unreadable",
                                         "messages that do not belong to the protocol, or were cut too short")
        .sum()
        .titled("unreadable"),
    number<&CarriedProtocol::encrypted>("encrypted", "SMB: encrypted messages").sum().titled("encrypted"));

/// Nothing where the time is a part of what is unknown.
template <auto member>
std::optional<std::int64_t> known_part_of(const CommandTimes& row) {
  return row.place_is_cut ? std::nullopt : std::optional(row.*member);
}

constexpr auto kCommandTimesColumns = columns<CommandTimes>(
    duration<&CommandTimes::total>(
        "latency",
        "from the first packet of the command to its response, or to the copy of the response that its receiver took")
        .titled("latency"),
    duration<&CommandTimes::request>(
        "request",
        "from its first packet to its ACK, or to the data or the response that shows its arrival; 0 where no ACK was seen")
        .titled("request"),
    duration<&known_part_of<&CommandTimes::data>>(
        "data",
        "from the first packet about its data to the last (to the first copy seen of the last); if a READ fetched the data, plus the time of the last packet to the target and of the response back, which the quickest ACK shows; absent: the capture cut what says where its data are")
        .titled("data"),
    duration<&known_part_of<&CommandTimes::resend>>(
        "resend",
        "wait for copies of packets that the initiator had not taken, after the last packet of its data or after the response, as far as known; absent: the capture cut what says where its data are")
        .titled("resend"),
    duration<&CommandTimes::unknown>(
        "unknown",
        "time whose part is not known, in these cases: no ACK of the command came before its data or its response; what the target sent was lost before the capture point and came again; a READ fetched the data, and fewer than eight ACKs show the time to the target and back; or the capture cut what says where its data are: then data, resend and target are absent")
        .titled("unknown"),
    duration<&known_part_of<&CommandTimes::target>>(
        "target", "all other time: the target had the next move; absent: the capture cut what says where its data are")
        .titled("target"));
constinit const Rows<CommandTimes> kCommandTimes{
    {"command_times", "where the time of a command went", kCommandTimesColumns}};

template <auto histogram, std::uint64_t per_mille>
std::optional<std::int64_t> quantile_of(const CommandTotals& row) {
  const Histogram& times = row.*histogram;
  return times.empty() ? std::nullopt : std::optional(static_cast<std::int64_t>(times.quantile(per_mille)));
}
template <auto histogram>
std::optional<std::int64_t> longest_of(const CommandTotals& row) {
  const Histogram& times = row.*histogram;
  return times.empty() ? std::nullopt : std::optional(static_cast<std::int64_t>(times.max()));
}
template <auto histogram>
void add_times(CommandTotals& into, const CommandTotals& from) {
  (into.*histogram).merge(from.*histogram);
}
void add_resent(CommandTotals& into, const CommandTotals& from) {
  into.resent += from.resent;
  into.resent_is_cut = into.resent_is_cut || from.resent_is_cut;
}
bool has_p99(const CommandTotals& row) { return row.at_p99.has_value(); }
const CommandTimes& p99_of(const CommandTotals& row) { return *row.at_p99; }
std::optional<std::uint64_t> resent_at_p99(const CommandTotals& row) {
  return row.at_p99 && !row.at_p99->place_is_cut ? std::optional(row.at_p99_resent) : std::nullopt;
}

/// Nothing where fewer than three are over, which say little about a rate, or where no time passed.
template <auto count>
std::optional<std::uint64_t> average_of(const CommandTotals& row) {
  constexpr std::uint64_t kFewest = 3;
  if (row.over() < kFewest || !row.first_issued || !row.last_over || *row.last_over <= *row.first_issued)
    return std::nullopt;
  return whole_per_second(count(row), elapsed(*row.first_issued, *row.last_over));
}
std::uint64_t over_of(const CommandTotals& row) { return row.over(); }
std::optional<std::uint64_t> known_bytes_of(const CommandTotals& row) {
  return row.at_least ? std::optional(row.bytes) : std::nullopt;
}
std::uint64_t bytes_of(const CommandTotals& row) { return row.bytes; }
bool knows_resent(const CommandTotals& row) { return !row.resent_is_cut; }
std::optional<std::uint64_t> least_resent_of(const CommandTotals& row) {
  return row.resent_is_cut && row.resent > 0 ? std::optional(row.resent) : std::nullopt;
}
std::optional<std::uint64_t> byte_rate_of(const CommandTotals& row) {
  return row.bytes == 0 ? std::nullopt : average_of<&bytes_of>(row);
}

constexpr auto kCommandTotalsColumns = columns<CommandTotals>(
    text<&CommandTotals::protocol>("protocol", "NVMe-oF ...").titled("protocol"),
    text<&CommandTotals::operation>("operation", "Read, Write ...; empty: not known").titled("operation"),
    number<&CommandTotals::at_least>(
        "at_least",
        "each command names at least so many bytes, and less than twice as many; 0: none; absent: the capture cut the number")
        .bytes()
        .not_added()
        .titled("bytes from"),
    number<&CommandTotals::commands>("commands", "commands that were seen, or whose responses were seen")
        .sum()
        .titled("commands"),
    number<&CommandTotals::succeeded>("succeeded", "commands that succeeded").sum(),
    number<&CommandTotals::failed>("failed", "commands with a status other than success").sum().titled("failed"),
    number<&CommandTotals::outstanding>("outstanding", "commands whose response was not seen")
        .sum()
        .titled("unanswered"),
    number<&CommandTotals::unseen>("unseen", "commands of which only the response was seen").sum(),
    number<&CommandTotals::no_status>("no_status", "commands whose response was seen without its status")
        .sum()
        .titled("no status"),
    number<&known_bytes_of>("bytes", "bytes of the commands that succeeded; absent: the capture cut the number")
        .bytes()
        .parts_by<[](CommandTotals& into, const CommandTotals& from) { into.bytes += from.bytes; }>(),
    number<&CommandTotals::resent>(
        "resent",
        "messages of the commands that were sent again, in part or in full; absent: the capture cut what says where the data of some are")
        .messages()
        .where<&knows_resent>()
        .parts_by<&add_resent>()
        .titled("resent"),
    duration<&quantile_of<&CommandTotals::latency, 500>>("latency_p50", "median latency")
        .parts_by<&add_times<&CommandTotals::latency>>()
        .titled("p50"),
    duration<&quantile_of<&CommandTotals::latency, 990>>("latency_p99", "99th percentile of the latency").titled("p99"),
    duration<&longest_of<&CommandTotals::latency>>("latency_max", "longest latency").titled("max"),
    duration<&quantile_of<&CommandTotals::target, 500>>("target_p50", "median time of the target, where known")
        .parts_by<&add_times<&CommandTotals::target>>(),
    duration<&quantile_of<&CommandTotals::target, 990>>("target_p99", "99th percentile of the same"),
    duration<&quantile_of<&CommandTotals::network, 500>>("network_p50",
                                                         "median of request, data and resend together, where known")
        .parts_by<&add_times<&CommandTotals::network>>(),
    duration<&quantile_of<&CommandTotals::network, 990>>("network_p99", "99th percentile of the same"),
    object<&p99_of>("at_p99", kCommandTimes, "times of the command at the 99th percentile of the latency")
        .where<&has_p99>(),
    number<&resent_at_p99>(
        "at_p99_resent",
        "messages of that command that were sent again, in part or in full; absent: see resent of a command")
        .not_added(),
    time<&CommandTotals::first_issued>("first_issued", "time of the first packet of the command that was issued first")
        .earliest(),
    time<&CommandTotals::last_over>("last_over",
                                    "time of the last response, or of the last ACK of a command that has no response")
        .latest(),
    number<&average_of<&over_of>>(
        "commands_per_second",
        "commands without the outstanding ones, divided by the time from first_issued to last_over, rounded; absent: fewer than three, or no time passed")
        .not_added()
        .titled("IOPS"),
    number<&byte_rate_of>("bytes_per_second",
                          "bytes divided by the same time, rounded; absent: also where there are no bytes")
        .bytes()
        .not_added()
        .titled("B/s"),
    number<&least_resent_of>(
        "resent_at_least",
        "lower bound of resent, where that is unknown; absent: resent is known, or no message is known to be resent")
        .messages()
        .not_added()
        .titled("resent at least"));

constexpr auto kCommandFailureColumns = columns<CommandFailures>(
    text<&CommandFailures::protocol>("protocol", "NVMe-oF ...").titled("protocol"),
    text<&CommandFailures::operation>("operation", "Read, Write ...; empty: not known").titled("operation"),
    id<&CommandFailures::status>("status", kStatusHelp).titled("status"),
    text<&CommandFailures::status_name>("status_name", "the status in words; empty: it has no name").titled("in words"),
    number<&CommandFailures::commands>("commands", "commands that ended with this status").sum().titled("commands"),
    number<&CommandFailures::connection>("connection", "the connection of the first").not_added().titled("connection"),
    number<&CommandFailures::first_packet>("first_packet", "number of the frame with the first such response")
        .not_added()
        .titled("first packet"),
    time<&CommandFailures::first_time>("first_time", "time of that frame").titled("time"));

template <auto member>
std::optional<std::int64_t> part_of(const Command& row) {
  const auto times = row.times();
  return times ? std::optional((*times).*member) : std::nullopt;
}
template <auto member>
std::optional<std::int64_t> split_part_of(const Command& row) {
  const auto times = row.times();
  return times ? known_part_of<member>(*times) : std::nullopt;
}
std::optional<std::uint32_t> queue_of(const Command& row) {
  return row.queue_is_known ? std::optional(row.queue) : std::nullopt;
}
/// Only its response was seen, which does not say what it was.
bool is_nameless(const Command& row) { return row.request_packet == 0 && row.operation.empty(); }
std::optional<std::uint16_t> opcode_of(const Command& row) {
  return row.opcode_is_cut || is_nameless(row) ? std::nullopt : std::optional(row.opcode);
}
std::optional<std::uint64_t> named_bytes_of(const Command& row) {
  return row.size_is_cut || is_nameless(row) ? std::nullopt : std::optional(row.bytes);
}
std::optional<bool> in_capsule_of(const Command& row) {
  return row.place_is_cut || row.size_is_cut || row.request_packet == 0 ? std::nullopt : std::optional(row.in_capsule);
}
std::optional<std::uint64_t> data_bytes_of(const Command& row) {
  return row.first_data && !row.place_is_cut ? std::optional(row.data_bytes) : std::nullopt;
}
template <auto member>
std::optional<std::int64_t> data_time_of(const Command& row) {
  return row.place_is_cut ? std::nullopt : row.*member;
}
std::optional<std::uint64_t> resent_of(const Command& row) {
  return row.place_is_cut ? std::nullopt : std::optional(row.resent);
}

constexpr auto kCommandColumns = columns<Command>(
    number<&Command::number>("number", "from 1, in the order in which the commands ended"),
    number<&Command::connection>("connection", "its number").titled("connection"),
    text<&Command::protocol>("protocol", "NVMe-oF ..."),
    number<&Command::initiator>("initiator", "the side that sent it: a number of sides"),
    number<&queue_of>("queue", "NVMe-oF: the queue's ID; 0 is the admin queue").titled("queue"),
    id<&Command::id>(
        "id",
        "NVMe-oF: Command ID; NFS: XID; iSER: Initiator Task Tag; SRP: tag; SMB: Message ID; RDS: sequence number, of RDMA the R_Key; rsockets: PSN; RTRS: buffer, 0x80000 of Info, 0x80001 of a heartbeat"),
    id<&opcode_of>(
        "opcode",
        "absent: the capture cut it, or has only the response; NVMe-oF: of the fabrics 0x100 and the type; NFS: the procedure, of NFS 4 the operation; iSER, SRP: of SCSI the operation code, service action x 256 added, of another PDU or information unit 0x8000 + its opcode; SMB: the command; RDS: 0 a datagram, 1 a congestion map, 2 RDMA; rsockets: the operation of the immediate data, 2 a WRITE without any, 0x100 + the code of a control message; RTRS: of RNBD the operation, 0x100 + the type of another message, 0x200 + that of RTRS"),
    text<&Command::operation>("operation", "in words; empty: not known").titled("operation"),
    text<&Command::detail>("detail", "what it asks for, such as a log page").titled("detail"),
    number<&Command::target>(
        "target", "NVMe-oF: the namespace; iSER, SRP: the LUN; SMB: the Tree ID; RDS: the port; RNBD: the device")
        .titled("NSID, LUN"),
    number<&Command::offset>(
        "offset",
        "NVMe-oF, iSER, SRP: the first logical block; RNBD: the sector; NFS, SMB: the first byte; RDS: in the memory")
        .titled("offset"),
    number<&Command::blocks>("blocks", "NVMe-oF, iSER, SRP, RNBD: number of blocks"),
    number<&named_bytes_of>(
        "bytes",
        "bytes of data that it names, or that it moved if it names no number; absent: the capture cut the number, or has only the response")
        .bytes()
        .titled("bytes"),
    boolean<&in_capsule_of>("in_capsule",
                            "the request itself carried its data; absent: the capture does not have what says so"),
    text<&Command::outcome>(
        "outcome",
        "succeeded, failed; outstanding: its response was not seen; unseen: only its response was seen; no_status: its response was seen without its status, which the capture usually cut")
        .titled("outcome"),
    id<&Command::status>("status", kStatusHelp),
    text<&Command::status_name>("status_name", "the status in words").titled("status"),
    boolean<&Command::do_not_retry>("do_not_retry", "the response says not to retry the command"),
    number<&Command::request_packet>("request_packet", "number of its first frame").unless_zero().titled("packet"),
    number<&Command::response_packet>("response_packet", "number of the frame with the response")
        .unless_zero()
        .titled("response"),
    time<&Command::issued>("issued", "time of its first packet"),
    time<&Command::acknowledged>("acknowledged", "time of its ACK, or of what implies one"),
    time<&data_time_of<&Command::first_data>>(
        "first_data",
        "time of the first packet about its data: a READ Request or a WRITE; absent: there was none, or the capture cut what says where its data are"),
    time<&data_time_of<&Command::last_data>>("last_data",
                                             "time of the last packet about its data; absent: see first_data"),
    time<&Command::completed>("completed", "time of the response, or of the copy of it that its receiver took"),
    number<&data_bytes_of>("data_bytes",
                           "bytes that its READs and WRITEs moved, as far as seen; absent: see first_data")
        .bytes(),
    number<&resent_of>(
        "resent",
        "its messages that were sent again, in part or in full; absent: the capture cut what says where its data are, so which messages are its own is unknown")
        .messages()
        .titled("resent"),
    duration<&part_of<&CommandTimes::total>>("latency", "see command_times").titled("latency"),
    duration<&part_of<&CommandTimes::request>>("request", "see command_times").titled("request"),
    duration<&split_part_of<&CommandTimes::data>>("data", "see command_times").titled("data"),
    duration<&split_part_of<&CommandTimes::resend>>("resend", "see command_times").titled("resend"),
    duration<&part_of<&CommandTimes::unknown>>("unknown", "see command_times").titled("unknown"),
    duration<&split_part_of<&CommandTimes::target>>("target_time", "target of command_times").titled("target"),
    id<&Command::file>("file",
                       "NFS: the CRC-32 of the file handle, as Linux and Wireshark have it; SMB: of the File ID"));

}  // namespace

constinit const Rows<CarriedProtocol> kCarried{{"carried", "what a connection carries", kCarriedColumns}};
constinit const Rows<DepthBucket> kDepthBucket{
    {"outstanding", "commands of a connection that were outstanding in a bucket of time", kDepthBucketColumns}};
constinit const Rows<CommandTotals> kCommandTotals{
    {"command_totals", "the commands of one operation with about the same number of bytes", kCommandTotalsColumns}};
constinit const Rows<CommandFailures> kCommandFailures{
    {"command_failures", "commands that ended with one status", kCommandFailureColumns}};
constinit const Rows<Command> kCommand{{"command", "a command of a protocol above RoCE", kCommandColumns}};

}  // namespace rocescope::schema
