// The maker of a capture chooses its addresses: none of them may make all flows collide.
#include "tracking/connections/flow_key.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <vector>

namespace rocescope {
namespace {

IpAddress address_of(std::uint64_t high, std::uint64_t low) {
  IpAddress address;
  std::memcpy(address.bytes.data(), &high, sizeof high);
  std::memcpy(address.bytes.data() + sizeof high, &low, sizeof low);
  return address;
}

/// What a hash might give special treatment: none, all, and the constants that its code has or had.
constexpr std::uint64_t kHalves[] = {0,
                                     ~std::uint64_t{0},
                                     0x9E3779B97F4A7C15U,
                                     0xD6E8FEB86659FD93U,
                                     0xA0761D6478BD642FU,
                                     0xE7037ED1A0B428DBU,
                                     0x8EBC6AF09C88C6E3U};
constexpr std::uint64_t kKeys = 2000;

/// Of so many keys hardly two have the same 32 bits, by which tables find them.
void expect_apart(const std::vector<FlowKey>& keys) {
  std::set<std::uint32_t> hashes;
  for (const FlowKey& key : keys) hashes.insert(static_cast<std::uint32_t>(FlowKeyHash{}(key)));
  EXPECT_GE(hashes.size(), keys.size() - 3);
}

TEST(FlowKeyHash, TellsFlowsApartByEachPartOfTheirKeys) {
  for (const std::uint64_t same : kHalves) {
    std::vector<std::vector<FlowKey>> keys(6);
    for (std::uint64_t i = 0; i < kKeys; ++i) {
      const IpAddress fixed = address_of(same, same);
      keys[0].push_back({address_of(i, same), fixed, Qpn(1), 0});
      keys[1].push_back({address_of(same, i), fixed, Qpn(1), 0});
      keys[2].push_back({fixed, address_of(i, same), Qpn(1), 0});
      keys[3].push_back({fixed, address_of(same, i), Qpn(1), 0});
      keys[4].push_back({fixed, fixed, Qpn(static_cast<std::uint32_t>(i)), 0});
      keys[5].push_back({fixed, fixed, Qpn(1), static_cast<std::uint32_t>(i)});
    }
    for (const std::vector<FlowKey>& each : keys) expect_apart(each);
  }
}

}  // namespace
}  // namespace rocescope
