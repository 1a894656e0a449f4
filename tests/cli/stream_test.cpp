// Pipes, terminals and signals.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "captures.hpp"
#include "process.hpp"
#include "support/source_dir.hpp"
#include "support/temporary_folder.hpp"

namespace rocescope::testing {
namespace {

using ::testing::ContainsRegex;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::vector<std::string> kFields{"dissect", "-T", "fields", "-e", "frame.number", "-"};

/// The file's header and its first `packets` records.
std::string first_packets(int packets) {
  const std::string bytes = file_bytes(kLab);
  std::size_t at = 24;
  for (int i = 0; i < packets; ++i) {
    const auto* length = reinterpret_cast<const unsigned char*>(bytes.data()) + at + 8;
    at += 16U + length[0] + 256U * length[1];
  }
  return bytes.substr(0, at);
}

TEST(Stream, packets_of_a_live_pipe_are_shown_without_waiting_for_its_end) {
  Process process(rocescope_words(kFields));
  process.write(first_packets(3));
  EXPECT_EQ(process.read_until("3\n"), "1\n2\n3\n");
  process.write(first_packets(4).substr(first_packets(3).size()));
  EXPECT_EQ(process.read_until("4\n"), "1\n2\n3\n4\n");
  process.close_input();
  EXPECT_EQ(process.wait().exit_code, 0);
}

TEST(Stream, packets_of_a_compressed_live_pipe_are_shown_as_they_can_be_read) {
  if (!has_program("zstd")) GTEST_SKIP() << "zstd is not installed";
  Process process(rocescope_words(kFields));
  process.write(run({"zstd", "-c"}, {.input = first_packets(3)}).out);
  EXPECT_EQ(process.read_until("3\n"), "1\n2\n3\n");
}

TEST(Stream, line_buffered_output_comes_packet_by_packet) {
  // strace would show the writes; that a reader who closes early is noticed early shows them too.
  const Outcome outcome = run({"sh", "-c", "'" + program() + "' dissect -l '" + kLab + "' | head -n 1"});
  EXPECT_EQ(lines(outcome.out), 1);
  EXPECT_EQ(outcome.err, "");
}

TEST(Stream, a_reader_that_closes_early_ends_it_silently) {
  const std::string pipeline = "set -o pipefail; '" + program() + "' dissect -V '" + kLab + "' | head -n 1 >/dev/null";
  const Outcome outcome = run({"bash", "-c", pipeline});
  EXPECT_EQ(outcome.exit_code, 128 + SIGPIPE);
  EXPECT_EQ(outcome.err, "");
  // Also below a parent that ignores the signal, as some services do.
  EXPECT_EQ(run({"bash", "-c", "trap '' PIPE; " + pipeline}).err, "");
}

TEST(Stream, control_c_ends_reading_with_130_and_all_that_was_shown) {
  Process process(rocescope_words(kFields));
  process.write(first_packets(3));
  process.read_until("3\n");
  process.send_signal(SIGINT);
  // The input is still open: nothing but the signal can end it.
  process.read_until("never there");
  const Outcome outcome = process.wait();
  EXPECT_EQ(outcome.exit_code, 130);
  EXPECT_EQ(outcome.out, "1\n2\n3\n");
  EXPECT_EQ(outcome.err, "rocescope: interrupted after 3 packets\n");
}

TEST(Stream, control_c_ends_analyze_with_the_report_so_far) {
  Process process(rocescope_words({"analyze", "-"}));
  process.write(first_packets(30));
  // Only the end of the input or the signal can bring it to say something: give it the time to get there.
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  process.send_signal(SIGINT);
  process.read_until("never there");
  const Outcome outcome = process.wait();
  EXPECT_EQ(outcome.exit_code, 130);
  EXPECT_THAT(outcome.out, HasSubstr("30 packets"));
  EXPECT_EQ(outcome.err, "rocescope: interrupted after 30 packets\n");
}

/// A named pipe.
struct NamedPipe {
  NamedPipe() { EXPECT_EQ(::mkfifo(path.c_str(), 0600), 0); }

  const TemporaryFolder folder;
  const std::string path = folder.path("pipe");
};

/// When it is ready for that, and waits.
void interrupt_after_a_while(const Process& process) {
  for (int tries = 0; tries < 100 && !process.catches(SIGINT); ++tries)
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  process.send_signal(SIGINT);
}

TEST(Stream, control_c_ends_waiting_for_who_writes_a_named_pipe) {
  const NamedPipe pipe;
  Process process(rocescope_words({"dissect", pipe.path}));
  interrupt_after_a_while(process);
  const Outcome outcome = process.wait();
  EXPECT_EQ(outcome.exit_code, 130);
  EXPECT_EQ(outcome.err, "");
}

TEST(Stream, a_second_control_c_kills) {
  const NamedPipe pipe;
  const int writer = ::open(pipe.path.c_str(), O_RDWR | O_CLOEXEC);
  Process process(rocescope_words({"dissect", pipe.path}));
  interrupt_after_a_while(process);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  process.send_signal(SIGINT);
  EXPECT_EQ(process.wait().signal, SIGINT);
  ::close(writer);
}

TEST(Stream, standard_input_that_is_a_terminal_is_refused) {
  const Outcome outcome = rocescope({"dissect", "-"}, {.input_terminal = true});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, StartsWith("rocescope: cannot read standard input: it is a terminal"));
}

TEST(Stream, colour_is_for_terminals_unless_asked_otherwise) {
  const auto coloured = [](const std::vector<std::string>& more, Surroundings surroundings) {
    std::vector<std::string> words{"dissect", "-c", "100", kLab};
    words.insert(words.end(), more.begin(), more.end());
    surroundings.environment.emplace_back("TERM", "xterm");
    return rocescope(words, surroundings).out.find('\033') != std::string::npos;
  };
  EXPECT_TRUE(coloured({}, {.terminal = true}));
  EXPECT_FALSE(coloured({}, {}));
  EXPECT_TRUE(coloured({"--color=always"}, {}));
  EXPECT_TRUE(coloured({"--color", "auto"}, {.terminal = true}));
  EXPECT_FALSE(coloured({"--color=never"}, {.terminal = true}));
  EXPECT_FALSE(coloured({}, {.terminal = true, .environment = {{"NO_COLOR", "1"}}}));
  EXPECT_TRUE(coloured({}, {.terminal = true, .environment = {{"NO_COLOR", ""}}}));
  EXPECT_TRUE(coloured({"--color=always"}, {.terminal = true, .environment = {{"NO_COLOR", "1"}}}));
  EXPECT_FALSE(coloured({"-T", "csv", "--color=always"}, {.terminal = true}));
}

/// What standard error shows, as a terminal, of reading two heaps of packets with over a second between them.
std::string shown_while_reading(const std::vector<std::string>& arguments) {
  const std::string file = file_bytes(kLab);
  std::string heap;
  for (int i = 0; i < 8; ++i) heap += file.substr(24);
  Process process(rocescope_words(arguments), {.error_terminal = true});
  process.write(file.substr(0, 24) + heap);
  std::this_thread::sleep_for(std::chrono::milliseconds(1200));
  process.write(heap);
  const Outcome outcome = process.wait();
  EXPECT_EQ(outcome.exit_code, 0);
  return outcome.err;
}

TEST(Stream, progress_is_shown_on_a_terminal_when_it_takes_over_a_second) {
  const std::string shown = shown_while_reading({"analyze", "-"});
  EXPECT_THAT(shown, ContainsRegex("^\r\033\\[K[0-9,]+ packets, [0-9.]+ k?packets/s\r"));
  EXPECT_THAT(shown, EndsWith("\r\033[K"));
  EXPECT_EQ(shown_while_reading({"analyze", "-q", "-"}), "");
}

TEST(Stream, progress_tells_the_part_that_was_done_and_the_time_left_where_they_are_known) {
  const std::string file = file_bytes(kLab);
  const TemporaryFolder folder;
  const std::string path = folder.path("large.pcap");
  std::ofstream large(path, std::ios::binary);
  large << file;
  for (int i = 0; i < 9; ++i) large << file.substr(24);
  large.close();
  Process process(rocescope_words({"dissect", path}), {.error_terminal = true});
  std::this_thread::sleep_for(std::chrono::milliseconds(1200));  // it waits: nobody reads what it prints
  const Outcome outcome = process.wait();
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.err, ContainsRegex("[0-9,]+ packets, [0-9.]+ k?packets/s, [1-9][0-9]? %, [0-9]+ s left\r"));
  // Of the first heap there are 10,176 packets.
  EXPECT_THAT(shown_while_reading({"analyze", "-c", "20000", "-"}),
              ContainsRegex("packets/s, [45][0-9] %, [0-9]+ s left\r"));
}

}  // namespace
}  // namespace rocescope::testing
