#include "core/job.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "core/private_data.hpp"

namespace rocescope::rdmagen {
namespace {

Job some_job() {
  Job job;
  job.workload = Workload::kMixed;
  job.transport = Transport::kUc;
  job.fault = Fault::kReject;
  job.payload = Payload::kRandom;
  job.lossy = true;
  job.run_id = 0x01020304;
  job.connection = 1;
  job.connections = 2;
  job.qp = 3;
  job.qps = 4;
  job.size = 0x1112131415161718;
  job.chunk = 0x21222324;
  job.count = 0x31323334;
  job.seed = 0x41424344;
  job.depth = 0x5152;
  job.signal_every = 0x6162;
  job.operations.add(Operation::kSend);
  job.operations.add(Operation::kFlush);
  job.inline_bytes = 0x7172;
  return job;
}

// By the table at the top of job.hpp.
const std::vector<std::uint8_t> kSomeJobBytes{
    0x01, 0x08, 0x2a, 0x11,                          // version, workload, transport and fault, payload and flags
    0x01, 0x02, 0x03, 0x04, 0x01, 0x02, 0x03, 0x04,  // run ID; connection, connections, QP, QPs
    0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18,  // size
    0x21, 0x22, 0x23, 0x24, 0x31, 0x32, 0x33, 0x34,  // chunk, count
    0x41, 0x42, 0x43, 0x44, 0x51, 0x52, 0x61, 0x62,  // seed, depth, signal every
    0x02, 0x01, 0x71, 0x72,                          // operations, inline bytes
};

TEST(Job, IsWrittenAsItsTableSays) {
  const auto bytes = encode(some_job());
  EXPECT_EQ(std::vector(bytes.begin(), bytes.end()), kSomeJobBytes);
}

TEST(Job, IsReadAsItsTableSays) { EXPECT_EQ(decode_job(kSomeJobBytes), some_job()); }

TEST(Job, XrcIsTransportFour) {
  Job job = some_job();
  job.transport = Transport::kXrc;
  EXPECT_EQ(encode(job)[2], 0x4a);
  EXPECT_EQ(decode_job(encode(job)), job);
}

TEST(Job, CutShortIsNone) {
  for (std::size_t size = 0; size < kJobBytes; ++size) {
    EXPECT_EQ(decode_job(std::span(kSomeJobBytes).first(size)), std::nullopt) << size;
  }
}

TEST(Job, OutOfRangeIsNone) {
  struct Damage {
    std::size_t at;
    std::uint8_t value;
  };
  // Another version; no such workload, transport, fault, payload; connection 2 of 2; QP 4 of 4.
  for (const Damage damage : {Damage{0, 2}, {1, 9}, {2, 0x0a}, {2, 0x5a}, {2, 0x2b}, {3, 0x31}, {8, 2}, {10, 4}}) {
    std::vector<std::uint8_t> bytes = kSomeJobBytes;
    bytes[damage.at] = damage.value;
    EXPECT_EQ(decode_job(bytes), std::nullopt) << damage.at;
  }
}

TEST(PrivateData, RegionIsAddressKeyLength) {
  const RemoteRegion region{0x1122334455667788, 0x99aabbcc, 0xddeeff00};
  const std::vector<std::uint8_t> bytes{0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88,
                                        0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff, 0x00};
  const auto written = encode(region);
  EXPECT_EQ(std::vector(written.begin(), written.end()), bytes);
  EXPECT_EQ(decode_region(bytes), region);
  EXPECT_EQ(decode_region(std::span(bytes).first(15)), std::nullopt);
}

TEST(PrivateData, RequestFillsWhatTheIpServiceLeaves) {
  const RemoteRegion region{1, 2, 3};
  const auto bytes = encode_req(some_job(), region);
  EXPECT_EQ(bytes.size(), 56U);
  const auto read = decode_req(bytes);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->first, some_job());
  EXPECT_EQ(read->second, region);
}

}  // namespace
}  // namespace rocescope::rdmagen
