// The registry of findings: what each means, why it matters, what to do.
#include <algorithm>
#include <iterator>

#include "rocescope/finding.hpp"

namespace rocescope {
namespace {

constexpr FindingInfo kInfos[] = {
    {FindingId::kIcrcBad, "icrc_bad", Severity::kError, "wrong invariant CRC",
     "The ICRC of packets does not match their bytes, while others of the same sender are right: something between the "
     "sender and here changed them.",
     "The receiver drops such a packet without a word; the sender finds out from a NAK or a timeout. A fabric that "
     "alters "
     "packets behind the Ethernet CRC has a broken device in it.",
     "Look at which path the packets took. A switch, a NIC or a cable with bit errors behind its CRC check, or a "
     "device "
     "that rewrites headers which must not change, is the cause. If the captures were edited or anonymized, that is."},
    {FindingId::kIcrcBadAllTx, "icrc_bad_all_tx", Severity::kNote, "every invariant CRC of one sender is wrong",
     "No packet of this sender has a right ICRC. Captured on the sender itself, that means that its NIC fills the ICRC "
     "in "
     "after the capture point.",
     "The packets are most likely right on the wire, but this capture cannot tell a corrupted one.",
     "Nothing, if this capture was made on the sending host. Otherwise capture at the receiver or on a switch to see."},
    {FindingId::kTruncatedCapture, "truncated_capture", Severity::kNote, "the capture cut packets",
     "The capture holds fewer bytes of packets than were on the wire (snap length), so that headers are missing or the "
     "ICRC cannot be verified.",
     "What lies behind the cut is not known: ICRCs are not verified, and extended headers may be missing.",
     "Capture with a snap length of 128 bytes or more for all headers, or without one (-s 0) to verify ICRCs."},
    {FindingId::kCaptureLoss, "capture_loss", Severity::kWarning, "the capture missed packets",
     "Packets were acknowledged that this capture does not have: they arrived, but whoever captured lost them. Or "
     "whoever "
     "captured counted packets that it dropped; then what was not seen on a connection may be among them, unless it is "
     "more.",
     "Losses of the capture look like losses of the network. They are counted apart here, but every figure of these "
     "connections is a lower bound.",
     "Give the capture a larger buffer (-B), a shorter snap length or a filter (udp port 4791); check the drop "
     "counters of "
     "tcpdump, of the mirror port and of the collector."},
    {FindingId::kCaptureDuplicates, "capture_duplicates", Severity::kNote, "the capture has packets twice",
     "The same packet with the same ICRC comes again sooner than any transport sends again: a mirror that copies both "
     "the way in and the way out, or two interfaces captured at once.",
     "The copies are left out of all transport figures; packet and byte counts of flows still have them.",
     "Mirror one direction of a port only, or capture on one interface."},
    {FindingId::kOneSided, "one_sided", Severity::kNote, "only one direction was captured",
     "Packets of one direction of a connection are missing altogether.",
     "Without the other direction nothing can be said of its acknowledgements, latency and losses.",
     "Mirror both directions, and both links where traffic comes back on another path (LAG, ECMP)."},

    {FindingId::kPacketLossBefore, "packet_loss_before", Severity::kError, "packets were lost before the capture point",
     "PSNs were skipped here and sent again later, after a NAK or a timeout: the originals were lost between the "
     "sender "
     "and the place of this capture.",
     "Each lost packet makes a go-back-N requester send everything after it again. RoCE is built for a network that "
     "does "
     "not drop.",
     "Look at drop counters on the way from the sender to the capture point: switch egress queues of the RoCE class, "
     "PFC "
     "and ECN settings, the sender's own NIC, cables (FCS errors)."},
    {FindingId::kPacketLossAfter, "packet_loss_after", Severity::kError, "packets were lost after the capture point",
     "The receiver sent a NAK for packets that passed here: they were lost between the place of this capture and the "
     "receiver, or in the receiver.",
     "Each lost packet makes a go-back-N requester send everything after it again.",
     "Look at drop counters on the way from the capture point to the receiver, and at the receiver's own: "
     "rx_discards_phy, out_of_buffer, PFC storms that its host causes."},
    {FindingId::kReordering, "reordering", Severity::kWarning, "packets arrived out of order",
     "Packets came shortly after ones that were sent later, with nothing that asked for them again.",
     "A receiver without out-of-order support answers with a NAK, and the sender sends everything again: reordering "
     "costs "
     "as much as loss.",
     "Look for packets of one queue pair on several paths: adaptive routing, packet spraying, a LAG that hashes per "
     "packet. "
     "Enable them only where the NICs accept out-of-order packets."},

    {FindingId::kRetransmissions, "retransmissions", Severity::kWarning, "packets were sent again",
     "Requests were sent again whose first copy was seen here, or was lost before the capture point.",
     "Sent bytes are not delivered bytes, and every recovery stalls the queue pair.",
     "The finding beside this one that names the cause (NAK, RNR, timeout) tells where to look."},
    {FindingId::kGoBackNWaste, "go_back_n_waste", Severity::kWarning, "a large share of what was sent was sent again",
     "More than 5 % of the payload bytes that a requester sent were repetitions of packets that were seen here before.",
     "A go-back-N requester sends everything after the first lost packet again: few losses cost much bandwidth, the "
     "more "
     "the longer the path and the deeper the queue.",
     "Remove the loss. Selective repeat (where both NICs have it), a smaller window or smaller messages make it "
     "cheaper."},
    {FindingId::kTimeoutRecovery, "timeout_recovery", Severity::kError, "recovery by timeout",
     "Packets were sent again after a silence, without a NAK: the last packets of a message, an ACK or a NAK were "
     "lost, and "
     "the requester had to wait for its local ACK timeout.",
     "A timeout lasts from milliseconds to seconds (4.096 us x 2^timeout, several times that in practice), in which "
     "the "
     "queue pair does nothing.",
     "Remove the loss. Then look at the local ACK timeout of the queue pair (CM, ibv_modify_qp): 14 is 67 ms, 18 is 1 "
     "s."},
    {FindingId::kSpuriousRetransmission, "spurious_retransmission", Severity::kWarning,
     "packets were sent again needlessly",
     "Requests were sent again though their acknowledgement had passed here before, or was on the way.",
     "The requester's ACK timeout is shorter than the responder takes, or acknowledgements were lost behind this "
     "point.",
     "Look at the local ACK timeout of the queue pair, at what delays the responder, and at losses of ACKs."},
    {FindingId::kRetryExhausted, "retry_exhausted", Severity::kError, "the requester gave up",
     "Packets were sent again, or put off by RNR NAKs, as often as the retry counts allow, and nothing else ever came "
     "back: the queue pair went to the error state (completion status: transport or RNR retry counter exceeded).",
     "The connection is dead; all its outstanding work requests are flushed with an error.",
     "See whether the peer is alive, its queue pair exists, and packets of this size reach it (MTU, ACL, firewall, PFC "
     "deadlock)."},

    {FindingId::kNakSequence, "nak_sequence", Severity::kWarning, "PSN sequence errors",
     "The receiver asked for packets with a NAK (PSN sequence error): a packet arrived whose PSN was not the next one.",
     "It says that packets were lost or overtaken on their way; each NAK makes the sender go back.",
     "packet_loss_before and packet_loss_after tell on which side of this capture."},
    {FindingId::kNakInvalidRequest, "nak_invalid_request", Severity::kError, "invalid request",
     "The responder refused a request as invalid: an opcode it does not support or expect, a message longer than the "
     "posted "
     "receive buffer, too many outstanding READs.",
     "The queue pair is in the error state at both ends; the application sees a remote invalid request error.",
     "Compare the size of the SEND with the receive buffers posted by the peer, and the initiator depth with the "
     "peer's "
     "responder resources."},
    {FindingId::kNakRemoteAccess, "nak_remote_access", Severity::kError, "remote access refused",
     "The responder refused an R_Key, an address range or a right (NAK remote access error).",
     "The queue pair is in the error state at both ends. Either the two applications disagree on a memory region, or "
     "it was "
     "deregistered too early - or somebody tries keys.",
     "Compare the R_Key and the range below with the regions that the peer registered and announced, their access "
     "flags "
     "and their lifetime."},
    {FindingId::kNakRemoteOperational, "nak_remote_operational", Severity::kError, "remote operational error",
     "The responder could not do what was asked although the request was right (NAK remote operational error).",
     "The queue pair is in the error state at both ends; the cause is local to the responder.",
     "Look at the responder's host: its kernel log, its asynchronous events, its NIC's firmware."},
    {FindingId::kRnr, "rnr", Severity::kWarning, "receiver not ready",
     "The responder had no receive posted for a SEND or a WRITE with immediate and answered with an RNR NAK.",
     "The sender waits for at least the time in the NAK (10 us to 655 ms) before it sends again, up to its RNR retry "
     "count; "
     "then the queue pair fails.",
     "Post more receives at the responder, post them before the peer may send, or use a flow control of your own."},
    {FindingId::kRnrTimerNotHonoured, "rnr_timer_not_honoured", Severity::kWarning, "sent again sooner than asked",
     "After an RNR NAK the requester sent again before the time in the NAK had passed.",
     "The responder is still not ready; RNR retries are used up for nothing.",
     "A matter of the requester's NIC or driver: update its firmware."},
    {FindingId::kCreditStall, "credit_stall", Severity::kWarning, "no end-to-end credits",
     "Acknowledgements carried a credit count of 0: the responder has no receive for what comes next.",
     "The requester may send only one packet as a probe until credits come.", "Post more receives at the responder."},

    {FindingId::kEcnMarked, "ecn_marked", Severity::kNote, "packets were marked by a switch",
     "Packets carry the ECN mark Congestion Experienced.",
     "A switch queue on the way was above its marking threshold. That is how DCQCN works; a large share of marked "
     "packets "
     "means lasting congestion.",
     "See which flows share the marked path; look at incast, at ECN thresholds, at the load of the links."},
    {FindingId::kCnpStorm, "cnp_storm", Severity::kWarning, "very many congestion notifications",
     "CNPs come at more than 1,000 a second for one connection over at least 100 ms.",
     "Its rate is cut again and again and stays low.",
     "Find the congested queue (incast?), compare the marking thresholds with the bandwidth-delay product, see that "
     "the "
     "receivers limit CNPs (min_time_between_cnps)."},
    {FindingId::kCnpWithoutReaction, "cnp_without_reaction", Severity::kWarning,
     "no reaction to congestion notifications", "A sender got CNPs and did not send more slowly after them.",
     "Congestion control does not work for this sender: it fills queues until PFC stops or packets are dropped, at the "
     "cost of all others.",
     "See that DCQCN's reaction point is enabled for this priority at the sender (ecn/roce_rp), and that CNPs reach "
     "it."},
    {FindingId::kNotEct, "not_ect", Severity::kNote, "RoCE traffic without ECN",
     "Packets with payload are sent as not ECN-capable (Not-ECT): switches cannot mark them.",
     "Without marks there is no DCQCN; what is left against congestion is PFC, or loss.",
     "Set the traffic class of the queue pairs (rdma_set_option, ToS of the CM, cma_roce_tos) with the ECN bits that "
     "your "
     "NIC sets, and ECN on the NIC's priority."},
    {FindingId::kPfcPause, "pfc_pause", Severity::kNote, "priority flow control stopped traffic",
     "PFC frames with a time above 0 were seen: a receiver asked its neighbour to stop one or more priorities.",
     "That is what a lossless class is for, but every pause spreads backwards through the fabric.",
     "See who sends them: a host means a slow receiver, a switch means congestion behind it."},
    {FindingId::kPfcStorm, "pfc_storm", Severity::kError, "a storm of pause frames",
     "One station paused a priority for most of a second or longer.",
     "A whole priority stands still, and with it everything that shares its queues up to the senders.",
     "Find the station that sends the pauses (a dead or slow host?) and turn on the PFC watchdog of the switches."},
    {FindingId::kCnpClass, "cnp_class", Severity::kNote, "CNPs share the class of the data",
     "CNPs are sent with the same DSCP as the data they are to slow down.",
     "They wait in the very queues that are congested, and congestion control reacts late.",
     "Give CNPs a strict-priority class of their own (cnp_dscp; DSCP 48 is usual)."},

    {FindingId::kCmReject, "cm_reject", Severity::kError, "a connection was rejected",
     "A REQ or REP of the communication manager was answered with REJ.", "The application could not connect.",
     "The reason tells: invalid service ID means that nothing listens there, consumer reject that the application said "
     "no, "
     "stale connection that the peer still knows an old one."},
    {FindingId::kCmTimeout, "cm_timeout", Severity::kError, "no answer to a connection request",
     "A REQ or REP was repeated and never answered.", "The application waits, then fails with an unreachable error.",
     "See whether the peer is up, UDP port 4791 passes firewalls both ways, and its GID table has this address."},
    {FindingId::kCmRetries, "cm_retries", Severity::kWarning, "CM messages were repeated",
     "A message of the communication manager was sent again before it was answered.",
     "Setting up or closing the connection took longer by the CM's timeouts, which last seconds.",
     "A lost datagram or a busy peer: see the times between the repetitions, and loss on the same path."},
    {FindingId::kCmIncomplete, "cm_incomplete", Severity::kNote, "a handshake is not all here",
     "The capture has only a part of a CM handshake.",
     "Queue pair numbers and parameters of that connection are not all known.",
     "Start the capture before the applications connect."},
    {FindingId::kStaleConnection, "stale_connection", Severity::kWarning, "packets for a connection that was closed",
     "A connection was rejected as stale, or packets came for a queue pair after its connection was closed.",
     "The two ends do not agree on what exists: one has restarted, or a queue pair number was used again too soon.",
     "Let the applications disconnect before they exit; wait in TIMEWAIT before a queue pair is used again."},
    {FindingId::kTornDownOutstanding, "torn_down_outstanding", Severity::kError,
     "a connection ended with messages outstanding",
     "A side tore the connection down (DREQ) while messages of a requester were not completed, or a side fell silent: "
     "the "
     "other sent again twice or more, and nothing came back up to the end of the capture. Where an error ended the "
     "connection before (a NAK, retries used up) that is told instead. Of a capture that lost packets itself, it may "
     "be "
     "their ACKs that are missing.",
     "These messages are flushed with an error, and nobody knows which of them were carried out: data may be there in "
     "part.",
     "See whether the program on that side was killed, crashed or closed the connection too early; the kernel sends "
     "the DREQ "
     "for a process that died. Let both sides agree that they are done before either disconnects."},

    {FindingId::kOpcodeOrder, "opcode_order", Severity::kError, "packets of a message in a wrong order",
     "First, Middle, Last and Only of the messages of a queue pair do not follow each other as they must (IBTA 9.7.4). "
     "Judged only between packets with consecutive PSNs: where one was not seen, nothing is concluded.",
     "A responder answers this with NAK (invalid request), which ends the queue pair.",
     "A defect of the sender's NIC or software."},
    {FindingId::kLengthMtu, "length_mtu", Severity::kError, "payload does not fit the path MTU or the message",
     "A First or Middle packet is not exactly one path MTU long, a Last is empty, a Last or Only is longer than the "
     "path MTU, the payloads of a WRITE do not add up to the length in its RETH, or there are bytes where the opcode "
     "has no payload (IBTA 9.7.4). The path MTU is that of the handshake, else that of the first full packet.",
     "A responder answers this with NAK (invalid request), which ends the queue pair.",
     "The two ends disagree on the path MTU, or the sender has a defect."},
    {FindingId::kPad, "pad", Severity::kError, "wrong padding",
     "Payload and pad are no multiple of four bytes, a First or Middle has a pad, or the pad is not zero (IBTA 9.2).",
     "A responder refuses the first two, or delivers a wrong length. What is in the pad nobody reads, but it comes "
     "from somewhere: memory of the sender may leak.",
     "A defect of the sender's NIC or software."},
    {FindingId::kTransportOperation, "transport_operation", Severity::kError,
     "an operation that the transport does not have",
     "The opcode is reserved, or of another transport service than that of the queue pair. Where no CM told the "
     "transport, a packet counts only if the queue pair went on with its own afterwards.",
     "A responder drops it (another transport, IBTA 9.6) or answers with NAK (invalid request; a reserved opcode, IBTA "
     "9.7.4).",
     "A defect of the sender, or a queue pair number that was used again with another type."},
    {FindingId::kTver, "tver", Severity::kError, "unknown transport header version",
     "The version of the base transport header (TVer) is not 0.",
     "Receivers drop such packets without a word (IBTA 9.6).",
     "A defect of the sender, or no RoCE at all on UDP port 4791."},
    {FindingId::kReservedBits, "reserved_bits", Severity::kNote, "reserved bits are set",
     "Bits or values of BTH, AETH, DETH, XRCETH, FETH or CNP that are reserved are not 0. The six bits beside FECN and "
     "BECN are outside the ICRC: a switch may have set them, and some vendors mark packets there that may take any "
     "path.",
     "Receivers ignore the bits today, but not a reserved NAK code; a later version of the specification may give them "
     "a meaning.",
     "Most often a vendor's extension: compare with the sender's documentation."},
    {FindingId::kPkeyMismatch, "pkey_mismatch", Severity::kError, "partition keys differ",
     "Packets of one connection carry another P_Key than the first one did. The membership bit is left aside.",
     "A receiver drops packets of a foreign partition without a word and counts a P_Key violation (IBTA 9.6).",
     "Look at the P_Key tables of both ports; RoCE uses the default 0xffff nearly always."},

    {FindingId::kReadDepthExceeded, "read_depth_exceeded", Severity::kError, "too many READs and atomics outstanding",
     "More READs and atomics were outstanding at once than the handshake agreed on: the initiator depth of the one "
     "side, the responder resources of the other.",
     "The responder may refuse them (invalid request), which ends the queue pair.",
     "Set max_rd_atomic of the requester to the peer's max_dest_rd_atomic (initiator depth, responder resources)."},
    {FindingId::kSmallMessages, "small_messages", Severity::kNote, "very small messages",
     "A side sent 1,000 or more messages of less than 256 bytes, nine tenths of all its SENDs, WRITEs and READs, and "
     "10,000 or more a second: a slower one waits for something else.",
     "The headers of a packet take about 100 bytes of wire. Message rate, not bandwidth, is the limit then.",
     "Batch work requests, send several small pieces as one message with a gather list, use inline data."},
    {FindingId::kSmallMtu, "small_mtu", Severity::kNote, "a small path MTU for bulk data",
     "A side moved 1 MiB or more in messages of 4,096 bytes or more on average, with a path MTU of 1,024 or less.",
     "More packets for the same bytes: more headers, more work for NICs and switches.",
     "Set the Ethernet MTU to 4,200 or more on the whole path, so that a path MTU of 4,096 can be chosen."},
    {FindingId::kAckEveryPacket, "ack_every_packet", Severity::kNote, "nearly every packet is acknowledged",
     "There is an ACK for nine of ten request packets or more, among 1,000 or more, though a message has four packets "
     "or more on average: one ACK for each message would do.",
     "Acknowledgements take packet rate in the other direction.",
     "A matter of the NICs: see AckReq of the requester and ACK coalescing of the responder."},
    {FindingId::kOnePortEntropy, "one_port_entropy", Severity::kNote, "all queue pairs use one UDP source port",
     "Four or more busy queue pairs between two hosts get packets from the same UDP source port, and from no other.",
     "Switches hash it to choose a path: all of this traffic takes the same one.",
     "Let the NIC derive the port from the queue pairs (flow label, IPv6 flow label, rdma_set_option), or use more."},

    {FindingId::kRkeyPredictable, "rkey_predictable", Severity::kNote, "R_Keys can be guessed",
     "Of eight or more R_Keys of a host, half or more lie within 16 of the one before. Their low 8 bits are left "
     "aside: drivers and memory windows choose them.",
     "Whoever can send packets to it can guess the key of a region that he was never told.",
     "Most NICs do this. Keep untrusted hosts out of the RDMA network; prefer memory windows of type 2 and short-lived "
     "keys."},
    {FindingId::kRkeyReused, "rkey_reused", Severity::kNote, "an R_Key came back for another region",
     "One R_Key of a host was used for memory far away from where it was used before, by another connection.",
     "A late or hostile request with the old key reaches the new region.",
     "Let the key part of the R_Key change with each registration."},
    {FindingId::kQpnSequential, "qpn_sequential", Severity::kNote, "queue pair numbers can be guessed",
     "Of eight or more queue pair numbers of a host, half or more lie within 16 of the one before.",
     "With the number, an attacker who can send packets needs only the PSN to inject some.",
     "Most NICs do this. Keep untrusted hosts out of the RDMA network."},
    {FindingId::kPsnStartPredictable, "psn_start_predictable", Severity::kNote, "starting PSNs can be guessed",
     "Of eight or more starting PSNs that a host told, half or more are equal to the one before or lie within 16 of "
     "it.",
     "The PSN is all that protects a queue pair from injected packets.",
     "Choose random starting PSNs; the CM of Linux does."},
    {FindingId::kRkeyInClear, "rkey_in_clear", Severity::kNote, "an R_Key was sent in clear",
     "A key that later packets use had been sent in clear in private data of the CM, in a message or over TCP.",
     "Everyone who can read the network can read the key. RoCE has no encryption of its own; this is the usual case.",
     "Use IPsec or a network that nobody else can read, where that matters."},
    {FindingId::kRkeyScan, "rkey_scan", Severity::kError, "somebody tries R_Keys",
     "One host sent requests with many R_Keys of another (8 or more), each of which was refused and never used "
     "otherwise.",
     "Whoever finds a key that is valid can read or write the memory behind it.",
     "See which program on the requesting host sends them: an attack, or a program with stale keys that tries again."},
    {FindingId::kForeignRequester, "foreign_requester", Severity::kError, "packets from a stranger",
     "Requests for a queue pair of a connection came from another address than its peer's, nothing answered them, and "
     "the connection went on afterwards.",
     "Injected packets, or an address that moved.",
     "See who owns the address; look at the PSNs and keys that the packets try."},
    {FindingId::kPayloadConflict, "payload_conflict", Severity::kError, "the same PSN with another payload",
     "A SEND or WRITE packet was sent again with another payload than its first copy; the ICRCs of both are good. "
     "Headers may differ, and so may READ responses, which are read anew.",
     "The receiver keeps one of the two. A retransmission never changes the payload: memory was changed while it was "
     "being sent, or somebody injects packets.",
     "Look whether the application writes into buffers of outstanding work requests; compare the addresses and the TTL "
     "of both copies."},
};
static_assert(std::size(kInfos) == kFindingIds);

constexpr bool is_in_order() {
  for (std::size_t i = 0; i < std::size(kInfos); ++i) {
    if (static_cast<std::size_t>(kInfos[i].id) != i) return false;
  }
  return true;
}
static_assert(is_in_order());

}  // namespace

std::span<const FindingInfo> finding_infos() noexcept { return kInfos; }

const FindingInfo& finding_info(FindingId id) noexcept { return kInfos[static_cast<std::size_t>(id)]; }

const FindingInfo* find_finding_info(std::string_view name) noexcept {
  const auto* const found =
      std::find_if(std::begin(kInfos), std::end(kInfos), [&](const FindingInfo& info) { return info.name == name; });
  return found == std::end(kInfos) ? nullptr : found;
}

}  // namespace rocescope
