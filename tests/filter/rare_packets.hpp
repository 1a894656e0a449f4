// Packets that the captures lack: tags, options, extension headers, tunnels. Made with scapy, e being
// Ether(dst="02:00:00:00:00:02", src="02:00:00:00:00:01") and roce() being
// UDP(sport=49152, dport=4791, chksum=0)/BTH(opcode=4, dqpn=17, psn=5, ackreq=1)/Raw(b"payload!").
#pragma once

#include <string_view>

namespace rocescope::filter {

constexpr std::string_view kRarePackets[] = {
    // e/Dot1Q(vlan=5,prio=3)/IP(src="10.0.0.1",dst="10.0.0.2")/roce()
    "0200000000020200000000018100600508004500003400010000401166b60a0000010a000002c00012b7002000000400ffff0000"
    "0011800000057061796c6f6164215b9c6a0e",
    // e/Dot1Q(vlan=7)/Dot1Q(vlan=9)/IP(src="10.0.0.1",dst="10.0.0.2")/roce()
    "020000000002020000000001810000078100000908004500003400010000401166b60a0000010a000002c00012b7002000000400"
    "ffff00000011800000057061796c6f6164215b9c6a0e",
    // e/IP(src="10.0.0.3",dst="10.0.0.2",options=[IPOption_Router_Alert()])/roce()
    "020000000002020000000001080046000038000100004011d1ab0a0000030a00000294040000c00012b7002000000400ffff0000"
    "0011800000057061796c6f6164210179c56b",
    // e/IP(src="192.168.0.1",dst="192.168.0.2")/UDP(sport=5555,dport=4789)/VXLAN(vni=77,flags=8)/Ether(dst="02:00:00:0
    // 0:00:04",src="02:00:00:00:00:03")/IP(src="10.0.0.1",dst="10.0.0.9",tos=3)/roce()
    "020000000002020000000001080045000066000100004011f932c0a80001c0a8000215b312b500528d0f0800000000004d000200"
    "0000000402000000000308004503003400010000401166ac0a0000010a000009c00012b7002000000400ffff0000001180000005"
    "7061796c6f6164219532be05",
    // e/IPv6(src="fe80::1",dst="2001:db8::2",tc=2)/roce()
    "02000000000202000000000186dd6020000000201140fe80000000000000000000000000000120010db800000000000000000000"
    "0002c00012b7002000000400ffff00000011800000057061796c6f61642100000000",
    // e/IPv6(src="fe80::1",dst="2001:db8::2")/IPv6ExtHdrDestOpt()/roce()
    "02000000000202000000000186dd6000000000283c40fe80000000000000000000000000000120010db800000000000000000000"
    "00021100010400000000c00012b7002000000400ffff00000011800000057061796c6f61642100000000",
    // e/IP(src="10.0.0.1",dst="10.0.0.2")/TCP(sport=1,dport=2,flags="SA",options=[("MSS",1460)])
    "02000000000202000000000108004500002c00010000400666c90a0000010a000002000100020000000000000000601220006411"
    "0000020405b4",
    // e/ARP(psrc="10.0.0.1",pdst="10.0.0.2")
    "0200000000020200000000010806000108000604000102fc000000010a0000010000000000000a000002",
};

constexpr std::string_view kRareFilters[] = {
    "len(ip) == 24",
    "len(ip) > 20",
    "len(ipv6) == 40",
    "count(ip) == 2",
    "count(ip.src) == 2",
    "ip.src == 192.168.0.1",
    "any ip.src == 10.0.0.1",
    "all ip.src == 10.0.0.1",
    "ip.src != 10.0.0.1",
    "ip.src === 10.0.0.1",
    "ip.addr !== 10.0.0.1",
    "vlan",
    "vlan.id == 9",
    "all vlan.id > 6",
    "vlan.id > 6",
    "count(vlan.id) == 2",
    "count(vlan) == 2",
    "len(vlan) == 4",
    "vlan[0:2] == 00:09",
    "vlan[0] == 60",
    "vxlan",
    "vxlan.vni == 77",
    "vxlan.vni in {70..80}",
    "count(eth) == 2",
    "len(eth) == 14",
    "eth.src[5] == 03",
    "all eth.src[5] == 03",
    "eth.dst == eth.src",
    "ip[0] == 46",
    R"~(udp contains "payload")~",
    R"~(ip contains "payload")~",
    R"~(vxlan contains "payload")~",
    R"~(ip matches "PAY.OAD")~",
    "tcp",
    "ip.ttl in {1..63}",
    "max(ip.ttl) == 64",
    "infiniband",
    "infiniband.bth.psn == 5",
    "udp[0:2] == c0:00",
    "count(udp) == 2",
    "len(udp) == 8",
    "tcp.flags.syn == 1 and tcp.flags.ack == 1",
    "ip.dsfield.ecn == 3",
    "ipv6.addr == 2001:db8::/32",
    "ipv6.src[0:2] & ff:00 == fe:00",
    "udp.port == 4791 and not udp.port == 4789",
};

}  // namespace rocescope::filter
