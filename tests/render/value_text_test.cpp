#include "render/value_text.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>

#include <random>

#include "rocescope/text.hpp"
#include "support/hex.hpp"

namespace rocescope::render {
namespace {

std::string ipv6(const ByteArray<16>& address) {
  std::string text;
  append_ipv6(address, text);
  return text;
}

std::string ipv6_of_libc(const ByteArray<16>& address) {
  char text[INET6_ADDRSTRLEN];
  return ::inet_ntop(AF_INET6, address.data(), text, sizeof text);
}

TEST(AddressText, WritesIpv6AsLibcDoes) {
  std::mt19937 random(1);  // always the same addresses
  for (int i = 0; i < 100'000; ++i) {
    ByteArray<16> address;
    // Many zero bytes, so that runs of every length come up.
    for (std::uint8_t& byte : address) byte = random() % 3 == 0 ? static_cast<std::uint8_t>(random()) : std::uint8_t{0};
    if (random() % 16 == 0) std::fill_n(address.begin(), 10, std::uint8_t{0});
    if (random() % 16 == 0) address[10] = address[11] = 0xFF;
    ASSERT_EQ(ipv6(address), ipv6_of_libc(address));
  }
}

TEST(AddressText, ShowsEachKindOfAddressInItsOwnForm) {
  EXPECT_EQ(to_text(IpAddress::v4(ByteArray<4>{10, 0, 0, 1})), "10.0.0.1");
  EXPECT_EQ(to_text(IpAddress::lid(5)), "LID 5");
  EXPECT_EQ(to_text(IpAddress{}), "::");
  EXPECT_EQ(to_text(IpAddress::lid(5), Qpn(17)), "LID 5 0x000011");
  EXPECT_EQ(to_text(IpAddress::lid(5), std::nullopt), "LID 5");
}

std::string text(std::string_view bytes) {
  std::string out;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): char and uint8_t alias
  append_text({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, out);
  return out;
}

TEST(ValueText, EndsTextAtItsNul) { EXPECT_EQ(text(std::string_view("ab\0cd", 5)), "ab"); }

TEST(ValueText, KeepsUtf8AndReplacesWhatIsNone) {
  EXPECT_EQ(text("\xc3\xa4 \xf0\x9f\x90\x99"), "\xc3\xa4 \xf0\x9f\x90\x99");
  constexpr std::string_view kReplaced = "\xEF\xBF\xBD";
  EXPECT_EQ(text("\xff"), kReplaced);
  EXPECT_EQ(text("\xc3"), kReplaced);                                            // cut short
  EXPECT_EQ(text("\xc0\x80"), std::string(kReplaced) + std::string(kReplaced));  // NUL, longer than need be
  EXPECT_EQ(text("\xf5\x80\x80\x80").size(), 4 * kReplaced.size());              // above U+10FFFF
}

TEST(ValueText, LetsNoControlCharacterThrough) {
  EXPECT_EQ(text("\x1b[2J\r\n\x7f"), "\\x1b[2J\\r\\n\\x7f");
  EXPECT_EQ(text("\xc2\x9b"
                 "2J"),
            "\\x9b2J");  // U+009B, which terminals take for ESC [
}

std::string value(const Field& field, std::string_view hex) {
  const auto bytes = testing::hex(hex);
  FieldValue value;
  const Layer layer{.kind = HeaderKind::kPayload, .offset = 0, .length = static_cast<std::uint32_t>(bytes.size())};
  EXPECT_TRUE(read_field(field, bytes, layer, value));
  std::string out;
  append_value(value, out);
  return out;
}

TEST(ValueText, WritesEachTypeAsTsharkDoes) {
  EXPECT_EQ(value(field::number("n", "n", 0, 64), "ffffffffffffffff"), "18446744073709551615");
  EXPECT_EQ(value(field::hex("n", "n", 0, 24), "000011"), "0x000011");
  EXPECT_EQ(value(field::hex("n", "n", 4, 12).digits(4), "f0ff"), "0x00ff");
  EXPECT_EQ(value(field::flag("n", "n", 1), "40"), "1");
  EXPECT_EQ(value(field::bytes("n", "n", 0), "00ffa0"), "00ffa0");
  EXPECT_EQ(value(field::mac("n", "n", 0), "525400abcdef"), "52:54:00:ab:cd:ef");
  EXPECT_EQ(value(field::ipv4("n", "n", 0), "0a000001"), "10.0.0.1");
  EXPECT_EQ(value(field::ipv6("n", "n", 0), "00000000000000000000ffff0a000001"), "::ffff:10.0.0.1");
  EXPECT_EQ(value(field::text("n", "n", 0, 32), "61620000"), "ab");
}

}  // namespace
}  // namespace rocescope::render
