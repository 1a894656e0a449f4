// The small parts: payload, greeting, counters, summary.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/counters.hpp"
#include "core/greeting.hpp"
#include "core/payload.hpp"
#include "core/tally.hpp"

namespace rocescope::rdmagen {
namespace {

TEST(Payload, PatternTellsSideConnectionAndOffset) {
  Job job;
  job.connection = 2;
  job.connections = 3;
  std::vector<std::uint8_t> bytes(16, 0xee);
  PayloadStream(job, Side::kClient).fill(bytes, 0x1000);
  EXPECT_EQ(bytes, (std::vector<std::uint8_t>{'C', 2, 0, 0, 0, 0, 0x10, 0, 'C', 2, 0, 0, 0, 0, 0x10, 8}));
  PayloadStream(job, Side::kServer).fill(bytes, 0);
  EXPECT_EQ(bytes[0], 'S');
}

TEST(Payload, AnyPartOfTheStreamIsTheSameAsInTheWhole) {
  for (const Payload kind : {Payload::kPattern, Payload::kRandom, Payload::kZero}) {
    Job job;
    job.payload = kind;
    const PayloadStream stream(job, Side::kClient);
    std::vector<std::uint8_t> whole(100);
    stream.fill(whole, 0);
    for (std::size_t at = 0; at < whole.size(); ++at) {
      for (std::size_t length = 0; length <= whole.size() - at; ++length) {
        std::vector<std::uint8_t> part(length, 0xee);
        stream.fill(part, at);
        EXPECT_TRUE(std::equal(part.begin(), part.end(), whole.begin() + static_cast<std::ptrdiff_t>(at)));
      }
    }
  }
}

TEST(Payload, FirstDifferenceIsFound) {
  const PayloadStream stream(Job{}, Side::kClient);
  std::vector<std::uint8_t> bytes(10000);
  stream.fill(bytes, 3);
  EXPECT_EQ(stream.first_difference(bytes, 3), std::nullopt);
  bytes[7777] ^= 1;
  EXPECT_EQ(stream.first_difference(bytes, 3), 7777U);
  EXPECT_TRUE(stream.first_difference(bytes, 4).has_value());
}

TEST(Payload, RandomFollowsTheSeed) {
  Job job;
  job.payload = Payload::kRandom;
  Job other = job;
  other.seed = 2;
  std::vector<std::uint8_t> bytes(64);
  PayloadStream(job, Side::kClient).fill(bytes, 0);
  EXPECT_FALSE(PayloadStream(job, Side::kClient).first_difference(bytes, 0));
  EXPECT_TRUE(PayloadStream(other, Side::kClient).first_difference(bytes, 0));
  EXPECT_TRUE(PayloadStream(job, Side::kServer).first_difference(bytes, 0));
}

TEST(Greeting, LinesAreAsDocumented) {
  Greeting hello;
  hello.word = "exchange";
  hello.gid = "fd00::25";
  hello.qpn = 17;
  hello.job = Job{};
  EXPECT_EQ(to_line(hello),
            "rdmagen 1 exchange gid=fd00::25 qpn=17 "
            "job=01001000000000000001000100000000000000000000000000000000000000010010000100000000\n");
  EXPECT_EQ(to_line({.word = "ok"}), "rdmagen 1 ok\n");
  EXPECT_EQ(to_line({.word = "error", .why = "no such device"}), "rdmagen 1 error no such device\n");
}

TEST(Greeting, LinesAreReadBack) {
  Greeting hello;
  hello.word = "tcp";
  hello.job = Job{};
  for (const Greeting& greeting : {hello, Greeting{.word = "ok", .gid = "::ffff:192.168.2.24", .qpn = 18},
                                   Greeting{.word = "done"}, Greeting{.word = "error", .why = "why it is so"}}) {
    std::string line = to_line(greeting);
    line.pop_back();
    EXPECT_EQ(parse_greeting(line), greeting) << line;
  }
}

TEST(Greeting, AnythingElseIsNone) {
  for (const char* line : {"", "GET / HTTP/1.1", "rdmagen 2 ok", "rdmagen 1 ", "rdmagen 1 what", "rdmagen 1 exchange",
                           "rdmagen 1 ok qpn=16777216", "rdmagen 1 ok qpn=x", "rdmagen 1 tcp job=00",
                           "rdmagen 1 tcp job=zz", "rdmagen 1 ok extra"}) {
    EXPECT_EQ(parse_greeting(line), std::nullopt) << line;
  }
}

TEST(Counters, AreTheNumbersOfTheDirectory) {
  const std::filesystem::path directory = std::filesystem::temp_directory_path() / "rdmagen_counters_test";
  std::filesystem::create_directory(directory);
  std::ofstream(directory / "duplicate_request") << "3\n";
  std::ofstream(directory / "rcvd_pkts") << "18446744073709551615\n";
  std::ofstream(directory / "lifespan") << "10\n";
  std::ofstream(directory / "strange") << "10 apples\n";
  EXPECT_EQ(read_counters(directory), (Counters{{"duplicate_request", 3}, {"rcvd_pkts", 18446744073709551615U}}));
  std::filesystem::remove_all(directory);
  EXPECT_TRUE(read_counters(directory).empty());
  EXPECT_EQ(hw_counters_directory("rxe0", 1), "/sys/class/infiniband/rxe0/ports/1/hw_counters");
}

TEST(Tally, SummaryTellsTimeRateAndVerifiedBytes) {
  Tally tally;
  tally.start_ns = 1'000'000'000;
  tally.end_ns = 3'000'000'000;
  tally.operations = 100;
  tally.payload_bytes = 4 << 20;
  tally.verified_bytes = 123;
  EXPECT_EQ(summary(tally),
            "2.000 s, 2.00 MiB/s, 50 operations/s: 100 operations, 4194304 bytes, 123 bytes verified\n");
  EXPECT_TRUE(tally.good());
  tally.lost = 2;
  tally.as_asked = {"refused"};
  tally.errors = {"no answer"};
  EXPECT_EQ(summary(tally),
            "2.000 s, 2.00 MiB/s, 50 operations/s: 100 operations, 4194304 bytes, 123 bytes verified, 2 messages lost\n"
            "as asked for: refused\nerror: no answer\n");
  EXPECT_FALSE(tally.good());
}

TEST(Tally, OfSeveralConnectionsSpansThemAll) {
  Tally all;
  all.add({.start_ns = 20, .end_ns = 30, .operations = 1});
  all.add({.start_ns = 10, .end_ns = 25, .operations = 2, .errors = {"bad"}});
  EXPECT_EQ(all.start_ns, 10U);
  EXPECT_EQ(all.end_ns, 30U);
  EXPECT_EQ(all.operations, 3U);
  EXPECT_FALSE(all.good());
}

}  // namespace
}  // namespace rocescope::rdmagen
