// Fuzz target: requests of real captures with other opcodes, PSNs and lengths, through a tracker with a subscriber to all payload.
#include <algorithm>
#include <cstdlib>
#include <limits>
#include <set>
#include <vector>

#include "captured_frames.hpp"
#include "messages/messages.hpp"
#include "messages/payload.hpp"
#include "rocescope/dissect.hpp"
#include "rocescope/tracker.hpp"

namespace rocescope {
namespace {

constexpr std::uint32_t kMostBytes = 2048;  // of a SEND that is put together

void check(bool holds) {
  if (!holds) std::abort();
}

/// Wants all, and checks each payload that it is given.
class Everything final : public PayloadSubscriber {
 public:
  PayloadWish wish(const Connection& connection, const Handshake* /*handshake*/) override {
    check(!gone_.contains(connection.number));
    return {.sends = true, .data = true, .most = kMostBytes};
  }
  bool wants_datagrams(std::uint32_t /*q_key*/) override { return true; }

  void observe(const SendPayload& payload) override {
    check(payload.bytes.size() <= payload.length);
    check(payload.first_frame != 0 && payload.first_frame <= frame_);
    check(payload.record == nullptr || payload.record->packet->frame.number == frame_);
    std::uint64_t missing = 0;
    std::uint64_t end = 0;  // of what is here or in a hole before
    for (const Hole& hole : payload.holes) {
      check(hole.offset >= end && hole.length <= payload.length - hole.offset);
      end = hole.offset + hole.length;
      missing += hole.length;
    }
    check(!payload.is_whole() || payload.bytes.size() == payload.length);
    given_ += payload.length - missing;
    check(given_ <= shown_);  // each packet once at most
    if (payload.record != nullptr && is_in(payload.bytes, payload.record->packet->frame.data)) return;
    // What is kept does not grow with the packets of a message.
    check(payload.bytes.size() <= kMostBytes);
    check(payload.holes.size() <= kMostBytes + 2 * SendAssembly::kMostRuns);
  }
  void observe(const DataPayload& payload) override {
    check(payload.record.packet->frame.number == frame_);
    check(payload.bytes.size() <= payload.length);
    check(is_in(payload.bytes, payload.record.packet->frame.data));
    check(!payload.address || payload.offset);
  }

  void begin(const Packet& packet) {
    frame_ = packet.frame.number;
    if (packet.is_roce()) shown_ += packet.roce.payload_length;
  }
  void note_eviction(std::uint32_t connection) { gone_.insert(connection); }

 private:
  static bool is_in(Bytes part, Bytes whole) {
    return part.empty() || (part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size());
  }

  std::uint64_t frame_ = 0;
  std::uint64_t shown_ = 0;  // bytes of payload of all packets
  std::uint64_t given_ = 0;  // of SENDs
  std::set<std::uint32_t> gone_;
};

}  // namespace
}  // namespace rocescope

// First how many connections may be followed; then six bytes a packet: which frame (two bytes), its opcode (0xFF: as captured), how
// far its PSN is from that of the packet before (0x80: as captured), how many bytes the capture cut off, what to add to the last
// byte of both IPv4 addresses and microseconds since the packet before.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rocescope;
  constexpr std::size_t kPacket = 6;
  constexpr std::uint8_t kOpcodes[] = {0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x0A,
                                       0x0C, 0x0D, 0x0E, 0x0F, 0x10, 0x11, 0x16, 0x17, 0x20, 0x22};
  constexpr std::size_t kPsnOffset = 9;  // in the BTH
  if (size == 0) return 0;
  Everything everything;
  Tracker tracker({.max_connections = std::size_t{1} + data[0] % 8, .idle_timeout = 1'000'000});
  tracker.subscribe(everything);
  tracker.on_eviction([&](Eviction&& eviction) {
    for (const EvictedConnection& each : eviction.connections) everything.note_eviction(each.connection.number);
  });
  std::int64_t time = 0;
  Psn psn(0xFFFFF0);
  Packet packet;
  for (std::size_t at = 1; at + kPacket <= size; at += kPacket) {
    const std::uint8_t* const choice = data + at;
    const auto& frames = testing::captured_frames();
    const auto& kept = frames[static_cast<std::size_t>(choice[0] << 8 | choice[1]) % frames.size()];
    std::vector<std::uint8_t> bytes = kept.bytes;
    constexpr std::size_t kAddressEnds[] = {29, 33};
    for (const std::size_t end : kAddressEnds) bytes[end] = static_cast<std::uint8_t>(bytes[end] + choice[5] % 4);
    Frame frame = kept.frame;
    frame.data = bytes;
    frame.number = at / kPacket + 1;
    time += std::int64_t{choice[5]} * 1000;
    frame.timestamp = time;
    dissect(frame, packet);
    if (packet.is_roce() && packet.roce.bth_offset + kPsnOffset + 3 <= bytes.size()) {
      std::uint8_t* const bth = bytes.data() + packet.roce.bth_offset;
      if (choice[2] != 0xFF) bth[0] = kOpcodes[choice[2] % std::size(kOpcodes)];
      const auto step = static_cast<std::int8_t>(choice[3]);
      psn = step == std::numeric_limits<std::int8_t>::min() ? packet.roce.psn
            : step >= 0                                     ? psn + static_cast<std::uint32_t>(step)
                                                            : psn - static_cast<std::uint32_t>(-step);
      for (std::size_t i = 0; i < 3; ++i) bth[kPsnOffset + i] = static_cast<std::uint8_t>(psn.value() >> (16 - 8 * i));
    }
    frame.data = Bytes(bytes).first(bytes.size() - std::min<std::size_t>(choice[4] * 8U, bytes.size()));
    dissect(frame, packet);
    PacketRecord record;
    record.packet = &packet;
    everything.begin(packet);
    static_cast<void>(tracker.track(record));
  }
  static_cast<void>(std::move(tracker).finish());
  return 0;
}
