// libpcap as a witness: wherever it can read a file, the frames are the same.
#include <gmock/gmock.h>
#include <pcap/pcap.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <sstream>

#include "pcap_bytes.hpp"
#include "support/source_dir.hpp"

namespace rocescope::testing {
namespace {

struct LibpcapFrame {
  std::int64_t timestamp = 0;
  std::uint32_t original_length = 0;
  ByteVector data;
};

/// What libpcap gives for a file.
struct LibpcapReading {
  bool opened = false;
  bool ended_well = false;
  bool ethernet = false;
  std::uint32_t snap_length = 0;  ///< libpcap cuts frames that are longer
  std::vector<LibpcapFrame> frames;
};

/// Asked for nanoseconds of such a file, libpcap multiplies.
bool counts_microseconds(const std::string& path) {
  ByteVector magic = read_file(path);
  magic.resize(4);
  const std::vector<ByteVector> known = {
      {0xA1, 0xB2, 0xC3, 0xD4}, {0xD4, 0xC3, 0xB2, 0xA1}, {0xA1, 0xB2, 0xCD, 0x34}, {0x34, 0xCD, 0xB2, 0xA1}};
  return std::find(known.begin(), known.end(), magic) != known.end();
}

bool is_pcapng(const std::string& path) {
  const ByteVector bytes = read_file(path);
  return !bytes.empty() && bytes[0] == 0x0A;
}

/// Nanoseconds since 1970; 0 where they are more than 64 bits.
std::int64_t time_of(const timeval& time, bool pcapng, bool nanoseconds) {
  constexpr std::int64_t kLast = 9'000'000'000;
  std::int64_t seconds = time.tv_sec;
  std::int64_t fraction = time.tv_usec;
  if (!pcapng) {  // whose numbers are unsigned, and which libpcap takes for signed ones
    seconds = static_cast<std::uint32_t>(seconds);
    fraction = static_cast<std::uint32_t>(fraction);
  }
  return seconds > kLast ? 0 : seconds * 1'000'000'000 + fraction * (nanoseconds ? 1 : 1'000);
}

LibpcapReading read_with_libpcap(const std::string& path) {
  const bool nanoseconds = !counts_microseconds(path);
  const bool pcapng = is_pcapng(path);
  std::array<char, PCAP_ERRBUF_SIZE> error{};
  const u_int precision = nanoseconds ? PCAP_TSTAMP_PRECISION_NANO : PCAP_TSTAMP_PRECISION_MICRO;
  pcap_t* pcap = pcap_open_offline_with_tstamp_precision(path.c_str(), precision, error.data());
  LibpcapReading reading;
  if (pcap == nullptr) return reading;
  reading.opened = true;
  reading.ethernet = pcap_datalink(pcap) == DLT_EN10MB;
  reading.snap_length = static_cast<std::uint32_t>(pcap_snapshot(pcap));
  pcap_pkthdr* header = nullptr;
  const u_char* data = nullptr;
  int result = 0;
  while ((result = pcap_next_ex(pcap, &header, &data)) == 1) {
    reading.frames.push_back({.timestamp = time_of(header->ts, pcapng, nanoseconds),
                              .original_length = header->len,
                              .data = ByteVector(data, data + header->caplen)});
  }
  reading.ended_well = result == PCAP_ERROR_BREAK;
  pcap_close(pcap);
  return reading;
}

/// The frames that both have are the same.
void expect_same_frames(const Reading& ours, const LibpcapReading& theirs) {
  for (std::size_t i = 0; i < std::min(ours.frames.size(), theirs.frames.size()); ++i) {
    const FrameCopy& own = ours.frames[i];
    const LibpcapFrame& other = theirs.frames[i];
    ByteVector data = own.data;
    if (data.size() > theirs.snap_length) data.resize(theirs.snap_length);
    ASSERT_EQ(data, other.data) << i;
    ASSERT_EQ(own.frame.original_length, other.original_length) << i;
    // ERF frames bring a time, which libpcap does not read; Simple Packet Blocks bring none, others
    // one too large.
    const bool other_time = own.frame.link_type == link_type::kErf || other.timestamp == 0;
    ASSERT_TRUE(other_time || own.frame.timestamp == other.timestamp) << i;
    ASSERT_EQ(own.frame.link_type == link_type::kEthernet, theirs.ethernet) << i;
  }
}

/// libpcap reads no more of a pcapng file than what all has one link type and one snap length, and stops at the first
/// damage; of a pcap file it must be all the same.
void expect_as_libpcap(const std::string& path) {
  SCOPED_TRACE(path);
  const LibpcapReading theirs = read_with_libpcap(path);
  const Reading ours = read_capture(path);
  ASSERT_TRUE(ours.error.empty() || !theirs.opened) << ours.error;
  expect_same_frames(ours, theirs);
  if (is_pcapng(path)) {
    EXPECT_GE(ours.frames.size(), theirs.frames.size());
    EXPECT_TRUE(ours.frames.size() == theirs.frames.size() || !theirs.ended_well);
    return;
  }
  constexpr std::uint32_t kReservedInLaterVersions = 0x03FF0000;
  const bool refused = !ours.error.empty();
  if (!refused && (ours.info.at(0).interfaces.at(0).link_type & kReservedInLaterVersions) != 0) return;
  EXPECT_EQ(refused, !theirs.opened) << ours.error;
  EXPECT_EQ(ours.frames.size(), theirs.frames.size());
  EXPECT_EQ(refused || ours.warnings().empty(), refused || theirs.ended_well);
}

struct Libpcap : ::testing::Test {
  CaptureFolder folder;
  std::string lab = shipped("lab_pingpong_atomic_udaddy.pcap");

  /// Files that end in one of the suffixes of uncompressed captures.
  static std::vector<std::string> captures_in(const std::string& directory) {
    std::vector<std::string> paths;
    for (const std::string suffix : {"pcap", "pcapng", "dump", "cap"}) {
      std::istringstream found(run("ls -d '" + directory + "'/*." + suffix + " 2> /dev/null", false));
      for (std::string path; std::getline(found, path);) paths.push_back(path);
    }
    return paths;
  }
  /// One record that is whole, one that the snap length cut, one without bytes.
  static ByteVector small_pcap(bool big_endian, std::uint32_t magic) {
    const PcapBytes make{big_endian};
    std::vector<ByteVector> records = {make.record(1'700'000'000, 1, some_frame(20, 1)),
                                       make.record(1'700'000'001, 999'999, some_frame(17, 2), 1500),
                                       make.record(2, 3, {})};
    constexpr std::uint32_t kKuznetzov = 0xA1B2CD34;
    for (ByteVector& record : records) {
      if (magic == kKuznetzov) record.insert(record.begin() + 16, 8, std::uint8_t{7});
    }
    return join({make.header(1, 65535, magic), join(records)});
  }
  static ByteVector small_pcapng(bool big_endian) {
    const PcapngBytes make{big_endian};
    return join({make.section(), make.interface(1, 65535, make.option(9, {9})),
                 make.enhanced(0, 5'000'000'001, some_frame(20, 1)), make.block(0x4711, ByteVector(8)),
                 make.simple(some_frame(18, 2), 18), make.obsolete(0, 7'000'000'002, some_frame(19, 3))});
  }
  static std::vector<ByteVector> small_files() {
    std::vector<ByteVector> all;
    for (const bool big_endian : {false, true}) {
      for (const std::uint32_t magic : {0xA1B2C3D4U, 0xA1B23C4DU, 0xA1B2CD34U}) {
        all.push_back(small_pcap(big_endian, magic));
      }
      all.push_back(small_pcapng(big_endian));
    }
    return all;
  }
};

TEST_F(Libpcap, GivesTheSameOfShippedCaptures) {
  const std::vector<std::string> paths = captures_in(rocescope::testing::source_dir() + "/captures");
  EXPECT_GT(paths.size(), 50u);
  for (const std::string& path : paths) expect_as_libpcap(path);
}

TEST_F(Libpcap, GivesTheSameOfExtraCaptures) {
  const char* extra = std::getenv("ROCESCOPE_EXTRA_CAPTURES");
  if (extra == nullptr) GTEST_SKIP() << "ROCESCOPE_EXTRA_CAPTURES is not set";
  const std::vector<std::string> paths = captures_in(extra);
  EXPECT_FALSE(paths.empty());
  for (const std::string& path : paths) expect_as_libpcap(path);
}

TEST_F(Libpcap, GivesTheSameOfWhatEditcapAndMergecapWrite) {
  if (!has_program("editcap")) GTEST_SKIP() << "editcap is not installed";
  for (const std::string format : {"pcap", "nsecpcap", "modpcap", "pcapng"}) {
    for (const std::string& options : {std::string(), std::string("-s 60"), std::string("-t 0.123456789")}) {
      const std::string path = folder.path(format);
      run("editcap -F " + format + " " + options + " '" + lab + "' '" + path + "'");
      expect_as_libpcap(path);
      run("mergecap -F " + format + " -w '" + folder.path("merged") + "' '" + path + "' '" + lab + "'");
      expect_as_libpcap(folder.path("merged"));
    }
  }
}

TEST_F(Libpcap, GivesTheSameOfEveryCut) {
  for (const ByteVector& whole : small_files()) {
    for (std::size_t size = 0; size <= whole.size(); ++size) {
      SCOPED_TRACE(size);
      expect_as_libpcap(folder.file("cut", first_bytes(whole, size)));
      if (HasFailure()) return;
    }
  }
}

// Under sanitizers, where files take long, fewer: a release has all of them (tools/test --all).
#ifdef ROCESCOPE_SANITIZED
constexpr std::array kChanges{0x01U, 0x80U, 0xFFU};
#else
constexpr std::array kChanges{0x01U, 0x02U, 0x04U, 0x08U, 0x10U, 0x20U, 0x40U, 0x80U, 0xFFU};
#endif

TEST_F(Libpcap, GivesTheSameOfEveryAlteredByte) {
  for (const ByteVector& whole : small_files()) {
    for (std::size_t at = 0; at < whole.size(); ++at) {
      for (const unsigned change : kChanges) {
        SCOPED_TRACE("byte " + std::to_string(at) + " xor " + std::to_string(change) + ", first " +
                     std::to_string(whole[0]));
        ByteVector altered = whole;
        altered[at] = static_cast<std::uint8_t>(altered[at] ^ change);
        const std::string path = folder.file("altered", altered);
        // Of pcapng one of them notices damage that the other does not.
        if (is_pcapng(path)) {
          expect_same_frames(read_capture(path), read_with_libpcap(path));
        } else {
          expect_as_libpcap(path);
        }
        if (HasFailure()) return;
      }
    }
  }
}

TEST_F(Libpcap, GivesTheSameOfOldVersions) {
  for (const bool big_endian : {false, true}) {
    const PcapBytes make{big_endian};
    for (const auto& [major, minor] :
         {std::pair{2, 0}, {2, 1}, {2, 2}, {2, 3}, {2, 4}, {2, 5}, {1, 4}, {543, 0}, {543, 1}}) {
      ByteVector file =
          join({make.header(), make.record(1, 2, some_frame(40), 60), make.record(1, 2, some_frame(40), 20)});
      const ByteVector version =
          ByteWriter(big_endian).u16(static_cast<std::uint64_t>(major)).u16(static_cast<std::uint64_t>(minor)).bytes;
      std::copy(version.begin(), version.end(), file.begin() + 4);
      SCOPED_TRACE(std::to_string(major) + "." + std::to_string(minor));
      expect_as_libpcap(folder.file("old", file));
    }
  }
}

TEST_F(Libpcap, GivesTheSameOfTheLongestFrames) {
  const PcapBytes make;
  constexpr std::size_t kMiB = std::size_t{1} << 20;
  for (const std::uint32_t link_type : {1U, 231U, 249U, 279U}) {
    for (const std::size_t size : {kMiB / 4, kMiB / 4 + 1, kMiB, kMiB + 1, 8 * kMiB, 8 * kMiB + 1}) {
      SCOPED_TRACE(std::to_string(link_type) + " " + std::to_string(size));
      expect_as_libpcap(folder.file("long", join({make.header(link_type, 0), make.record(1, 2, some_frame(size)),
                                                  make.record(3, 4, some_frame())})));
    }
  }
}

}  // namespace
}  // namespace rocescope::testing
