// Fuzz target: frames of real captures in any order, through a tracker that may follow very few connections.
#include <cstdlib>
#include <limits>
#include <set>
#include <vector>

#include "captured_frames.hpp"
#include "rocescope/dissect.hpp"
#include "rocescope/tracker.hpp"

namespace rocescope {
namespace {

std::uint64_t packets_of(const Connection& connection) {
  return connection.sides[0].traffic.packets + connection.sides[1].traffic.packets;
}

void check(bool holds) {
  if (!holds) std::abort();
}

}  // namespace
}  // namespace rocescope

// First how many connections may be followed, and the idle timeout; then four bytes a packet: which frame (two bytes), what to add
// to the last byte of both IPv4 addresses, and how long after the packet before it comes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rocescope;
  constexpr std::size_t kHead = 2;
  constexpr std::size_t kPacket = 4;
  if (size < kHead) return 0;
  const std::size_t most = 1 + data[0] % 8;
  Tracker tracker({.max_connections = most, .idle_timeout = std::int64_t{1} << (data[1] % 63)});
  std::set<std::uint32_t> gone;
  std::uint64_t reported = 0;
  tracker.on_eviction([&](Eviction&& eviction) {
    for (const EvictedConnection& each : eviction.connections) {
      check(gone.insert(each.connection.number).second);
      reported += packets_of(each.connection);
    }
  });
  std::uint64_t placed = 0;
  std::int64_t time = 0;
  Packet packet;
  for (std::size_t at = kHead; at + kPacket <= size; at += kPacket) {
    const auto& frames = testing::captured_frames();
    const testing::CapturedFrame& kept = frames[static_cast<std::size_t>(data[at] << 8 | data[at + 1]) % frames.size()];
    std::vector<std::uint8_t> bytes = kept.bytes;
    constexpr std::size_t kAddressEnds[] = {29, 33};
    for (const std::size_t end : kAddressEnds) bytes[end] = static_cast<std::uint8_t>(bytes[end] + data[at + 2] % 4);
    Frame frame = kept.frame;
    frame.data = bytes;
    frame.number = at / kPacket + 1;
    const std::uint8_t step = data[at + 3];
    if (step == 0xFF) time = std::numeric_limits<std::int64_t>::max();
    if (step == 0xFE) time = std::numeric_limits<std::int64_t>::min();
    if (step < 0xC0)
      time = static_cast<std::int64_t>(static_cast<std::uint64_t>(time) + (std::uint64_t{1} << step % 64));
    if (step == 0xFD) tracker.expire(std::int64_t{1} << (data[at + 2] % 63));
    frame.timestamp = time;
    dissect(frame, packet);
    PacketRecord record;
    record.packet = &packet;
    const Verdict verdict = tracker.track(record);
    check(!gone.contains(verdict.connection));
    check(tracker.followed() <= most + 1);
    if (verdict.connection != 0) ++placed;
  }
  for (const Connection& connection : std::move(tracker).finish().connections) {
    check(gone.insert(connection.number).second);
    reported += packets_of(connection);
  }
  check(reported == placed);
  return 0;
}
