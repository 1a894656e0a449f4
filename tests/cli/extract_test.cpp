// `rocescope extract`: what other programs find in the captures that it writes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <sstream>
#include <string>
#include <vector>

#include "captures.hpp"
#include "process.hpp"
#include "support/source_dir.hpp"
#include "support/temporary_folder.hpp"

namespace rocescope::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string kLossy = source_dir() + "/captures/impaired_out-loss_heavy.pcapng";
const std::string kWriteRead = source_dir() + "/captures/rdmagen-cm-write-read.pcapng";
const std::string kVlan = source_dir() + "/captures/vlan.pcapng";

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) result.push_back(line);
  return result;
}

class Extract : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_program("tshark")) GTEST_SKIP() << "tshark is not installed";
  }

  /// Runs `rocescope extract -w out ARGUMENTS`, which is to work.
  std::string extract(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"extract", "-q", "-w", out_});
    const Outcome outcome = rocescope(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    return out_;
  }
  static std::vector<std::string> tshark(const std::string& file, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"tshark", "-n", "-r", file});
    return lines_of(run(arguments).out);
  }
  /// Fields of each packet that passes `filter`, as tshark sees them.
  static std::vector<std::string> fields(const std::string& file, const std::string& filter,
                                         const std::vector<std::string>& names) {
    std::vector<std::string> arguments{"-Y", filter, "-T", "fields"};
    for (const std::string& name : names) arguments.insert(arguments.end(), {"-e", name});
    return tshark(file, arguments);
  }
  /// All that a packet is, but for its number and interface: a line for each thing.
  static std::vector<std::string> packets(const std::string& file, const std::string& filter = "frame") {
    std::vector<std::string> result;
    bool is_raw = false;
    for (const std::string& line : tshark(file, {"-Y", filter, "-T", "json", "-x", "-j", "frame"})) {
      const bool is_kept = std::ranges::any_of(
          std::initializer_list<const char*>{"frame.time_epoch", "frame.len", "frame.cap_len", "frame.encap_type",
                                             "frame.interface_name"},
          [&](const char* name) { return line.find('"' + std::string(name) + '"') != std::string::npos; });
      if (is_raw || is_kept) result.push_back(line);
      is_raw = line.find("\"frame_raw\"") != std::string::npos;  // the next line has the bytes
    }
    return result;
  }
  [[nodiscard]] std::string merged(const std::vector<std::string>& files) const {
    const std::string name = folder_.path("merged" + std::to_string(files.size()) + ".pcapng");
    std::vector<std::string> words{"mergecap", "-a", "-F", "pcapng", "-w", name};
    words.insert(words.end(), files.begin(), files.end());
    EXPECT_EQ(run(words).exit_code, 0);
    return name;
  }

  const TemporaryFolder folder_;
  const std::string out_ = folder_.path("out.pcapng");
};

TEST_F(Extract, every_packet_of_every_capture_stays_as_it_was) {
  std::vector<std::string> before;
  std::vector<std::string> after;
  for (const auto& entry : std::filesystem::directory_iterator(source_dir() + "/captures")) {
    const std::string path = entry.path();
    if (!path.ends_with(".pcapng") || entry.file_size() > 12'000) continue;
    before.push_back(path);
    after.push_back(folder_.path("out" + std::to_string(after.size()) + ".pcapng"));
    std::filesystem::rename(extract({path}), after.back());
  }
  const std::vector<std::string> expected = packets(merged(before));
  const std::vector<std::string> found = packets(merged(after));
  EXPECT_GT(found.size(), 1'000U);
  EXPECT_EQ(found, expected);
}

TEST_F(Extract, a_connection_is_what_its_queue_pairs_sent) {
  const std::string filter = "infiniband.bth.destqp != 1 && udp.dstport == 4791";
  EXPECT_EQ(packets(extract({"--connection", "1", kLossy})), packets(kLossy, filter));
}

// Message 1 is a WRITE of four packets, 9 to 12, which 13 acknowledges; message 2 a READ in 14, answered in 15 to 18.
TEST_F(Extract, a_message_is_its_packets_and_what_answers_it) {
  EXPECT_EQ(packets(extract({"--message", "1", kWriteRead})), packets(kWriteRead, "frame.number in {9..13}"));
  EXPECT_EQ(packets(extract({"--message", "1", "--message", "2", kWriteRead})),
            packets(kWriteRead, "frame.number in {9..18}"));
}

// tshark finds the NAKs (IBTA Table 44: kind 3, code 0) that the finding is about.
TEST_F(Extract, a_finding_is_the_packets_that_its_filter_shows) {
  const std::vector<std::string> naks = fields(kLossy, "infiniband.aeth.syndrome == 0x60", {"frame.time_epoch"});
  ASSERT_FALSE(naks.empty());
  EXPECT_EQ(fields(extract({"--finding", "nak_sequence", kLossy}), "frame", {"frame.time_epoch"}), naks);
  EXPECT_TRUE(fields(extract({"--finding", "nak_sequence", "--qpn", "1", kLossy}), "frame", {"frame.number"}).empty());
  EXPECT_TRUE(fields(extract({"--finding", "nak_sequence", kWriteRead}), "frame", {"frame.number"}).empty());
  EXPECT_EQ(rocescope({"extract", "-w", out_, "--finding", "nak_sequenc", kLossy}).err,
            "rocescope: unknown finding 'nak_sequenc'. Did you mean 'nak_sequence'?\n");
}

TEST_F(Extract, verdicts_are_comments_with_the_numbers_of_the_capture_and_of_the_file) {
  const std::string all = extract({kLossy});
  const std::vector<std::string> copies = fields(all, "frame.comment contains \"retransmission\"", {"frame.comment"});
  ASSERT_FALSE(copies.empty());
  for (const std::string& comment : copies) EXPECT_THAT(comment, ::testing::Not(HasSubstr("here"))) << comment;
  // dissect says the same.
  const std::vector<std::string> said =
      lines_of(rocescope({"dissect", "-Y", "rocescope.verdict.retransmission", kLossy}).out);
  ASSERT_EQ(copies.size(), said.size());
  for (std::size_t i = 0; i < said.size(); ++i) EXPECT_THAT(said[i], HasSubstr(copies[i]));

  // If earlier frames are left out, the comment has both numbers; the second one is of the new file.
  const std::string one = extract({"--connection", "1", kLossy});
  const std::vector<std::string> rows = fields(one, "frame.comment", {"frame.number", "frame.comment"});
  ASSERT_FALSE(rows.empty());
  const std::vector<std::string> names{"frame.time_epoch", "infiniband.bth.psn"};
  const std::vector<std::string> times = fields(kLossy, "frame", names);
  const std::vector<std::string> times_here = fields(one, "frame", names);
  int checked = 0;
  for (const std::string& row : rows) {
    std::istringstream words(row);
    unsigned long here = 0;
    unsigned long there = 0;
    std::string word;
    words >> here >> word >> there;
    EXPECT_EQ(word, "frame") << row;
    EXPECT_EQ(times_here.at(here - 1), times.at(there - 1)) << row;
    if (const std::size_t at = row.find(" of ");
        at != std::string::npos && row.find("(here ", at) != std::string::npos) {
      const unsigned long original = std::stoul(row.substr(at + 4));
      const unsigned long copy = std::stoul(row.substr(row.find("(here ", at) + 6));
      EXPECT_EQ(times_here.at(copy - 1), times.at(original - 1)) << row;
      ++checked;
    }
    if (checked == 3) break;
  }
  EXPECT_EQ(checked, 3);
}

TEST_F(Extract, no_comments_adds_none) {
  EXPECT_TRUE(fields(extract({"--no-comments", kLossy}), "frame.comment", {"frame.number"}).empty());
}

TEST_F(Extract, comments_interfaces_and_losses_of_the_input_stay) {
  if (!has_program("editcap")) GTEST_SKIP() << "editcap is not installed";
  const std::string commented = folder_.path("commented.pcapng");
  ASSERT_EQ(run({"editcap", "-a", "8:look here", kLossy, commented}).exit_code, 0);
  const std::vector<std::string> names{"frame.interface_name", "frame.interface_description", "frame.comment"};
  EXPECT_EQ(fields(extract({commented}), "frame.number == 8", names), fields(commented, "frame.number == 8", names));
  const auto facts = [](const std::string& file) {
    std::vector<std::string> kept;
    bool in_interfaces = false;
    for (const std::string& line : lines_of(run({"capinfos", "-I", file}).out)) {
      in_interfaces |= line.starts_with("Interface #0");
      if (in_interfaces) kept.push_back(line);
    }
    return kept;
  };
  EXPECT_GT(facts(commented).size(), 3U);
  EXPECT_EQ(facts(extract({commented})), facts(commented));
}

TEST_F(Extract, several_captures_become_interfaces_of_one_section) {
  const std::string merged = folder_.path("merged.pcapng");
  ASSERT_EQ(run({"mergecap", "-w", merged, kWriteRead, kVlan}).exit_code, 0);
  const std::vector<std::string> both = packets(extract({kWriteRead, kVlan}));
  EXPECT_EQ(both, packets(merged));
  const std::vector<std::string> ids = fields(out_, "frame.number in {1, 80}", {"frame.interface_id"});
  EXPECT_THAT(ids, ElementsAre("1", "0"));  // the second file begins earlier
  EXPECT_THAT(fields(out_, "frame.number == 80", {"frame.section_number"}), ElementsAre("1"));
}

TEST_F(Extract, link_types_may_differ) {
  const std::string raw = folder_.path("raw.pcap");
  ASSERT_EQ(run({"editcap", "-F", "nsecpcap", "-C", "14", "-L", "-T", "rawip", kWriteRead, raw}).exit_code, 0);
  extract({raw, kVlan});
  EXPECT_FALSE(packets(raw).empty());
  EXPECT_EQ(packets(out_, "frame.interface_id == 0").size(), packets(out_, "frame.encap_type == 7").size());
  EXPECT_EQ(tshark(out_, {"-Y", "frame.interface_id == 0", "-x"}), tshark(raw, {"-x"}));
  EXPECT_EQ(packets(out_, "frame.interface_id == 1"), packets(kVlan));
}

TEST_F(Extract, standard_input_and_output_will_do) {
  const Outcome outcome = rocescope({"extract", "-w", "-", "-"}, {.input = file_bytes(kVlan)});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  std::ofstream(out_, std::ios::binary) << outcome.out;
  EXPECT_EQ(packets(out_), packets(kVlan));
}

TEST_F(Extract, packets_of_a_live_pipe_come_at_once) {
  Process process(rocescope_words({"extract", "-w", "-", "-"}));
  process.write(file_bytes(kLab).substr(0, 24 + 16 + 4000));
  const std::string first = file_bytes(kLab).substr(40, 60);
  EXPECT_THAT(process.read_until(first), HasSubstr(first));
}

TEST_F(Extract, nothing_that_matches_makes_a_capture_without_packets) {
  const Outcome outcome = rocescope({"extract", "-w", out_, "-Y", "frame.number == 0", kVlan});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.err, HasSubstr("rocescope: no packet matches: " + out_ + " has none"));
  const Outcome read = run({"capinfos", "-Tmrc", out_});
  EXPECT_EQ(read.exit_code, 0);
  EXPECT_THAT(read.out, HasSubstr("0"));
}

TEST_F(Extract, an_input_is_never_overwritten) {
  const std::string file = folder_.path("lab.pcapng");
  const std::string link = folder_.path("link.pcapng");
  std::filesystem::copy(kVlan, file);
  std::filesystem::create_hard_link(file, link);
  const std::string before = file_bytes(file);
  EXPECT_EQ(rocescope({"extract", "-w", file, file}).err,
            "rocescope: " + file + " is read from: it would be overwritten. Name another file\n");
  const Outcome linked = rocescope({"extract", "-w", link, file});
  EXPECT_EQ(linked.exit_code, 2);
  EXPECT_EQ(linked.err,
            "rocescope: " + link + " is read from as " + file + ": it would be overwritten. Name another file\n");
  EXPECT_EQ(rocescope({"extract", "-w", file, "-"}, {.input_file = file}).exit_code, 2);
  EXPECT_EQ(file_bytes(file), before);
}

TEST_F(Extract, errors_tell_what_to_do) {
  EXPECT_EQ(rocescope({"extract", kVlan}).err,
            "rocescope: no file to write given: -w FILE, or -w - for standard output\n");
  EXPECT_EQ(rocescope({"extract", "-w", "/nowhere/x.pcapng", kVlan}).err,
            "rocescope: cannot write /nowhere/x.pcapng: No such file or directory\n");
  EXPECT_EQ(rocescope({"extract", "-w", "/dev/full", kVlan}).err,
            "rocescope: cannot write /dev/full: No space left on device\n");
  EXPECT_EQ(rocescope({"extract", "-w", "-", kVlan}, {.terminal = true}).err,
            "rocescope: a capture is not for a terminal. Name a file, or pipe it into a program\n");
  EXPECT_EQ(rocescope({"extract", "-w", out_, "/nowhere.pcap"}).exit_code, 2);
  EXPECT_FALSE(std::filesystem::exists(out_));
}

// Where each new section had those of all before it looked through, this took 20 s.
TEST_F(Extract, a_section_for_each_packet_takes_no_longer_than_one_for_all) {
  constexpr std::size_t kSections = 65'536;  // as many interfaces as a file may have
  using std::string_literals::operator""s;
  const std::string section = "\n\r\r\n\x1c\0\0\0\x4d\x3c\x2b\x1a\1\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff\x1c\0\0\0"s;
  const std::string interface = "\1\0\0\0\x14\0\0\0\1\0\0\0\0\0\0\0\x14\0\0\0"s;
  const std::string packet =
      "\6\0\0\0\x30\0\0\0"s + std::string(12, '\0') + "\x10\0\0\0\x10\0\0\0"s + std::string(16, '\0') + "\x30\0\0\0"s;
  const std::string file = folder_.path("sections.pcapng");
  {
    std::ofstream out(file, std::ios::binary);
    for (std::size_t i = 0; i < kSections; ++i) out << section << interface << packet;
  }
  EXPECT_GT(std::filesystem::file_size(extract({file})), kSections * (interface.size() + packet.size()));
}

// A limit of the file's size stands for a disk that gets full in the middle of a packet.
TEST_F(Extract, what_was_written_before_the_disk_was_full_can_be_read) {
  const std::string script =
      "trap '' XFSZ; ulimit -f 300; '" + program() + "' extract -w '" + out_ + "' '" + kLab + "'";
  const Outcome outcome = run({"bash", "-c", script});
  EXPECT_EQ(outcome.exit_code, 2);
  const std::vector<std::string> kept = tshark(out_, {"-T", "fields", "-e", "frame.number"});
  ASSERT_GT(kept.size(), 100U);
  EXPECT_EQ(outcome.err,
            "rocescope: cannot write " + out_ + ": File too large. The first " + kept.back() + " packets are in it\n");
  const Outcome read = run({"tshark", "-r", out_, "-q"});
  EXPECT_THAT(read.err, ::testing::Not(HasSubstr("cut short")));
}

}  // namespace
}  // namespace rocescope::testing
