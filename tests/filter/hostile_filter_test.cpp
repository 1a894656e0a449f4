// Filters that nobody would write.
#include <chrono>
#include <iterator>
#include <random>

#include "filter_fixture.hpp"
#include "support/rounds.hpp"

namespace rocescope::filter {
namespace {

std::string repeated(std::string_view text, std::size_t times) {
  std::string result;
  for (std::size_t i = 0; i < times; ++i) result += text;
  return result;
}

TEST_F(Filters, ManyParenthesesAreAnErrorAndNoCrash) {
  const auto deep = compile(repeated("(", 100'000) + "ip" + repeated(")", 100'000));
  ASSERT_FALSE(deep);
  EXPECT_TRUE(deep.error().message.starts_with("parentheses nest more than 200 deep\n")) << deep.error().message;
  EXPECT_LT(deep.error().message.size(), 400u);
  EXPECT_FALSE(compile(repeated("max(", 100'000)));
  EXPECT_TRUE(passes(repeated("(", 200) + "ip" + repeated(")", 200)));
}

TEST_F(Filters, LengthAloneIsNoError) {
  EXPECT_TRUE(passes(repeated("not ", 100'000) + "ip"));
  EXPECT_TRUE(passes("ip" + repeated(" and ip", 5'000)));
  EXPECT_TRUE(passes("tcp" + repeated(" or tcp", 5'000) + " or ip"));
  EXPECT_TRUE(passes("udp.port in {" + repeated("1,", 20'000) + "4791}"));
  EXPECT_TRUE(passes("udp.srcport" + repeated(" == udp.dstport", 5'000)));
  EXPECT_TRUE(passes("eth.src[0:1" + repeated(",0:1", 100'000) + "]"));
}

TEST_F(Filters, PatternsThatNeverEndCountAsNotFound) {
  const std::vector<std::uint8_t> many(60'000, 'a');
  use(many);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_FALSE(passes("frame matches \"(a*)*b\""));
  EXPECT_FALSE(passes("frame matches \"(a|aa)+$b\""));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

TEST_F(Filters, ManyMasksSlicesAndFunctionsAreAnErrorAndNoCrash) {
  EXPECT_TRUE(passes("ip.ttl" + repeated(" & 0xff", 200)));
  EXPECT_FALSE(compile("ip.ttl" + repeated(" & 1", 100'000)));
  EXPECT_FALSE(compile("eth.src" + repeated("[0:1]", 100'000)));
  std::string mixed = "eth.src";
  for (int i = 0; i < 190; ++i) mixed = "(" + mixed + "[0:1][0:1])";
  const auto filter = compile(mixed);
  ASSERT_FALSE(filter);
  EXPECT_TRUE(filter.error().message.starts_with("more than 200 operations on one another\n"));
}

TEST_F(Filters, RandomWordsNeverCrash) {
  static constexpr std::string_view kWords[] = {"ip",
                                                "ip.src",
                                                "ip.addr",
                                                "udp.port",
                                                "frame",
                                                "frame.time",
                                                "frame.time_delta",
                                                "eth.src",
                                                "infiniband",
                                                "infiniband.bth.psn",
                                                "infiniband.bth.a",
                                                "infiniband.bth.opcode",
                                                "rocescope.src",
                                                "rocescope.transport",
                                                "rocescope.stop",
                                                "infiniband.payload",
                                                "==",
                                                "!=",
                                                "===",
                                                "~=",
                                                "<",
                                                "<=",
                                                "and",
                                                "or",
                                                "xor",
                                                "not",
                                                "!",
                                                "in",
                                                "contains",
                                                "matches",
                                                "&",
                                                "(",
                                                ")",
                                                "{",
                                                "}",
                                                ",",
                                                "..",
                                                "[0:2]",
                                                "[-1]",
                                                "[1-3,5]",
                                                "[",
                                                "]",
                                                "5",
                                                "-1",
                                                "0x1f",
                                                "1.5",
                                                "10.0.0.1",
                                                "10.0.0.0/8",
                                                "fe80::1",
                                                "aa:bb:cc:dd:ee:ff",
                                                "\"a\"",
                                                "r\"\\d+\"",
                                                "'x'",
                                                "\"2020-01-01\"",
                                                "len(",
                                                "count(",
                                                "max(",
                                                "string(",
                                                "upper(",
                                                "any",
                                                "all",
                                                "\"",
                                                "'",
                                                "\\",
                                                "\xFF",
                                                "\xC3\xA9",
                                                "#",
                                                "abs("};
  std::mt19937 random(4791);
  const auto pick = [&](std::size_t count) { return std::uniform_int_distribution<std::size_t>(0, count - 1)(random); };
  std::size_t valid = 0;
  for (std::uint32_t i = 0; i < testing::rounds(5'000); ++i) {
    std::string text;
    for (std::size_t words = 1 + pick(12); words > 0; --words) {
      text += kWords[pick(std::size(kWords))];
      if (pick(4) != 0) text += ' ';
    }
    use(pick(2) == 0 ? kDcWrite : kNak6);
    if (auto filter = compile(text)) {
      ++valid;
      static_cast<void>(filter->matches(record_));
    }
  }
  EXPECT_GT(valid, testing::rounds(50));
}

TEST_F(Filters, RandomBytesNeverCrash) {
  std::mt19937 random(1);
  std::uniform_int_distribution<int> byte(0, 255);
  for (std::uint32_t i = 0; i < testing::rounds(20'000); ++i) {
    std::string text = i % 2 == 0 ? "" : "frame contains \"";
    for (int length = byte(random) % 24; length > 0; --length) text += static_cast<char>(byte(random));
    if (auto filter = compile(text)) static_cast<void>(filter->matches(record_));
  }
}

TEST_F(Filters, CutPacketsAreReadWithinTheirBytes) {
  const auto filter = compile(
      "eth.src[0,5] == 00:00 or infiniband contains ff:ee:dd or udp matches \"zzz\" or ip[-4:] == 01:02:03:04 or "
      "rocescope.src == 1.2.3.4 or string(ip.dst) == \"x\" or frame[40:9] == 00 or len(infiniband) == 1000");
  ASSERT_TRUE(filter);
  for (std::size_t size = 0; size <= kDcWrite.size(); ++size) {
    const std::vector<std::uint8_t> cut(kDcWrite.begin(), kDcWrite.begin() + static_cast<std::ptrdiff_t>(size));
    use(cut);
    EXPECT_FALSE(filter->matches(record_)) << size;
  }
}

}  // namespace
}  // namespace rocescope::filter
