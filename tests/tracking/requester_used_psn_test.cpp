// Other requests on PSNs that were used, on short sequences: faults of the sender, which the responder takes for duplicates.
#include <gmock/gmock.h>

#include "stream.hpp"

namespace rocescope {
namespace {

using testing::Stream;

TEST(RequesterUsedPsn, IsInsideARead) {
  Stream stream;  // the sender counts one PSN for the READ
  stream.play(R"(
     0 read     10 3072 = in_order
     9 r_first  10 1024 = response of 1
    10 r_middle 11 1024 = response of 1
    11 r_last   12 1024 = response of 1
    15 send     11 4    = used_psn of 1
    16 write    12 4    = used_psn of 1
    17 send     13 4    = in_order
    19 ack      12      = duplicate_ack of 1
    20 ack      13      = response of 7)");
  EXPECT_EQ(stream.requester.recovery(), nullptr);
  EXPECT_EQ(stream.requester.totals().troubles->resent_bytes, 0U);
  EXPECT_TRUE(stream.requester.conserves());
}

TEST(RequesterUsedPsn, IsAReadOfOtherMemory) {
  Stream stream;
  stream.read_offset = 7;
  stream.play("0 read 10 3072 = in_order");
  stream.read_offset = 9;
  stream.play("5 read 11 2048 = used_psn of 1");
  stream.read_offset = 8;
  stream.play("6 read 11 3072 = used_psn of 1");
  stream.play("7 read 11 2048 = retransmission implied_nak of 1");
}

TEST(RequesterUsedPsn, IsOfAnotherOpcodeOrLength) {
  Stream stream;
  stream.play(R"(
     0 s_first 10 1024 = in_order
     1 s_last  11 100  = in_order
     5 send    10 1020 = used_psn of 1
     6 s_last  11 96   = used_psn of 2
     9 ack     11      = response of 2)");
}

TEST(RequesterUsedPsn, IsNoneOfARetransmission) {
  Stream stream;
  stream.read_offset = 0;
  stream.play(R"(
       0 s_first  10 1024 = in_order
       1 s_last   11 100  = in_order
       2 read     12 3072 = in_order
       9 nak      10      = response after of 1)");
  stream.icrc_salt = 1;  // another P_Key, AckReq or source port
  stream.play(R"(
      20 s_first  10 1024 = retransmission nak after of 1 by 4
      21 s_last   11 100  = retransmission nak of 2 by 4
      22 read     12 3072 = retransmission nak of 3 by 4
      30 r_first  12 1024 = response of 3)");
  stream.read_offset = 1;
  stream.play("20000 read 13 2048 = retransmission timeout of 3");
  stream.read_offset = 2;
  stream.play("20001 read 14 1024 = retransmission implied_nak of 3");
}

TEST(RequesterUsedPsn, AfterALongSilenceMayBeOfAnotherConnection) {
  Stream stream;
  stream.play(R"(
          0 read     10 3072 = in_order
          9 r_first  10 1024 = response of 1
         10 r_middle 11 1024 = response of 1
         11 r_last   12 1024 = response of 1)");
  stream.play("200011 send 11 4 = retransmission ack_lost of 1");
}

TEST(RequesterUsedPsn, IsNoneWhereMissedReadsHideThePathMtu) {
  Stream stream(0);  // 1024, and the READs of 26 and 42 were missed
  stream.play(R"(
     0 read 10 8192 = in_order
     1 read 18 8192 = in_order
     2 read 34 8192 = in_order
     3 read 50 8192 = in_order
     4 read 58 8192 = in_order)");
}

}  // namespace
}  // namespace rocescope
