// A packet to try filters on.
#pragma once

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "filter/filter.hpp"
#include "rocescope/dissect.hpp"
#include "rocescope/icrc.hpp"
#include "support/hex.hpp"

namespace rocescope::filter {

// dc_dc-small, packet 1: 10.22.116.220 > 10.22.116.221, DC RDMA WRITE Only of 8 bytes to queue pair 0x807fff, PSN 278780; the
// capture rewrote the source port to 4791.
inline const auto kDcWrite = testing::hex(R"(
  e8eb d358 a0bc 00b2 0037 c52c 0800 456a 0058 1083 4000 ff11 6cc2 0a16 74dc 0a16
  74dd 12b7 12b7 0044 0000 4a40 ffff 0080 7fff 8004 40fc 1100 9036 0071 5001 0061
  e24e 0000 c0dc 0000 0000 0000 7fb2 35d0 9a00 0005 3829 0000 0008 1e6f 083b 846c
  13c4 dbfa bbe5)");

// Ether()/IPv6(src="fe80::1", dst="::ffff:10.0.0.9")/UDP(sport=49152, dport=4791, chksum=0)/BTH(opcode="RC_ACKNOWLEDGE", dqpn=17,
// psn=0xffffff)/AETH(syndrome=0x63, msn=7): a NAK, remote operational error.
inline const auto kNak6 = testing::hex(R"(
  ffff ffff ffff 0000 0000 0000 86dd
  6000 0000 001c 1140 fe80 0000 0000 0000 0000 0000 0000 0001 0000 0000 0000 0000 0000 ffff 0a00 0009
  c000 12b7 001c 0000
  1100 ffff 0000 0011 00ff ffff
  6300 0007
  0102 0304)");

class Filters : public ::testing::Test {
 protected:
  Filters() { use(kDcWrite); }

  void use(const std::vector<std::uint8_t>& bytes) {
    const auto size = static_cast<std::uint32_t>(bytes.size());
    dissect({.data = bytes, .original_length = size, .timestamp = 1'500'000'000, .number = 7}, packet_);
    record_.packet = &packet_;
    record_.icrc = check_icrc(packet_);
  }

  /// Whether the packet passes; an error fails the test.
  bool passes(std::string_view text) {
    const auto filter = compile(text);
    if (!filter) {
      ADD_FAILURE() << filter.error().message;
      return false;
    }
    return filter->matches(record_);
  }

  Packet packet_;
  PacketRecord record_;
};

}  // namespace rocescope::filter
