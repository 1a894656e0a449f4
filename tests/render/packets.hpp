// Packets that the captures lack, made with scapy 2.5 and scapy.contrib.roce, which computes the ICRC on IPv4:
//
//   L = Ether(dst='02:00:00:00:00:02', src='02:00:00:00:00:01')
//   def roce(bth, rest=b'', ip=IP(src='10.0.0.1', dst='10.0.0.2', id=0, flags='DF'), l2=L):
//       return bytes(l2 / ip / UDP(sport=49152, dport=4791, chksum=0) / bth / Raw(rest))
#pragma once

#include "hex.hpp"

namespace rocescope::render {

// roce(BTH(opcode=0x11, dqpn=0x11, psn=802345), bytes.fromhex('62000003'))
inline const auto kNakRemoteAccess = testing::hex(R"(
  0200 0000 0002 0200 0000 0001 0800 4500 0030 0000 4000 4011 26bb 0a00 0001 0a00 0002 c000 12b7 001c 0000 1100 ffff 0000 0011 000c
  3e29 6200 0003 2654 0472)");

// roce(BTH(opcode=0x11, dqpn=0x11, psn=802346), bytes.fromhex('2c000003'))
inline const auto kRnrNak = testing::hex(R"(
  0200 0000 0002 0200 0000 0001 0800 4500 0030 0000 4000 4011 26bb 0a00 0001 0a00 0002 c000 12b7 001c 0000 1100 ffff 0000 0011 000c
  3e2a 2c00 0003 f801 6f4e)");

// roce(BTH(opcode=0x11, dqpn=0x11, psn=802347), bytes.fromhex('05000004'))
inline const auto kAckWithCredits = testing::hex(R"(
  0200 0000 0002 0200 0000 0001 0800 4500 0030 0000 4000 4011 26bb 0a00 0001 0a00 0002 c000 12b7 001c 0000 1100 ffff 0000 0011 000c
  3e2b 0500 0004 5f5d 5130)");

// roce(BTH(opcode=0x13, dqpn=0x12, psn=7), struct.pack('>QIQQ', 0x1000, 0x99, 2**64 - 1, 1))
inline const auto kCmpSwap = testing::hex(R"(
  0200 0000 0002 0200 0000 0001 0800 4500 0048 0000 4000 4011 26a3 0a00 0001 0a00 0002 c000 12b7 0034 0000 1300 ffff 0000 0012 0000
  0007 0000 0000 0000 1000 0000 0099 ffff ffff ffff ffff 0000 0000 0000 0001 2294 453d)");

// roce(BTH(opcode=0x0B, dqpn=0x12, psn=101, padcount=3), struct.pack('>QIII', 0x7F0012345678, 0x1234, 5, 42) + b'hello' + bytes(3))
inline const auto kWriteOnlyImmediate = testing::hex(R"(
  0200 0000 0002 0200 0000 0001 0800 4500 0048 0000 4000 4011 26a3 0a00 0001 0a00 0002 c000 12b7 0034 0000 0b30 ffff 0000 0012 0000
  0065 0000 7f00 1234 5678 0000 1234 0000 0005 0000 002a 6865 6c6c 6f00 0000 513e b620)");

// roce(BTH(opcode=0x17, dqpn=0x12, psn=9), struct.pack('>I', 0x1234) + b'abcd')
inline const auto kSendInvalidate = testing::hex(R"(
  0200 0000 0002 0200 0000 0001 0800 4500 0034 0000 4000 4011 26b7 0a00 0001 0a00 0002 c000 12b7 0020 0000 1700 ffff 0000 0012 0000
  0009 0000 1234 6162 6364 2d9e 5931)");

// roce(BTH(opcode=0x1C, dqpn=0x12, psn=10), struct.pack('>IQII', 2, 0x7F0012345678, 0x1234, 4096))
inline const auto kFlush = testing::hex(R"(
  0200 0000 0002 0200 0000 0001 0800 4500 0040 0000 4000 4011 26ab 0a00 0001 0a00 0002 c000 12b7 002c 0000 1c00 ffff 0000 0012 0000
  000a 0000 0002 0000 7f00 1234 5678 0000 1234 0000 1000 00f1 d488)");

// roce(BTH(opcode=0x81, dqpn=0x12, becn=1), bytes(16))
inline const auto kCnp = testing::hex(R"(
  0200 0000 0002 0200 0000 0001 0800 4500 003c 0000 4000 4011 26af 0a00 0001 0a00 0002 c000 12b7 0028 0000 8100 ffff 4000 0012 0000
  0000 0000 0000 0000 0000 0000 0000 0000 0000 7a6f d95d)");

// roce(BTH(opcode=0x04, dqpn=0x12, psn=11), b'abcd', IP(src='10.0.0.1', dst='10.0.0.2', tos=3, id=0, flags='DF'))
inline const auto kSendCe = testing::hex(R"(
  0200 0000 0002 0200 0000 0001 0800 4503 0030 0000 4000 4011 26b8 0a00 0001 0a00 0002 c000 12b7 001c 0000 0400 ffff 0000 0012 0000
  000b 6162 6364 9987 c651)");

// roce(BTH(opcode=0x04, dqpn=0x12, psn=11, fecn=1), b'abcd', IPv6(src='fe80::1', dst='fe80::2'), L / Dot1Q(vlan=100) / Dot1Q(vlan=5)); ICRC with zlib.crc32
inline const auto kSendVlansIpv6 = testing::hex(R"(
  0200 0000 0002 0200 0000 0001 8100 0064 8100 0005 86dd 6000 0000 001c 1140 fe80 0000 0000 0000 0000 0000 0000 0001 fe80 0000 0000
  0000 0000 0000 0000 0002 c000 12b7 001c 0000 0400 ffff 8000 0012 0000 000b 6162 6364 756c b8bc)");

// roce(BTH(opcode=0x06, dqpn=0x12, psn=100), b'1234')
inline const auto kWriteWithHalfItsReth = testing::hex(R"(
  0200 0000 0002 0200 0000 0001 0800 4500 0030 0000 4000 4011 26bb 0a00 0001 0a00 0002 c000 12b7 001c 0000 0600 ffff 0000 0012 0000
  0064 3132 3334 d46f 65bb)");

// bytes(L / IP(src='10.0.0.1', dst='10.0.0.2') / TCP(sport=18515, dport=40000, flags='PA') / b'hello')
inline const auto kTcp = testing::hex(R"(
  0200 0000 0002 0200 0000 0001 0800 4500 002d 0001 0000 4006 66c8 0a00 0001 0a00 0002 4853 9c40 0000 0000 0000 0000 5018 2000 535f
  0000 6865 6c6c 6f)");

// bytes(L / ARP(hwsrc='02:00:00:00:00:01', psrc='10.0.0.1', pdst='10.0.0.2'))
inline const auto kArp = testing::hex(R"(
  0200 0000 0002 0200 0000 0001 0806 0001 0800 0604 0001 0200 0000 0001 0a00 0001 0000 0000 0000 0a00 0002)");

}  // namespace rocescope::render
