// Options about what is read, which every command that reads captures has.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "narrowing.hpp"
#include "option.hpp"
#include "rocescope/dissect.hpp"
#include "rocescope/result.hpp"

namespace rocescope::cli {

inline constexpr Option kRead{
    .name = "read",
    .letter = 'r',
    .argument = "FILE",
    .help = "read FILE, like a FILE operand; - is standard input; several files are merged by time",
    .completion = Completion::kFiles,
    .repeatable = true};
inline constexpr Option kCount{
    .name = "count", .letter = 'c', .argument = "N", .help = "read at most N packets, shown or not (as in tshark)"};
inline constexpr Option kReliableDatagram{
    .name = "reliable-datagram",
    .help = "read opcodes 0x40 to 0x5f as the specification's Reliable Datagram, not as NVIDIA's DC transport"};
inline constexpr Option kNumeric{
    .name = "numeric", .letter = 'n', .help = "accepted for habit's sake: names are never resolved"};

inline constexpr Option kFrom{
    .name = "from", .argument = "TIME", .help = "from TIME on: ISO 8601 (local time unless a zone is given) or epoch"};
inline constexpr Option kTo{.name = "to", .argument = "TIME", .help = "up to TIME, included"};
inline constexpr Option kHost{
    .name = "host",
    .argument = "ADDRESS",
    .help = "to or from ADDRESS or a prefix such as 10.0.0.0/24; repeat for more; innermost in tunnels",
    .repeatable = true};
inline constexpr Option kQpn{
    .name = "qpn",
    .argument = "N",
    .help = "RoCE packets to queue pair N, or from it where they say so; hex or decimal; repeatable",
    .repeatable = true};

inline constexpr const Option* kInputTable[] = {&kRead, &kCount, &kReliableDatagram, &kNumeric};
inline constexpr const Option* kNarrowTable[] = {&kFrom, &kTo, &kHost, &kQpn};

inline constexpr OptionGroup kInputOptions{"Input", kInputTable};
inline constexpr OptionGroup kNarrowOptions{"Narrowing; a packet must meet every kind of condition given",
                                            kNarrowTable};

/// What the options of both groups say.
struct InputOptions {
  std::vector<std::string> files;  ///< -r first, then operands; at least one
  std::uint64_t count = 0;         ///< read at most so many packets; 0: all
  DissectOptions dissect;
  bool verify_icrc = true;
  Narrowing narrowing;
};

/// `command` is for error messages.
[[nodiscard]] Result<InputOptions> input_options(const Arguments& arguments, std::string_view command);

}  // namespace rocescope::cli
