// Which hosts send packets whose ICRC is right.
#include "tracking/connections/icrc_senders.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

#include "rocescope/bytes.hpp"

namespace rocescope {
namespace {

Packet from(std::uint32_t number) {
  Packet packet;
  ByteArray<4> address;
  for (std::size_t i = 0; i < 4; ++i) address[i] = static_cast<std::uint8_t>(number >> (24 - 8 * i));
  packet.source = IpAddress::v4(address);
  return packet;
}

TEST(IcrcSenders, FindTheGoodHostAmongManyWithoutIcrcs) {
  IcrcSenders senders;
  constexpr std::uint32_t kMany = 60'000;
  const Packet good = from(kMany + 1);
  EXPECT_FALSE(senders.any_good(good, [](const IpAddress&) { return true; }));
  (void)senders.add_good(good);
  for (std::uint32_t i = 1; i <= kMany; ++i) senders.believe(from(i));
  std::size_t asked = 0;
  EXPECT_TRUE(senders.any_good(from(1), [&](const IpAddress& address) {
    ++asked;
    return address == good.source;
  }));
  EXPECT_EQ(asked, 1U);
}

TEST(IcrcSenders, AskOnlyForHostsOfTheSameOverlay) {
  IcrcSenders senders;
  Packet good = from(1);
  good.overlay_id = 7;
  (void)senders.add_good(good);
  EXPECT_FALSE(senders.any_good(from(2), [](const IpAddress&) { return true; }));
  EXPECT_TRUE(senders.any_good(good, [](const IpAddress&) { return true; }));
}

}  // namespace
}  // namespace rocescope
