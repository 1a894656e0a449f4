#include "core/options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "core/error.hpp"

namespace rocescope::rdmagen {
namespace {

Options parse(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return parse_options(words);
}

std::string complaint(const std::string& line) {
  try {
    parse(line);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Options, ClientHasHostAndWorkload) {
  const Options options = parse("client 192.168.2.24 --workload bulk --size 1M --chunk 4K --count 2");
  EXPECT_EQ(options.role, Side::kClient);
  EXPECT_EQ(options.host, "192.168.2.24");
  EXPECT_EQ(options.port, 18520);
  EXPECT_EQ(options.setup, Setup::kCm);
  EXPECT_EQ(options.job.workload, Workload::kBulk);
  EXPECT_EQ(options.job.size, 1U << 20U);
  EXPECT_EQ(options.job.chunk, 4096U);
  EXPECT_EQ(options.job.count, 2U);
}

TEST(Options, ServerNeedsNothing) {
  const Options options = parse("server");
  EXPECT_EQ(options.role, Side::kServer);
  EXPECT_FALSE(options.once);
  EXPECT_TRUE(parse("server --once --bind fd00::24 --truth t.ndjson").once);
}

TEST(Options, EverythingOfAConnectionCanBeChosen) {
  const Options options = parse(
      "client host --workload mixed --setup exchange --transport uc --operations send,write-imm --connections 2 --qps "
      "3 "
      "--depth 64 --signal-every 8 --inline 32 --payload random --seed 9 --lossy --psn 0xfffff0 --path-mtu 256 "
      "--traffic-class 106 --service-level 3 --ack-timeout 12 --retry-count 2 --rnr-retry 1 --min-rnr-timer 5 "
      "--gid-index 1 --device rxe0 --wait 3");
  const Job& job = options.job;
  EXPECT_EQ(options.setup, Setup::kExchange);
  EXPECT_EQ(job.transport, Transport::kUc);
  EXPECT_TRUE(job.operations.has(Operation::kSend));
  EXPECT_TRUE(job.operations.has(Operation::kWriteImm));
  EXPECT_FALSE(job.operations.has(Operation::kWrite));
  EXPECT_EQ(job.connections, 2);
  EXPECT_EQ(job.qps, 3);
  EXPECT_EQ(job.depth, 64);
  EXPECT_EQ(job.signal_every, 8);
  EXPECT_EQ(job.inline_bytes, 32);
  EXPECT_EQ(job.payload, Payload::kRandom);
  EXPECT_EQ(job.seed, 9U);
  EXPECT_TRUE(job.lossy);
  EXPECT_EQ(options.starting_psn, 0xfffff0U);
  EXPECT_EQ(options.path_mtu, 256U);
  EXPECT_EQ(options.traffic_class, 106);
  EXPECT_EQ(options.service_level, 3);
  EXPECT_EQ(options.ack_timeout, 12);
  EXPECT_EQ(options.retry_count, 2);
  EXPECT_EQ(options.rnr_retry, 1);
  EXPECT_EQ(options.min_rnr_timer, 5);
  EXPECT_EQ(options.gid_index, 1);
  EXPECT_EQ(options.device, "rxe0");
  EXPECT_EQ(options.wait_s, 3U);
}

TEST(Options, RnrFaultTriesAFewTimesOnly) {
  EXPECT_EQ(parse("client host --workload bulk").rnr_retry, 7);
  EXPECT_EQ(parse("client host --fault rnr").rnr_retry, 3);
  EXPECT_EQ(complaint("client host --fault rnr --rnr-retry 7"),
            "--rnr-retry 7 tries without end: --fault rnr needs 0 to 6");
}

TEST(Options, EveryWorkloadAndFaultIsKnownByName) {
  for (const std::string_view name : kWorkloadNames) {
    EXPECT_EQ(name_of(parse("client host --workload " + std::string(name)).job.workload), name);
  }
  for (const std::string_view name : std::span(kFaultNames).subspan(1)) {
    EXPECT_EQ(name_of(parse("client host --fault " + std::string(name)).job.fault), name);
  }
}

TEST(Options, ComplaintsSayWhatIsWrong) {
  EXPECT_EQ(complaint(""), "which side? rdmagen server, or rdmagen client HOST --workload NAME");
  EXPECT_EQ(complaint("peer"), "peer: it is server or client");
  EXPECT_EQ(complaint("client --workload bulk"), "which server? rdmagen client HOST --workload NAME");
  EXPECT_EQ(complaint("client host"), "what to do? Give --workload NAME or --fault NAME");
  EXPECT_EQ(complaint("client host --workload bulk --fault rnr"), "--fault comes in place of --workload");
  EXPECT_EQ(complaint("client host --workload bulky"),
            "--workload bulky: there is write-read, write-imm, param-server, inference-batch, mpi, bulk, tcp-bulk, "
            "pingpong, mixed");
  EXPECT_EQ(complaint("client host --workload bulk --size 4X"), "--size 4X: it is a size as 64, 4K, 1M or 1G");
  EXPECT_EQ(complaint("client host --workload bulk --retry-count 8"), "--retry-count 8: it is a number from 0 to 7");
  EXPECT_EQ(complaint("client host --workload bulk --retry-count -1"), "--retry-count -1: it is a number from 0 to 7");
  EXPECT_EQ(complaint("client host --workload bulk --setup exchange --psn 0x1000000"),
            "--psn 0x1000000: it is a number from 0 to 16777215");
  EXPECT_EQ(complaint("client host --workload bulk --psn 1"),
            "--psn: the communication manager decides this itself; use --setup exchange");
  EXPECT_EQ(complaint("client host --workload bulk --setup exchange --path-mtu 1500"),
            "--path-mtu 1500: there is 256, 512, 1024, 2048 and 4096");
  EXPECT_EQ(complaint("client host --workload mixed --operations send,sned"),
            "--operations send,sned: there is no operation sned");
  EXPECT_EQ(complaint("client host --workload mpi --transport ud"),
            "mpi needs READ, which only RC and XRC have: use --transport rc");
  EXPECT_EQ(complaint("server --workload bulk"), "--workload is not for the server");
  EXPECT_EQ(complaint("client host --workload bulk --once"), "--once is not for the client");
  EXPECT_EQ(complaint("server 192.168.2.24"), "192.168.2.24: the server takes no address here; use --bind");
  EXPECT_NE(complaint("client host --workloads bulk"), "");
}

TEST(Options, XrcIsConnectedByTheExchangeOnly) {
  const Options options = parse("client host --workload mixed --setup exchange --transport xrc --qps 2");
  EXPECT_EQ(options.job.transport, Transport::kXrc);
  EXPECT_EQ(complaint("client host --workload mixed --transport xrc"),
            "--transport xrc: the communication manager is not used for it; use --setup exchange");
  EXPECT_EQ(complaint("client host --workload mixed --setup exchange --transport xrd"),
            "--transport xrd: there is rc, uc, ud, xrc");
  EXPECT_EQ(complaint("client host --workload bulk --setup exchange --transport xrc --lossy"),
            "--lossy is for UC and UD: XRC loses nothing");
}

TEST(Options, SizesHaveUnitsOf1024) {
  EXPECT_EQ(parse_size("0"), 0U);
  EXPECT_EQ(parse_size("4096"), 4096U);
  EXPECT_EQ(parse_size("4K"), 4096U);
  EXPECT_EQ(parse_size("4k"), 4096U);
  EXPECT_EQ(parse_size("2MiB"), 2U << 20U);
  EXPECT_EQ(parse_size("1G"), 1U << 30U);
  for (const char* text : {"", "K", "4KB", "4.5K", "-1", "iB", "4 K", "99999999999999999999", "99999999999G"}) {
    EXPECT_EQ(parse_size(text), std::nullopt) << text;
  }
}

TEST(Options, HelpNamesEveryOption) {
  const std::string text = usage();
  for (const char* option :
       {"--workload", "--fault", "--setup", "--psn", "--path-mtu", "--truth", "--once", "--lossy"}) {
    EXPECT_THAT(text, ::testing::HasSubstr(option));
  }
}

}  // namespace
}  // namespace rocescope::rdmagen
