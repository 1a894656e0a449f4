// `rocescope merge`: what partial results say, and what damaged ones do not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "captures.hpp"
#include "partial/partial.hpp"
#include "process.hpp"
#include "render/report/report_json.hpp"
#include "rocescope/render.hpp"
#include "support/all_captures.hpp"
#include "support/source_dir.hpp"
#include "support/temporary_folder.hpp"

namespace rocescope::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

/// Those that come with the project, and of a folder of others.
std::vector<std::string> small_captures() {
  std::vector<std::string> files;
  const auto add = [&](const std::filesystem::path& folder) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      constexpr std::uintmax_t kMost = 4'000'000;  // bytes: each is read, written and read again
      const std::string name = entry.path().filename().string();
      const bool is_small = entry.is_regular_file() && entry.file_size() < kMost;
      if (is_small && (name.find(".pcap") != std::string::npos || name.ends_with(".cap")))
        files.push_back(entry.path());
    }
  };
  add(source_dir() + "/captures");
  if (const char* const extra = std::getenv("ROCESCOPE_EXTRA_CAPTURES")) add(extra);
  std::ranges::sort(files);
  return to_repeat(std::move(files), 2, 6);
}

void write_file(const std::string& path, std::string_view bytes) { std::ofstream(path, std::ios::binary) << bytes; }

std::string partial_of(const std::string& capture_file, const TemporaryFolder& folder) {
  const std::string path = folder.path("of_capture.rsp");
  std::filesystem::remove(path);
  EXPECT_EQ(rocescope({"analyze", "--partial", path, capture_file}).exit_code, 0);
  return path;
}

/// Reads it as merge does; the report as JSON and text, or the error.
std::string read_partial(const std::string& path) {
  Result<partial::PartialReader> reader = partial::PartialReader::open(path, "test");
  if (!reader) return reader.error().message;
  Observations observations;
  const MessageVisitor ignore = [](const Connection&, std::size_t, const Message&) {};
  if (const auto error = reader->read(ignore, observations)) return error->message;
  const Report report = conclude(std::move(observations));
  std::string text;
  render::append_report_json(report, text);
  render::append_report_text(report, text, {.detail = true, .all = true});
  return text;
}

TEST(Merge, of_one_partial_result_gives_what_analyze_gives_of_every_capture) {
  TemporaryFolder folder;
  for (const std::string& file : small_captures()) {
    SCOPED_TRACE(file);
    for (const char* const name : {"a", "b", "one.rsp"}) std::filesystem::remove_all(folder.path(name));
    const std::string partial = folder.path("one.rsp");
    const Outcome expected = rocescope({"analyze", "--json", "--csv", folder.path("a"), "--partial", partial, file});
    if (expected.exit_code != 0) continue;  // it is no capture
    const Outcome merged = rocescope({"merge", "--json", "--csv", folder.path("b"), partial});
    EXPECT_EQ(merged.exit_code, 0);
    EXPECT_EQ(merged.err, "");
    EXPECT_TRUE(merged.out == expected.out);
    for (const auto& entry : std::filesystem::directory_iterator(folder.path("a"))) {
      const std::string other = folder.path("b") + "/" + entry.path().filename().string();
      EXPECT_TRUE(file_bytes(entry.path()) == file_bytes(other)) << other;
    }
    // JSON holds what the text does: some captures show that it is all the same text.
    if (file.find("impaired") == std::string::npos) continue;
    EXPECT_TRUE(rocescope({"merge", "-v", partial}).out == rocescope({"analyze", "-v", file}).out);
  }
}

TEST(Merge, knows_evicted_connections_and_selections) {
  TemporaryFolder folder;
  const std::string file = capture("impaired_out-loss_heavy.pcapng");
  const std::vector<std::vector<std::string>> cases = {
      {"--max-connections", "2"}, {"--idle-timeout", "1ms"}, {"-Y", "infiniband.bth.opcode != 17"}, {"--no-icrc"}};
  for (const auto& options : cases) {
    const std::string partial = folder.path("some.rsp");
    std::filesystem::remove(partial);
    std::vector<std::string> words{"analyze", "--json", "--partial", partial, file};
    words.insert(words.end(), options.begin(), options.end());
    const std::string expected = rocescope(words).out;
    EXPECT_TRUE(expected == rocescope({"merge", "--json", partial}).out) << options.front();
  }
}

TEST(Merge, needs_messages_for_csv_alone) {
  TemporaryFolder folder;
  const std::string partial = folder.path("small.rsp");
  const Outcome expected = rocescope({"analyze", "--json", "--no-messages", "--partial", partial, kLab});
  EXPECT_TRUE(expected.out == rocescope({"merge", "--json", partial}).out);
  EXPECT_LT(std::filesystem::file_size(partial), std::filesystem::file_size(partial_of(kLab, folder)));
  const Outcome refused = rocescope({"merge", "--csv", folder.path("csv"), partial});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("was made with --no-messages: --csv needs messages"));
  const std::string again = folder.path("again.rsp");
  EXPECT_THAT(rocescope({"merge", "--partial", again, partial}).err, HasSubstr("--partial without --no-messages\n"));
  EXPECT_EQ(rocescope({"merge", "--no-messages", "--partial", again, partial}).exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(folder.path("csv")));
  EXPECT_THAT(rocescope({"analyze", "--no-messages", kLab}).err, HasSubstr("does nothing without --partial"));
  EXPECT_THAT(rocescope({"merge", "--no-messages", kLab}).err, HasSubstr("does nothing without --partial\n"));
}

TEST(Merge, exits_as_analyze_does) {
  TemporaryFolder folder;
  const std::string partial = partial_of(capture("impaired_out-loss_heavy.pcapng"), folder);
  EXPECT_EQ(rocescope({"merge", "--fail-on", "warning", partial}).exit_code, 1);
  EXPECT_EQ(rocescope({"merge", partial}).exit_code, 0);
}

TEST(Merge, says_what_is_no_partial_result) {
  TemporaryFolder folder;
  EXPECT_THAT(rocescope({"merge"}).err, HasSubstr("analyze --partial"));
  EXPECT_THAT(rocescope({"merge", folder.path("none")}).err, HasSubstr("No such file"));
  const Outcome capture_file = rocescope({"merge", "--json", kLab});
  EXPECT_EQ(capture_file.exit_code, 2);
  EXPECT_EQ(capture_file.out, "");
  EXPECT_THAT(capture_file.err, HasSubstr("it is no partial result of rocescope"));
  EXPECT_THAT(rocescope({"merge", folder.path("")}).err, HasSubstr("it is a directory"));
}

TEST(Merge, reads_what_is_no_capture) {
  TemporaryFolder folder;
  const std::string partial = partial_of(capture("vlan.pcapng"), folder);
  for (const char* command : {"analyze", "dissect"})
    EXPECT_THAT(rocescope({command, partial}).err, HasSubstr("it is no capture, but a partial result"));
}

TEST(Merge, refuses_another_version) {
  TemporaryFolder folder;
  std::string bytes = file_bytes(partial_of(capture("vlan.pcapng"), folder));
  bytes[partial::kMagic.size()] = 9;
  write_file(folder.path("other.rsp"), bytes);
  const Outcome outcome = rocescope({"merge", folder.path("other.rsp")});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("another version of rocescope wrote it (format 9; this one reads " +
                                     std::to_string(partial::kFormat) + ")"));
}

TEST(Merge, refuses_tables_of_another_program) {
  TemporaryFolder folder;
  std::string bytes;
  const partial::Sink sink = [&](std::string_view piece) { bytes += piece; };
  partial::write_start(sink);
  partial::SectionWriter tables("tables", sink);
  tables.write(
      "\x03"
      "0.1"
      "\x05"
      "other");
  tables.finish();
  partial::SectionWriter(partial::kEnd, sink).finish();
  write_file(folder.path("other.rsp"), bytes);
  const Outcome outcome = rocescope({"merge", folder.path("other.rsp")});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("rocescope 0.1 wrote it, whose tables are not those of this one"));
}

TEST(Merge, names_a_section_that_is_damaged) {
  TemporaryFolder folder;
  std::string bytes = file_bytes(partial_of(kLab, folder));
  const std::size_t flows = bytes.find(std::string("flows\0", 6));
  bytes[flows + 80] ^= 1;  // behind the head of the block
  write_file(folder.path("damaged.rsp"), bytes);
  const Outcome outcome = rocescope({"merge", "--json", folder.path("damaged.rsp")});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, HasSubstr("its section 'flows' is damaged (block 1: wrong checksum)"));
}

TEST(Merge, reads_no_part_of_a_damaged_or_cut_file) {
  TemporaryFolder folder;
  const std::string bytes = file_bytes(partial_of(capture("ucmatose.pcapng"), folder));
  const std::string path = folder.path("changed.rsp");
  std::mt19937 random(21);
  const auto is_refused = [&](const std::string& changed) {
    write_file(path, changed);
    EXPECT_THAT(read_partial(path), StartsWith("cannot read"));
  };
  for (std::size_t size = 0; size < bytes.size(); size += 1 + random() % 97) is_refused(bytes.substr(0, size));
  is_refused(bytes + "x");
  for (int i = 0; i < 1000; ++i) {
    std::string changed = bytes;
    changed[random() % changed.size()] ^= static_cast<char>(1U << random() % 8);
    is_refused(changed);
  }
}

/// The file again, with changes to what its blocks hold, and right checksums.
std::string changed_inside(const std::string& path, std::mt19937& random) {
  Result<partial::BlockReader> blocks = partial::BlockReader::open(path);
  std::string bytes;
  const partial::Sink sink = [&](std::string_view piece) { bytes += piece; };
  partial::write_start(sink);
  std::string raw;
  std::uint32_t place = 0;
  while (!blocks->section().empty()) {
    const std::string name(blocks->section());
    partial::SectionWriter section(name, sink);
    EXPECT_FALSE(blocks->take(raw));
    if (++place > 1 && random() % 4 == 0) {
      for (auto changes = 1 + random() % 3; !raw.empty() && changes > 0; --changes)
        raw[random() % raw.size()] = static_cast<char>(random() % 3 == 0 ? 0xFF : random());
    }
    section.write(raw);
    section.finish();
  }
  partial::SectionWriter(partial::kEnd, sink).finish();
  return bytes;
}

TEST(Merge, stands_whatever_sections_hold) {
  TemporaryFolder folder;
  std::mt19937 random(2121);
  for (const char* const name : {"ucmatose.pcapng", "impaired_out-loss_heavy.pcapng"}) {
    const std::string path = partial_of(capture(name), folder);
    for (int i = 0; i < 300; ++i) {
      const std::string changed = folder.path("changed.rsp");
      write_file(changed, changed_inside(path, random));
      EXPECT_THAT(read_partial(changed), Not(IsEmpty()));
    }
  }
}

TEST(Partial, overwrites_nothing_and_leaves_no_draft) {
  TemporaryFolder folder;
  const std::string path = partial_of(kLab, folder);
  const std::string bytes = file_bytes(path);
  const Outcome again = rocescope({"analyze", "--partial", path, kLab});
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_THAT(again.err, HasSubstr("is there already"));
  EXPECT_EQ(file_bytes(path), bytes);
  std::filesystem::remove(path);
  EXPECT_EQ(rocescope({"analyze", "--partial", path, "--connection", "999", kLab}).exit_code, 2);
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path("")), {}), 0);
}

TEST(Partial, of_an_interrupted_analysis_is_not_written) {
  TemporaryFolder folder;
  Process process(rocescope_words({"analyze", "--partial", folder.path("some.rsp"), "-"}));
  process.write(file_bytes(kLab).substr(0, 10'000));
  for (int tries = 0; tries < 100 && !process.catches(SIGINT); ++tries)
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  process.send_signal(SIGINT);
  const Outcome outcome = process.wait();
  EXPECT_EQ(outcome.exit_code, 130);
  EXPECT_THAT(outcome.err, HasSubstr("no partial result is written"));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path("")), {}), 0);
}

TEST(Partial, is_the_same_file_each_time) {
  TemporaryFolder folder;
  const std::string first = file_bytes(partial_of(kLab, folder));
  EXPECT_TRUE(first == file_bytes(partial_of(kLab, folder)));
}

}  // namespace
}  // namespace rocescope::testing
