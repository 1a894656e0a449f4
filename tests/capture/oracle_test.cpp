// Captures that independent programs wrote, as tshark sees them.
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pcap_bytes.hpp"

namespace rocescope::testing {
namespace {

struct Oracle : ::testing::Test {
  void SetUp() override {
    for (const char* program : {"tshark", "editcap", "mergecap", "text2pcap"}) {
      if (!has_program(program)) GTEST_SKIP() << program << " is not installed";
    }
  }

  struct Seen {
    std::vector<std::string>
        lines;  ///< number, time, lengths, interface and section of each frame, with tabs between them
    std::vector<std::string> bytes;  ///< of each frame, in hex
  };
  static Seen by_tshark(const std::string& path) {
    constexpr std::string_view kFrame = "_index";  // comes first
    constexpr std::string_view kRaw = "frame_raw";
    constexpr std::array<std::string_view, 6> kFields{"frame.number",  "frame.time_epoch",   "frame.len",
                                                      "frame.cap_len", "frame.interface_id", "frame.section_number"};
    // Only the frame matters, and starting tshark takes longer than all else.
    std::istringstream json(run("tshark -n --disable-protocol eth -r '" + path + "' -T json -x -j frame"));
    const auto quoted = [](const std::string& line, std::size_t from) {
      const std::size_t begin = line.find('"', from) + 1;
      return line.substr(begin, line.find('"', begin) - begin);
    };
    Seen seen;
    std::array<std::string, kFields.size()> values;
    const auto end_frame = [&] {
      if (seen.bytes.size() == seen.lines.size()) return;
      std::string line;
      for (std::string& value : values) line += std::exchange(value, {}) + '\t';
      line.pop_back();
      seen.lines.push_back(line);
    };
    for (std::string line; std::getline(json, line);) {
      if (line.find('"') == std::string::npos) continue;
      const std::string name = quoted(line, 0);
      if (name == kFrame) {
        end_frame();
        seen.bytes.emplace_back();
      } else if (name == kRaw) {  // an empty frame has none
        std::getline(json, line);
        seen.bytes.back() = quoted(line, 0);
      } else if (const auto field = std::ranges::find(kFields, name); field != kFields.end()) {
        values[static_cast<std::size_t>(field - kFields.begin())] = quoted(line, line.find(':'));
      }
    }
    end_frame();
    return seen;
  }
  /// The same from open_capture().
  static std::vector<std::string> by_us(const Reading& reading, bool pcapng) {
    std::vector<std::string> all;
    for (const FrameCopy& copy : reading.frames) {
      const Frame& frame = copy.frame;
      const CaptureInterface& interface = reading.info.at(frame.capture_id).interfaces.at(frame.interface_id);
      std::ostringstream line;
      char time[64];
      std::snprintf(time, sizeof time, "%lld.%09lld", static_cast<long long>(frame.timestamp / 1'000'000'000),
                    static_cast<long long>(frame.timestamp % 1'000'000'000));
      line << frame.number << '\t' << time << '\t' << frame.original_length << '\t' << copy.data.size() << '\t';
      if (pcapng) line << interface.number;
      line << '\t';
      if (pcapng) line << interface.section;
      all.push_back(line.str());
    }
    return all;
  }
  static std::string to_hex(const ByteVector& bytes) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    for (const std::uint8_t byte : bytes) {
      text += kDigits[byte >> 4];
      text += kDigits[byte & 15];
    }
    return text;
  }
  static void keep_number_and_time(std::vector<std::string>& lines) {
    for (std::string& line : lines) line.resize(line.find('\t', line.find('\t') + 1));
  }
  static void expect_as_tshark(const std::string& path) {
    SCOPED_TRACE(path);
    const Reading reading = read_capture(path);
    ASSERT_EQ(reading.error, "");
    EXPECT_EQ(reading.warnings(), "");
    EXPECT_FALSE(reading.frames.empty());
    std::vector<std::string> ours = by_us(reading, reading.info[0].format == "pcapng");
    const Seen seen = by_tshark(path);
    std::vector<std::string> theirs = seen.lines;
    EXPECT_EQ(ours.size(), theirs.size());
    const bool is_erf = reading.info[0].interfaces[0].link_type == link_type::kErf;
    if (is_erf) {  // tshark takes the ERF header for no part of the frame
      keep_number_and_time(ours);
      keep_number_and_time(theirs);
    }
    for (std::size_t i = 0; i < std::min(ours.size(), theirs.size()); ++i) ASSERT_EQ(ours[i], theirs[i]);
    ASSERT_EQ(seen.bytes.size(), reading.frames.size());
    for (std::size_t i = 0; i < seen.bytes.size(); ++i) {
      std::string bytes = to_hex(reading.frames[i].data);
      if (is_erf) bytes.erase(0, bytes.size() - std::min(bytes.size(), seen.bytes[i].size()));
      ASSERT_EQ(bytes, seen.bytes[i]);
    }
  }

  CaptureFolder folder;
  std::string lab = shipped("lab_pingpong_atomic_udaddy.pcap");
};

TEST_F(Oracle, AgreesOnShippedCaptures) {
  expect_as_tshark(lab);
  expect_as_tshark(shipped("lab_rping_write_ud_atomic.pcap"));
}

TEST_F(Oracle, AgreesOnExtraCaptures) {
  const char* extra = std::getenv("ROCESCOPE_EXTRA_CAPTURES");
  if (extra == nullptr) GTEST_SKIP() << "ROCESCOPE_EXTRA_CAPTURES is not set";
  std::istringstream paths(
      run("ls -d '" + std::string(extra) + "'/*.pcap '" + extra + "'/*.pcapng '" + extra + "'/*.dump", false));
  for (std::string path; std::getline(paths, path);) expect_as_tshark(path);
}

TEST_F(Oracle, AgreesOnWhatEditcapWrites) {
  for (const std::string format : {"pcap", "nsecpcap", "modpcap", "pcapng"}) {
    const std::string path = folder.path(format);
    run("editcap -F " + format + " -s 100 -t 0.123456789 '" + lab + "' '" + path + "'");
    expect_as_tshark(path);
  }
}

TEST_F(Oracle, AgreesOnWhatTcpdumpWrites) {
  if (!has_program("tcpdump")) GTEST_SKIP() << "tcpdump is not installed";
  const std::string path = folder.path("c");
  run("tcpdump -r '" + lab + "' -w '" + path + "' udp port 4791");
  expect_as_tshark(path);
  run("tcpdump -r '" + lab + "' --nano -w '" + path + "' greater 200");
  expect_as_tshark(path);
}

TEST_F(Oracle, AgreesOnWhatText2pcapWrites) {
  const std::string text = folder.file("text", bytes_of("000000 02 00 00 00 00 02 02 00 00 00 00 01 88 b5 01 02\n\n"
                                                        "000000 02 00 00 00 00 02 02 00 00 00 00 01 88 b5 03 04\n"));
  const std::string path = folder.path("c");
  for (const char* link_type : {"1", "101", "113", "276"}) {
    run("text2pcap -q -l " + std::string(link_type) + " -N port1 '" + text + "' '" + path + "'");
    expect_as_tshark(path);
    const CaptureInterface interface = read_capture(path).info.at(0).interfaces.at(0);
    EXPECT_EQ(std::to_string(interface.link_type), link_type);
    EXPECT_EQ(interface.name, "port1");
  }
}

TEST_F(Oracle, AgreesOnWhatMergecapWrites) {
  run("text2pcap -q -l 101 - '" + folder.path("raw") + "' << END\n000000 45 00 00 14\nEND\n");
  run("editcap -r -F pcapng '" + lab + "' '" + folder.path("ng") + "' 1-20");
  run("mergecap -w '" + folder.path("merged") + "' '" + folder.path("raw") + "' '" + folder.path("ng") + "' '" +
      shipped("lab_rping_write_ud_atomic.pcap") + "'");
  expect_as_tshark(folder.path("merged"));
  // One section after the other, as cat makes them.
  run("cat '" + folder.path("ng") + "' '" + folder.path("raw") + "' '" + folder.path("merged") + "' > '" +
      folder.path("sections") + "'");
  expect_as_tshark(folder.path("sections"));
}

TEST_F(Oracle, MergesAsMergecapDoes) {
  // One capture has times that run backwards, one has nanoseconds. Frames of the same time in two captures are the same
  // here, since mergecap takes those of the capture named last first.
  run("editcap -r -F pcapng '" + lab + "' '" + folder.path("a") + "' 1-300");
  run("editcap -r -F pcap '" + lab + "' '" + folder.path("b") + "' 100-400");
  run("editcap -r -F nsecpcap -t 0.000000500 '" + lab + "' '" + folder.path("c") + "' 200-500");
  run("mergecap -a -w '" + folder.path("joined") + "' '" + folder.path("c") + "' '" + folder.path("a") + "'");
  run("editcap -t 0.0000002 '" + folder.path("joined") + "' '" + folder.path("backwards") + "'");
  const std::vector<std::string> paths = {folder.path("c"), folder.path("a"), folder.path("backwards"),
                                          folder.path("b")};
  std::string command = "mergecap -w '" + folder.path("merged") + "'";
  for (const std::string& path : paths) command += " '" + path + "'";
  run(command);
  const Reading ours = read_captures(paths);
  const Reading merged = read_capture(folder.path("merged"));
  ASSERT_EQ(ours.frames.size(), merged.frames.size());
  ASSERT_EQ(ours.frames.size(), 300u + 301 + 301 + 601);
  for (std::size_t i = 0; i < ours.frames.size(); ++i) {
    ASSERT_EQ(ours.frames[i].frame.timestamp, merged.frames[i].frame.timestamp) << i;
    ASSERT_EQ(ours.frames[i].data, merged.frames[i].data) << i;
  }
}

TEST_F(Oracle, AgreesOnEveryTimeResolution) {
  const PcapngBytes make;
  std::vector<ByteVector> parts = {make.section()};
  // Finer ones overflow in tshark 4.0, which multiplies the ticks of a second by 10^9 in 64 bits.
  const std::uint8_t resolutions[] = {0, 3, 6, 7, 9, 10, 0x80, 0x81, 0x8A, 0x94, 0x9E, 0xA0, 0xA2};
  const std::uint64_t seconds = 1'000;
  std::uint32_t id = 0;
  for (const std::uint8_t resolution : resolutions) {
    const ByteVector offset = make.option(14, make.writer().u64(1'700'000'000).bytes);
    parts.push_back(make.interface(1, 0, join({make.option(9, {resolution}), offset})));
    std::uint64_t unit = 1;
    for (unsigned n = resolution & 0x7F; n > 0; --n) unit *= (resolution & 0x80) != 0 ? 2 : 10;
    for (const std::uint64_t ticks : {seconds * unit, seconds * unit + unit / 3, seconds * unit + unit - 1}) {
      parts.push_back(make.enhanced(id, ticks, some_frame()));
    }
    ++id;
  }
  expect_as_tshark(folder.file("c", join(parts)));
}

TEST_F(Oracle, AgreesOnOddBlocks) {
  for (const bool big_endian : {false, true}) {
    const PcapngBytes make{big_endian};
    const PcapngBytes other{!big_endian};
    expect_as_tshark(folder.file(
        "c",
        join({make.section(), make.interface(1, 100), make.interface(101), make.obsolete(1, 5'000'000, some_frame(61)),
              make.block(0x12345, ByteVector(40)), make.enhanced(0, 6'000'000, some_frame(63), make.option(1, {'x'})),
              make.enhanced(0, 7'000'000, {}), other.section(), other.block(4, ByteVector(8)), other.interface(113),
              other.enhanced(0, 8'000'000, some_frame(62))})));
  }
}

TEST_F(Oracle, AgreesOnWhatScapyWrites) {
  const std::string python = "/usr/bin/python3";
  if (std::system((python + " -c 'import scapy' 2> /dev/null").c_str()) != 0) GTEST_SKIP() << "scapy is not installed";
  run(python + " -c \"from scapy.utils import RawPcapWriter\n" + "for order in '<>':\n for nano in (False, True):\n" +
      "  w = RawPcapWriter(f'" + folder.path("c") + "{order}{nano}', linktype=1, endianness=order, nano=nano)\n" +
      "  w.write_header(None)\n" +
      "  for i in range(9): w.write_packet(bytes(range(20 + i)), sec=1700000000 + i, usec=i * 1001, wirelen=99)\n" +
      "  w.close()\"");
  for (const std::string name : {"c<False", "c<True", "c>False", "c>True"}) expect_as_tshark(folder.path(name));
}

}  // namespace
}  // namespace rocescope::testing
