// How far a source says that it is in its files.
#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include "pcap_bytes.hpp"

namespace rocescope::testing {
namespace {

/// A pcap of about 4 MB, more than is read at once, in which nothing repeats.
ByteVector large_pcap() {
  const PcapBytes make;
  ByteVector bytes = make.header();
  std::uint32_t state = 1;
  for (std::uint32_t i = 0; i < 4000; ++i) {
    ByteVector data = some_frame(1000);
    for (std::size_t k = 14; k < data.size(); ++k) {
      data[k] = static_cast<std::uint8_t>((state = state * 1664525 + 1013904223) >> 24);
    }
    const ByteVector record = make.record(i, 0, data);
    bytes.insert(bytes.end(), record.begin(), record.end());
  }
  return bytes;
}

/// Reads `paths` to their end; positions grow, and are the size of the files there.
void expect_positions_of(const std::vector<std::string>& paths) {
  std::uint64_t size = 0;
  for (const std::string& path : paths) size += std::filesystem::file_size(path);
  const Result<std::unique_ptr<FrameSource>> source = open_captures(paths);
  ASSERT_TRUE(source) << source.error().message;
  Frame frame;
  ASSERT_TRUE((*source)->next(frame));
  std::uint64_t last = (*source)->position().bytes;
  EXPECT_GT(last, 0U);
  while ((*source)->next(frame)) {
    const ReadPosition position = (*source)->position();
    ASSERT_EQ(position.size, size);
    ASSERT_GE(position.bytes, last);
    last = position.bytes;
  }
  EXPECT_EQ((*source)->position().bytes, size);
}

TEST(Position, IsThatInTheFile) {
  const CaptureFolder folder;
  const std::string path = folder.file("large", large_pcap());
  expect_positions_of({path});
  const Result<std::unique_ptr<FrameSource>> source = open_capture(path);
  Frame frame;
  ASSERT_TRUE((*source)->next(frame));
  EXPECT_LT((*source)->position().bytes, (*source)->position().size / 2);
}

TEST(Position, OfACompressedFileIsThatInTheCompressedFile) {
  const CaptureFolder folder;
  const std::string plain = folder.file("large", large_pcap());
  for (const std::string program : {"gzip", "zstd", "lz4"}) {
    if (!has_program(program)) continue;
    SCOPED_TRACE(program);
    const std::string path = folder.path(program);
    run(program + " -c < '" + plain + "' > '" + path + "'");
    expect_positions_of({path});
  }
}

TEST(Position, OfSeveralFilesIsTheSum) {
  const CaptureFolder folder;
  const std::string path = folder.file("large", large_pcap());
  expect_positions_of({path, shipped("lab_pingpong_atomic_udaddy.pcap"), shipped("ecn-heavy.pcapng")});
}

TEST(Position, OfAPipeIsNotKnown) {
  const CaptureFolder folder;
  const std::string pipe = folder.path("pipe");
  run("mkfifo '" + pipe + "'");
  // It opens the pipe only once somebody reads it.
  std::thread writer([&] { run("cat '" + shipped("ecn-heavy.pcapng") + "' > '" + pipe + "'"); });
  const Result<std::unique_ptr<FrameSource>> source = open_captures(std::vector{pipe, shipped("ecn-light.pcapng")});
  EXPECT_TRUE(source) << source.error().message;
  Frame frame;
  while (source && (*source)->next(frame)) EXPECT_EQ((*source)->position().size, 0U);
  writer.join();
}

}  // namespace
}  // namespace rocescope::testing
