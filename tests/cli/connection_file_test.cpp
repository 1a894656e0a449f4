// What `s` saves of a connection, from whatever moment on: all that it turns out to have in the end.
#include "cli/connection_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analysis/packet_reader.hpp"
#include "rocescope/capture.hpp"
#include "support/all_captures.hpp"
#include "support/temporary_folder.hpp"

namespace rocescope::cli {
namespace {

/// Identifies a packet.
using Identity = std::pair<std::int64_t, std::vector<std::uint8_t>>;

Identity identity_of(const Frame& frame) { return {frame.timestamp, {frame.data.begin(), frame.data.end()}}; }

struct Numbered {
  std::uint32_t connection = 0;
  IpAddress source;
  Qpn dest_qp;
  Identity identity;
};

/// A capture that began later: of what was under way then, one direction is seen after the other.
class LateCapture final : public FrameSource {
 public:
  LateCapture(const std::string& path, std::uint64_t missed) : missed_(missed) {
    Result<std::unique_ptr<FrameSource>> source = open_capture(path);
    if (source) source_ = std::move(*source);
  }
  bool next(Frame& frame) override {
    for (; source_ && missed_ > 0; --missed_) {
      if (!source_->next(frame)) return false;
    }
    return source_ && source_->next(frame);
  }
  std::span<const CaptureInfo> info() const override {
    return source_ ? source_->info() : std::span<const CaptureInfo>();
  }

 private:
  std::unique_ptr<FrameSource> source_;
  std::uint64_t missed_;
};

class ConnectionFileTest : public ::testing::Test {
 protected:
  ConnectionFileTest() : before_(std::filesystem::current_path()) { std::filesystem::current_path(folder_.path()); }
  ~ConnectionFileTest() override { std::filesystem::current_path(before_); }

  /// Those of a capture, as they were judged, and its connections.
  static std::vector<Numbered> packets_of(FrameSource&& source, std::deque<Connection>& connections) {
    std::vector<Numbered> packets;
    PacketReader reader(source);
    while (const PacketRecord* record = reader.next()) {
      const Packet& packet = *record->packet;
      packets.push_back({record->verdict.connection, packet.source, packet.roce.dest_qp, identity_of(packet.frame)});
    }
    connections = std::move(reader.tracker()).finish().connections;
    return packets;
  }

  /// Of a connection that `s` was pressed on after `packet` packets. Looks come every so many packets, or never.
  static std::vector<Identity> saved(FrameSource&& source, std::uint32_t number, std::size_t packet,
                                     std::size_t look_every, std::uint32_t& number_in_the_end,
                                     std::size_t most_held = ConnectionFile::kMostHeld) {
    PacketReader reader(source);
    std::unique_ptr<ConnectionFile> file;
    std::size_t packets = 0;
    while (const PacketRecord* record = reader.next()) {
      EXPECT_TRUE(!file || file->add(*record));
      const bool looks = look_every > 0 && packets % look_every == 0;
      EXPECT_TRUE(!file || !looks || file->flush());
      if (++packets != packet) continue;
      const Tracking known = reader.tracker().snapshot({&number, 1});
      if (known.connections.empty()) return {};
      auto created =
          ConnectionFile::create(known.connections.front(), source.info().front(), reader.tracker(), most_held);
      if (created) file = std::move(*created);
    }
    if (!file || !file->finish()) return {};
    number_in_the_end = file->connection();
    const Result<std::unique_ptr<FrameSource>> written = open_capture(file->path());
    std::vector<Identity> identities;
    for (Frame frame; (*written)->next(frame);) identities.push_back(identity_of(frame));
    EXPECT_EQ(identities.size(), file->packets());
    std::filesystem::remove(file->path());
    return identities;
  }

  /// How many times a connection was saved that was joined with another.
  static std::size_t try_all(const std::string& path, std::uint64_t missed) {
    std::deque<Connection> connections;
    const std::vector<Numbered> packets = packets_of(LateCapture(path, missed), connections);
    std::size_t tried = 0;
    for (const Connection& connection : connections) {
      if (connection.joined == 0 || tried > 100) continue;
      const auto is_of_it = [&](const Numbered& each) {
        return each.connection == connection.number || each.connection == connection.joined;
      };
      std::vector<std::size_t> moments;  // after packets of it
      for (std::size_t i = 0; i < packets.size() && moments.size() < 8; ++i) {
        if (is_of_it(packets[i])) moments.push_back(i + 1);
      }
      for (const std::size_t moment : moments) {
        std::vector<Identity> expected;
        for (std::size_t i = moment; i < packets.size(); ++i) {
          if (is_of_it(packets[i])) expected.push_back(packets[i].identity);
        }
        for (const std::uint32_t number : {connection.number, connection.joined}) {
          for (const std::size_t look_every : {0U, 1U, 5U}) {
            std::uint32_t in_the_end = 0;
            const auto found = saved(LateCapture(path, missed), number, moment, look_every, in_the_end);
            if (in_the_end == 0) continue;  // it was not there, or not any more
            ++tried;
            EXPECT_TRUE(found == expected)
                << path << ", connection " << number << " of " << connection.number << " and " << connection.joined
                << ", after packet " << missed << " + " << moment << ", looks " << look_every << ": " << found.size()
                << " of " << expected.size();
            EXPECT_TRUE(expected.empty() || in_the_end == connection.number);
          }
        }
      }
    }
    return tried;
  }

  /// Of what comes after `moment` packets, what the file of `number` has though nothing can be held back: its own, and those of the
  /// connection that it is joined into from the first in its own direction on.
  static std::vector<Identity> never_held(const std::vector<Numbered>& packets, const Connection& connection,
                                          std::uint32_t number, std::size_t moment) {
    const auto own = std::ranges::find(packets, number, &Numbered::connection);
    std::vector<Identity> identities;
    bool joined = number == connection.number;
    for (std::size_t i = moment; i < packets.size(); ++i) {
      const Numbered& each = packets[i];
      const bool own_direction = each.source == own->source && each.dest_qp == own->dest_qp;
      joined = joined || (each.connection == connection.number && own_direction);
      if (each.connection == (joined ? connection.number : number)) identities.push_back(each.identity);
    }
    return identities;
  }

  /// Saves connections that are joined with others though next to nothing is held back; how many times.
  static std::size_t try_with_little_memory(const std::string& path, std::uint64_t missed) {
    std::deque<Connection> connections;
    const std::vector<Numbered> packets = packets_of(LateCapture(path, missed), connections);
    std::size_t tried = 0;
    for (const Connection& connection : connections) {
      if (connection.joined == 0 || tried > 20) continue;
      for (const std::uint32_t number : {connection.number, connection.joined}) {
        const auto first = std::ranges::find(packets, number, &Numbered::connection);
        if (first == packets.end()) continue;
        const std::size_t moment = static_cast<std::size_t>(first - packets.begin()) + 1;
        for (const std::size_t most_held : {0U, 2000U}) {
          std::uint32_t in_the_end = 0;
          auto found = saved(LateCapture(path, missed), number, moment, 0, in_the_end, most_held);
          if (in_the_end == 0) continue;
          ++tried;
          auto expected = never_held(packets, connection, number, moment);
          // What was held when they were joined is there besides.
          std::ranges::sort(found);
          std::ranges::sort(expected);
          EXPECT_TRUE(std::ranges::includes(found, expected))
              << path << ", connection " << number << " of " << connection.number << " and " << connection.joined
              << ", after packet " << missed << " + " << moment << ", held " << most_held << ": " << found.size()
              << ", at least " << expected.size();
          EXPECT_TRUE(expected.empty() || number == connection.number || in_the_end == connection.number);
        }
      }
    }
    return tried;
  }

  const testing::TemporaryFolder folder_;
  const std::filesystem::path before_;
};

/// Of a capture: each is read once for each of its connections, under the sanitizers too.
constexpr std::size_t kMostPackets = 1000;

TEST_F(ConnectionFileTest, HasAllPacketsFromThenOnHoweverItsDirectionsWereFoundToBelongTogether) {
  std::size_t tried = 0;
  for (const std::string& path : testing::captures_to_repeat()) {
    std::deque<Connection> connections;
    const std::size_t packets = packets_of(LateCapture(path, 0), connections).size();
    if (packets > kMostPackets) continue;
    for (std::size_t missed = 0; missed < packets; missed += packets / 4 + 1) tried += try_all(path, missed);
  }
  RecordProperty("tried", static_cast<int>(tried));
  EXPECT_GT(tried, 100U);
}

TEST_F(ConnectionFileTest, GoesOnAfterMoreWasHeldBackThanThereIsMemoryFor) {
  const std::vector<std::string> paths = testing::captures_to_repeat(1);
  std::size_t tried = 0;
  for (const std::string& path : paths) {
    std::deque<Connection> connections;
    const std::size_t packets = packets_of(LateCapture(path, 0), connections).size();
    if (packets > kMostPackets) continue;
    for (std::size_t missed = 0; missed < packets; missed += packets / 2 + 1) {
      tried += try_with_little_memory(path, missed);
    }
  }
  RecordProperty("tried", static_cast<int>(tried));
  EXPECT_GT(tried, paths.size());
}

}  // namespace
}  // namespace rocescope::cli
