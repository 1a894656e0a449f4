// Options of `live` about what is captured, written, and when it ends.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "capture/recorder.hpp"
#include "cli/arguments.hpp"
#include "cli/input_options.hpp"
#include "cli/option.hpp"
#include "rocescope/live.hpp"
#include "rocescope/result.hpp"

namespace rocescope::cli {

inline constexpr Option kInterface{
    .name = "interface",
    .letter = 'i',
    .argument = "NAME",
    .help = "capture on it; repeat it for more",
    .more = R"(`rocescope interfaces` lists them; any is all of them. Packets of several are put in the order of their
           times.)",
    .completion = Completion::kInterfaces,
    .repeatable = true};
inline constexpr Option kCaptureFilter{
    .name = "capture-filter",
    .letter = 'f',
    .argument = "FILTER",
    .help = "a pcap filter (default: RoCE and PFC, also in VLANs)",
    .more =
        R"(The kernel drops what does not pass. The default passes UDP port 4791, RoCEv1 and PFC, with up to two VLAN
           tags, or one with -i any. pcap-filter(7) has the language; an empty FILTER passes all, which
           shows set-up exchanges over TCP and tunnels.)"};
inline constexpr Option kBufferSize{
    .name = "buffer-size",
    .letter = 'B',
    .argument = "KIB",
    .help = "of the kernel's ring for an interface (65536)",
    .more = R"(A larger one bridges longer pauses, of a slow disk for example. Up to as much again waits in memory for
           the analysis.)"};
inline constexpr Option kSnapLength{
    .name = "snapshot-length",
    .letter = 's',
    .argument = "BYTES",
    .help = "keep the first BYTES of a packet (262144: all)",
    .more = "128 bytes hold all headers; what is behind them is then neither written nor verified."};
inline constexpr Option kNoPromiscuous{
    .name = "no-promiscuous-mode", .letter = 'p', .help = "only what is for this host, or from it"};
inline constexpr Option kImmediate{
    .name = "immediate-mode",
    .help = "each packet at once; costs more per packet",
    .more = "Otherwise packets come in blocks, within a tenth of a second, at times two."};
inline constexpr Option kTimeStampType{
    .name = "time-stamp-type",
    .letter = 'j',
    .argument = "TYPE",
    .help = "whose clock (default: the kernel's, in nanoseconds)",
    .more =
        R"(adapter is the interface's own, set by the system's clock; adapter_unsynced is not. `rocescope interfaces`
           lists what an interface has. It may need cap_net_admin, and changes how the interface stamps
           for everybody.)"};
inline constexpr Option kAutostop{
    .name = "autostop",
    .letter = 'a',
    .argument = "TEST:N",
    .help = "end after duration:SECONDS, packets:N, filesize:KB, files:N",
    .more = R"(filesize is what -w wrote, in 1000 bytes; files:N are those that -b begins. The first that is reached
           counts.)",
    .repeatable = true};
inline constexpr Option kUser{
    .name = "relinquish-privileges",
    .letter = 'Z',
    .argument = "USER",
    .help = "be USER once the interfaces are open",
    .more = R"(For root. Files are then made by USER. Without it, whoever is not root gives up all capabilities at that
           point.)"};
inline constexpr Option kWrite{
    .name = "write",
    .letter = 'w',
    .argument = "FILE",
    .help = "write all packets as pcapng; - is standard output",
    .more = R"(All that the kernel gave, whatever the report is about. With - the report goes to standard error.)",
    .completion = Completion::kFiles};
inline constexpr Option kRing{
    .name = "ring-buffer",
    .letter = 'b',
    .argument = "TEST:N",
    .help = "next file after filesize:KB, duration:SECONDS, packets:N",
    .more = R"(With files:N only the newest N are kept. Names get a number and the time, as dumpcap names them:
           ring_00001_20261120183005.pcapng. Each is a whole capture.)",
    .repeatable = true};

inline constexpr const Option* kCaptureTable[] = {&kInterface,     &kCaptureFilter, &kBufferSize,    &kSnapLength,
                                                  &kNoPromiscuous, &kImmediate,     &kTimeStampType, &kUser};
inline constexpr const Option* kUntilTable[] = {&kCount, &kAutostop};
inline constexpr const Option* kWriteTable[] = {&kWrite, &kRing};
inline constexpr const Option* kDecodeTable[] = {&kReliableDatagram, &kGreSkip, &kNumeric};

inline constexpr OptionGroup kCaptureOptions{"Capture", kCaptureTable};
inline constexpr OptionGroup kUntilOptions{"Until (otherwise Ctrl-C)", kUntilTable};
inline constexpr OptionGroup kWriteOptions{"Write", kWriteTable};
inline constexpr OptionGroup kDecodeOptions{"Packets", kDecodeTable};

/// What they say.
struct LiveSetup {
  LiveOptions capture;
  InputOptions input;
  std::string user;   ///< empty: stay who runs it
  std::string write;  ///< empty: write nothing
  FileSwitch files;
  std::optional<std::chrono::nanoseconds> duration;  ///< end after so long
  std::uint64_t most_bytes = 0;                      ///< end when so many were written; 0: never
};

[[nodiscard]] Result<LiveSetup> live_setup(const Arguments& arguments);

}  // namespace rocescope::cli
