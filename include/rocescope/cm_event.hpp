// A message of the communication manager as it was seen.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "rocescope/address.hpp"
#include "rocescope/headers/mad_names.hpp"
#include "rocescope/psn.hpp"

namespace rocescope {

/// What a CM message said (IBTA 12.6). Members that the message does not have are absent.
struct CmEvent {
  std::int64_t time = 0;     ///< nanoseconds since 1970-01-01 UTC
  std::uint64_t packet = 0;  ///< the frame's number
  IpAddress source;
  IpAddress destination;
  CmMessage message = CmMessage::kReq;
  std::uint64_t transaction_id = 0;
  /// The number of the first frame with the same message, transaction and communication IDs between these addresses:
  /// this one repeats it.
  std::optional<std::uint64_t> retry_of;

  std::optional<std::uint32_t> local_comm_id;   ///< chosen by the sender
  std::optional<std::uint32_t> remote_comm_id;  ///< chosen by the receiver
  std::optional<std::uint32_t> request_id;      ///< SIDR: what pairs a reply with its request
  std::optional<Qpn> local_qpn;                 ///< the sender's
  std::optional<Qpn> remote_qpn;                ///< the receiver's
  std::optional<Psn> starting_psn;              ///< the first PSN that the sender will receive
  std::optional<std::uint8_t> transport;        ///< REQ: transport service type, see kCmTransportNames
  bool xrc = false;                             ///< REQ: the extended transport is XRC
  std::optional<std::uint32_t> path_mtu;        ///< bytes; 0 when the code is reserved
  std::optional<std::uint8_t> responder_resources;
  std::optional<std::uint8_t> initiator_depth;
  std::optional<std::uint64_t> service_id;

  /// What the RDMA IP CM service puts before the private data of a REQ or SIDR_REQ.
  struct IpAddresses {
    IpAddress source;
    std::uint16_t source_port = 0;
    IpAddress destination;
    std::uint16_t destination_port = 0;
  };
  std::optional<IpAddresses> ip;

  std::optional<std::uint8_t> about;    ///< REJ: see kRejMessageNames; MRA: see kMraMessageNames
  std::optional<std::uint16_t> reason;  ///< REJ: see kRejReasonNames
  std::optional<std::uint8_t> status;   ///< SIDR_REP: see kSidrStatusNames; APR: see kAprStatusNames
  /// The application's own, without what the RDMA IP CM service puts before them. The message does not tell how many
  /// of its bytes the application wrote: all are here, mostly zeros at the end.
  std::vector<std::uint8_t> private_data;
};

}  // namespace rocescope
