// Statements about hardware and switches come from the sources in SOURCES, except those that `tried` marks.
#include "cli/capture_page.hpp"

namespace rocescope::cli {
namespace {

constexpr Section kCaptureSections[] = {
    {"DESCRIPTION", R"(
A RoCE adapter builds and reads packets itself. The kernel of the host never sees them, so that a capture on the
network interface stays empty while the link is full. This page lists where packets can be had nevertheless, and what
each place lacks. `rocescope interfaces` says which of it holds on this machine.

[tried] marks what was tried with rocescope. This project has no RDMA hardware and no switch: everything else is what
the named source says, or follows from it, and was not tried here. SOURCES lists them.)"},
    {"WHICH PLACE TO TAKE", R"(
  software RDMA (rdma_rxe), guests      the interface itself: ON THE INTERFACE
  an adapter with an RDMA sniffer       the RDMA device, live -i mlx5_0: ON THE RDMA DEVICE
  any adapter; where packets were lost  PORT MIRRORS or TAPS, at BOTH ENDS
  nothing but counters                  rdma statistic, ethtool -S: COUNTERS

A capture on the sending host shows what the adapter handed over. Only a capture behind the network shows what came
through it.)"},
    {"ON THE INTERFACE", R"(
tcpdump and `live -i enp1s0f0np0` read the packets that the kernel of the host handles. RoCE in hardware bypasses the
kernel, so they read none of it [nvidia, intel, usnic]. They still read ARP and the traffic of programs that use
sockets. Nothing in such a capture shows that RoCE is missing. `live` therefore compares it with the counters of
the RDMA device, and warns [tried, with made-up counters].

rdma_rxe does RoCE in software. Its packets go through the kernel, and a capture on the interface has them all [tried:
most captures of this project are of it]. Packets between two queue pairs of one rdma_rxe device stay inside the
driver [rxe].

What the adapter loops back from one queue pair to another of the same host passes no cable, so no tap and no mirror
sees it.)"},
    {"ON THE RDMA DEVICE", R"(
libpcap has had a sniffer for RDMA devices since 1.9 [nvidia]: `tcpdump -i mlx5_0` and `live -i mlx5_0`. It asks the
adapter with ibv_create_flow() for a copy of all packets, those sent and those received [libpcap, pr585]. The second
port is mlx5_0:2. What it needs:

  libpcap   built with libibverbs. Debian 12 builds it without [tried]: it lists no RDMA
            device. NVIDIA offers a container that has one, mellanox/tcpdump-rdma
            [nvidia]
  NVIDIA    ConnectX-4 or later [nvidia]
  Broadcom  rdma-core from after August 2025, and a driver that knows the rule [bnxt]
  Intel     offers none: RDMA traffic takes a port mirror or an analyser in the cable
            [intel]

Its limits follow from its code [libpcap]. 128 packets of at most 10000 bytes can wait, so a burst overruns it. What
it loses is not counted: it reports 0 drops whatever happens, and so does `live`. Packets that are missing are then
seen only where others acknowledge them (capture_loss), or taken for losses of the network. Time stamps are the host's
clock when the program reads the packet, in microseconds: they tell little about latency. NVIDIA warns that traffic
may slow down while it runs [nvidia].

End the traffic before the capture. With a Broadcom adapter, a capture that ended first left memory errors in the
kernel's log; the likely reason is the order in which libpcap frees its parts [issue1532].)"},
    {"VENDORS' TOOLS", R"(
ethtool: with MLNX_OFED up to 5.0, a private flag of the interface makes RoCE visible to tcpdump and `live` on the
interface itself. Later versions take the RDMA device instead [nvidia49, nvidia].

  ethtool --show-priv-flags enp1s0f0
  ethtool --set-priv-flags enp1s0f0 sniffer on

Turn it off afterwards: it slows traffic that bypasses the kernel [nvidia49].

ibdump writes packets of an InfiniBand or RoCE port of a ConnectX adapter into a pcap file. The advice of its project
for Ethernet is tcpdump with a libpcap that has the sniffer [ibdump40]. `analyze` reads pcap files of the link types
Ethernet, InfiniBand and ERF.)"},
    {"PORT MIRRORS", R"(
A switch sends copies of the packets of a port to another port (SPAN), or in a GRE tunnel to a host (ERSPAN). `live`
and `analyze` take ERSPAN, GRE, VXLAN and GENEVE off [tried: tests/views wraps every capture in ERSPAN and in VXLAN];
capture tunnels with -f '', since the usual filter passes RoCE outside of tunnels only. Known limits:

  drops   two directions of a full link do not fit into one mirror port of the same
          speed, and copies give way where queues are full [extreme, dell]. Such
          losses look like losses of the network: capture_loss tells them apart only
          where the receiver's ACK is there
  size    ERSPAN adds 50 bytes, and its packets may not be fragmented. With an MTU of
          1500 on the way, frames longer than 1468 bytes are dropped [cisco], so full
          packets of a path MTU of 4096 vanish and ACKs stay. Raise the MTU on the
          way, or let the switch cut
  cut     switches cut copies, by choice or to fit the MTU [aruba]: SNAP LENGTH
  twice   a port that is mirrored in and out, or a VLAN on several switches, gives
          packets twice [dell] (capture_duplicates)
  order   requests and responses may be copied at different places and wait in
          different queues, so that a response comes before its request. 50 us of that
          made no claim false in the captures of the tests [tried: tests/views]
  place   some switches copy what is to leave before they decide whether it does: the
          copy exists, the packet was dropped [aruba]
  change  some switches change the copy: a VLAN tag is added [aruba], or the UDP
          source port is rewritten, which the ICRC covers; a report says how many
          packets have a rewritten one, and verifies them with the real one [tried,
          with packets changed for the test]
  time    a copy waits in queues of its own. Its time is that of its arrival, unless
          ERSPAN III or a trailer carries the switch's, which rocescope does not use)"},
    {"TAPS", R"(
A tap splits the light of a fibre, or copies what passes a copper cable, and gives each direction at a port of its
own. It drops nothing and keeps the distances in time, if the capturing host keeps up with both ports [viavi]. Capture
both at once, `live -i enp2s0f0 -i enp2s0f1`: packets are ordered by time. An aggregating tap sends both directions to
one port, with the limits of a mirror.)"},
    {"BOTH ENDS", R"(
One capture tells what passed its place: lost before it, or behind it. Two captures, one near each host, tell where in
between. Give `analyze` both files: it merges them by time and finds the copies [tried: tests/views, also with clocks
3 ms and 2 s apart]. In one file that a tool merged without interfaces, only regular distances in time tell copies from
packets that were sent again, where a sender does not number its IP packets, as with IPv6. Without them the report says
that it does not know [tried]. Distances in time between the two captures are only as good as their clocks.)"},
    {"CLOCKS", R"(
`interfaces` lists the time stamps that an interface offers, pcap-tstamp(7) what they are. By default `live` takes the
kernel's clock, at the moment when the kernel gets the packet. `live -j adapter_unsynced` takes the adapter's clock,
which stamps at the port; nothing keeps that clock on the time of day unless ptp4l(8) does. phc2sys(8) sets the system
clock by it [linuxptp]. For two hosts: PTP on both, with the same grandmaster, before the capture starts. Neither PTP
nor the clocks of adapters were tried here.)"},
    {"SNAP LENGTH", R"(
SNAP LENGTH in rocescope-live(1) lists the headers that each length cuts off. What that costs was counted [tried]: 86
captures of tests/views whose truth is known, with losses, with faults and clean, cut to each length:

  length  captures with RoCE  findings  handshakes   ICRCs  bytes in the file
  all                     86       253          99  37,979         14,611,255
  256                     86       236          53   5,665          8,819,563
  128                     86       218          27   5,331          4,659,630
  96                      86       202          22   5,184          3,603,600
  64                      85       199           0   3,758          2,519,602

In these captures no cut makes a claim false. What the cut ones no longer say: at 64 bytes 46 times that memory keys stood in clear
text, 3 times that they can be guessed, twice that retries were exhausted, and once each of timeout_recovery, icrc_bad
and torn_down_outstanding. At 128 these are 32, 0, 1, 0, 1 and 1. With the CM messages, which take 322 bytes over
IPv4, goes what they tell: with which queue pairs, PSNs and limits a connection was set up. The capture that 64 bytes
empty is one over IPv6, whose BTH ends at 74. The ICRCs that stay are of packets as short as the length, mostly ACKs.)"},
    {"RING BUFFERS", R"(
`live -B` sets the ring in the kernel, 64 MiB for each interface. At 100 Gb/s of whole packets that is 5 ms. A shorter
snap length makes it last longer, and so does a filter. What the ring had no room for is counted, in the report and in
the file; no finding takes it for a loss of the network [tried].

To wait for a rare fault, let files be the ring: `live -w ring.pcapng -b filesize:100000 -b files:10` keeps the last
gigabyte [tried].)"},
    {"AF_XDP AND DPDK", R"(
rocescope reads through libpcap (AF_PACKET) only. AF_XDP would not help: its programs run in the network driver and
see what arrives for the kernel [afxdp], which RoCE in hardware bypasses, and only what is received, not what is sent
[xdpdump]. On a host that only captures, off a mirror or a tap, AF_XDP and DPDK lose less at high rates; write there
with a program that uses them, and give the file to `analyze`.)"},
    {"COUNTERS", R"(
RDMA devices count what passes them, in /sys/class/infiniband/DEVICE/ports/PORT/counters and hw_counters [sysfs];
`rdma statistic` shows the latter. `live` adds up those of packets: port_xmit_packets and port_rcv_packets (NVIDIA),
tx_pkts and rx_pkts (Broadcom), ip4OutPkts, ip4InPkts, ip6OutPkts and ip6InPkts (Intel), sent_pkts and rcvd_pkts
(rdma_rxe). They are of the whole device: VLANs and other interfaces of it included. Of these, this project has only
rdma_rxe.)"},
    {"SOURCES", R"(
  nvidia     https://docs.nvidia.com/networking/display/mlnxofedv24102180lts/Offloaded+Traffic+Sniffer
  nvidia49   https://docs.nvidia.com/networking/display/MLNXOFEDv495100/Offloaded+Traffic+Sniffer
  intel      https://edc.intel.com/content/www/us/en/design/products/ethernet/800-series-linux-flow-control-configuration-guide-for-rdma-use-c/tpcdump/
  bnxt       https://github.com/linux-rdma/rdma-core/pull/1638
  usnic      https://github.com/ofiwg/libfabric/issues/5657
  libpcap    https://github.com/the-tcpdump-group/libpcap, pcap-rdmasniff.c
  pr585      https://github.com/the-tcpdump-group/libpcap/pull/585
  issue1532  https://github.com/the-tcpdump-group/libpcap/issues/1532
  ibdump40   https://github.com/Mellanox/ibdump/issues/40
  rxe        Linux, drivers/infiniband/sw/rxe/rxe_net.c: rxe_xmit_packet()
  cisco      Cisco, Supervisor Engine 32 Software Configuration Guide: ERSPAN guidelines and restrictions
  aruba      HPE Aruba, ArubaOS-Switch 16 and OS-CX 10 guides: maximum supported frame size; mirroring limitations
  dell       Dell, PowerSwitch N-Series user's guide: monitoring switch traffic
  extreme    Extreme, SLX-OS 20 monitoring guide: port mirroring (SPAN)
  viavi      https://observerdocs.viavisolutions.com/Observer_nTAPs/when_to_use_a_full_duplex_tap.html
  linuxptp   phc2sys(8)
  afxdp      Linux, Documentation/networking/af_xdp.rst
  xdpdump    https://github.com/xdp-project/xdp-tools/issues/449
  sysfs      Linux, Documentation/ABI/stable/sysfs-class-infiniband
  tried      here, by the tests of this project)"},
};

}  // namespace

std::span<const Section> capture_sections() { return kCaptureSections; }

}  // namespace rocescope::cli
