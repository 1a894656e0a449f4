// Addresses as text, and back. Expected texts: inet_ntop() and RFC 5952.
#include <gtest/gtest.h>

#include "rocescope/text.hpp"

namespace rocescope {
namespace {

TEST(ParseIpAddress, takes_ipv4_and_ipv6) {
  EXPECT_EQ(to_text(parse_ip_address("10.1.2.3").value()), "10.1.2.3");
  EXPECT_EQ(to_text(parse_ip_address("FE80:0::0001").value()), "fe80::1");
  EXPECT_EQ(parse_ip_address("::ffff:10.1.2.3"), parse_ip_address("10.1.2.3"));
}

TEST(ParseIpAddress, takes_nothing_else) {
  for (const std::string_view wrong :
       {"", "10.1.2", "10.1.2.256", "10.1.2.3/24", " ::1", "fe80::1%eth0", "::1::", "LID 5"})
    EXPECT_FALSE(parse_ip_address(wrong)) << wrong;
}

}  // namespace
}  // namespace rocescope
