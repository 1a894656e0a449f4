#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "rocescope/headers.hpp"
#include "rocescope/icrc.hpp"
#include "support/pcap_bytes.hpp"
#include "support/roce_frame.hpp"

namespace rocescope {
namespace {

using testing::Buffer;

// IBTA Table 45 and 46, typed from there.
TEST(Aeth, CreditCodesStandForCredits) {
  EXPECT_EQ(credits_of(0), 0u);
  EXPECT_EQ(credits_of(4), 4u);
  EXPECT_EQ(credits_of(5), 6u);
  EXPECT_EQ(credits_of(8), 16u);
  EXPECT_EQ(credits_of(16), 256u);
  EXPECT_EQ(credits_of(29), 24576u);
  EXPECT_EQ(credits_of(30), 32768u);
  EXPECT_EQ(credits_of(31), std::nullopt);
}

TEST(Aeth, TimerCodesStandForTimes) {
  EXPECT_EQ(rnr_timer_ns(0), 655'360'000);
  EXPECT_EQ(rnr_timer_ns(1), 10'000);
  EXPECT_EQ(rnr_timer_ns(12), 640'000);
  EXPECT_EQ(rnr_timer_ns(14), 1'280'000);
  EXPECT_EQ(rnr_timer_ns(31), 491'520'000);
}

TEST(Aeth, NumbersAgreeWithTheirWords) {
  for (unsigned code = 0; code < 32; ++code) {
    const auto credits = credits_of(code);
    const std::string words(name_of(kCreditNames, code));
    if (credits) {
      EXPECT_EQ(words, std::to_string(*credits) + (*credits == 1 ? " credit" : " credits"));
    } else {
      EXPECT_EQ(words, "no end-to-end credits");
    }
    const std::string time(name_of(kRnrTimerNames, code));
    ASSERT_TRUE(time.ends_with(" ms"));
    EXPECT_EQ(std::llround(std::stod(time) * 1e6), rnr_timer_ns(code));
  }
}

TEST(Aeth, SyndromeShowsTheValueThatItsKindHas) {
  struct Case {
    const char* aeth;
    const char* field;
    const char* meaning;
  };
  const Case cases[] = {{"1f000001", "infiniband.aeth.syndrome.credit_count", "no end-to-end credits"},
                        {"2c000001", "infiniband.aeth.syndrome.timer", "0.64 ms"},
                        {"41000001", "infiniband.aeth.syndrome.reserved_value", ""},
                        {"60000001", "infiniband.aeth.syndrome.error_code", "PSN sequence error"},
                        {"61000001", "infiniband.aeth.syndrome.error_code", "invalid request"},
                        {"62000001", "infiniband.aeth.syndrome.error_code", "remote access error"},
                        {"63000001", "infiniband.aeth.syndrome.error_code", "remote operational error"},
                        {"64000001", "infiniband.aeth.syndrome.error_code", "invalid RD request"}};
  for (const Case& c : cases) {
    const Buffer frame = testing::roce_frame(0x11, 0x12, testing::hex(c.aeth));
    const Packet packet = testing::dissect_frame(frame);
    std::string shown;
    for (const char* part : {"credit_count", "timer", "reserved_value", "error_code"}) {
      const std::string name = std::string("infiniband.aeth.syndrome.") + part;
      if (testing::value_of(packet, name)) shown += name;
    }
    EXPECT_EQ(shown, c.field);
    EXPECT_EQ(testing::value_of(packet, c.field)->meaning(), c.meaning);
    EXPECT_EQ(packet.header<Aeth>()->msn(), 1u);
  }
}

TEST(Timeouts, AreFourMicrosecondsTimesAPowerOfTwo) {
  EXPECT_EQ(cm_timeout_ns(0), 4096);
  EXPECT_EQ(cm_timeout_ns(20), 4'294'967'296);
  EXPECT_EQ(cm_timeout_ns(31), 8'796'093'022'208);
  EXPECT_EQ(local_ack_timeout_ns(0), 0) << "infinite";
  EXPECT_EQ(local_ack_timeout_ns(14), 67'108'864);
  for (unsigned code = 0; code < 32; ++code) {
    const std::string words(name_of(kCmTimeoutNames, code));
    std::map<std::string, double> units{{" us", 1e3}, {" ms", 1e6}, {" s", 1e9}};
    const double shown = std::stod(words) * units.at(words.substr(words.find(' ')));
    EXPECT_NEAR(shown / static_cast<double>(cm_timeout_ns(code)), 1.0, 5e-4) << words;
    EXPECT_EQ(name_of(kLocalAckTimeoutNames, code), code == 0 ? "infinite" : words);
  }
}

TEST(Mtu, CodesStandForPowersOfTwo) {
  const std::uint32_t bytes[] = {0, 256, 512, 1024, 2048, 4096, 0, 0};
  for (unsigned code = 0; code < 8; ++code) EXPECT_EQ(mtu_bytes(code), bytes[code]);
}

TEST(Roce, EveryOpcodeReadsItsHeadersAndLeavesTheRestAsPayload) {
  Buffer after_bth;
  for (unsigned i = 0; i < 128; ++i) testing::append(after_bth, i, 1);
  for (const bool reliable_datagram : {false, true}) {
    for (unsigned code = 0; code < 256; ++code) {
      const Buffer frame = testing::roce_frame(static_cast<std::uint8_t>(code), 0x12, after_bth);
      Packet packet;
      dissect({.data = frame, .original_length = static_cast<std::uint32_t>(frame.size())}, packet,
              {.reliable_datagram = reliable_datagram});
      std::size_t headers = 0;
      for (const HeaderKind kind : packet.roce.opcode->headers) {
        if (kind == HeaderKind::kNone) break;
        ASSERT_NE(packet.find(kind), nullptr);
        headers += header_info(kind).size;
      }
      EXPECT_EQ(packet.stop.reason, StopReason::kNone) << code;
      EXPECT_EQ(packet.roce.payload_offset, 54 + headers);
      EXPECT_EQ(packet.roce.payload_length, after_bth.size() - headers);
      EXPECT_NE(packet.find(HeaderKind::kIcrc), nullptr);
    }
  }
}

TEST(Roce, EveryOpcodeCutAnywhereIsTruncated) {
  Buffer after_bth;
  for (unsigned i = 0; i < 64; ++i) testing::append(after_bth, i, 1);
  for (unsigned code = 0; code < 256; ++code) {
    const Buffer frame = testing::roce_frame(static_cast<std::uint8_t>(code), 0x12, after_bth);
    for (std::size_t captured = 42; captured < frame.size(); ++captured) {
      const Buffer kept = testing::cut(frame, captured);
      const Packet packet = testing::dissect_cut(kept, frame.size());
      ASSERT_EQ(packet.stop.reason, StopReason::kTruncated) << code << " at " << captured;
      for (const Layer& layer : packet.layers()) ASSERT_LE(layer.offset + layer.length, captured);
    }
  }
}

TEST(Roce, EveryOpcodeTooShortForItsHeadersIsMalformed) {
  for (unsigned code = 0; code < 256; ++code) {
    std::size_t headers = 0;
    for (const HeaderKind kind : opcode_info(static_cast<std::uint8_t>(code)).headers) {
      if (kind != HeaderKind::kNone) headers += header_info(kind).size;
    }
    for (std::size_t length = 0; length + 4 < headers; ++length) {  // the ICRC's four bytes may pass for headers
      const Buffer frame = testing::roce_frame(static_cast<std::uint8_t>(code), 0x12, Buffer(length));
      EXPECT_EQ(testing::dissect_frame(frame).stop.reason, StopReason::kMalformed) << code << " with " << length;
    }
  }
}

TEST(Roce, FlushTellsWhatAndHowFar) {
  const Buffer frame = testing::roce_frame(0x1C, 0x12, testing::hex("00000013 0000000000001000 00000022 00000040"));
  const Packet packet = testing::dissect_frame(frame);
  EXPECT_EQ(packet.roce.opcode->name(), "RC FLUSH");
  EXPECT_EQ(testing::value_of(packet, "infiniband.feth.sel")->meaning(), "whole memory region");
  EXPECT_EQ(testing::value_of(packet, "infiniband.feth.plt")->meaning(), "global visibility and persistence");
  EXPECT_EQ(packet.header<Reth>()->dma_length(), 0x40u);
  EXPECT_EQ(packet.roce.payload_length, 0u);
}

// --- Dynamically Connected transport ---

// dc_dc-small2, packets 1 and 3: a NAK with eight bytes of its own, and a connect.
TEST(DynamicallyConnected, NakSaysMoreThanItsAeth) {
  const Buffer frame = testing::roce_frame(0x51, 0x9035,
                                           testing::hex("10807ff4 00715004 0061e97d 0000c0de 00000000 64000000 "
                                                        "10000000 00000000"));
  const Packet packet = testing::dissect_frame(frame);
  EXPECT_EQ(packet.header<Aeth>()->kind(), AethKind::kNak);
  EXPECT_NE(packet.find(HeaderKind::kDcNak), nullptr);
  EXPECT_EQ(packet.roce.payload_length, 0u);
  EXPECT_EQ(packet.stop.reason, StopReason::kNone);
}

TEST(DynamicallyConnected, AcknowledgeAndANakWithoutMoreHaveNone) {
  for (const char* aeth : {"1f000000", "64000000"}) {
    Buffer after_bth = testing::hex("10807ff4 00715004 0061e97d 0000c0de 00000000");
    testing::append(after_bth, testing::hex(aeth));
    const Buffer frame = testing::roce_frame(0x51, 0x9035, after_bth);
    const Packet packet = testing::dissect_frame(frame);
    EXPECT_EQ(packet.find(HeaderKind::kDcNak), nullptr);
    EXPECT_EQ(packet.stop.reason, StopReason::kNone);
  }
}

TEST(DynamicallyConnected, ConnectCarriesTheAccessKey) {
  const Buffer frame = testing::roce_frame(0x55, 0xFFFFFF,
                                           testing::hex("11009035 00715004 00ffffff 0000c0de 00000000 20000000 "
                                                        "00000000 00000000 ffeeddcc"));
  const Packet packet = testing::dissect_frame(frame);
  EXPECT_EQ(packet.header<DcConnect>()->access_key(), 0xffeeddccu);
  EXPECT_EQ(packet.header<Dceth>()->src_qp(), Qpn(0x9035));
  EXPECT_EQ(packet.roce.payload_length, 0u);
}

/// Every packet of a capture whose source ports were rewritten reads whole and has a good ICRC with one of `ports`.
void expect_good_dc(const std::string& name, std::size_t packets, std::initializer_list<std::uint16_t> ports) {
  if (testing::extra_captures().empty()) GTEST_SKIP() << "ROCESCOPE_EXTRA_CAPTURES is not set";
  const testing::PcapBytes capture(testing::extra_captures() + "/" + name);
  ASSERT_EQ(capture.frames().size(), packets);
  for (const Frame& frame : capture.frames()) {
    Packet packet;
    dissect(frame, packet);
    ASSERT_EQ(packet.stop.reason, StopReason::kNone) << frame.number;
    EXPECT_EQ(packet.roce.opcode->transport, Transport::kDc);
    bool good = false;
    for (const std::uint16_t port : ports) good = good || check_icrc(packet, port).status == IcrcStatus::kGood;
    EXPECT_TRUE(good) << frame.number;
    if (!packet.roce.opcode->has_payload) {
      EXPECT_EQ(packet.roce.payload_length, 0u) << frame.number;
    }
    const auto reth = packet.header<Reth>();
    if (reth && packet.roce.opcode->position == Position::kOnly) {
      EXPECT_EQ(packet.roce.payload_length, reth->dma_length()) << frame.number;
    }
    const Position position = packet.roce.opcode->position;
    if (position == Position::kFirst || position == Position::kMiddle) {
      EXPECT_EQ(packet.roce.payload_length, 4096u);
    }
  }
}

TEST(DynamicallyConnected, SmallCaptureReadsWhole) {
  expect_good_dc("magnate3__linux-riscv-dev__dc_dc-small.pcap", 19, {0xF7FC, 0xD079});
}

TEST(DynamicallyConnected, SecondCaptureReadsWholeWithItsConnect) {
  expect_good_dc("magnate3__linux-riscv-dev__dc_dc-small2.pcap", 29, {0xF018});
}

}  // namespace
}  // namespace rocescope
