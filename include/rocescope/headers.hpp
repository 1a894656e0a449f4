// Table of contents of the headers: every kind that a Packet may hold, in the order of HeaderKind.
#pragma once

#include "rocescope/headers/aeth.hpp"
#include "rocescope/headers/arp.hpp"
#include "rocescope/headers/atomic_ack_eth.hpp"
#include "rocescope/headers/atomic_eth.hpp"
#include "rocescope/headers/avsp.hpp"
#include "rocescope/headers/bth.hpp"
#include "rocescope/headers/cee.hpp"
#include "rocescope/headers/cm_dreq.hpp"
#include "rocescope/headers/cm_lap.hpp"
#include "rocescope/headers/cm_rej.hpp"
#include "rocescope/headers/cm_rep.hpp"
#include "rocescope/headers/cm_req.hpp"
#include "rocescope/headers/cm_sap.hpp"
#include "rocescope/headers/cm_sidr.hpp"
#include "rocescope/headers/cnp.hpp"
#include "rocescope/headers/dc_connect.hpp"
#include "rocescope/headers/dcbx.hpp"
#include "rocescope/headers/dceth.hpp"
#include "rocescope/headers/deth.hpp"
#include "rocescope/headers/erf.hpp"
#include "rocescope/headers/erspan.hpp"
#include "rocescope/headers/etherip.hpp"
#include "rocescope/headers/ethernet.hpp"
#include "rocescope/headers/exchange.hpp"
#include "rocescope/headers/exchange_connection.hpp"
#include "rocescope/headers/exchange_create.hpp"
#include "rocescope/headers/exchange_memory.hpp"
#include "rocescope/headers/feth.hpp"
#include "rocescope/headers/geneve.hpp"
#include "rocescope/headers/gre.hpp"
#include "rocescope/headers/grh.hpp"
#include "rocescope/headers/icmp.hpp"
#include "rocescope/headers/ieth.hpp"
#include "rocescope/headers/imm_dt.hpp"
#include "rocescope/headers/infiniband_link.hpp"
#include "rocescope/headers/ip_options.hpp"
#include "rocescope/headers/ipsec.hpp"
#include "rocescope/headers/ipv4.hpp"
#include "rocescope/headers/ipv6.hpp"
#include "rocescope/headers/ipv6_extension.hpp"
#include "rocescope/headers/ipv6_options.hpp"
#include "rocescope/headers/llc.hpp"
#include "rocescope/headers/lldp.hpp"
#include "rocescope/headers/lldp_organization.hpp"
#include "rocescope/headers/lrh.hpp"
#include "rocescope/headers/mac_control.hpp"
#include "rocescope/headers/macsec.hpp"
#include "rocescope/headers/mad.hpp"
#include "rocescope/headers/mirror.hpp"
#include "rocescope/headers/mpls.hpp"
#include "rocescope/headers/null.hpp"
#include "rocescope/headers/pseudowire.hpp"
#include "rocescope/headers/rdeth.hpp"
#include "rocescope/headers/reth.hpp"
#include "rocescope/headers/rwh.hpp"
#include "rocescope/headers/sa_mad.hpp"
#include "rocescope/headers/sflow.hpp"
#include "rocescope/headers/sll.hpp"
#include "rocescope/headers/smp.hpp"
#include "rocescope/headers/tail.hpp"
#include "rocescope/headers/tap.hpp"
#include "rocescope/headers/tcp.hpp"
#include "rocescope/headers/udp.hpp"
#include "rocescope/headers/vendor_mad.hpp"
#include "rocescope/headers/vlan.hpp"
#include "rocescope/headers/vxlan.hpp"
#include "rocescope/headers/xrceth.hpp"

namespace rocescope {

template <class... Headers>
struct HeaderList {};

/// All headers. A new one is added here, in HeaderKind, and nowhere else.
using AllHeaders = HeaderList<
    // link
    Ethernet, Llc, LlcNumbered, Snap, Sll, Sll2, Null, Loop, Erf, ErfExtension, ErfEthernetPad, InfinibandLink, Vlan,
    ServiceVlan, ServiceVlanPair, Arp, ArpEthernetIpv4, ArpAddresses, Macsec, MacsecChannel, MacsecType, MacsecIcv,
    Avsp64, Avsp48,
    // control
    MacControl, MacPause, MacPfc, MacTimestamp, LldpTlv, LldpChassisId, LldpChassisAddress, LldpPortId, LldpPortAddress,
    LldpTimeToLive, LldpText, LldpCapabilities, LldpManagement, LldpManagementInterface, LldpRest, LldpOrganization,
    LldpUnknownContent, LldpPortVlan, LldpVlanName, LldpMaxFrameSize, DcbxEts, DcbxEtsRecommendation, DcbxPfc,
    DcbxApplication, DcbxApplicationEntry, DcbxCongestion, CeeControl, CeeFeature, CeePriorityGroups, CeePfc,
    CeePfcClasses, CeeApplication, CeeLogicalLink,
    // network
    Ipv4, IpOptionByte, IpOption, IpOptionWord, IpOptionRoute, IpRecordedRoute, IpEmptyRoute, IpSourceRoute,
    IpOptionTimestamp, IpTimestamp, IpAddressTimestamp, IpOptionPadding, Ipv6, Ipv6HopByHop, Ipv6DestinationOptions,
    Ipv6OptionPad1, Ipv6Option, Ipv6OptionTunnelLimit, Ipv6OptionRouterAlert, Ipv6OptionJumbo, Ipv6OptionHomeAddress,
    Ipv6Routing, Ipv6SourceRoute, Ipv6SourceRouteAddress, Ipv6MobileRoute, Ipv6SegmentRouting, Ipv6Segment,
    Ipv6RoutingData, Ipv6RoutingUnknown, Ipv6Fragment, Ah, Esp, Icmp, Icmpv6,
    // transport
    Udp, Tcp,
    // tunnels and mirrors
    Mpls, PseudowireControl, Gre, GreChecksum, GreKey, NvgreKey, PptpKey, GreSequence, GreAcknowledgment, GreRouting,
    ErspanII, ErspanIII, ErspanPlatform, MirrorHeader, Vxlan, VxlanGpe, Geneve, GeneveOption, EtherIp, Sflow, SflowV6,
    SflowSample, SflowFlow, SflowExpandedFlow, SflowRecord, SflowRawHeader,
    // RoCE
    Lrh, Rwh, Grh, Bth, Rdeth, Deth, Xrceth, Reth, AtomicEth, Aeth, AtomicAckEth, ImmDt, Ieth, Feth, Dceth, DcConnect,
    DcNak, CnpReserved,
    // management
    Mad, MadData, SmpLid, SmpDirected, SaMad, VendorMad, CmReq, CmMra, CmRej, CmRep, CmRtu, CmDreq, CmDrep, CmSidrReq,
    CmSidrRep, CmLap, CmApr, CmSap, CmSpr,
    // set-up exchange
    Exchange, ExchangeDiscoveryReq, ExchangeDiscoveryResp, ExchangeQpCreateReq, ExchangeQpCreateResp,
    ExchangeMrRegisterReq, ExchangeMrRegisterResp, ExchangeConnectionReq, ExchangeConnectionAccept,
    ExchangeConnectionConfirm, ExchangeConnectionReady,
    // what is left
    Payload, Pad, Icrc, Vcrc, Trailer, EthernetFcs, MetamakoFcs, MetamakoExtensions, Metamako, Exablaze, Vss, VssPort,
    VssWidePort, IxiaLength, IxiaTimestamp, IxiaField, IxiaEnd>;

}  // namespace rocescope
