// The dissectors, bottom up. Each reads at `d.offset`, adds its layers and calls the next one.
#pragma once

#include <cstdint>

#include "dissectors/dissection.hpp"
#include "rocescope/headers/nfs/names.hpp"

namespace rocescope::dissectors {

// dissect.cpp
struct IpContext;
void dissect_ethernet(Dissection& d) noexcept;
void dissect_ipv4(Dissection& d) noexcept;
void dissect_udp(Dissection& d, const IpContext& ip) noexcept;
/// From the BTH to the ICRC, which is the last thing before `d.end`. `network_offset` is where the ICRC starts to
/// count.
void dissect_bth(Dissection& d, Encapsulation encapsulation, std::uint32_t network_offset) noexcept;

// link.cpp
void dissect_link(Dissection& d, std::uint32_t link_type) noexcept;
/// The payload that the last two bytes of an Ethernet header announce.
void dissect_length_or_ether_type(Dissection& d, std::uint16_t type) noexcept;
/// The payload of an EtherType; steps over VLAN tags.
void dissect_ether_type(Dissection& d, std::uint16_t ether_type) noexcept;
/// What follows an 802.3 length or announces itself as LLC otherwise.
void dissect_llc(Dissection& d) noexcept;

// erf.cpp
void dissect_erf(Dissection& d) noexcept;

// control.cpp
void dissect_mac_control(Dissection& d) noexcept;
void dissect_arp(Dissection& d) noexcept;
void dissect_macsec(Dissection& d) noexcept;
void dissect_avsp(Dissection& d) noexcept;

// lldp.cpp
void dissect_lldp(Dissection& d) noexcept;

// dcbx.cpp
/// The element of an organization that fills the bytes from the offset to the end, all of them captured.
void dissect_lldp_organization(Dissection& d) noexcept;

// network.cpp
void dissect_ipv6(Dissection& d) noexcept;
/// IPv4 or IPv6 by its version nibble (raw IP, MPLS).
void dissect_ip_by_version(Dissection& d) noexcept;

/// The start of the current IP packet, and which part of it the frame holds.
struct IpContext {
  std::uint32_t header_offset = 0;
  bool v6 = false;
  bool first_fragment = false;  ///< the rest of the packet is in other frames
};
/// What follows an IP header: extension headers, then `protocol` or what the last of them announces.
void dissect_after_ip(Dissection& d, std::uint8_t protocol, IpContext ip) noexcept;
void dissect_ip_protocol(Dissection& d, std::uint8_t protocol, const IpContext& ip) noexcept;

// ip_options.cpp
/// The options of an IPv4 header that ends at `header_end`. False when they were cut; options that cannot be read are
/// noted and skipped.
[[nodiscard]] bool take_ip_options(Dissection& d, std::uint64_t header_end) noexcept;

// ipv6_extension.cpp
/// Walks the extension headers that `protocol` starts; on success it is the protocol behind them, and `ip` knows whether
/// more of the packet is in other fragments.
[[nodiscard]] bool take_extension_headers(Dissection& d, std::uint8_t& protocol, IpContext& ip) noexcept;

// transport.cpp
void dissect_tcp(Dissection& d) noexcept;

// tunnel.cpp
/// UDP ports of tunnels and sFlow; others are ignored.
void dissect_udp_tunnel(Dissection& d, std::uint16_t destination_port, const IpContext& ip) noexcept;
/// IP protocols of tunnels; others are ignored.
void dissect_ip_tunnel(Dissection& d, std::uint8_t protocol, const IpContext& ip) noexcept;

// tunnel_gre.cpp
void dissect_gre(Dissection& d) noexcept;

// tunnel_mpls.cpp
/// A label stack and what it carries: IP or an Ethernet pseudowire.
void dissect_mpls(Dissection& d) noexcept;

// tunnel_sflow.cpp
/// The first packet that the datagram holds a raw header of, and the headers before it.
void dissect_sflow(Dissection& d) noexcept;

// infiniband.cpp
/// EtherType 0x8915.
void dissect_roce_v1(Dissection& d) noexcept;
/// Link type 247 and ERF: starts at the LRH.
void dissect_infiniband(Dissection& d) noexcept;

// trailer.cpp
/// The bytes of the frame behind the end of the packet; notes it if that end was not captured.
void dissect_trailer(Dissection& d) noexcept;

// roce.cpp
/// A DC responder's NAK carries more than its AETH. Takes that part; `tail` bytes of pad and ICRC end the packet. False,
/// and noted, when it was cut.
[[nodiscard]] bool take_dc_nak(Dissection& d, std::uint32_t tail) noexcept;
/// Reads the payload of a UD SEND if its queue pairs or its Q_Key identify it.
void dissect_datagram(Dissection& d) noexcept;
/// Adds the captured part of `length` bytes at the offset and steps behind all of them. False, and noted, when some of
/// them were not captured.
[[nodiscard]] bool take_cut(Dissection& d, HeaderKind kind, std::uint32_t length) noexcept;

// mad.cpp
/// A management datagram of any class.
void dissect_mad(Dissection& d) noexcept;

// cm.cpp
/// The header behind the MAD header of a communication manager's MAD with this attribute.
[[nodiscard]] HeaderKind cm_message_kind(std::uint16_t attribute) noexcept;

// exchange.cpp
/// The set-up exchange of rdmagen; adds nothing for other datagrams.
void dissect_exchange(Dissection& d) noexcept;

// ulp/nvme/nvme_capsule.cpp
/// A command capsule, of the admin queue or of an I/O queue.
void dissect_nvme_command(Dissection& d, bool admin) noexcept;
/// A response capsule; `kind` is that of the command that it answers.
void dissect_nvme_completion(Dissection& d, HeaderKind kind) noexcept;

// ulp/nvme/nvme_data.cpp
/// A part of a discovery log page: its beginning, or whole records.
void dissect_nvme_discovery(Dissection& d, bool has_beginning) noexcept;
/// A message of authentication, up to where its secrets begin.
void dissect_nvme_auth_message(Dissection& d) noexcept;

// ulp/nfs/rpc_over_rdma.cpp
/// `version`: of the call that a reply answers.
void dissect_rpc_over_rdma(Dissection& d, NfsVersion version) noexcept;
/// The same without the header of RPC over RDMA.
void dissect_rpc(Dissection& d, NfsVersion version) noexcept;

// ulp/iser/iscsi_pdu.cpp
/// The header of iSER, and the PDU behind it.
void dissect_iser(Dissection& d) noexcept;

// ulp/srp/srp_unit.cpp
/// An information unit of SRP.
void dissect_srp(Dissection& d) noexcept;

// ulp/smb_direct/smb_direct.cpp
/// A message of SMB Direct, and the commands of SMB in it.
void dissect_smb_direct(Dissection& d) noexcept;

// ulp/rds/rds.cpp
/// The header of RDS.
void dissect_rds(Dissection& d) noexcept;

// ulp/smc_r/smc_r.cpp
/// A message of SMC-R.
void dissect_smc_r(Dissection& d) noexcept;
/// A segment of TCP that begins with a CLC message.
void dissect_smc_clc(Dissection& d) noexcept;

// ulp/lustre/lustre.cpp
/// A message of o2iblnd.
void dissect_lustre(Dissection& d) noexcept;

// ulp/rtrs/rtrs.cpp
/// A message of RTRS in a SEND.
void dissect_rtrs(Dissection& d) noexcept;
/// The header of RNBD, and the message of RTRS behind it.
void dissect_rtrs_request(Dissection& d) noexcept;

// ulp/scsi/sense.cpp
/// Sense data, as far as they are of a form that is known.
void dissect_scsi_sense(Dissection& d) noexcept;

}  // namespace rocescope::dissectors
