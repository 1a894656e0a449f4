// A look in between reports handshakes as the report does at the end.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "analysis/packet_reader.hpp"
#include "rocescope/capture.hpp"
#include "support/all_captures.hpp"

namespace rocescope {
namespace {

/// How many handshakes of the capture, without its first `missed` frames, are of a connection that another one was joined with.
int compare_handshakes(const std::string& path, std::uint64_t missed) {
  Result<std::unique_ptr<FrameSource>> source = open_capture(path);
  if (!source) return 0;
  Frame frame;
  for (std::uint64_t i = 0; i < missed && (*source)->next(frame);) ++i;
  PacketReader reader(**source, {.ahead = ReadingAhead::kBatches});
  while (reader.next() != nullptr) {
  }
  const Tracking looked = reader.tracker().snapshot({});
  const Tracking reported = std::move(reader.tracker()).finish();
  EXPECT_EQ(looked.handshakes.size(), reported.handshakes.size());
  int joined = 0;
  for (std::size_t i = 0; i < reported.handshakes.size() && i < looked.handshakes.size(); ++i) {
    EXPECT_EQ(looked.handshakes[i].connection, reported.handshakes[i].connection)
        << path << " without " << missed << " frames, handshake " << reported.handshakes[i].number;
    for (const Connection& connection : reported.connections) {
      if (connection.number == reported.handshakes[i].connection && connection.joined != 0) ++joined;
    }
  }
  return joined;
}

TEST(Snapshot, NamesTheConnectionsOfHandshakesAsTheReportDoes) {
  int joined = 0;
  for (const std::string& path : testing::captures_to_repeat(2)) {
    if (const auto size = std::filesystem::file_size(path); size > 300'000) continue;
    for (const std::uint64_t missed : {0U, 20U, 50U, 90U}) joined += compare_handshakes(path, missed);
  }
  EXPECT_GT(joined, 0);
}

}  // namespace
}  // namespace rocescope
