// Options of how packets are printed, and their printer.
#pragma once

#include <memory>

#include "cli/arguments.hpp"
#include "cli/general_options.hpp"
#include "cli/option.hpp"
#include "cli/output.hpp"
#include "render/packets/packet_printer.hpp"
#include "rocescope/result.hpp"

namespace rocescope::cli {

inline constexpr Choice kFormats[] = {
    {"text", "for people: a line a packet, or a tree with -V"},
    {"fields", "the fields named with -e, a line a packet, as tshark prints them"},
    {"csv", "comma-separated values with a line of names: common RoCE fields, or those named with -e"},
    {"json", "one array of objects: all fields of each packet, or those named with -e"},
    {"ndjson", "the same objects, one a line"},
};
inline constexpr Choice kTimes[] = {
    {"r", "seconds since the first packet (default)"},
    {"d", "seconds since the packet before"},
    {"dd", "seconds since the packet shown before"},
    {"a", "local time of day"},
    {"ad", "local date and time"},
    {"u", "UTC time of day"},
    {"ud", "UTC date and time"},
    {"e", "seconds since 1970-01-01 UTC"},
};
inline constexpr Choice kFieldSettings[] = {
    {"header=y|n", "a first line with the names; default n"},
    {"separator=/t|/s|CHARACTER", "between fields: tab (default), space, or a character"},
    {"occurrence=f|l|a", "if a field occurs several times: first, last, or all (default)"},
    {"aggregator=,|/s|CHARACTER", "between the occurrences; default a comma"},
    {"quote=d|s|n", "around each value: double or single quotes, or none (default)"},
    {"bom=y|n", "a UTF-8 byte order mark first; default n"},
};

inline constexpr Option kDetails{.name = "details", .letter = 'V', .help = "every field of every header, as a tree"};
inline constexpr Option kHexDump{.name = "hex", .letter = 'x', .help = "the bytes of each packet as well"};
inline constexpr Option kFormat{.name = "format",
                                .letter = 'T',
                                .argument = "FORMAT",
                                .help = "text (default), fields, csv, json, ndjson",
                                .more = "The form of the output.",
                                .completion = Completion::kChoices,
                                .choices = kFormats};
inline constexpr Option kField{
    .name = "field",
    .letter = 'e',
    .argument = "FIELD",
    .help = "a field to show, with any -T but text",
    .more =
        "Repeat it for more. rocescope-fields(1) lists all fields. The name of a header shows the bytes of the header.",
    .completion = Completion::kFields,
    .repeatable = true};
inline constexpr Option kFieldSetting{.name = "field-setting",
                                      .letter = 'E',
                                      .argument = "KEY=VALUE",
                                      .help = "for -T fields: header=y, separator=/s and others",
                                      .completion = Completion::kKeys,
                                      .choices = kFieldSettings,
                                      .repeatable = true};
inline constexpr Option kTime{.name = "time",
                              .letter = 't',
                              .argument = "FORMAT",
                              .help = "r (default), d, dd, a, ad, u, ud or e, as in tshark",
                              .more = "The time of a packet in text:",
                              .completion = Completion::kChoices,
                              .choices = kTimes};
inline constexpr Option kLineBuffered{
    .name = "line-buffered",
    .letter = 'l',
    .help = "write each packet at once",
    .more =
        R"(This is the default on a terminal. Otherwise packets are written in large blocks, and whenever the input is a
           pipe that is empty.)"};

inline constexpr const Option* kFormatTable[] = {&kDetails,      &kHexDump, &kFormat,       &kField,
                                                 &kFieldSetting, &kTime,    &kLineBuffered, &kColor};
inline constexpr OptionGroup kFormatOptions{"Output", kFormatTable};

/// The printer that the options ask for. `output` decides whether `--color=auto` means colour.
[[nodiscard]] Result<std::unique_ptr<render::PacketPrinter>> make_printer(const Arguments& arguments,
                                                                          const Output& output);

/// Whether text on `output` has colours.
[[nodiscard]] bool wants_color(const Arguments& arguments, const Output& output);

}  // namespace rocescope::cli
