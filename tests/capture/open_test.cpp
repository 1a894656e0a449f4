// Files that cannot be opened, and their errors; sources of captures.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <thread>

#include "pcap_bytes.hpp"

namespace rocescope::testing {
namespace {

using ::testing::HasSubstr;
using namespace std::string_view_literals;

ByteVector small_pcap() {
  const PcapBytes make;
  return join({make.header(), make.record(1, 0, some_frame()), make.record(2, 0, some_frame())});
}

TEST(OpenCapture, NamesWhatIsNotThere) {
  EXPECT_EQ(read_capture("/nowhere/x.pcap").error, "cannot open /nowhere/x.pcap: No such file or directory");
  EXPECT_EQ(read_captures({}).error, "cannot read anything: no capture is named");
  EXPECT_EQ(read_captures({"-", "-"}).error, "cannot read standard input twice: name - only once");
}

TEST(OpenCapture, NamesADirectory) {
  const CaptureFolder folder;
  EXPECT_EQ(read_capture(folder.path("")).error,
            "cannot read " + folder.path("") + ": it is a directory. Name the captures in it");
}

TEST(OpenCapture, SaysWhatAFileIsInstead) {
  const CaptureFolder folder;
  const std::pair<std::string_view, std::string_view> cases[] = {
      {""sv, "it is empty"},
      {"snoop\0\0\0\0\0\0\2"sv,
       "it is a snoop capture. Wireshark's editcap converts it: editcap -F pcapng PATH new.pcapng"},
      {"GMBU\0\2\1\0"sv,
       "it is a Microsoft Network Monitor capture. Wireshark's editcap converts it: editcap -F pcapng PATH "
       "new.pcapng"},
      {"\xFD\x37zXZ\0\0"sv, "it is compressed with xz. Run: xz -dc PATH | rocescope ... -"},
      {"BZh91AY"sv, "it is compressed with bzip2. Run: bzip2 -dc PATH | rocescope ... -"},
      {"\x02\x21\x4C\x18"sv, "it is compressed with lz4 in its legacy format. Run: lz4 -dc PATH | rocescope ... -"},
      {"PK\3\4\x14"sv, "it is a zip archive. Unpack it first"},
      {"18:15:44.102624 IP 10.0.0.1 > 10.0.0.2\n"sv,
       "it is text, not a capture. If it is a hex dump, Wireshark's text2pcap makes a capture of it: text2pcap PATH "
       "new.pcapng"},
      {"\0\0\0\0\0\0\0\0\0\0"sv,
       "it begins with zero bytes only: a capture that was never written to the disk. Capture again"},
      {"\xDE\xAD\xBE\xEF\1\2\3\4\5\6"sv,
       "it is no capture that rocescope knows (its first bytes are de ad be ef 01 02 03 04). If Wireshark opens it, "
       "its "
       "editcap makes a capture of it: editcap -F pcapng PATH new.pcapng"},
      {"\xD4\xC3\xB2"sv,
       "it is no capture that rocescope knows (its first bytes are d4 c3 b2). If Wireshark opens it, its "
       "editcap makes a capture of it: editcap -F pcapng PATH new.pcapng"},
      {"\x0A\x0D\x0D\x0A\1\2"sv,
       "the capture is cut at its end: the record at byte 0 is incomplete; no frame was read"},
  };
  for (const auto& [bytes, expected] : cases) {
    const std::string path = folder.file("file", bytes_of(bytes));
    std::string sentence = "cannot read " + path + ": " + std::string(expected);
    if (const auto at = sentence.find("PATH"); at != std::string::npos) sentence.replace(at, 4, path);
    EXPECT_EQ(read_capture(path).error, sentence);
  }
}

TEST(OpenCapture, NamesATarArchive) {
  const CaptureFolder folder;
  ByteVector tar(1024);
  tar[0] = 'x';
  const ByteVector magic = bytes_of("ustar");
  std::copy(magic.begin(), magic.end(), tar.begin() + 257);
  EXPECT_THAT(read_capture(folder.file("a.tar", tar)).error, HasSubstr(": it is a tar archive. Unpack it first"));
}

TEST(OpenCapture, ReadsStandardInput) {
  const CaptureFolder folder;
  const std::string path = folder.file("c", small_pcap());
  const int saved = dup(STDIN_FILENO);
  const int file = open(path.c_str(), O_RDONLY);
  dup2(file, STDIN_FILENO);
  const Reading reading = read_capture("-");
  dup2(saved, STDIN_FILENO);
  close(file);
  close(saved);
  EXPECT_EQ(reading.frames.size(), 2u);
  EXPECT_EQ(reading.info.at(0).path, "-");
}

TEST(OpenCapture, ReadsAFifo) {
  const CaptureFolder folder;
  const std::string path = folder.path("fifo");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  std::thread writer([&] { folder.file("fifo", small_pcap()); });
  const Reading reading = read_capture(path);
  writer.join();
  EXPECT_EQ(reading.frames.size(), 2u);
}

/// A capture that is still being written must show each frame as soon as it is there.
void expect_frames_as_they_come(const ByteVector& header, const ByteVector& record) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const auto put = [&](const ByteVector& bytes) {
    ASSERT_EQ(write(ends[1], bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  };
  put(header);
  auto source = open_capture("/dev/fd/" + std::to_string(ends[0]));
  ASSERT_TRUE(source) << source.error().message;
  Frame frame;
  for (std::uint64_t i = 1; i <= 3; ++i) {
    put(record);
    ASSERT_TRUE((*source)->next(frame));
    EXPECT_EQ(frame.number, i);
  }
  close(ends[1]);
  EXPECT_FALSE((*source)->next(frame));
  close(ends[0]);
}

TEST(OpenCapture, GivesFramesOfALivePipeAsTheyCome) {
  alarm(60);  // waiting for more than there is would last forever
  const PcapBytes pcap;
  expect_frames_as_they_come(pcap.header(), pcap.record(1, 0, some_frame()));
  const PcapngBytes pcapng;
  expect_frames_as_they_come(join({pcapng.section(), pcapng.interface()}), pcapng.enhanced(0, 1, some_frame()));
  alarm(0);
}

TEST(OpenCapture, ClosesItsFiles) {
  const CaptureFolder folder;
  const std::string good = folder.file("good", small_pcap());
  const std::string bad = folder.file("bad", bytes_of("text"));
  const auto next_descriptor = [] {
    const int descriptor = open("/dev/null", O_RDONLY);
    close(descriptor);
    return descriptor;
  };
  const int before = next_descriptor();
  EXPECT_EQ(read_captures({good, good}).frames.size(), 4u);
  EXPECT_NE(read_captures({good, bad}).error, "");
  EXPECT_NE(read_capture(folder.path("")).error, "");
  EXPECT_EQ(next_descriptor(), before);
}

/// Exit status 0: 200 captures were read under these limits; otherwise the error is on stderr.
void read_many(const std::string& path, rlim_t soft, rlim_t hard) {
  const rlimit limit = {soft, hard};
  setrlimit(RLIMIT_NOFILE, &limit);
  const Reading reading = read_captures(std::vector<std::string>(200, path));
  std::cerr << reading.error << '\n';
  std::exit(reading.frames.size() == 400 ? 0 : 1);
}

TEST(OpenCaptures, ReadsMoreFilesThanTheSoftLimitAllows) {
  const CaptureFolder folder;
  const std::string path = folder.file("c", small_pcap());
  EXPECT_EXIT(read_many(path, 64, 512), ::testing::ExitedWithCode(0), "");
}

TEST(OpenCaptures, SaysWhatToDoWhenThereAreTooManyFiles) {
  const CaptureFolder folder;
  const std::string path = folder.file("c", small_pcap());
  EXPECT_EXIT(
      read_many(path, 64, 64), ::testing::ExitedWithCode(1),
      "cannot open .*/c: too many files are open at once. Raise the limit \\(ulimit -n 65536\\), or merge some of "
      "them first: mergecap -w merged.pcapng FILES");
}

}  // namespace
}  // namespace rocescope::testing
