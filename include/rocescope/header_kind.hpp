// The kinds of headers that a packet may hold, bottom up.
#pragma once

#include <cstdint>

namespace rocescope {

/// One per file or struct in headers/; the order is that of `AllHeaders` in headers.hpp, which checks it.
enum class HeaderKind : std::uint8_t {
  kNone,
  // link
  kEthernet,
  kVlan,
  // network
  kIpv4,
  kIpv6,
  // transport
  kUdp,
  kTcp,
  // tunnels and mirrors
  kMpls,
  kPseudowireControl,
  kGre,
  kGreChecksum,
  kGreKey,
  kNvgreKey,
  kPptpKey,
  kGreSequence,
  kGreAcknowledgment,
  kGreRouting,
  kErspanII,
  kErspanIII,
  kErspanPlatform,
  kMirrorHeader,
  kVxlan,
  kVxlanGpe,
  kGeneve,
  kGeneveOption,
  kEtherIp,
  kSflow,
  kSflowV6,
  kSflowSample,
  kSflowFlow,
  kSflowExpandedFlow,
  kSflowRecord,
  kSflowRawHeader,
  // RoCE
  kLrh,
  kGrh,
  kBth,
  kRdeth,
  kDeth,
  kXrceth,
  kReth,
  kAtomicEth,
  kAeth,
  kAtomicAckEth,
  kImmDt,
  kIeth,
  kFeth,
  kDceth,
  kCnpReserved,
  // management
  kMad,
  kMadData,
  kSmpLid,
  kSmpDirected,
  kSaMad,
  kVendorMad,
  kCmReq,
  kCmMra,
  kCmRej,
  kCmRep,
  kCmRtu,
  kCmDreq,
  kCmDrep,
  kCmSidrReq,
  kCmSidrRep,
  kCmLap,
  kCmApr,
  kCmSap,
  kCmSpr,
  // set-up exchange
  kExchange,
  kExchangeDiscoveryReq,
  kExchangeDiscoveryResp,
  kExchangeQpCreateReq,
  kExchangeQpCreateResp,
  kExchangeMrRegisterReq,
  kExchangeMrRegisterResp,
  kExchangeConnectionReq,
  kExchangeConnectionAccept,
  kExchangeConnectionConfirm,
  kExchangeConnectionReady,
  // what is left
  kPayload,
  kPad,
  kIcrc,
  kVcrc,
  kTrailer,
};

}  // namespace rocescope
