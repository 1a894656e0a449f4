// Table of contents of the headers: every kind that a Packet may hold, in the order of HeaderKind.
#pragma once

#include "rocescope/headers/cee.hpp"
#include "rocescope/headers/cm.hpp"
#include "rocescope/headers/dc.hpp"
#include "rocescope/headers/dcbx.hpp"
#include "rocescope/headers/encryption.hpp"
#include "rocescope/headers/ethernet.hpp"
#include "rocescope/headers/exchange.hpp"
#include "rocescope/headers/extended_transport.hpp"
#include "rocescope/headers/infiniband.hpp"
#include "rocescope/headers/ipv4.hpp"
#include "rocescope/headers/ipv6.hpp"
#include "rocescope/headers/iscsi.hpp"
#include "rocescope/headers/link_types.hpp"
#include "rocescope/headers/lldp.hpp"
#include "rocescope/headers/lustre.hpp"
#include "rocescope/headers/mac_control.hpp"
#include "rocescope/headers/mad.hpp"
#include "rocescope/headers/mirrors.hpp"
#include "rocescope/headers/nfs.hpp"
#include "rocescope/headers/numbers.hpp"
#include "rocescope/headers/nvme.hpp"
#include "rocescope/headers/rds.hpp"
#include "rocescope/headers/rnbd.hpp"
#include "rocescope/headers/rpc.hpp"
#include "rocescope/headers/rsockets.hpp"
#include "rocescope/headers/rtrs.hpp"
#include "rocescope/headers/scsi.hpp"
#include "rocescope/headers/smb2.hpp"
#include "rocescope/headers/smb_direct.hpp"
#include "rocescope/headers/smc_clc.hpp"
#include "rocescope/headers/smc_r.hpp"
#include "rocescope/headers/srp.hpp"
#include "rocescope/headers/subnet.hpp"
#include "rocescope/headers/tail.hpp"
#include "rocescope/headers/tap.hpp"
#include "rocescope/headers/transport.hpp"
#include "rocescope/headers/tunnels.hpp"

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
    // NVMe over RDMA
    NvmeAdminCommand, NvmeIdentify, NvmeGetLogPage, NvmeFeatures, NvmeIoCommand, NvmeReadWrite, NvmeCompletion,
    NvmeConnect, NvmeConnectData, NvmeProperty, NvmeAuthentication, NvmeFabricsCommand, NvmeConnectCompletion,
    NvmePropertyCompletion, NvmePropertySetCompletion, NvmeFabricsCompletion, NvmeDiscoveryLog, NvmeDiscoveryFormat,
    NvmeDiscoveryRecord, NvmeAuthMessage, NvmeAuthFailure,
    // NFS over RDMA
    RpcOverRdma, RpcOverRdmaError, RpcReadChunk, RpcWriteChunk, RpcReplyChunk, RpcSegment, RpcListEnd, RpcCall,
    RpcAuthentication, RpcReply, RpcAccepted, NfsFileHandle, NfsRange3, NfsTag, NfsCompound, NfsCallbackCompound,
    NfsOperation, NfsCallback, NfsSequence, NfsRead4, NfsWrite4, NfsCommit4, NfsStatus3, NfsStatus4,
    // iSER
    IserHeader, IserHello, IscsiScsiCommand, ScsiCdb, IscsiScsiResponse, IscsiSenseLength, ScsiFixedSense,
    ScsiDescriptorSense, IscsiTask, IscsiLogin, IscsiText, IscsiKeyValue, IscsiDataOut, IscsiLogout, IscsiNop,
    IscsiAsync, IscsiReject, IscsiPdu,
    // SRP
    SrpCommand, SrpDescriptor, SrpTable, SrpImmediate, SrpResponse, SrpResponseData, SrpTask, SrpUnit, SrpEvent,
    // SMB Direct
    SmbDirectRequest, SmbDirectResponse, SmbDirectData, SmbHeader, SmbReadRequest, SmbWriteRequest, SmbReadResponse,
    SmbWriteResponse, SmbDescriptor, SmbTransform, SmbCompression,
    // RDS
    RdsHeader, RdsVersion, RdsRdma, RdsRdmaDestination, RdsPaths, RdsGeneration, RdsExtensionEnd,
    // rsockets
    RsocketsImmDt,
    // RTRS and RNBD
    RtrsImmDt, RtrsInfoRequest, RtrsInfoResponse, RtrsDescriptor, RtrsRKeyResponse, RtrsRead, RtrsWrite, RnbdIo,
    RnbdOpen, RnbdClose, RnbdMessage,
    // SMC-R
    SmcConfirmLink, SmcAddLink, SmcDeleteLink, SmcConfirmRKey, SmcTestLink, SmcDeleteRKey, SmcLinkMessage,
    SmcDataControl, SmcProposal, SmcSubnet, SmcPrefix, SmcAccept, SmcConfirm, SmcDecline,
    // Lustre
    LustreHeader, LnetHeader, LustreCookie, LustreCookies, LustreRdma, LustreFragment, LustreCompletion,
    // what is left
    Payload, Pad, Icrc, Vcrc, Trailer, EthernetFcs, MetamakoFcs, MetamakoExtensions, Metamako, Exablaze, Vss, VssPort,
    VssWidePort, IxiaLength, IxiaTimestamp, IxiaField, IxiaEnd>;

}  // namespace rocescope
