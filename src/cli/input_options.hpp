// Options about what is read, which every command that reads captures has.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/read_options.hpp"
#include "cli/arguments.hpp"
#include "cli/narrowing.hpp"
#include "cli/option.hpp"
#include "filter/filter.hpp"
#include "rocescope/command.hpp"
#include "rocescope/dissect.hpp"
#include "rocescope/result.hpp"
#include "rocescope/tracker.hpp"

namespace rocescope::cli {

inline constexpr Option kRead{.name = "read-file",
                              .letter = 'r',
                              .argument = "FILE",
                              .help = "a capture, like FILE; - is standard input",
                              .more = "Several captures are read as one, merged by time.",
                              .completion = Completion::kFiles,
                              .repeatable = true};
inline constexpr Option kCount{
    .name = "count",
    .letter = 'c',
    .argument = "N",
    .help = "read at most N packets",
    .more = "As in tshark: packets that a filter or another condition leaves out count as well."};
inline constexpr Option kReliableDatagram{
    .name = "reliable-datagram",
    .help = "opcodes 0x40-0x5f are RD (default: NVIDIA's DC)",
    .more = R"(The specification gives these opcodes to Reliable Datagram, which was never built; on the wire they are
           NVIDIA's Dynamically Connected transport.)"};
inline constexpr Option kGreSkip{
    .name = "gre-skip",
    .argument = "PROTO:BYTES",
    .help = "mirrored frames start BYTES after the GRE header",
    .more = R"(For switches that put a header of their own in between: PROTO is the GRE protocol, such as 0x8949, and
           BYTES the length of that header.)",
    .repeatable = true};
inline constexpr Option kDecodeAs{
    .name = "decode-as",
    .argument = "WHAT:PROTOCOL",
    .help = "what connection=N or port=N carries: nvme, nfs, iser, srp, smb, ..., none",
    .more =
        R"(Without it, what a connection carries follows from the service ID and the private data of the CM, or from the
           form of several messages. port is that of the CM's service. PROTOCOL is nvme, nfs, iser, srp, smb, rtrs, rds,
           rsockets, smc or lustre, whose messages are decoded; 9p, gluster, ucx, nccl, libfabric, perftest, pingpong,
           rping or ucmatose, which are only named; or none: nothing is decoded.)",
    .repeatable = true};
inline constexpr Option kNumeric{.name = "numeric", .letter = 'n', .help = "ignored: names are never resolved"};

inline constexpr Option kDisplayFilter{.name = "display-filter",
                                       .letter = 'Y',
                                       .argument = "FILTER",
                                       .help = "packets that pass a Wireshark display filter",
                                       .more = "DISPLAY FILTERS below describes the language."};
inline constexpr Option kFrom{
    .name = "from",
    .argument = "TIME",
    .help = "not before TIME: ISO 8601, seconds since 1970, +3.4",
    .more = R"(For example 2026-11-20, 2026-11-20T18:30 or 2026-11-20T18:30:05.123456789+01:00 (without a zone: local
           time); 1763665000.25, in seconds since 1970-01-01 UTC; or +3.4, in seconds since the first packet of
           the capture, as reports print times, also with a unit (+250ms).)"};
inline constexpr Option kTo{
    .name = "to", .argument = "TIME", .help = "not after TIME", .more = "Written as for --from."};
inline constexpr Option kHost{.name = "host",
                              .argument = "ADDRESS",
                              .help = "to or from ADDRESS or a prefix (10.0.0.0/24)",
                              .more = "An IPv4 or IPv6 address or a GID; in tunnels the innermost addresses count.",
                              .repeatable = true};
inline constexpr Option kQpn{
    .name = "qpn",
    .argument = "N",
    .help = "to queue pair N (0x11 or 17); UD, DC: also from it",
    .more = R"(Packets of connected transports do not carry the number of the queue pair that sent them.)",
    .repeatable = true};

inline constexpr Option kConnection{
    .name = "connection",
    .argument = "N",
    .help = "of connection N, as `analyze` numbers them",
    .more =
        R"(Connections are numbered from 1 in the order of their first packets; a number that no connection has is an
           error. A file is first read up to the packet that pairs the two directions. From a pipe, earlier packets of
           one direction may be missing, with a warning. The field rocescope.connection has the same numbers: where it
           is shown or filtered for, a file is first read to its end.)",
    .repeatable = true};

inline constexpr Option kMessage{
    .name = "message",
    .argument = "N",
    .help = "of message N, its responses included",
    .more = R"(The number of a message is its field rocescope.message.id. An ACK belongs to the last message that it
           acknowledges.)",
    .repeatable = true};

inline constexpr Option kCapturePoint{
    .name = "capture-point",
    .argument = "N",
    .help = "seen at capture point N, as `analyze` numbers them",
    .more =
        R"(A capture has one point, unless it shows packets twice: on two interfaces, in files of different hosts, or
           as copies on one interface. Connections are followed at each point apart.)",
    .repeatable = true};

inline constexpr const Option* kInputTable[] = {&kRead, &kCount, &kReliableDatagram, &kGreSkip, &kDecodeAs, &kNumeric};
inline constexpr const Option* kNarrowTable[] = {&kDisplayFilter, &kFrom,       &kTo,      &kHost,
                                                 &kQpn,           &kConnection, &kMessage, &kCapturePoint};

inline constexpr OptionGroup kInputOptions{"Input", kInputTable};
inline constexpr OptionGroup kNarrowOptions{"Which packets (all conditions; any of several --host, --qpn, ...)",
                                            kNarrowTable};

/// The values of the options of both groups.
struct InputOptions {
  std::vector<std::string> files;  ///< -r first, then operands; at least one, except for a live capture
  std::uint64_t count = 0;         ///< read at most this many packets; 0: all
  DissectOptions dissect;
  std::vector<DecodeAs> decode_as;
  TrackOptions track;
  RecordParts parts = kVerdictPart;             ///< parts that the packets must have
  ReadingAhead ahead = ReadingAhead::kNothing;  ///< only if no input waits for a writer
  bool notes = false;                           ///< as ReadOptions has it
  bool shows_expected = false;  ///< of a report: it is also shown packets that the express lane would take
  Narrowing narrowing;
  std::optional<filter::Filter> filter;
  Purpose purpose = Purpose::kPackets;
  /// Of connections, from an earlier reading of the captures; none: look_up_connections() reads them if they are needed.
  std::optional<FinalNumbers> numbers;

  /// The parts that choosing the packets needs.
  [[nodiscard]] RecordParts parts_to_choose() const noexcept;
  /// Valid as long as the options, if they are not moved.
  [[nodiscard]] Selection selection() const;
  /// The same captures, and all of their packets, for a report.
  [[nodiscard]] InputOptions whole() const;
};

/// All but the names of the captures.
[[nodiscard]] Result<InputOptions> input_options_without_files(const Arguments& arguments);
/// `command` is for error messages.
[[nodiscard]] Result<InputOptions> input_options(const Arguments& arguments, std::string_view command);

}  // namespace rocescope::cli
