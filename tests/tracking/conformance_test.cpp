// Packets that break one rule each, and their neighbours that do not. Which these are is the specification's word: IBTA 9.2
// for the fields, 9.6 and 9.7.4 for what a responder checks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <initializer_list>
#include <sstream>
#include <string>
#include <vector>

#include "rocescope/tracker.hpp"
#include "support/pcap_walker.hpp"
#include "support/recorded.hpp"
#include "support/source_dir.hpp"

namespace rocescope::conformance_test {
namespace {

using testing::Buffer;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::RoceShape;

// Opcodes of RC, IBTA Table 35.
enum : std::uint8_t {
  kSendFirst = 0x00,
  kSendMiddle = 0x01,
  kSendLast = 0x02,
  kSendOnly = 0x04,
  kWriteFirst = 0x06,
  kWriteMiddle = 0x07,
  kWriteLast = 0x08,
  kWriteOnly = 0x0A,
  kReadRequest = 0x0C,
  kReadFirst = 0x0D,
  kReadMiddle = 0x0E,
  kReadLast = 0x0F,
  kReadOnly = 0x10,
  kAcknowledge = 0x11,
  kUcSendOnly = 0x24,
  kUcReadRequest = 0x2C,
};

constexpr std::size_t kFlags = 43;  // SE, MigReq, PadCnt, TVer
constexpr std::size_t kPkey = 44;
constexpr std::size_t kResv6 = 46;
constexpr std::size_t kResv7 = 50;

Buffer bytes(std::size_t count) { return Buffer(count, 0xA5); }
Buffer reth(std::uint32_t dma_length, std::size_t payload = 0) {
  Buffer header;
  testing::append(header, 0x1000, 8);
  testing::append(header, 0x77, 4);
  testing::append(header, dma_length, 4);
  testing::append(header, bytes(payload));
  return header;
}
Buffer aeth(std::uint8_t syndrome, std::size_t payload = 0) {
  Buffer header;
  testing::append(header, syndrome, 1);
  testing::append(header, 1, 3);
  testing::append(header, bytes(payload));
  return header;
}
Buffer packet(std::uint8_t opcode, std::uint32_t psn, Buffer after_bth) {
  return testing::roce_packet({.opcode = opcode, .psn = psn, .after_bth = std::move(after_bth)});
}
/// The other direction, to another queue pair.
Buffer answer(std::uint8_t opcode, std::uint32_t psn, Buffer after_bth) {
  constexpr std::size_t kDestinationHost = 33;
  Buffer frame = testing::roce_packet(
      {.opcode = opcode, .dest_qp = 0x22, .psn = psn, .source_host = 2, .after_bth = std::move(after_bth)});
  frame[kDestinationHost] = 1;
  return frame;
}
Buffer with(Buffer frame, std::size_t offset, std::uint8_t value) {
  frame[offset] = value;
  return frame;
}

/// What a capture of packets, each a microsecond after the other, shows.
class Capture {
 public:
  void add(Buffer frame, IcrcStatus icrc = IcrcStatus::kGood) {
    const auto number = frames_.size() + 1;
    testing::Recorded& recorded =
        frames_.emplace_back(std::move(frame), static_cast<std::int64_t>(number) * 1000, number);
    recorded.record().icrc.status = icrc;
    recorded.record().icrc.found = static_cast<std::uint32_t>(number);  // no two packets are copies
    static_cast<void>(tracker_.track(recorded.record()));
  }
  /// "kind xcount @ frames: value, other"
  [[nodiscard]] std::vector<std::string> breaches() {
    std::vector<std::string> lines;
    const Tracking tracking = std::move(tracker_).finish();
    tell(tracking.breaches, lines);
    for (const Connection& connection : tracking.connections) {
      for (const ConnectionSide& side : connection.sides) tell(side.breaches, lines);
    }
    return lines;
  }

 private:
  static void tell(const Breaches& breaches, std::vector<std::string>& lines) {
    for (const Breach& breach : breaches.all()) {
      std::ostringstream line;
      line << finding_name(breach.kind) << " x" << breach.seen.count << " @";
      for (const std::uint64_t frame : breach.seen.packets) {
        if (frame != 0) line << ' ' << frame;
      }
      line << ": " << breach.value << ", " << breach.other;
      lines.push_back(line.str());
    }
  }
  static std::string finding_name(BreachKind kind) {
    switch (finding_of(kind)) {
      case FindingId::kOpcodeOrder:
        return "opcode_order";
      case FindingId::kLengthMtu:
        return "length_mtu";
      case FindingId::kPad:
        return "pad";
      case FindingId::kTransportOperation:
        return "transport_operation";
      case FindingId::kTver:
        return "tver";
      case FindingId::kPkeyMismatch:
        return "pkey_mismatch";
      default:
        return "reserved_bits";
    }
  }

  std::deque<testing::Recorded> frames_;
  Tracker tracker_;
};

std::vector<std::string> breaches_of(std::initializer_list<Buffer> frames) {
  Capture capture;
  for (const Buffer& frame : frames) capture.add(frame);
  return capture.breaches();
}

TEST(Conformance, MessagesGoFromFirstToLast) {
  EXPECT_THAT(breaches_of({packet(kSendFirst, 1, bytes(1024)), packet(kSendMiddle, 2, bytes(1024)),
                           packet(kSendLast, 3, bytes(4)), packet(kSendOnly, 4, bytes(4)),
                           packet(kWriteFirst, 5, reth(2048, 1024)), packet(kWriteLast, 6, bytes(1024)),
                           packet(kReadRequest, 7, reth(3000)), packet(kSendOnly, 10, bytes(0))}),
              IsEmpty());
  EXPECT_THAT(breaches_of({packet(kWriteFirst, 1, reth(3072, 1024)), packet(kSendMiddle, 2, bytes(1024)),
                           packet(kSendLast, 3, bytes(1024))}),
              ElementsAre("opcode_order x1 @ 2: 1, 6"));
  EXPECT_THAT(breaches_of({packet(kSendFirst, 1, bytes(1024)), packet(kSendOnly, 2, bytes(4))}),
              ElementsAre("opcode_order x1 @ 2: 4, 0"));
  EXPECT_THAT(breaches_of({packet(kSendOnly, 1, bytes(4)), packet(kSendLast, 2, bytes(4)),
                           packet(kSendMiddle, 3, bytes(1024)), packet(kReadRequest, 4, reth(4))}),
              ElementsAre("opcode_order x3 @ 2 3 4: 2, 4"));
}

TEST(Conformance, TheOrderIsJudgedBetweenNeighboursOnly) {
  EXPECT_THAT(breaches_of({packet(kSendOnly, 1, bytes(4)), packet(kSendLast, 3, bytes(4))}), IsEmpty());
  // A READ of two packets, seen before any packet shows the path MTU: its responses may take more PSNs.
  EXPECT_THAT(breaches_of({packet(kReadRequest, 1, reth(2000)), packet(kSendLast, 2, bytes(4))}), IsEmpty());
  // Gone back: the middle of a message is sent again.
  EXPECT_THAT(breaches_of({packet(kSendFirst, 1, bytes(1024)), packet(kSendMiddle, 2, bytes(1024)),
                           packet(kSendMiddle, 3, bytes(1024)), packet(kSendLast, 4, bytes(4)),
                           packet(kSendMiddle, 2, bytes(1024)), packet(kSendMiddle, 3, bytes(1024)),
                           packet(kSendLast, 4, bytes(4)), packet(kSendOnly, 5, bytes(4))}),
              IsEmpty());
}

TEST(Conformance, ReadResponsesGoFromFirstToLast) {
  const Buffer read = packet(kReadRequest, 1, reth(4096));
  EXPECT_THAT(breaches_of({read, answer(kReadFirst, 1, aeth(0, 1024)), answer(kReadMiddle, 2, bytes(1024)),
                           answer(kReadMiddle, 3, bytes(1024)), answer(kReadLast, 4, aeth(0, 1024))}),
              IsEmpty());
  EXPECT_THAT(breaches_of({read, answer(kReadOnly, 1, aeth(0, 1024)), answer(kReadMiddle, 2, bytes(1024)),
                           answer(kReadLast, 3, aeth(0, 8)), answer(kReadLast, 4, aeth(0, 8))}),
              ElementsAre("opcode_order x2 @ 3 5: 14, 16"));
  // The rest of a READ is asked for again, and the capture may lack that request.
  EXPECT_THAT(breaches_of({read, answer(kReadFirst, 1, aeth(0, 1024)), answer(kReadFirst, 2, aeth(0, 1024)),
                           answer(kReadMiddle, 3, bytes(1024)), answer(kReadLast, 4, aeth(0, 1024))}),
              IsEmpty());
}

TEST(Conformance, PayloadsFitThePathMtu) {
  EXPECT_THAT(
      breaches_of({packet(kSendFirst, 1, bytes(1024)), packet(kSendMiddle, 2, bytes(512)),
                   packet(kSendLast, 3, bytes(1028)), packet(kSendOnly, 4, bytes(2048)),
                   packet(kSendFirst, 5, bytes(2048)), packet(kSendLast, 6, bytes(0))}),
      ElementsAre("length_mtu x2 @ 2 5: 512, 1024", "length_mtu x2 @ 3 4: 1028, 1024", "length_mtu x1 @ 6: 0, 0"));
  EXPECT_THAT(breaches_of({packet(kSendFirst, 1, bytes(1500)), packet(kSendLast, 2, bytes(1500))}),
              ElementsAre("length_mtu x1 @ 1: 1500, 0"));
  EXPECT_THAT(breaches_of({packet(kSendOnly, 1, bytes(4096))}), IsEmpty());
  EXPECT_THAT(breaches_of({packet(kSendOnly, 1, bytes(4100))}), ElementsAre("length_mtu x1 @ 1: 4100, 4096"));
  EXPECT_THAT(breaches_of({packet(kReadRequest, 1, reth(2048)), answer(kReadFirst, 1, aeth(0, 1024)),
                           answer(kReadLast, 2, aeth(0, 1200))}),
              ElementsAre("length_mtu x1 @ 3: 1200, 1024"));
}

TEST(Conformance, AWriteIsAsLongAsItsRethSays) {
  EXPECT_THAT(breaches_of({packet(kWriteOnly, 1, reth(8, 8)), packet(kWriteFirst, 2, reth(1032, 1024)),
                           packet(kWriteLast, 3, bytes(8))}),
              IsEmpty());
  EXPECT_THAT(breaches_of({packet(kWriteOnly, 1, reth(8, 12)), packet(kWriteFirst, 2, reth(4096, 1024)),
                           packet(kWriteMiddle, 3, bytes(1024)), packet(kWriteLast, 4, bytes(8))}),
              ElementsAre("length_mtu x2 @ 1 4: 12, 8"));
  // A packet between was not seen.
  EXPECT_THAT(breaches_of({packet(kWriteFirst, 1, reth(4096, 1024)), packet(kWriteMiddle, 2, bytes(1024)),
                           packet(kWriteLast, 4, bytes(1024))}),
              IsEmpty());
}

TEST(Conformance, WhatHasNoPayloadHasNone) {
  const Buffer send = packet(kSendOnly, 1, bytes(4));
  EXPECT_THAT(breaches_of({send, answer(kAcknowledge, 1, aeth(0x1F))}), IsEmpty());
  EXPECT_THAT(breaches_of({send, answer(kAcknowledge, 1, aeth(0x1F, 8))}), ElementsAre("length_mtu x1 @ 2: 8, 17"));
}

TEST(Conformance, PadFillsTheLastWordWithZeros) {
  Buffer padded = bytes(8);
  padded[6] = padded[7] = 0;
  constexpr std::uint8_t kTwo = 0x20;
  constexpr std::uint8_t kOne = 0x10;
  EXPECT_THAT(breaches_of({with(packet(kSendOnly, 1, padded), kFlags, kTwo)}), IsEmpty());
  EXPECT_THAT(breaches_of({with(packet(kSendOnly, 1, bytes(8)), kFlags, kTwo)}), ElementsAre("pad x1 @ 1: 42405, 0"));
  EXPECT_THAT(breaches_of({packet(kSendOnly, 1, bytes(7))}), ElementsAre("pad x1 @ 1: 7, 0"));
  Buffer full = bytes(1028);
  full[1027] = 0;
  // The payload is 1027 bytes long then, which no path MTU is.
  EXPECT_THAT(breaches_of({with(packet(kSendFirst, 1, full), kFlags, kOne)}),
              ElementsAre("pad x1 @ 1: 1, 0", "length_mtu x1 @ 1: 1027, 0"));
}

TEST(Conformance, OpcodesAreOfTheQueuePairsTransport) {
  EXPECT_THAT(breaches_of({packet(kSendOnly, 1, bytes(4)), packet(kUcReadRequest, 2, reth(4))}),
              ElementsAre("transport_operation x1 @ 2: 44, 0"));
  EXPECT_THAT(breaches_of({packet(kUcReadRequest, 2, reth(4))}), ElementsAre("transport_operation x1 @ 1: 44, 0"));
  EXPECT_THAT(
      breaches_of({packet(kSendOnly, 1, bytes(4)), packet(kUcSendOnly, 2, bytes(4)), packet(kSendOnly, 2, bytes(4))}),
      ElementsAre("transport_operation x1 @ 2: 36, 0"));
  // Another queue pair has taken the number.
  EXPECT_THAT(breaches_of({packet(kSendOnly, 1, bytes(4)), packet(kUcSendOnly, 2, bytes(4)),
                           packet(kUcSendOnly, 3, bytes(4)), packet(kUcSendOnly, 4, bytes(4))}),
              IsEmpty());
}

TEST(Conformance, TheVersionIsZero) {
  EXPECT_THAT(breaches_of({with(packet(kSendOnly, 1, bytes(4)), kFlags, 0x03), packet(kSendOnly, 2, bytes(4))}),
              ElementsAre("tver x1 @ 1: 3, 0"));
}

TEST(Conformance, ReservedBitsAreZero) {
  const Buffer send = packet(kSendOnly, 1, bytes(4));
  // Solicited event and MigReq, FECN and BECN, AckReq are none of them.
  EXPECT_THAT(breaches_of({with(with(with(send, kFlags, 0xC0), kResv6, 0xC0), kResv7, 0x80)}), IsEmpty());
  EXPECT_THAT(breaches_of({with(with(send, kResv6, 0xC4), kResv7, 0x81)}),
              ElementsAre("reserved_bits x1 @ 1: 4, 0", "reserved_bits x1 @ 1: 1, 0"));
  EXPECT_THAT(breaches_of({send, answer(kAcknowledge, 1, aeth(0x80))}), ElementsAre("reserved_bits x1 @ 2: 128, 0"));
  EXPECT_THAT(breaches_of({send, answer(kAcknowledge, 1, aeth(0x40))}), ElementsAre("reserved_bits x1 @ 2: 64, 0"));
  EXPECT_THAT(breaches_of({send, answer(kAcknowledge, 1, aeth(0x65))}), ElementsAre("reserved_bits x1 @ 2: 101, 0"));
  EXPECT_THAT(breaches_of({send, answer(kAcknowledge, 1, aeth(0x64))}), IsEmpty());
}

TEST(Conformance, AConnectionHasOnePkey) {
  // Full and limited members of a partition differ in the first bit.
  EXPECT_THAT(breaches_of({packet(kSendOnly, 1, bytes(4)), with(packet(kSendOnly, 2, bytes(4)), kPkey, 0x7F)}),
              IsEmpty());
  EXPECT_THAT(breaches_of({packet(kSendOnly, 1, bytes(4)), with(packet(kSendOnly, 2, bytes(4)), kPkey, 0x80),
                           answer(kAcknowledge, 1, aeth(0x1F))}),
              ElementsAre("pkey_mismatch x1 @ 2: 33023, 65535"));
}

TEST(Conformance, AWrongIcrcProvesNothing) {
  Capture capture;
  capture.add(packet(kSendOnly, 1, bytes(4)));
  capture.add(with(packet(kSendLast, 2, bytes(7)), kFlags, 0x03), IcrcStatus::kBad);
  EXPECT_THAT(capture.breaches(), IsEmpty());
}

TEST(Conformance, WhatTheCaptureCutOffIsNotMissed) {
  Buffer whole = packet(kWriteOnly, 1, reth(1000, 1000));
  for (std::size_t length = 54; length < whole.size(); length += 7) {
    Tracker tracker;
    const Buffer cut = testing::cut(whole, length);
    Packet packet = testing::dissect_cut(cut, whole.size());
    PacketRecord record;
    record.packet = &packet;
    record.icrc = check_icrc(packet);
    static_cast<void>(tracker.track(record));
    for (const Connection& connection : std::move(tracker).finish().connections) {
      EXPECT_THAT(connection.sides[0].breaches.all(), IsEmpty()) << length;
    }
  }
}

TEST(Conformance, RealCapturesBreakNoRule) {
  for (const char* name : {"lab_rping_write_ud_atomic.pcap", "lab_pingpong_atomic_udaddy.pcap"}) {
    const testing::PcapWalker capture(rocescope::testing::source_dir() + "/captures/" + std::string(name));
    Tracker tracker;
    Packet packet;
    for (const Frame& frame : capture.frames()) {
      dissect(frame, packet);
      PacketRecord record;
      record.packet = &packet;
      record.icrc = check_icrc(packet);
      static_cast<void>(tracker.track(record));
    }
    const Tracking tracking = std::move(tracker).finish();
    EXPECT_THAT(tracking.breaches.all(), IsEmpty());
    for (const Connection& connection : tracking.connections) {
      for (const ConnectionSide& side : connection.sides) EXPECT_THAT(side.breaches.all(), IsEmpty());
    }
  }
}

}  // namespace
}  // namespace rocescope::conformance_test
