// Layers of messages: of the protocols above RoCE.
#pragma once

#include <cstdint>

#include "rocescope/bytes.hpp"
#include "rocescope/packet.hpp"

namespace rocescope {

/// What a message is.
enum class MessageProtocol : std::uint8_t {
  kUnknown,
  kExchange,
  kNvmeAdmin,                  ///< a command capsule of the admin queue
  kNvmeIo,                     ///< a command capsule of an I/O queue
  kNvmeCompletion,             ///< a response capsule
  kNvmeConnectCompletion,      ///< the same, to a Connect
  kNvmePropertyCompletion,     ///< the same, to a Property Get
  kNvmePropertySetCompletion,  ///< the same, to a Property Set
  kNvmeFabricsCompletion,      ///< the same, to another command of the fabrics
  kNvmeConnectData,            ///< the data of a Connect, which the controller READs
  kNvmeDiscoveryLog,           ///< a discovery log page from its beginning, which the controller WRITEs
  kNvmeDiscoveryRecords,       ///< records of one
  kNvmeAuthMessage,            ///< the data of Authentication Send and Receive
  kRpcOverRdma,                ///< a call, or a reply about which no more is known
  kRpcOverRdmaNfs3,            ///< the same, of NFS 3: the results of a reply begin with a status
  kRpcOverRdmaNfs4,
  kRpcNfs3,  ///< a reply of NFS 3 that the responder WRITEs
  kRpcNfs4,
  kIser,  ///< the header of iSER, and a PDU of iSCSI
  kSrp,   ///< an information unit
  kSmbDirect,
  kRds,
  kSmcR,
  kLustre,
  kRsockets,     ///< immediate data alone
  kRtrs,         ///< immediate data, a message of RTRS in a SEND, or both
  kRtrsRequest,  ///< the header of RNBD and the message of RTRS, which a WRITE ends with
};

/// Adds the layers of a message, as far as they are known, to the packet that ends it. Where `message` is not a part of the packet's
/// frame, it must last as long as the packet is used. Allocates nothing.
void dissect_message(MessageProtocol protocol, Bytes message, Packet& packet) noexcept;

}  // namespace rocescope
