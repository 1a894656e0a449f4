#include <gmock/gmock.h>

#include "analysis/capture_counter.hpp"
#include "analysis/icrc_counter.hpp"
#include "analysis/operation_counter.hpp"
#include "analysis/stop_counter.hpp"
#include "support/recorded.hpp"

namespace rocescope {
namespace {

using testing::Buffer;
using testing::hex;
using testing::Recorded;
using testing::roce_packet;

const Buffer kArp = hex("ffffffffffff 020000000001 0806 0001080006040001 020000000001 0a000001 000000000000 0a000002");

TEST(CaptureCounter, CountsPacketsBytesAndTimes) {
  CaptureCounter counter;
  Recorded roce(roce_packet({}), 3'000'000'000);
  Recorded arp(kArp, 1'000'000'000);
  counter.add(roce.record());
  counter.add(arp.record());
  const CaptureTotals& totals = counter.totals();
  EXPECT_EQ(totals.traffic.packets, 2u);
  EXPECT_EQ(totals.traffic.bytes, 58u + 42);
  EXPECT_EQ(totals.captured_bytes, 58u + 42);
  EXPECT_EQ(totals.roce.packets, 1u);
  EXPECT_EQ(totals.roce.bytes, 58u);
  EXPECT_EQ(totals.first_time, 1'000'000'000);
  EXPECT_EQ(totals.last_time, 3'000'000'000);
  EXPECT_EQ(totals.duration(), 2'000'000'000u);
  EXPECT_EQ(totals.out_of_order_packets, 1u);
  EXPECT_EQ(totals.cut_packets, 0u);
}

TEST(CaptureCounter, KnowsACutPacketByItsOwnLengthWhenTheOriginalLengthWasCutToo) {
  CaptureCounter counter;
  Buffer frame = roce_packet({.after_bth = Buffer(100)});
  frame.resize(80);  // Recorded gives 80 as the original length
  Recorded recorded(frame);
  counter.add(recorded.record());
  EXPECT_EQ(counter.totals().cut_packets, 1u);
  EXPECT_EQ(counter.totals().captured_bytes, 80u);
  EXPECT_EQ(counter.totals().traffic.bytes, 158u);
}

TEST(CaptureCounter, StandsTimesThatLieAsFarApartAsTheyCan) {
  CaptureCounter counter;
  Recorded early(kArp, INT64_MIN);
  Recorded late(kArp, INT64_MAX);
  counter.add(late.record());
  counter.add(early.record());
  EXPECT_EQ(counter.totals().duration(), UINT64_MAX);
}

TEST(OperationCounter, CountsByOpcodeSortedByTransport) {
  OperationCounter counter;
  Recorded ud(roce_packet({.opcode = 0x64, .after_bth = hex("80010000 00000001 aabbccdd")}));
  Recorded send(roce_packet({.after_bth = hex("aabbccdd aabbccdd")}));
  Recorded arp(kArp);
  counter.add(ud.record());
  counter.add(send.record());
  counter.add(send.record());
  counter.add(arp.record());
  const std::vector<OperationCount> counts = counter.counts();
  ASSERT_EQ(counts.size(), 2u);
  EXPECT_EQ(counts[0].opcode->name(), "RC SEND Only");
  EXPECT_EQ(counts[0].traffic.packets, 2u);
  EXPECT_EQ(counts[0].traffic.bytes, 2u * 66);
  EXPECT_EQ(counts[0].payload_bytes, 16u);
  EXPECT_EQ(counts[1].opcode->name(), "UD SEND Only");
  EXPECT_EQ(counts[1].payload_bytes, 4u);
}

TEST(IcrcCounter, KeepsBadAndUnverifiableApart) {
  IcrcCounter counter;
  Recorded recorded(roce_packet({}));
  const auto add = [&](IcrcStatus status, StopReason obstacle = StopReason::kNone) {
    recorded.record().icrc.status = status;
    recorded.record().icrc.obstacle = obstacle;
    counter.add(recorded.record());
  };
  add(IcrcStatus::kGood);
  add(IcrcStatus::kBad);
  add(IcrcStatus::kUnverifiable, StopReason::kTruncated);
  add(IcrcStatus::kUnverifiable, StopReason::kFragment);
  add(IcrcStatus::kUnverifiable, StopReason::kTruncated);
  recorded.record().true_source_port = 0xF7FC;
  add(IcrcStatus::kGood);
  const IcrcTotals& totals = counter.totals();
  EXPECT_EQ(totals.good, 2u);
  EXPECT_EQ(totals.bad, 1u);
  EXPECT_EQ(totals.rewritten, 1u);
  ASSERT_EQ(totals.unverifiable.size(), 2u);
  EXPECT_EQ(totals.unverifiable[0].reason, StopReason::kTruncated);
  EXPECT_EQ(totals.unverifiable[0].packets, 2u);
  EXPECT_EQ(totals.unverifiable[1].reason, StopReason::kFragment);
  EXPECT_EQ(totals.unverifiable[1].packets, 1u);
}

TEST(StopCounter, CountsByReasonAndHeaderAndRemembersTheFirstPacket) {
  StopCounter counter;
  Buffer cut = roce_packet({.after_bth = Buffer(100)});
  cut.resize(80);
  Buffer malformed = roce_packet({});
  malformed[38] = 0;
  malformed[39] = 10;  // the UDP length leaves no room for a BTH
  Recorded whole(roce_packet({}), 0, 1);
  Recorded second(malformed, 0, 2);
  Recorded third(cut, 0, 3);
  Recorded fourth(cut, 0, 4);
  for (Recorded* recorded : {&whole, &second, &third, &fourth}) counter.add(recorded->record());
  const std::vector<StopCount> counts = counter.counts();
  ASSERT_EQ(counts.size(), 2u);
  EXPECT_EQ(counts[0].reason, StopReason::kTruncated);
  EXPECT_EQ(counts[0].layer, HeaderKind::kPayload);
  EXPECT_EQ(counts[0].packets, 2u);
  EXPECT_EQ(counts[0].first_packet, 3u);
  EXPECT_EQ(counts[1].reason, StopReason::kMalformed);
  EXPECT_EQ(counts[1].layer, HeaderKind::kBth);
  EXPECT_EQ(counts[1].first_packet, 2u);
}

}  // namespace
}  // namespace rocescope
