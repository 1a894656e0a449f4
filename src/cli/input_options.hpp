// Options about what is read, which every command that reads captures has.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/packet_reader.hpp"
#include "cli/arguments.hpp"
#include "cli/narrowing.hpp"
#include "cli/option.hpp"
#include "filter/filter.hpp"
#include "rocescope/dissect.hpp"
#include "rocescope/result.hpp"
#include "rocescope/tracker.hpp"

namespace rocescope::cli {

inline constexpr Option kRead{.name = "read-file",
                              .letter = 'r',
                              .argument = "FILE",
                              .help = "like a FILE operand; - is standard input",
                              .more = "Several captures are read as one, merged by time.",
                              .completion = Completion::kFiles,
                              .repeatable = true};
inline constexpr Option kCount{
    .name = "count",
    .letter = 'c',
    .argument = "N",
    .help = "read at most N packets, shown or not",
    .more = "As in tshark: packets that a filter or another condition leaves out count as well."};
inline constexpr Option kReliableDatagram{
    .name = "reliable-datagram",
    .help = "opcodes 0x40-0x5f are RD (default: NVIDIA's DC)",
    .more = R"(The specification gives these opcodes to Reliable Datagram, which nobody built; on the wire they are
           NVIDIA's Dynamically Connected transport.)"};
inline constexpr Option kGreSkip{
    .name = "gre-skip",
    .argument = "PROTO:BYTES",
    .help = "mirrors whose Ethernet starts BYTES after GRE",
    .more = R"(For switches that put a header of their own there: PROTO is the GRE protocol, such as 0x8949, and BYTES
           the length of the header.)",
    .repeatable = true};
inline constexpr Option kNumeric{.name = "numeric", .letter = 'n', .help = "accepted: names are never resolved"};

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
           time), or 1763665000.25, in seconds since 1970-01-01 UTC; or +3.4, in seconds since the first
           packet of the capture, as reports print times; +250ms and the like will do.)"};
inline constexpr Option kTo{
    .name = "to", .argument = "TIME", .help = "not after TIME", .more = "Written as that of --from."};
inline constexpr Option kHost{.name = "host",
                              .argument = "ADDRESS",
                              .help = "to or from ADDRESS or a prefix (10.0.0.0/24)",
                              .more = "IPv4, or IPv6, or a GID; in tunnels the innermost addresses count.",
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
        R"(In the order of their first packets, from 1; a number that no connection has is an error. Files are first
           read to where its two directions are known to belong together. Of a capture that comes through a pipe, the
           packets of one direction before that may be missing, which a warning says.)",
    .repeatable = true};

inline constexpr Option kMessage{
    .name = "message",
    .argument = "N",
    .help = "of message N, its responses included",
    .more = R"(As -e rocescope.message.id numbers them over the capture. An ACK counts for the last message that it
           acknowledges.)",
    .repeatable = true};

inline constexpr const Option* kInputTable[] = {&kRead, &kCount, &kReliableDatagram, &kGreSkip, &kNumeric};
inline constexpr const Option* kNarrowTable[] = {&kDisplayFilter, &kFrom, &kTo, &kHost, &kQpn, &kConnection, &kMessage};

inline constexpr OptionGroup kInputOptions{"Input", kInputTable};
inline constexpr OptionGroup kNarrowOptions{"Which packets (all conditions; any of several --host, --qpn, ...)",
                                            kNarrowTable};

/// What the options of both groups say.
struct InputOptions {
  std::vector<std::string> files;  ///< -r first, then operands; at least one, but for a live capture
  std::uint64_t count = 0;         ///< read at most so many packets; 0: all
  DissectOptions dissect;
  TrackOptions track;
  RecordParts parts = kAllParts;                ///< that the packets are to have
  ReadingAhead ahead = ReadingAhead::kNothing;  ///< where no input waits for others; elsewhere in no thread
  Narrowing narrowing;
  std::optional<filter::Filter> filter;
  Purpose purpose = Purpose::kPackets;

  /// What it takes to choose the packets.
  [[nodiscard]] RecordParts parts_to_choose() const noexcept;
  /// Lasts as long as the options, and while they stay where they are.
  [[nodiscard]] Selection selection() const;
  /// The same captures, and all of their packets, for a report.
  [[nodiscard]] InputOptions whole() const;
};

/// Of all but the captures' names.
[[nodiscard]] Result<InputOptions> input_options_without_files(const Arguments& arguments);
/// `command` is for error messages.
[[nodiscard]] Result<InputOptions> input_options(const Arguments& arguments, std::string_view command);

}  // namespace rocescope::cli
