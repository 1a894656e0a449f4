// Messages of the communication manager, and handshakes: attempts to connect two queue pairs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "rocescope/address.hpp"
#include "rocescope/headers/mad.hpp"
#include "rocescope/opcode.hpp"
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

/// The protocol that sets up a connection.
enum class HandshakeKind : std::uint8_t {
  kCm,        ///< the communication manager (IBTA 12.9)
  kSidr,      ///< its service ID resolution, which gives a UD queue pair (IBTA 12.11)
  kExchange,  ///< rdmagen's set-up exchange
  kOob,       ///< over TCP: lines of text of perftest and ibv_*_pingpong, CLC messages of SMC-R
};

[[nodiscard]] constexpr std::string_view to_string(HandshakeKind kind) noexcept {
  constexpr std::string_view kNames[] = {"cm", "sidr", "exchange", "oob"};
  return kNames[static_cast<std::size_t>(kind)];
}

enum class HandshakeOutcome : std::uint8_t {
  kIncomplete,   ///< neither of the others: the capture ends, or what is missing was not seen
  kEstablished,  ///< complete, or data came after the passive side had agreed
  kRejected,     ///< by the passive side
  kTimedOut,     ///< the request was repeated and nobody answered, or a side gave up for that reason
  kAborted,      ///< by the active side, after the passive one had agreed
  kUnknown,      ///< its beginning was not seen
};

[[nodiscard]] constexpr std::string_view to_string(HandshakeOutcome outcome) noexcept {
  constexpr std::string_view kNames[] = {"incomplete", "established", "rejected", "timed_out", "aborted", "unknown"};
  return kNames[static_cast<std::size_t>(outcome)];
}

/// Messages of all kinds of handshakes: the CM's first, in the order of their attribute IDs.
enum class HandshakeMessage : std::uint8_t {
  kReq,
  kMra,
  kRej,
  kRep,
  kRtu,
  kDreq,
  kDrep,
  kSidrReq,
  kSidrRep,
  kLap,
  kApr,
  kSap,
  kSpr,
  kQpCreateReq,
  kQpCreateResp,
  kConnectionReq,
  kConnectionAccept,
  kConnectionConfirm,
  kConnectionReady,
  kKeyLine,  ///< over TCP
  kClcProposal,
  kClcAccept,
  kClcConfirm,
  kClcDecline,
};

[[nodiscard]] constexpr std::string_view to_string(HandshakeMessage message) noexcept {
  constexpr std::string_view kNames[] = {"REQ",
                                         "MRA",
                                         "REJ",
                                         "REP",
                                         "RTU",
                                         "DREQ",
                                         "DREP",
                                         "SIDR_REQ",
                                         "SIDR_REP",
                                         "LAP",
                                         "APR",
                                         "SAP",
                                         "SPR",
                                         "QP_CREATE_REQ",
                                         "QP_CREATE_RESP",
                                         "CONNECTION_REQ",
                                         "CONNECTION_ACCEPT",
                                         "CONNECTION_CONFIRM",
                                         "CONNECTION_READY",
                                         "key line",
                                         "CLC_PROPOSAL",
                                         "CLC_ACCEPT",
                                         "CLC_CONFIRM",
                                         "CLC_DECLINE"};
  return kNames[static_cast<std::size_t>(message)];
}

/// The form of what announces a queue pair over TCP, after the programs that write it.
enum class KeyLineForm : std::uint8_t {
  kUnknown,
  kPingpong,  ///< ibv_*_pingpong
  kPerftest,
  kSmcR,  ///< CLC messages
};

/// A message and its repetitions.
struct HandshakeStep {
  HandshakeMessage message = HandshakeMessage::kReq;
  std::uint8_t sender = 0;   ///< index of Handshake::sides
  std::uint16_t psn = 0;     ///< of the last message of the CM, its lower half: one that is sent again has another
  std::uint32_t count = 1;   ///< how often it was sent; copies that the capture made are none
  std::uint64_t packet = 0;  ///< the frame's number, of the first
  std::int64_t time = 0;     ///< nanoseconds since 1970, of the first
  std::uint64_t last_packet = 0;
  std::int64_t last_time = 0;
};

/// Memory that a side allows the other to read or write.
struct AnnouncedRegion {
  std::uint64_t address = 0;
  std::uint32_t r_key = 0;
  std::uint64_t length = 0;  ///< bytes; 0: unknown
  std::uint64_t packet = 0;  ///< the frame that announced it
  /// Private data have no form of their own: what they mean is known once a RETH of the other side uses it.
  struct Proof {
    std::uint16_t offset = 0;  ///< of the address in the application's private data; the r_key follows
    bool big_endian = false;
    std::uint64_t packet = 0;  ///< the frame with the RETH
  };
  std::optional<Proof> proof;  ///< of a region in private data
};

/// Parameters that one side announced. Others are absent.
struct HandshakeSide {
  IpAddress address;                     ///< of its packets; of a kOob its GID
  std::optional<std::uint32_t> comm_id;  ///< of a SIDR its request ID
  std::optional<Qpn> qpn;
  /// The first PSN of its requests. The other side chose it in the CM, it itself in the others.
  std::optional<Psn> first_psn;
  std::optional<std::uint8_t> responder_resources;
  std::optional<std::uint8_t> initiator_depth;
  std::optional<std::uint8_t> rnr_retry_count;  ///< that it asks of the other side (IBTA 12.7.39); 7: without end
  std::optional<bool> flow_control;             ///< end-to-end credits
  std::optional<AnnouncedRegion> region;
  std::vector<std::uint8_t>
      private_data;  ///< the application's, in its REQ, REP or SIDR message, else in its REJ; without zeros at the end
};

/// A refusal.
struct HandshakeReject {
  std::uint8_t sender = 0;
  std::uint8_t about = 0;    ///< REJ: see kRejMessageNames
  std::uint32_t reason = 0;  ///< REJ: see kRejReasonNames; SIDR_REP: kSidrStatusNames; exchange: its status; CLC:
                             ///< kSmcDeclineNames
  std::uint64_t packet = 0;  ///< the frame's number
  std::int64_t time = 0;     ///< nanoseconds since 1970
};

struct Handshake {
  std::uint32_t number = 0;  ///< from 1, in the order of their first messages
  HandshakeKind kind = HandshakeKind::kCm;
  HandshakeOutcome outcome = HandshakeOutcome::kIncomplete;
  std::optional<Transport> transport;  ///< none: unknown
  std::uint32_t overlay_id = 0;        ///< innermost VNI; 0 outside tunnels
  std::uint16_t capture_point = 1;     ///< where its messages were seen
  bool repeated = false;               ///< as PacketRecord has it, of its last message
  std::uint32_t connection = 0;        ///< the number of the connection that it set up; 0: none
  std::uint64_t transaction_id = 0;    ///< of the REQ
  std::array<HandshakeSide, 2> sides;  ///< the active side first

  KeyLineForm line_form = KeyLineForm::kUnknown;  ///< of a kOob: of both lines; kUnknown: each has another

  std::optional<std::uint64_t> service_id;
  std::optional<CmEvent::IpAddresses> ip;
  std::uint32_t path_mtu = 0;  ///< bytes; 0: unknown
  std::optional<std::uint16_t> p_key;
  std::optional<std::uint8_t> retry_count;  ///< of both sides
  std::optional<std::int64_t> ack_timeout;  ///< local ACK timeout, ns; 0: without end
  std::optional<std::uint8_t> max_cm_retries;

  std::vector<HandshakeStep> steps;  ///< in the order of the first of each; at most one a message and sender
  std::optional<HandshakeReject> reject;
  bool counts = false;                  ///< whether one of its messages counts: see Tracker::track()
  std::uint64_t first_data_packet = 0;  ///< the first one of the connection; 0: none was seen
  std::int64_t first_data_time = 0;     ///< nanoseconds since 1970

  /// The first of these messages that was seen; null where there is none.
  [[nodiscard]] const HandshakeStep* find(HandshakeMessage message) const noexcept {
    for (const HandshakeStep& step : steps) {
      if (step.message == message) return &step;
    }
    return nullptr;
  }
  [[nodiscard]] std::int64_t first_time() const noexcept { return steps.empty() ? 0 : steps.front().time; }
};

/// The times that a handshake took, nanoseconds between the first of each message: of the CM REQ, REP, RTU; of SIDR
/// SIDR_REQ, SIDR_REP; of the exchange CONNECTION_REQ, CONNECTION_ACCEPT, CONNECTION_CONFIRM.
struct HandshakeTimes {
  std::optional<std::int64_t> req_to_rep;
  std::optional<std::int64_t> rep_to_rtu;
  std::optional<std::int64_t> rtu_to_data;  ///< negative where data came first
  std::optional<std::int64_t> dreq_to_drep;
};

[[nodiscard]] HandshakeTimes times_of(const Handshake& handshake) noexcept;

}  // namespace rocescope
