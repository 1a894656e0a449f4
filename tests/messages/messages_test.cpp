// Payload of real captures. What it must be follows from the frames' bytes, at places that tshark gives, and from the lab's truth.
#include "messages/messages.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "dissectors/message.hpp"
#include "rocescope/headers/exchange.hpp"
#include "rocescope/tracker.hpp"
#include "support/pcap_walker.hpp"
#include "support/rc_packet.hpp"
#include "support/source_dir.hpp"

namespace rocescope {
namespace {

using testing::Buffer;
using testing::PcapWalker;

const std::string kCaptures = rocescope::testing::source_dir() + "/captures/";
constexpr std::size_t kBth = 42;      // of frames over IPv4 without options
constexpr std::size_t kPayload = 54;  // without extension headers

struct SentMessage {
  Psn first_psn;
  std::uint64_t record = 0;  // the frame
  Buffer bytes;
  std::uint64_t length = 0;
  std::vector<Hole> holes;
  bool in_frame = false;  // nothing was copied
};
struct Piece {
  Psn psn;
  bool is_read = false;
  std::optional<std::uint64_t> address;
  std::optional<std::uint64_t> offset;
  Buffer bytes;
  std::uint64_t skipped = 0;
};

/// Keeps what it is given.
class Keeper final : public PayloadSubscriber {
 public:
  explicit Keeper(PayloadWish wish) : wish_(wish) {}
  PayloadWish wish(const Connection&, const Handshake* handshake) override {
    if (handshake != nullptr) handshakes.push_back(*handshake);
    return wish_;
  }
  void observe(const SendPayload& payload) override {
    const Frame* const frame = payload.record != nullptr ? &payload.record->packet->frame : nullptr;
    sends.push_back({payload.first_psn,
                     frame != nullptr ? frame->number : 0,
                     {payload.bytes.begin(), payload.bytes.end()},
                     payload.length,
                     {payload.holes.begin(), payload.holes.end()},
                     frame != nullptr && payload.bytes.data() >= frame->data.data() &&
                         payload.bytes.data() < frame->data.data() + frame->data.size()});
  }
  void observe(const DataPayload& payload) override {
    pieces.push_back({payload.record.packet->roce.psn,
                      payload.is_read,
                      payload.address,
                      payload.offset,
                      {payload.bytes.begin(), payload.bytes.end()},
                      payload.skipped});
  }

  void observe(const TakenAgain& again) override { taken.emplace_back(again.psn, again.time); }

  std::vector<SentMessage> sends;
  std::vector<Piece> pieces;
  std::vector<std::pair<Psn, std::int64_t>> taken;
  std::vector<Handshake> handshakes;

 private:
  PayloadWish wish_;
};

void track(const std::vector<Frame>& frames, PayloadSubscriber& subscriber) {
  Tracker tracker;
  tracker.subscribe(subscriber);
  Packet packet;
  for (const Frame& frame : frames) {
    dissect(frame, packet);
    PacketRecord record;
    record.packet = &packet;
    record.icrc = check_icrc(packet);
    (void)tracker.track(record);
  }
  (void)std::move(tracker).finish();
}

Buffer bytes_of(const Frame& frame, std::size_t begin, std::size_t end) {
  return {frame.data.begin() + static_cast<std::ptrdiff_t>(begin),
          frame.data.begin() + static_cast<std::ptrdiff_t>(end)};
}

// tshark: the SEND First is frame 87, with 1024 bytes of payload, the Last frame 88, with 64.
TEST(Messages, PutASendOfSeveralPacketsTogether) {
  const PcapWalker capture(kCaptures + "nvme.pcapng");
  Keeper keeper({.sends = true});
  track(capture.frames(), keeper);
  const auto found = std::ranges::find(keeper.sends, Psn(14938552), &SentMessage::first_psn);
  ASSERT_NE(found, keeper.sends.end());
  Buffer expected = bytes_of(capture.frames()[86], kPayload, kPayload + 1024);
  testing::append(expected, bytes_of(capture.frames()[87], kPayload, kPayload + 64));
  EXPECT_EQ(found->bytes, expected);
  EXPECT_EQ(found->record, 88U);
  EXPECT_EQ(found->length, 1088U);
  EXPECT_TRUE(found->holes.empty());
  EXPECT_FALSE(found->in_frame);
}

TEST(Messages, NameTheServiceBeforeTheFirstPayload) {
  const PcapWalker capture(kCaptures + "nvme.pcapng");
  Keeper keeper({});
  track(capture.frames(), keeper);
  ASSERT_FALSE(keeper.handshakes.empty());
  const Handshake& handshake = keeper.handshakes[0];
  EXPECT_EQ(handshake.service_id, 0x0000000001061144U);  // port 4420, by TCP's port space
  EXPECT_FALSE(handshake.sides[0].private_data.empty());
  EXPECT_TRUE(keeper.sends.empty());
  EXPECT_TRUE(keeper.pieces.empty());
}

TEST(Messages, DoNotCopyASendOfOnePacket) {
  const PcapWalker capture(kCaptures + "nvme.pcapng");
  Keeper keeper({.sends = true});
  track(capture.frames(), keeper);
  const auto only = std::ranges::count_if(keeper.sends, &SentMessage::in_frame);
  EXPECT_EQ(static_cast<std::size_t>(only) + 1, keeper.sends.size());
}

// The receiver is slow: SENDs come again after RNR NAKs.
TEST(Messages, GiveEachSendOnce) {
  std::ifstream truth(kCaptures + "fault-slow-receiver.ndjson");
  std::size_t posted = 0;
  for (std::string line; std::getline(truth, line);) {
    const bool send = line.find(R"("event":"post")") != std::string::npos &&
                      line.find(R"("opcode":"SEND","bytes":4096)") != std::string::npos;
    if (send) ++posted;
  }
  ASSERT_GT(posted, 5U);
  const PcapWalker capture(kCaptures + "fault-slow-receiver.pcapng");
  std::size_t firsts = 0;
  for (const Frame& frame : capture.frames()) {
    if (frame.data.size() > 1000 && frame.data[kBth] == testing::rc::kSendFirst) ++firsts;
  }
  ASSERT_GT(firsts, posted);
  Keeper keeper({.sends = true});
  track(capture.frames(), keeper);
  std::size_t whole = 0;
  for (const SentMessage& sent : keeper.sends) {
    if (sent.length == 4096 && sent.holes.empty()) ++whole;
  }
  EXPECT_EQ(whole, posted);
}

/// PSNs of the packets with opcodes from `first` to `last`, by the bytes of their BTHs.
std::set<std::tuple<std::uint8_t, std::uint32_t>> psns(const std::vector<Frame>& frames, std::uint8_t first,
                                                       std::uint8_t last) {
  std::set<std::tuple<std::uint8_t, std::uint32_t>> all;
  for (const Frame& frame : frames) {
    const bool is_roce = frame.data.size() > kPayload && frame.data[36] == 0x12 && frame.data[37] == 0xB7;
    if (!is_roce || frame.data[kBth] < first || frame.data[kBth] > last) continue;
    if (frame.data[kBth + 7] == 1) continue;  // of the GSI
    const std::uint32_t psn = frame.data[51] * 0x10000U + frame.data[52] * 0x100U + frame.data[53];
    all.insert({frame.data[29], psn});
  }
  return all;
}

// A WRITE was lost (PSN 12073589), so the host refused the SEND behind it (12073590, frame 343) until both came again. Later (frame
// 438) a NAK of the host names 12073626, which was sent again, and was lost again: it comes with the frames from 473 on.
TEST(Messages, SayWhichPacketsAreTakenOnlyWhenTheyComeAgain) {
  const PcapWalker capture(kCaptures + "nfs_network-41.pcapng");
  Keeper keeper({.sends = true});
  track(capture.frames(), keeper);
  const auto has = [&](std::uint32_t psn, std::size_t frame) {
    return std::ranges::count(keeper.taken, std::pair(Psn(psn), capture.frames()[frame - 1].timestamp)) == 1;
  };
  EXPECT_TRUE(has(12073589, 345));
  EXPECT_TRUE(has(12073590, 346));
  EXPECT_TRUE(has(12073626, 473));
  const auto send = std::ranges::find(keeper.sends, Psn(12073590), &SentMessage::first_psn);
  ASSERT_NE(send, keeper.sends.end());
  EXPECT_EQ(send->record, 343U);
}

TEST(Messages, SayNothingIsTakenAgainWhereNothingWasLost) {
  const PcapWalker capture(kCaptures + "nfs_io-41.pcapng");
  Keeper keeper({.sends = true});
  track(capture.frames(), keeper);
  EXPECT_TRUE(keeper.taken.empty());
}

TEST(Messages, GiveEachPieceOfAReadOnce) {
  const PcapWalker capture(kCaptures + "lost-heavy.pcapng");
  Keeper keeper({.data = true});
  track(capture.frames(), keeper);
  EXPECT_EQ(keeper.pieces.size(), psns(capture.frames(), 13, 16).size());
  std::size_t late = 0;
  for (const Piece& piece : keeper.pieces) {
    EXPECT_TRUE(piece.is_read);
    EXPECT_EQ(piece.bytes.size(), 1024U);
    ASSERT_TRUE(piece.address);
    EXPECT_EQ(*piece.address, 0x0000561c31c24000U + *piece.offset);  // tshark: of all of them, and 4096 bytes
    EXPECT_LT(*piece.offset, 4096U);
    if (piece.skipped > 0) ++late;
  }
  EXPECT_GT(late, 0U);
}

TEST(Messages, GiveEachPieceOfAWriteOnceAlsoWherePsnsBeginAgain) {
  for (const char* name : {"impaired_out-loss_heavy.pcapng", "impaired_out-reorder_heavy.pcapng", "psn_wrap.pcapng"}) {
    const PcapWalker capture(kCaptures + name);
    Keeper keeper({.data = true});
    track(capture.frames(), keeper);
    std::erase_if(keeper.pieces, &Piece::is_read);
    EXPECT_EQ(keeper.pieces.size(), psns(capture.frames(), 6, 11).size()) << name;
    // The address is not known of those whose First packet came later than they.
    const auto placed =
        std::ranges::count_if(keeper.pieces, [](const Piece& piece) { return piece.address.has_value(); });
    EXPECT_GE(static_cast<std::size_t>(placed) * 10, keeper.pieces.size() * 7) << name;
  }
}

/// Frames as a capture has them, a microsecond apart.
class Frames {
 public:
  void add(const testing::RcPacket& packet, std::size_t captured = 2'000) {
    bytes_.push_back(testing::rc_packet(packet));
    const std::size_t length = bytes_.back().size();
    frames.push_back({.data = Bytes(bytes_.back()).first(std::min(length, captured)),
                      .original_length = static_cast<std::uint32_t>(length),
                      .timestamp = static_cast<std::int64_t>(frames.size()) * 1'000,
                      .number = frames.size() + 1});
  }
  std::vector<Frame> frames;

 private:
  std::deque<Buffer> bytes_;
};
Buffer text(std::string_view words) { return {words.begin(), words.end()}; }

TEST(Messages, SayWhatWasNotSeenWhenTheMessageIsAcknowledged) {
  Frames frames;
  frames.add({.opcode = testing::rc::kSendFirst, .psn = 1, .after_bth = Buffer(256, 'a')});
  frames.add({.opcode = testing::rc::kSendLast, .psn = 3, .after_bth = text("tail")});
  frames.add({.opcode = testing::rc::kAcknowledge,
              .psn = 3,
              .after_bth = {0x1F, 0, 0, 1},
              .dest_qp = 0x22,
              .from = 2,
              .to = 1});
  Keeper keeper({.sends = true});
  track(frames.frames, keeper);
  ASSERT_EQ(keeper.sends.size(), 1U);
  EXPECT_EQ(keeper.sends[0].length, 516U);
  EXPECT_THAT(keeper.sends[0].holes, ::testing::ElementsAre(Hole{256, 256, Hole::Reason::kNotSeen}));
}

TEST(Messages, SayWhatTheCaptureCut) {
  Frames frames;
  frames.add({.psn = 1, .after_bth = Buffer(100, 'a')}, kPayload + 40);
  Keeper keeper({.sends = true});
  track(frames.frames, keeper);
  ASSERT_EQ(keeper.sends.size(), 1U);
  EXPECT_EQ(keeper.sends[0].bytes, Buffer(40, 'a'));
  EXPECT_THAT(keeper.sends[0].holes, ::testing::ElementsAre(Hole{40, 60, Hole::Reason::kCut}));
}

TEST(Messages, GiveWhatIsLeftAtTheEnd) {
  Frames frames;
  frames.add({.opcode = testing::rc::kSendFirst, .psn = 1, .after_bth = Buffer(256, 'a')});
  Keeper keeper({.sends = true});
  track(frames.frames, keeper);
  ASSERT_EQ(keeper.sends.size(), 1U);
  EXPECT_EQ(keeper.sends[0].record, 0U);
  EXPECT_THAT(keeper.sends[0].holes, ::testing::ElementsAre(Hole{256, 0, Hole::Reason::kNotSeen}));
}

/// Adds the layers of the set-up exchange to the packet that ends a message, as if the exchange were carried by a connection.
class Dissecting final : public PayloadSubscriber {
 public:
  explicit Dissecting(Packet& packet) : packet_(packet) {}
  PayloadWish wish(const Connection&, const Handshake*) override { return {.sends = true}; }
  void observe(const SendPayload& payload) override {
    dissect_message(MessageProtocol::kExchange, payload.bytes, packet_);
  }

 private:
  Packet& packet_;
};

// The message is that of a real exchange; in a datagram the dissectors find it by themselves.
TEST(Messages, AddTheirLayersToThePacketThatEndsThem) {
  const PcapWalker capture(kCaptures + "rdmagen-exchange-bulk.pcapng");
  Packet datagram;
  for (const Frame& frame : capture.frames()) {
    dissect(frame, datagram);
    if (datagram.header<ExchangeQpCreateReq>()) break;
  }
  const auto expected = datagram.header<ExchangeQpCreateReq>();
  ASSERT_TRUE(expected);
  const Bytes message = datagram.frame.data.subspan(datagram.roce.payload_offset, datagram.roce.payload_length);
  for (const std::size_t first : {std::size_t{0}, std::size_t{12}}) {
    Frames frames;
    const Buffer all(message.begin(), message.end());
    const Buffer head(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(first));
    const Buffer tail(all.begin() + static_cast<std::ptrdiff_t>(first), all.end());
    if (first > 0) frames.add({.opcode = testing::rc::kSendFirst, .psn = 1, .after_bth = head});
    frames.add({.opcode = first > 0 ? testing::rc::kSendLast : testing::rc::kSendOnly, .psn = 2, .after_bth = tail});
    Packet packet;
    Dissecting subscriber(packet);
    Tracker tracker;
    tracker.subscribe(subscriber);
    for (const Frame& frame : frames.frames) {
      dissect(frame, packet);
      EXPECT_FALSE(packet.header<Exchange>());
      PacketRecord record;
      record.packet = &packet;
      (void)tracker.track(record);
    }
    const auto found = packet.header<ExchangeQpCreateReq>();
    ASSERT_TRUE(found) << first;
    EXPECT_TRUE(std::ranges::equal(found->bytes(), expected->bytes()));
    EXPECT_EQ(packet.layers().back().kind, HeaderKind::kIcrc);
    EXPECT_EQ(packet.find(HeaderKind::kExchange)->in_message, first > 0);
  }
}

}  // namespace
}  // namespace rocescope
