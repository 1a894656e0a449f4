// Numbers, times and addresses as users write them.
#include "cli/values.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>
#include <sstream>
#include <string>
#include <string_view>

#include "support/durations.hpp"

namespace rocescope::cli {
namespace {

TEST(ParseNumber, takes_decimal_and_hexadecimal_up_to_the_limit) {
  EXPECT_EQ(parse_number("0", 10), 0U);
  EXPECT_EQ(parse_number("10", 10), 10U);
  EXPECT_EQ(parse_number("0xA", 10), 10U);
  EXPECT_EQ(parse_number("0Xffffffffffffffff", UINT64_MAX), UINT64_MAX);
  for (const std::string_view wrong : {"11", "", "0x", "-1", "+1", " 1", "1 ", "1.0", "ten", "18446744073709551616"}) {
    EXPECT_EQ(parse_number(wrong, 10), std::nullopt) << wrong;
  }
}

TEST(ParseTime, takes_seconds_since_1970_with_any_fraction) {
  EXPECT_EQ(parse_time("0"), 0);
  EXPECT_EQ(parse_time("1795196405.657126"), 1795196405 * kSecond + 657126000);
  EXPECT_EQ(parse_time("1.000000001"), kSecond + 1);
  EXPECT_EQ(parse_time("1.0000000019"), kSecond + 1) << "what is finer than a nanosecond is dropped";
  EXPECT_EQ(parse_time("-1.5"), -kSecond - kSecond / 2);
}

// Seconds are those of `date -u -d ... +%s`.
TEST(ParseTime, takes_iso_8601_with_a_zone) {
  EXPECT_EQ(parse_time("2026-11-20T17:40:05Z"), 1795196405 * kSecond);
  EXPECT_EQ(parse_time("2026-11-20T17:40:05.657126Z"), 1795196405 * kSecond + 657126000);
  EXPECT_EQ(parse_time("2026-11-20 17:40:05,5Z"), 1795196405 * kSecond + kSecond / 2);
  EXPECT_EQ(parse_time("2026-11-20T18:40:05+01:00"), 1795196405 * kSecond);
  EXPECT_EQ(parse_time("2026-11-20T18:40:05+01"), 1795196405 * kSecond);
  EXPECT_EQ(parse_time("2026-11-20T12:10:05-0530"), 1795196405 * kSecond);
  EXPECT_EQ(parse_time("2024-02-29T00:00Z"), 1709164800 * kSecond);
  EXPECT_EQ(parse_time("1969-12-31T23:59:59Z"), -kSecond);
}

TEST(ParseTime, takes_iso_8601_without_a_zone_as_local_time) {
  ::setenv("TZ", "Europe/Berlin", 1);
  ::tzset();
  EXPECT_EQ(parse_time("2026-11-20T18:40:05"), 1795196405 * kSecond);
  EXPECT_EQ(parse_time("2026-11-20"), 1795129200 * kSecond);
  EXPECT_EQ(parse_time("2026-07-01 12:00"), 1782900000 * kSecond) << "in summer the zone has another offset";
  ::unsetenv("TZ");
  ::tzset();
}

TEST(ParseTime, refuses_what_is_no_time) {
  EXPECT_EQ(parse_time(""), std::nullopt);
  std::istringstream list(
      ".|1.|x|0x10|1e9|9223372037|2026-11|2026-13-01|2026-00-01|2026-02-30|2025-02-29|2026-11-20T|"
      "2026-11-20T1|2026-11-20T24:00|2026-11-20T10:60|2026-11-20T10:00:61|2026-11-20T10:00:00.|"
      "2026-11-20T10:00:00.Z|2026-11-20T10:00Q|2026-11-20T10:00+|2026-11-20T10:00+1|2026-11-20T10:00+01:|"
      "2026-11-20T10:00+15:00|2026-11-20T10:00Z |20261120T100000Z|1600-01-01|2300-01-01");
  for (std::string wrong; std::getline(list, wrong, '|');) EXPECT_EQ(parse_time(wrong), std::nullopt) << wrong;
}

TEST(ParseMoment, takes_what_parse_time_takes) {
  const std::optional<Moment> moment = parse_moment("1.5");
  ASSERT_TRUE(moment);
  EXPECT_FALSE(moment->since_start);
  EXPECT_EQ(moment->absolute(77), kSecond + kSecond / 2);
}

TEST(ParseMoment, takes_times_since_the_start_of_the_capture) {
  const auto after = [](std::string_view text) -> std::optional<std::int64_t> {
    const std::optional<Moment> moment = parse_moment(text);
    if (!moment || !moment->since_start) return std::nullopt;
    return moment->absolute(1000);
  };
  EXPECT_EQ(after("+0"), 1000);
  EXPECT_EQ(after("+3.4"), 1000 + 3 * kSecond + 400'000'000);
  EXPECT_EQ(after("+3.4s"), 1000 + 3 * kSecond + 400'000'000);
  EXPECT_EQ(after("+250 us"), 251'000);
  EXPECT_EQ(after("+864000"), 1000 + 864'000 * kSecond);
  for (const std::string_view wrong : {"+", "+-1", "++1", "+1.", "+x", "+0x10", "+2026-11-20", "+99999999999999"}) {
    EXPECT_FALSE(parse_moment(wrong)) << wrong;
  }
  EXPECT_EQ(parse_moment("+9000000000")->absolute(INT64_MAX - 1), INT64_MAX) << "of a hostile capture";
}

IpAddress address(std::string_view text) { return parse_address(text)->address; }

TEST(ParseAddress, takes_addresses_and_prefixes) {
  const AddressPrefix host = *parse_address("10.1.2.3");
  EXPECT_EQ(host.bits, 128);
  EXPECT_TRUE(host.address.is_v4());
  EXPECT_TRUE(host.contains(address("10.1.2.3")));
  EXPECT_FALSE(host.contains(address("10.1.2.2")));

  const AddressPrefix net = *parse_address("10.1.2.0/23");
  EXPECT_TRUE(net.contains(address("10.1.3.255")));
  EXPECT_FALSE(net.contains(address("10.1.4.0")));
  EXPECT_FALSE(net.contains(address("::10.1.2.0")));

  const AddressPrefix local = *parse_address("fe80::/10");
  EXPECT_TRUE(local.contains(address("febf::1")));
  EXPECT_FALSE(local.contains(address("fec0::1")));

  EXPECT_TRUE(parse_address("0.0.0.0/0")->contains(address("255.255.255.255")));
  EXPECT_FALSE(parse_address("0.0.0.0/0")->contains(address("fe80::1")));
  EXPECT_FALSE(parse_address("::/0")->contains(address("1.2.3.4")));
  EXPECT_TRUE(parse_address("::/0")->contains(address("::")));
  EXPECT_TRUE(parse_address("::ffff:0:0/96")->contains(address("1.2.3.4")));
}

TEST(ParseAddress, refuses_what_is_no_address) {
  for (const std::string_view wrong : {"", "10.0.0", "10.0.0.256", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/0x8", "::/129",
                                       "fe80::1%eth0", "host", "1.2.3.4/24/8"}) {
    EXPECT_FALSE(parse_address(wrong).has_value()) << wrong;
  }
}

TEST(Durations, HaveUnits) {
  EXPECT_EQ(parse_duration("10ms"), 10'000'000);
  EXPECT_EQ(parse_duration("0.5 us"), 500);
  EXPECT_EQ(parse_duration("1.5"), 1'500'000'000);
  EXPECT_EQ(parse_duration(".25s"), 250'000'000);
  EXPECT_EQ(parse_duration("7ns"), 7);
  EXPECT_EQ(parse_duration("86400s"), 86'400'000'000'000);
  for (const char* wrong : {"", "s", "ms", "0", "0.0ms", "-1ms", "1.", "1e3", "0x10", "86401", "1.2.3", "10 m", "1 min",
                            "99999999999999999999"}) {
    EXPECT_FALSE(parse_duration(wrong)) << wrong;
  }
}

TEST(BitRates, HavePrefixes) {
  EXPECT_EQ(parse_bit_rate("100G"), 100'000'000'000U);
  EXPECT_EQ(parse_bit_rate("2.5Gb/s"), 2'500'000'000U);
  EXPECT_EQ(parse_bit_rate("400000 Mbit/s"), 400'000'000'000U);
  EXPECT_EQ(parse_bit_rate("9600"), 9600U);
  for (const char* wrong : {"", "G", "0", "-1G", "100X", "11T", "0x64G"}) EXPECT_FALSE(parse_bit_rate(wrong)) << wrong;
}

}  // namespace
}  // namespace rocescope::cli
