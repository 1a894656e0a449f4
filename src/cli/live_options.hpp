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
    .help = "an interface to capture on; repeat it for more",
    .more = R"(`rocescope interfaces` lists them; any is all of them. Packets of several interfaces are ordered by
           time.)",
    .completion = Completion::kInterfaces,
    .repeatable = true};
inline constexpr Option kCaptureFilter{
    .name = "capture-filter",
    .letter = 'f',
    .argument = "FILTER",
    .help = "a pcap filter (default: RoCE and PFC, also in VLANs)",
    .more =
        R"(The kernel drops what does not pass. The default passes UDP port 4791, RoCEv1 and PFC, with up to two VLAN
           tags, or one with -i any. pcap-filter(7) has the language. An empty FILTER passes all
           packets, also set-up exchanges over TCP, and tunnels.)"};
inline constexpr Option kBufferSize{
    .name = "buffer-size",
    .letter = 'B',
    .argument = "KIB",
    .help = "size of the kernel's ring for each interface (65536)",
    .more = R"(A larger ring bridges longer pauses, of a slow disk for example. Packets that wait for the analysis take
           up to 1.25 times as much again.)"};
inline constexpr Option kSnapLength{
    .name = "snapshot-length",
    .letter = 's',
    .argument = "BYTES",
    .help = "keep the first BYTES of a packet (262144: all)",
    .more =
        R"(The rest is neither written nor analysed. 128 bytes hold all headers, but no CM message: SNAP LENGTH below
           lists what each length loses.)"};
inline constexpr Option kNoPromiscuous{
    .name = "no-promiscuous-mode", .letter = 'p', .help = "capture only packets to or from this host"};
inline constexpr Option kImmediate{
    .name = "immediate-mode",
    .help = "deliver each packet at once; costs more per packet",
    .more = "Otherwise packets come in blocks, within a tenth of a second, sometimes two tenths."};
inline constexpr Option kTimeStampType{
    .name = "time-stamp-type",
    .letter = 'j',
    .argument = "TYPE",
    .help = "source of time stamps (default: the kernel, in ns)",
    .more =
        R"(adapter is the interface's own clock, synchronized with the system's; adapter_unsynced is not synchronized.
           `rocescope interfaces` lists the types of each interface. This may need cap_net_admin, and
           changes the time stamps of the interface for all programs.)"};
inline constexpr Option kAutostop{
    .name = "autostop",
    .letter = 'a',
    .argument = "TEST:N",
    .help = "stop after duration:SECONDS, packets:N, filesize:KB, files:N",
    .more = R"(filesize counts what -w wrote, in units of 1000 bytes; files counts the files that -b begins. The first
           limit that is reached ends the capture.)",
    .repeatable = true};
inline constexpr Option kUser{
    .name = "relinquish-privileges",
    .letter = 'Z',
    .argument = "USER",
    .help = "become USER once the interfaces are open",
    .more = R"(For root. USER then owns the files that are written. Without -Z, other users than root give up all
           capabilities at that point.)"};
inline constexpr Option kWrite{
    .name = "write",
    .letter = 'w',
    .argument = "FILE",
    .help = "write all packets as pcapng; - is standard output",
    .more =
        R"(All packets that the kernel delivers, also those that the report leaves out. With - the report goes to standard
           error.)",
    .completion = Completion::kFiles};
inline constexpr Option kRing{
    .name = "ring-buffer",
    .letter = 'b',
    .argument = "TEST:N",
    .help = "begin a new file after filesize:KB, duration:SECONDS, packets:N",
    .more = R"(With files:N only the newest N are kept. Names get a number and the time, as dumpcap names them:
           ring_00001_20261120183005.pcapng. Each is a whole capture.)",
    .repeatable = true};

inline constexpr const Option* kCaptureTable[] = {&kInterface,     &kCaptureFilter, &kBufferSize,    &kSnapLength,
                                                  &kNoPromiscuous, &kImmediate,     &kTimeStampType, &kUser};
inline constexpr const Option* kUntilTable[] = {&kCount, &kAutostop};
inline constexpr const Option* kWriteTable[] = {&kWrite, &kRing};
inline constexpr const Option* kDecodeTable[] = {&kReliableDatagram, &kGreSkip, &kNumeric};

inline constexpr OptionGroup kCaptureOptions{"Capture", kCaptureTable};
inline constexpr OptionGroup kUntilOptions{"Stop (otherwise Ctrl-C)", kUntilTable};
inline constexpr OptionGroup kWriteOptions{"Write", kWriteTable};
inline constexpr OptionGroup kDecodeOptions{"Packets", kDecodeTable};

/// The values of these options.
struct LiveSetup {
  LiveOptions capture;
  InputOptions input;
  std::string user;   ///< empty: do not change the user
  std::string write;  ///< empty: write nothing
  FileSwitch files;
  std::optional<std::chrono::nanoseconds> duration;  ///< end after this time
  std::uint64_t most_bytes = 0;                      ///< end when this many were written; 0: never
};

[[nodiscard]] Result<LiveSetup> live_setup(const Arguments& arguments);

}  // namespace rocescope::cli
