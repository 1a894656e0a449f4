// Errors, word for word.
#include "filter_fixture.hpp"

namespace rocescope::filter {
namespace {

std::string error_of(std::string_view text) {
  const auto filter = compile(text);
  return filter ? std::string("no error") : filter.error().message;
}

TEST(FilterErrors, UnknownFieldsComeWithTheNearest) {
  EXPECT_EQ(error_of("infiniband.bth.pns == 4"),
            "unknown field infiniband.bth.pns; did you mean infiniband.bth.psn?\n"
            "    infiniband.bth.pns == 4\n"
            "    ^~~~~~~~~~~~~~~~~~");
  EXPECT_EQ(error_of("ip and quite.another.thing"),
            "unknown field quite.another.thing. To list the fields: rocescope fields\n"
            "    ip and quite.another.thing\n"
            "           ^~~~~~~~~~~~~~~~~~~");
}

TEST(FilterErrors, TypesAreNamed) {
  EXPECT_EQ(error_of("eth.src == 5"),
            "eth.src is a MAC address; `5` is not one\n"
            "    eth.src == 5\n"
            "               ^");
  EXPECT_EQ(error_of("ip.src == \"10.0.0.1\""),
            "ip.src is an IPv4 address; \"10.0.0.1\" is not one; addresses stand without quotes\n"
            "    ip.src == \"10.0.0.1\"\n"
            "              ^~~~~~~~~~");
  EXPECT_EQ(error_of("rocescope.src == abc"),
            "rocescope.src is an IPv4 address, an IPv6 address or an unsigned number; `abc` is none of these\n"
            "    rocescope.src == abc\n"
            "                     ^~~");
  EXPECT_EQ(error_of("ip.src == udp.srcport"),
            "ip.src is an IPv4 address and udp.srcport is an unsigned number: they cannot be compared\n"
            "    ip.src == udp.srcport\n"
            "              ^~~~~~~~~~~");
  EXPECT_EQ(error_of("frame.time > 5"),
            "frame.time is a date and time; `5` is not one: \"2026-11-20 18:15:44.5\" or "
            "\"Nov 20, 2026 18:15:44.5\"\n"
            "    frame.time > 5\n"
            "                 ^");
}

TEST(FilterErrors, RangesOfValuesAreNamed) {
  EXPECT_EQ(error_of("udp.port == 70000"),
            "udp.port is at most 65535; `70000` is larger\n"
            "    udp.port == 70000\n"
            "                ^~~~~");
  EXPECT_EQ(error_of("infiniband.bth.psn > -1"),
            "infiniband.bth.psn is never negative\n"
            "    infiniband.bth.psn > -1\n"
            "                         ^~");
  EXPECT_EQ(error_of("ip.src == 10.0.0.0/33"),
            "an IPv4 address has a prefix of 0 to 32 bits, not `/33`\n"
            "    ip.src == 10.0.0.0/33\n"
            "              ^~~~~~~~~~~");
}

TEST(FilterErrors, SyntaxErrorsPointAtThePlace) {
  EXPECT_EQ(error_of("ip and"),
            "the filter ends too early\n"
            "    ip and\n"
            "          ^");
  EXPECT_EQ(error_of("ip udp"),
            "`udp` cannot stand here\n"
            "    ip udp\n"
            "       ^~~");
  EXPECT_EQ(error_of("frame.number = 4"),
            "`=` is no operator; equality is `==`\n"
            "    frame.number = 4\n"
            "                 ^");
  EXPECT_EQ(error_of("ip AND udp"),
            "`AND` is written in small letters\n"
            "    ip AND udp\n"
            "       ^~~");
  EXPECT_EQ(error_of("udp.port in 4791"),
            "`in` needs a set: {1, 5, 10..20}\n"
            "    udp.port in 4791\n"
            "                ^~~~");
  EXPECT_EQ(error_of("4791 == udp.port"),
            "a field, header or function must stand here, not a value\n"
            "    4791 == udp.port\n"
            "    ^~~~");
  EXPECT_EQ(error_of("frame contains \"\\q\""),
            "`\\q` is no escape sequence; a backslash is written `\\\\`, or the string r\"...\"\n"
            "    frame contains \"\\q\"\n"
            "                    ^~");
  EXPECT_EQ(error_of("frame matches \"(\""),
            "missing closing parenthesis at offset 1 of the pattern\n"
            "    frame matches \"(\"\n"
            "                  ^~~");
  EXPECT_EQ(error_of("eth.src[2-1] == 00"),
            "2 lies behind 1\n"
            "    eth.src[2-1] == 00\n"
            "           ^~~~~");
  EXPECT_EQ(error_of("size(udp) == 8"),
            "there is no function size; there are len, count, upper, lower, string, max, min, abs\n"
            "    size(udp) == 8\n"
            "    ^~~~");
}

TEST(FilterErrors, CaretStandsUnderThePlaceWhateverIsBeforeIt) {
  EXPECT_EQ(error_of("ip and\n\tudp.prot"),
            "unknown field udp.prot; did you mean udp.port?\n"
            "    ip and  udp.prot\n"
            "            ^~~~~~~~");
  EXPECT_EQ(error_of("rocescope.src == 1 and frame contains \"\xC3\xA9t\xC3\xA9\" @"),
            "`@` means nothing here\n"
            "    rocescope.src == 1 and frame contains \"\xC3\xA9t\xC3\xA9\" @\n"
            "                                                ^");
}

TEST(FilterErrors, LongFiltersAreShownInPart) {
  std::string text = "udp.port == 1";
  for (int i = 0; i < 20; ++i) text += " or udp.port == 1";
  text += " or udp.prot == 1";
  for (int i = 0; i < 20; ++i) text += " or udp.port == 1";
  EXPECT_EQ(error_of(text),
            "unknown field udp.prot; did you mean udp.port?\n"
            "    ... == 1 or udp.port == 1 or udp.port == 1 or udp.port == 1 or udp.prot == 1 or udp.port == 1 or "
            "udp.port == 1 or udp.port == 1 or ...\n"
            "                                                                   ^~~~~~~~");
}

}  // namespace
}  // namespace rocescope::filter
