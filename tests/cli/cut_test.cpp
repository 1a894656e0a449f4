// What `analyze` says of a capture with a snap length, beside what tshark can still read of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "process.hpp"
#include "support/source_dir.hpp"
#include "support/temporary_folder.hpp"

namespace rocescope::testing {
namespace {

using ::testing::HasSubstr;

/// The last field of each header, in the order of the wire: it is there where the header is.
struct Header {
  std::string_view name;
  std::string_view field;
};
constexpr std::array kHeaders{
    Header{"BTH", "infiniband.bth.psn"},      Header{"DETH", "infiniband.deth.srcqp"},
    Header{"RETH", "infiniband.reth.dmalen"}, Header{"AtomicETH", "infiniband.atomiceth.cmpdt"},
    Header{"AETH", "infiniband.aeth.msn"},    Header{"AtomicAckETH", "infiniband.atomicacketh.origremdt"},
    Header{"ImmDt", "infiniband.immdt"},
};

/// What tshark reads of one frame.
struct Row {
  std::uint64_t captured = 0;
  std::uint64_t length = 0;
  bool is_cm = false;
  std::array<bool, kHeaders.size()> has{};
};

std::vector<Row> rows_of(const std::string& file) {
  std::vector<std::string> words{"tshark",
                                 "-r",
                                 file,
                                 "-T",
                                 "fields",
                                 "-E",
                                 "separator=;",
                                 "-e",
                                 "frame.cap_len",
                                 "-e",
                                 "frame.len",
                                 "-e",
                                 "infiniband.mad.mgmtclass"};
  for (const Header& header : kHeaders) words.insert(words.end(), {"-e", std::string(header.field)});
  std::istringstream lines(run(words).out);
  std::vector<Row> rows;
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> values;
    std::istringstream columns(line + ";");
    for (std::string value; std::getline(columns, value, ';');) values.push_back(value);
    Row row{.captured = std::stoul(values.at(0)), .length = std::stoul(values.at(1)), .is_cm = values.at(2) == "0x07"};
    for (std::size_t i = 0; i < kHeaders.size(); ++i) row.has[i] = !values.at(3 + i).empty();
    rows.push_back(row);
  }
  return rows;
}

/// The first thing that a packet lacks.
std::string lacks(const Row& whole, const Row& cut) {
  constexpr std::uint64_t kIcrc = 4;
  for (std::size_t i = 0; i < kHeaders.size(); ++i) {
    if (whole.has[i] && !cut.has[i]) return std::string(kHeaders[i].name);
  }
  return whole.is_cm && cut.captured < cut.length - kIcrc ? "CM" : "payload";
}

/// The line that the report should have.
std::string line_of(const std::vector<Row>& whole, const std::vector<Row>& cut) {
  std::map<std::string, int> lacking;
  int packets = 0;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    if (cut[i].captured == cut[i].length) continue;
    ++packets;
    ++lacking[lacks(whole[i], cut[i])];
  }
  std::string text;
  const auto add = [&](int count, const std::string& what) {
    if (count == 0) return;
    text += text.empty() ? "" : "; ";
    text += std::to_string(count) + (count == 1 ? " lacks " : " lack ") + what;
  };
  add(lacking["BTH"], "headers of lower layers or the BTH");
  add(lacking["CM"], "the CM message");
  int extended = 0;
  for (const auto& [name, count] : lacking) extended += name == "BTH" || name == "CM" || name == "payload" ? 0 : count;
  add(extended, "extended headers (");  // their order is that of their numbers
  add(lacking["payload"], "payload or the ICRC");
  return packets == 0 ? ""
                      : "  Cut        " + std::to_string(packets) + (packets == 1 ? " packet: " : " packets: ") + text;
}

/// Without what is in parentheses.
std::string without_names(std::string line) {
  const std::size_t open = line.find('(');
  const std::size_t close = line.find(')');
  return open == std::string::npos ? line : line.erase(open + 1, close - open);
}

class CutAt : public ::testing::Test {
 protected:
  [[nodiscard]] std::string cut(const std::string& file, int length) const {
    std::string name = folder_.path("cut" + std::to_string(length) + ".pcapng");
    EXPECT_EQ(run({"editcap", "-s", std::to_string(length), file, name}).exit_code, 0);
    return name;
  }
  TemporaryFolder folder_;
};

class Cut : public CutAt, public ::testing::WithParamInterface<const char*> {};

TEST_P(Cut, says_what_is_missing_of_how_many_packets) {
  if (!has_program("editcap") || !has_program("tshark")) GTEST_SKIP() << "tshark or editcap is not installed";
  const std::string roce = folder_.path("roce.pcapng");
  const std::string capture = source_dir() + "/captures/" + GetParam();
  ASSERT_EQ(run({"tshark", "-r", capture, "-Y", "infiniband", "-w", roce}).exit_code, 0);
  constexpr std::array kLengths{64, 66, 96, 102, 128, 256, 317, 318, 322, 342};
  // One tshark reads the whole packets and all cut ones: to start it takes longest.
  const std::string merged = folder_.path("merged.pcapng");
  std::vector<std::string> words{"mergecap", "-a", "-F", "pcapng", "-w", merged, roce};
  for (const int length : kLengths) words.push_back(cut(roce, length));
  ASSERT_EQ(run(words).exit_code, 0);
  const std::vector<Row> rows = rows_of(merged);
  const std::size_t packets = rows.size() / (1 + kLengths.size());
  ASSERT_GT(packets, 0U);
  ASSERT_EQ(rows.size(), packets * (1 + kLengths.size()));
  const auto part = [&](std::size_t number) {
    const auto begin = rows.begin() + static_cast<std::ptrdiff_t>(number * packets);
    return std::vector<Row>(begin, begin + static_cast<std::ptrdiff_t>(packets));
  };
  for (std::size_t i = 0; i < kLengths.size(); ++i) {
    const std::string expected = line_of(part(0), part(i + 1));
    const std::string report = rocescope({"analyze", "-q", words[words.size() - kLengths.size() + i]}).out;
    std::string found;
    std::istringstream lines(report);
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("  Cut ")) found = line;
    }
    EXPECT_EQ(without_names(found), expected) << "at " << kLengths[i] << " bytes: " << found;
  }
}

// Each takes some seconds, most of them for tshark. A release has all (tools/test --all).
#ifdef ROCESCOPE_SANITIZED
constexpr std::array kCutCaptures{"rdmagen-cm-mixed.pcapng", "ipv6.pcapng"};
#else
constexpr std::array kCutCaptures{"rdmagen-cm-mixed.pcapng", "ipv6.pcapng",   "vlan.pcapng",
                                  "ucmatose.pcapng",         "udaddy.pcapng", "perftest-cmp_swap_bw.pcapng"};
#endif
INSTANTIATE_TEST_SUITE_P(Shipped, Cut, ::testing::ValuesIn(kCutCaptures),
                         [](const auto& capture) { return "Capture" + std::to_string(capture.index); });

TEST_F(CutAt, names_extended_headers) {
  if (!has_program("editcap")) GTEST_SKIP() << "editcap is not installed";
  const std::string mixed = source_dir() + "/captures/rdmagen-cm-mixed.pcapng";
  const std::string text = rocescope({"analyze", "-q", "-v", cut(mixed, 64)}).out;
  EXPECT_THAT(text, HasSubstr("  Cut        162 packets: 5 lack the CM message; 75 lack extended headers (41 RETH, 17 "
                              "AtomicETH, 17 AtomicAckETH); 82 lack payload or the ICRC\n"));
  EXPECT_THAT(text, HasSubstr("162 packets cut: 5 lack the CM message"));
}

TEST_F(CutAt, counts_the_packets_of_all_jobs) {
  if (!has_program("editcap")) GTEST_SKIP() << "editcap is not installed";
  const std::string file = cut(source_dir() + "/captures/lab_rping_write_ud_atomic.pcap", 60);
  const std::string one = rocescope({"analyze", "-v", file}).err;
  EXPECT_THAT(one, HasSubstr("rocescope: 1,268 of 1,272 packets cut: "));
  EXPECT_EQ(rocescope({"analyze", "-v", "--jobs", "2", file}).err, one.substr(0, one.find("rocescope: express lane")));
}

TEST_F(CutAt, counts_the_packets_that_the_report_is_of_however_they_are_read) {
  if (!has_program("editcap")) GTEST_SKIP() << "editcap is not installed";
  const TemporaryFolder folder;
  const std::string file = cut(source_dir() + "/captures/lab_rping_write_ud_atomic.pcap", 60);
  const std::string cut_packets =
      "rocescope: 1,204 of 1,204 packets cut: the capture did not keep all of their bytes\n";
  const std::vector<std::string> narrow{"-Y", "infiniband.bth.opcode < 0x60", file};
  const auto said = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "analyze");
    words.insert(words.end(), narrow.begin(), narrow.end());
    return rocescope(words).err;
  };
  EXPECT_EQ(said({}), cut_packets);
  EXPECT_EQ(said({"--jobs", "2"}), cut_packets);
  EXPECT_THAT(said({"-v"}), HasSubstr("rocescope: 1,272 packets read; the report is of 1,204, 1,204 of them RoCE\n"));
  std::vector<std::string> merge{"merge"};
  for (const std::string number : {"1", "2"}) {
    merge.push_back(folder.path(number));
    EXPECT_EQ(said({"--shard", number + "/2", "--partial", merge.back()}), "");
  }
  EXPECT_EQ(rocescope(merge).err, cut_packets);
  const std::string of_other = folder.path("other.rsp");
  EXPECT_EQ(rocescope({"analyze", "-q", "--partial", of_other, source_dir() + "/captures/ipv6.pcapng"}).exit_code, 0);
  merge.push_back(of_other);
  EXPECT_THAT(rocescope(merge).err, HasSubstr("rocescope: capture point 1: " + cut_packets.substr(11)));
}

// The sizes in the manual page: the CM message of 256 bytes ends after 318 bytes over IPv4, after 338 over IPv6.
TEST_F(CutAt, cm_messages_take_as_much_as_the_manual_says) {
  if (!has_program("editcap")) GTEST_SKIP() << "editcap is not installed";
  struct Case {
    const char* name;
    int size;
  };
  for (const auto& [name, size] : {Case{"rdmagen-cm-mixed", 318}, Case{"ipv6", 338}, Case{"vlan", 322}}) {
    const std::string capture = source_dir() + "/captures/" + name + ".pcapng";
    EXPECT_THAT(rocescope({"analyze", "-q", cut(capture, size - 1)}).out, HasSubstr("5 lack the CM message")) << name;
    EXPECT_THAT(rocescope({"analyze", "-q", cut(capture, size)}).out, ::testing::Not(HasSubstr("CM message"))) << name;
  }
}

}  // namespace
}  // namespace rocescope::testing
