// What the program says when it is used wrongly, word by word, and how it ends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "captures.hpp"
#include "process.hpp"

namespace rocescope::testing {
namespace {

using ::testing::StartsWith;

void expect_error(const std::vector<std::string>& arguments, const std::string& message) {
  const Outcome outcome = rocescope(arguments);
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, "rocescope: " + message + "\n");
}

TEST(Usage, without_a_command_it_shows_help_on_standard_error) {
  const Outcome outcome = rocescope({});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, StartsWith("Examples:\n  rocescope analyze lab.pcapng "));
}

TEST(Usage, help_goes_to_standard_output) {
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"help"}, {"--help"}, {"-h"}, {"help", "dissect"}, {"dissect", "-h"}}) {
    const Outcome outcome = rocescope(words);
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_THAT(outcome.out, StartsWith("Examples:\n  rocescope "));
    EXPECT_EQ(outcome.err, "");
  }
  EXPECT_EQ(rocescope({"help", "dissect"}).out, rocescope({"dissect", "--help"}).out);
}

TEST(Usage, version_is_one_line) {
  const Outcome outcome = rocescope({"--version"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out, "rocescope " ROCESCOPE_VERSION "\n");
}

TEST(Usage, an_unknown_command_suggests_the_nearest) {
  expect_error({"disect"}, "unknown command 'disect'. Did you mean 'dissect'?");
  expect_error({"help", "anlyze"}, "unknown command 'anlyze'. Did you mean 'analyze'?");
  expect_error({"xyzzy"}, "unknown command 'xyzzy'. To list the commands: rocescope help");
}

TEST(Usage, a_file_in_place_of_a_command_is_recognised) {
  expect_error({kLab}, "'" + kLab + "' is a file, not a command. To read it: rocescope analyze " + kLab);
}

TEST(Usage, an_option_before_the_command_shows_the_usage) {
  expect_error({"-r", kLab}, "no command before '-r'. Usage: rocescope COMMAND [OPTION]... [ARGUMENT]...");
}

TEST(Usage, an_unknown_option_suggests_the_nearest) {
  expect_error({"dissect", "--colr", kLab}, "unknown option '--colr'. Did you mean '--color'?");
  expect_error({"dissect", "--display", kLab}, "unknown option '--display'. Did you mean '--display-filter'?");
  expect_error({"dissect", "--xyzzy", kLab}, "unknown option '--xyzzy'. To list the options: --help");
  expect_error({"dissect", "-Z", kLab}, "unknown option '-Z'. To list the options: --help");
  expect_error({"dissect", "-VZ", kLab}, "unknown option '-Z'. To list the options: --help");
}

TEST(Usage, a_value_too_few_or_too_many_names_the_option_as_typed) {
  expect_error({"dissect", kLab, "-c"}, "option '-c' needs a value");
  expect_error({"dissect", kLab, "--count"}, "option '--count' needs a value");
  expect_error({"dissect", kLab, "--count="}, "option '--count' needs a value");
  expect_error({"dissect", kLab, "--quiet=1"}, "option '--quiet' takes no value");
}

TEST(Usage, a_wrong_value_says_what_is_allowed) {
  expect_error({"dissect", "-c", "0", kLab}, "option '-c' needs a whole number from 1 up, not '0'");
  expect_error({"dissect", "--count=x", kLab}, "option '--count' needs a whole number from 1 up, not 'x'");
  expect_error({"dissect", "-T", "xml", kLab}, "option '-T' needs text, fields, csv, json or ndjson, not 'xml'");
  expect_error({"dissect", "-t", "x", kLab}, "option '-t' needs r, d, dd, a, ad, u, ud or e, not 'x'");
  expect_error({"dissect", "--color=yes", kLab}, "option '--color' needs auto, always or never, not 'yes'");
  expect_error({"dissect", "-T", "fields", "-e", "frame.number", "-E", "foo=y", kLab},
               "option '-E' needs header=, separator=, occurrence=, aggregator=, quote= or bom=, not 'foo=y'");
  expect_error({"dissect", "--host", "10.0.0", kLab},
               "option '--host' needs an IP address or a prefix such as 10.0.0.0/24, not '10.0.0'");
  expect_error({"dissect", "--qpn", "0x1000000", kLab},
               "option '--qpn' needs a queue pair number from 0 to 0xffffff, not '0x1000000'");
  expect_error({"dissect", "--from", "yesterday", kLab},
               "option '--from' needs a time such as 2026-11-20T18:30:05.25Z, 1763665000.25 or +3.4, not 'yesterday'");
  expect_error({"dissect", "--gre-skip", "0x8949", kLab},
               "option '--gre-skip' needs a GRE protocol and a number of bytes such as 0x8949:8, not '0x8949'");
}

TEST(Usage, options_that_contradict_each_other_are_refused) {
  expect_error({"dissect", "--connection", "0", kLab},
               "option '--connection' needs a connection's number, from 1 up, not '0'");
  expect_error({"dissect", "--from", "2027", kLab},
               "option '--from' needs a time such as 2026-11-20T18:30:05.25Z, 1763665000.25 or +3.4, not '2027'");
  expect_error({"dissect", "--from", "2026-11-21", "--to", "2026-11-20", kLab},
               "no packet can be between --from and --to: --from is the later one");
  expect_error({"dissect", "--from", "+3.4", "--to", "+3.3", kLab},
               "no packet can be between --from and --to: --from is the later one");
  expect_error({"flow", "--to", "+", kLab},
               "option '--to' needs a time such as 2026-11-20T18:30:05.25Z, 1763665000.25 or +3.4, not '+'");
  expect_error({"export", "--ddl", "--clickhouse", "http://db1", kLab}, "--ddl and --clickhouse do not go together");
  expect_error({"export", "--ddl", "--no-icrc"}, "--ddl and --no-icrc do not go together");
  expect_error({"export", "--ddl", "none"}, "--ddl prints the tables and reads no file: none");
  expect_error({"dissect", "-e", "frame.number", kLab}, "option '-e' does nothing with -T text. Add: -T fields");
  expect_error({"dissect", "-V", "-T", "json", kLab}, "option '-V' does nothing with -T json. It belongs to -T text");
  expect_error({"dissect", "-T", "fields", kLab},
               "-T fields shows the fields that -e names. For example: -e frame.number -e infiniband.bth.psn");
}

TEST(Usage, an_unknown_field_suggests_the_nearest) {
  expect_error({"dissect", "-T", "fields", "-e", "infiniband.bth.pns", kLab},
               "unknown field 'infiniband.bth.pns'. Did you mean 'infiniband.bth.psn'?");
  expect_error({"dissect", "-T", "json", "-e", "xyzzy", kLab},
               "unknown field 'xyzzy'. To list the fields: rocescope fields");
}

TEST(Usage, a_wrong_filter_is_shown_with_a_caret_under_the_place) {
  expect_error({"dissect", "-Y", "infiniband.bth.pns == 3", kLab},
               "-Y: unknown field infiniband.bth.pns; did you mean infiniband.bth.psn?\n"
               "    infiniband.bth.pns == 3\n"
               "    ^~~~~~~~~~~~~~~~~~");
  expect_error({"analyze", "--display-filter=infiniband.bth.psn ==", kLab},
               "--display-filter: the filter ends too early\n"
               "    infiniband.bth.psn ==\n"
               "                         ^");
}

TEST(Usage, no_file_says_how_to_name_one) {
  expect_error({"dissect"}, "no capture file given. Usage: rocescope dissect FILE, or - for standard input");
  expect_error({"analyze"}, "no capture file given. Usage: rocescope analyze FILE, or - for standard input");
  expect_error({"dissect", "-", "-r", "-"}, "standard input (-) can be read only once");
}

TEST(Usage, a_file_that_is_not_there_is_named) {
  expect_error({"dissect", "/nowhere.pcap"}, "cannot open /nowhere.pcap: No such file or directory");
}

TEST(Usage, what_a_terminal_would_obey_is_escaped) {
  const Outcome outcome = rocescope({"analyze", "a\x1b]0;b\x07\xc2\x9b.pcap"});
  EXPECT_THAT(outcome.err, StartsWith("rocescope: cannot open a\\x1b]0;b\\x07\\x9b.pcap: "));
  EXPECT_EQ(outcome.err.find_first_of("\x1b\x07\x9b"), std::string::npos);
}

TEST(Usage, words_after_the_files_are_files_and_the_message_says_so) {
  expect_error({"dissect", kLab, "udp", "port", "4791"},
               "cannot open udp: No such file or directory. Every word is a file name; filters are given with -Y");
}

TEST(Usage, a_command_without_operands_refuses_them) {
  expect_error({"help", "dissect", "fields"}, "'help' is about one command at a time");
}

TEST(Usage, options_for_live_capture_are_not_offered) {
  expect_error({"dissect", "-i", "eth0"}, "unknown option '-i'. To list the options: --help");
}

TEST(Usage, a_full_disk_is_an_error) {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"dissect", kLab}, {"analyze", kLab}, {"fields"}, {"help"}}) {
    const Outcome outcome = rocescope(arguments, {.output_file = "/dev/full"});
    EXPECT_EQ(outcome.exit_code, 2) << arguments.front();
    EXPECT_EQ(outcome.err, "rocescope: cannot write to standard output: No space left on device\n")
        << arguments.front();
  }
}

}  // namespace
}  // namespace rocescope::testing
