// The registry of findings: what each means, why it matters, what to do.
#include <algorithm>
#include <iterator>

#include "rocescope/finding.hpp"

namespace rocescope {
namespace {

constexpr FindingInfo kInfos[] = {
    {FindingId::kIcrcBad, "icrc_bad", Severity::kError, FindingRole::kDamage, "packets", "packets were damaged",
     "The ICRC of packets does not match their bytes, while other packets of the same sender have a right ICRC: a "
     "device between the sender and the capture point changed them. Others may have been damaged beyond recognition. "
     "Whose "
     "they are is most probable: what a damaged packet shows may be what is damaged, so it makes no host, flow or "
     "connection and counts as no "
     "loss "
     "of its own. If the network delivered another copy, as to a mirror port, its receiver may have got it whole.",
     "The receiver drops such a packet silently; the sender learns of it from a NAK or a timeout. A fabric that "
     "alters packets behind the Ethernet CRC contains a broken device.",
     "Find the path of these packets. The cause is a switch, a NIC or a cable with bit errors behind its CRC check, "
     "a device that rewrites headers which must not change, or a tool that edited or anonymized the capture."},
    {FindingId::kIcrcBadAllTx, "icrc_bad_all_tx", Severity::kNote, FindingRole::kCapture, "packets",
     "every invariant CRC of one sender is wrong",
     "No packet of this sender has a right ICRC. In a capture made on the sender itself, this means that its NIC "
     "writes the ICRC after the capture point. Where the sender sent few packets, they may as well be damaged.",
     "The packets are most likely right on the wire, but this capture cannot show a corrupted one.",
     "Nothing, if the capture was made on the sending host. Otherwise capture at the receiver or on a switch, and "
     "compare."},
    {FindingId::kTruncatedCapture, "truncated_capture", Severity::kNote, FindingRole::kCapture, "packets",
     "the capture cut packets",
     "The capture holds fewer bytes of these packets than were on the wire (snap length). The report says how many "
     "lack "
     "CM messages, extended headers (RETH, AtomicETH and others), or only payload and the ICRC.",
     "Without CM messages, connections lack what was agreed when they were set up, and which two queue pairs belong "
     "together may stay unknown. Without a RETH, a READ has no size, and its responses cannot be told from missing "
     "ones. Without the ICRC, damage is not seen.",
     "Capture whole packets (tcpdump -s 0). 128 bytes hold the headers of RoCEv2 over IPv4 and IPv6, but no CM "
     "message, "
     "which takes 322 bytes over IPv4 and 342 over IPv6; VLAN tags and tunnels take more. SNAP LENGTH in the manual "
     "page of `rocescope live` has the sizes."},
    {FindingId::kCaptureLoss, "capture_loss", Severity::kWarning, FindingRole::kCapture, "packets",
     "the capture missed packets",
     "The receiver acknowledged packets that this capture does not have: they arrived, and the capture lost them. Or "
     "the capturing program counted packets that it dropped; packets that a connection lacks may be among them, "
     "unless the connection lacks more.",
     "Losses of the capture look like losses of the network. They are counted apart here, but every figure of these "
     "connections is a lower bound.",
     "Give the capture a larger buffer (-B), a shorter snap length or a filter (udp port 4791); check the drop "
     "counters of tcpdump, of the mirror port and of the collector."},
    {FindingId::kCaptureDuplicates, "capture_duplicates", Severity::kNote, FindingRole::kCapture, "packets",
     "the capture has packets twice",
     "The same packet with the same ICRC comes again sooner than any transport sends again: a mirror copies both the "
     "way in and the way out, or two interfaces were captured at once.",
     "The copies are left out of all transport figures; packet and byte counts of flows still have them.",
     "Mirror one direction of a port only, or capture on one interface."},
    {FindingId::kOneSided, "one_sided", Severity::kNote, FindingRole::kCapture, "packets",
     "only one direction was captured", "Packets of one direction of a connection are missing altogether.",
     "Acknowledgements, latency and losses cannot be judged without the other direction.",
     "Mirror both directions, and both links where traffic comes back on another path (LAG, ECMP)."},

    {FindingId::kPacketLossBefore, "packet_loss_before", Severity::kError, FindingRole::kLoss, "packets",
     "packets were lost before the capture point",
     "PSNs were skipped here and sent again later, after a NAK or a timeout: the first copies were lost between the "
     "sender and the capture point.",
     "After each lost packet, a go-back-N requester sends everything behind it again. RoCE is built for a network "
     "that does not drop.",
     "Look at drop counters on the way from the sender to the capture point: switch egress queues of the RoCE class, "
     "PFC and ECN settings, the sender's own NIC, cables (FCS errors)."},
    {FindingId::kPacketLossAfter, "packet_loss_after", Severity::kError, FindingRole::kLoss, "packets",
     "packets were lost after the capture point",
     "The receiver sent a NAK for packets that passed here: they were lost between the capture point and the "
     "receiver, or in the receiver.",
     "After each lost packet, a go-back-N requester sends everything behind it again.",
     "Look at drop counters on the way from the capture point to the receiver, and at the receiver's own: "
     "rx_discards_phy, out_of_buffer, PFC storms that its host causes."},
    {FindingId::kPacketLossBetween, "packet_loss_between", Severity::kError, FindingRole::kLoss, "packets",
     "packets were lost between two capture points",
     "The first of two capture points saw packets that never came to the second, while packets before and behind them "
     "did.",
     "It is the network between these two points that loses them, and neither host. After each lost packet, a "
     "go-back-N "
     "requester sends everything behind it again.",
     "Look at drop counters on the way between the two points. If the capture at the second one dropped packets, these "
     "may be "
     "among them."},
    {FindingId::kReadResponseLossBefore, "read_response_loss_before", Severity::kError, FindingRole::kLoss, "packets",
     "READ responses were lost before the capture point",
     "A responder sent responses to RDMA READs that did not come here, and the requester asked for them again, for "
     "what "
     "was missing or after a timeout: they were lost between the responder and the capture point. A responder "
     "answers each READ in full and one after the other, so later responses show that those before them were sent. A "
     "READ "
     "of which no response came, and nothing later either, is not counted: its request may be what was lost. If "
     "the capture itself lost packets, some of these may be among them.",
     "The requester drops all responses behind a lost one and asks for them again. Where the last one is lost, or its "
     "request to repeat, it waits for a timeout first.",
     "Look at drop counters on the way from the responder to the capture point: egress queues of the switch port that "
     "leads to the requester (READs of many responders meet there: incast), the class that responses "
     "have, PFC and ECN settings, cables (FCS errors)."},
    {FindingId::kReadResponseLossAfter, "read_response_loss_after", Severity::kError, FindingRole::kLoss, "packets",
     "READ responses were lost after the capture point",
     "Responses to RDMA READs passed here, and the requester asked for them again all the same: at least the first of "
     "each "
     "such request was lost between the capture point and the requester, or in the requester. If packets were "
     "reordered "
     "behind the capture point, it was only overtaken. What followed it may be lost or dropped, and is not "
     "counted.",
     "The requester drops all responses behind a lost one and asks for them again, or waits for a timeout first.",
     "Look at drop counters on the way from the capture point to the requester, and at the requester's own: "
     "rx_discards_phy, out_of_buffer, PFC storms that its host causes."},
    {FindingId::kReordering, "reordering", Severity::kWarning, FindingRole::kReordering, "packets",
     "packets arrived out of order",
     "Packets came shortly after packets that were sent later, and nothing had asked for them again.",
     "A receiver without out-of-order support answers with a NAK, and the sender sends everything again: reordering "
     "costs as much as loss.",
     "Look for packets of one queue pair on several paths: adaptive routing, packet spraying, a LAG that hashes per "
     "packet. Enable them only where the NICs accept out-of-order packets."},
    {FindingId::kNetworkDuplicates, "network_duplicates", Severity::kWarning, FindingRole::kOther, "packets",
     "the network duplicated packets",
     "Packets came twice, unchanged, sooner than any transport sends again, and their receiver answered most of the "
     "copies as duplicate requests: it got both. A copy that the capture makes is never answered.",
     "A network must not duplicate packets. It costs bandwidth, and an answer to each; a UC or UD receiver may take "
     "the "
     "copy for another message.",
     "Look for a loop, for a LAG or a bridge that floods, for a device that forwards the same mirror twice."},

    {FindingId::kRetransmissions, "retransmissions", Severity::kWarning, FindingRole::kConsequence, "packets",
     "packets were sent again",
     "Requests were sent again. Their first copy was seen here, or was lost before the capture point.",
     "Sent bytes are not delivered bytes, and every recovery stalls the queue pair.",
     "Look at the finding of the same connection that names the cause (NAK, RNR NAK, timeout)."},
    {FindingId::kGoBackNWaste, "go_back_n_waste", Severity::kWarning, FindingRole::kConsequence, "",
     "a large share of what was sent was sent again",
     "More than 5 % of the payload bytes that a requester sent repeat packets that were seen here before.",
     "A go-back-N requester sends everything after the first lost packet again: few losses cost much bandwidth, and "
     "more with a longer path and a deeper queue.",
     "Remove the loss. Selective repeat (if both NICs have it), a smaller window or smaller messages make a loss "
     "cheaper."},
    {FindingId::kTimeoutRecovery, "timeout_recovery", Severity::kError, FindingRole::kConsequence, "packets",
     "recovery by timeout",
     "Packets were sent again after a silence, without a NAK: the last packets of a message, an ACK or a NAK were "
     "lost, and the requester waited for its local ACK timeout. Where the capture has nothing of the receiver, a NAK "
     "may have come as well: then only the retransmissions are reported.",
     "A timeout lasts from milliseconds to seconds (4.096 us x 2^timeout, several times that in practice). The queue "
     "pair does nothing meanwhile.",
     "Remove the loss. Then look at the local ACK timeout of the queue pair (CM, ibv_modify_qp): 14 is 67 ms, 18 is "
     "1 s."},
    {FindingId::kSpuriousRetransmission, "spurious_retransmission", Severity::kWarning, FindingRole::kConsequence,
     "packets", "packets were sent again needlessly",
     "Requests were sent again although their acknowledgement had already passed here, or was on the way.",
     "The requester's ACK timeout is shorter than the responder needs, or acknowledgements were lost behind the "
     "capture point.",
     "Look at the local ACK timeout of the queue pair, at what delays the responder, and at losses of ACKs."},
    {FindingId::kRetryExhausted, "retry_exhausted", Severity::kError, FindingRole::kEnd, "", "the requester gave up",
     "Packets were sent again, or put off by RNR NAKs, as often as the retry counts allow, and nothing else came "
     "back: the queue pair went to the error state (completion status: transport or RNR retry counter exceeded).",
     "The connection is dead; all its outstanding work requests are flushed with an error.",
     "Check that the peer is alive, that its queue pair exists, and that packets of this size reach it (MTU, ACL, "
     "firewall, PFC deadlock)."},

    {FindingId::kNakSequence, "nak_sequence", Severity::kWarning, FindingRole::kConsequence, "NAKs",
     "PSN sequence errors",
     "The receiver asked for packets with a NAK (PSN sequence error): a packet arrived whose PSN was not the next "
     "one.",
     "Packets were lost or overtaken on their way; each NAK makes the sender go back.",
     "Look at packet_loss_before and packet_loss_after: they show on which side of the capture point the packets "
     "were lost."},
    {FindingId::kNakInvalidRequest, "nak_invalid_request", Severity::kError, FindingRole::kEnd, "requests",
     "invalid request",
     "The responder refused a request as invalid: an opcode that it does not support or expect, a message longer "
     "than the posted receive buffer, too many outstanding READs.",
     "The queue pair is in the error state at both ends; the application sees a remote invalid request error.",
     "Compare the size of the SEND with the receive buffers posted by the peer, and the initiator depth with the "
     "peer's responder resources."},
    {FindingId::kNakRemoteAccess, "nak_remote_access", Severity::kError, FindingRole::kEnd, "requests",
     "remote access refused", "The responder refused an R_Key, an address range or a right (NAK remote access error).",
     "The queue pair is in the error state at both ends. Either the two applications disagree on a memory region, or "
     "it was deregistered too early, or somebody tries keys.",
     "Compare the R_Key and the range of the finding with the regions that the peer registered and announced, their "
     "access flags and their lifetime."},
    {FindingId::kNakRemoteOperational, "nak_remote_operational", Severity::kError, FindingRole::kEnd, "requests",
     "remote operational error",
     "The responder could not carry out a request that was right (NAK remote operational error).",
     "The queue pair is in the error state at both ends; the cause is local to the responder.",
     "Look at the responder's host: its kernel log, its asynchronous events, its NIC's firmware."},
    {FindingId::kRnr, "rnr", Severity::kWarning, FindingRole::kNotReady, "RNR NAKs", "receiver not ready",
     "The responder had no receive posted for a SEND or a WRITE with immediate and answered with an RNR NAK.",
     "The sender waits for at least the time in the NAK (10 us to 655 ms) before it sends again, up to its RNR retry "
     "count; then the queue pair fails.",
     "Post more receives at the responder, post them before the peer may send, or add flow control to the "
     "application."},
    {FindingId::kRnrTimerNotHonoured, "rnr_timer_not_honoured", Severity::kWarning, FindingRole::kConsequence,
     "packets", "sent again before the RNR timer ended",
     "After an RNR NAK the requester sent again before the time in the NAK had passed.",
     "The responder is still not ready, and the requester uses up its RNR retries for nothing.",
     "Update the firmware and the driver of the requester's NIC."},
    {FindingId::kCreditStall, "credit_stall", Severity::kWarning, FindingRole::kCredits, "stalls",
     "no end-to-end credits",
     "An acknowledgement carried a credit count of 0: the responder has posted no receive for the next message. The "
     "requester then sent nothing for 1 ms or longer until another gave credits, and sent at once after it: it had "
     "been "
     "waiting. A requester that has nothing to send until then does not wait, and if it sends later nobody can tell.",
     "The requester may send only one packet as a probe until it gets credits.",
     "Post more receives at the responder."},

    {FindingId::kEcnMarked, "ecn_marked", Severity::kNote, FindingRole::kCongestion, "packets",
     "packets were marked by a switch", "Packets carry the ECN mark Congestion Experienced.",
     "A switch queue on the way was above its marking threshold. DCQCN works that way; a large share of marked "
     "packets means lasting congestion.",
     "Find the flows that share the marked path; look at incast, at ECN thresholds, at the load of the links."},
    {FindingId::kCeWithoutCnp, "ce_without_cnp", Severity::kWarning, FindingRole::kCongestion, "packets",
     "marked packets, and no congestion notification",
     "A switch marked packets of this sender (CE). Packets of their receiver were seen, but no CNP.",
     "Congestion control does not answer: nothing tells the sender to slow down, so the queue grows until PFC stops it "
     "or "
     "packets are dropped.",
     "Check that DCQCN's notification point is enabled for this priority at the receiver (ecn/roce_np), and that no "
     "rule "
     "on the way drops CNPs or changes their class. Soft-RoCE never sends CNPs. If CNPs take another way than the "
     "acknowledgements, or the capture missed packets, it may not have them."},
    {FindingId::kCnpStorm, "cnp_storm", Severity::kWarning, FindingRole::kCongestion, "CNPs",
     "very many congestion notifications",
     "CNPs come at more than 1,000 a second for one connection over at least 100 ms.",
     "The sender cuts its rate again and again, and the rate stays low.",
     "Find the congested queue (incast?), compare the marking thresholds with the bandwidth-delay product, check "
     "that the receivers limit CNPs (min_time_between_cnps)."},
    {FindingId::kCnpWithoutReaction, "cnp_without_reaction", Severity::kWarning, FindingRole::kCongestion, "CNPs",
     "no reaction to congestion notifications", "A sender got CNPs and did not send more slowly after them.",
     "Congestion control does not work for this sender: it fills queues until PFC stops it or packets are dropped, "
     "and all other senders pay for it.",
     "Check that DCQCN's reaction point is enabled for this priority at the sender (ecn/roce_rp), and that CNPs "
     "reach it."},
    {FindingId::kNotEct, "not_ect", Severity::kNote, FindingRole::kOther, "packets", "RoCE traffic without ECN",
     "Packets with payload are sent as not ECN-capable (Not-ECT): switches cannot mark them.",
     "Without marks there is no DCQCN: only PFC, or loss, limits congestion.",
     "Set the traffic class of the queue pairs (rdma_set_option, ToS of the CM, cma_roce_tos) with the ECN bits that "
     "your NIC sets, and enable ECN for the NIC's priority."},
    {FindingId::kPfcPause, "pfc_pause", Severity::kNote, FindingRole::kCongestion, "",
     "priority flow control stopped traffic",
     "PFC frames with a time above 0 were seen: a receiver asked its neighbour to stop one or more priorities.",
     "A lossless class needs pauses, but every pause spreads backwards through the fabric.",
     "Find the senders of the pauses: a host means a slow receiver, a switch means congestion behind it."},
    {FindingId::kPfcStorm, "pfc_storm", Severity::kError, FindingRole::kCongestion, "", "a storm of pause frames",
     "One station paused a priority for most of a second or longer.",
     "A whole priority stands still, and with it everything that shares its queues, back to the senders.",
     "Find the station that sends the pauses (a dead or slow host?) and turn on the PFC watchdog of the switches."},
    {FindingId::kCnpClass, "cnp_class", Severity::kNote, FindingRole::kOther, "CNPs",
     "CNPs share the class of the data", "CNPs have the same DSCP as the data that they are to slow down.",
     "They wait in the congested queues, and congestion control reacts late.",
     "Give CNPs a strict-priority class of their own (cnp_dscp; DSCP 48 is usual)."},

    {FindingId::kCmReject, "cm_reject", Severity::kError, FindingRole::kEnd, "", "a connection was rejected",
     "A peer answered a REQ or REP of the communication manager with REJ.", "The application could not connect.",
     "Look at the reason. Invalid service ID: nothing listens there. Consumer reject: the application refused. Stale "
     "connection: the peer still knows an old one."},
    {FindingId::kCmTimeout, "cm_timeout", Severity::kError, FindingRole::kEnd, "", "no answer to a connection request",
     "A REQ or REP was repeated and never answered.", "The application waits, then fails with an unreachable error.",
     "Check that the peer is up, that UDP port 4791 passes firewalls both ways, and that the peer's GID table has "
     "this address."},
    {FindingId::kCmRetries, "cm_retries", Severity::kWarning, FindingRole::kOther, "", "CM messages were repeated",
     "A message of the communication manager was sent again before it was answered.",
     "Setting up or closing the connection took longer by the CM's timeouts, which last seconds.",
     "Look for a lost datagram or a busy peer: see the times between the repetitions, and losses on the same path."},
    {FindingId::kCmIncomplete, "cm_incomplete", Severity::kNote, FindingRole::kCapture, "", "a handshake is incomplete",
     "The capture has only a part of a CM handshake.",
     "Some queue pair numbers and parameters of the connection are unknown.",
     "Start the capture before the applications connect."},
    {FindingId::kStaleConnection, "stale_connection", Severity::kWarning, FindingRole::kOther, "packets",
     "packets for a connection that was closed",
     "A connection was rejected as stale, or packets came for a queue pair after its connection was closed.",
     "The two ends disagree about the connection: one has restarted, or a queue pair number was used again too soon.",
     "Let the applications disconnect before they exit; wait in TIMEWAIT before a queue pair is used again."},
    {FindingId::kTornDownOutstanding, "torn_down_outstanding", Severity::kError, FindingRole::kEnd, "bytes",
     "a connection ended with messages outstanding",
     "A side tore the connection down (DREQ) while messages of a requester were outstanding. Or a side fell silent: "
     "the other side sent again twice or more, and nothing came back up to the end of the capture. A connection that "
     "an error ended before (a NAK, retries used up) has the finding of that error instead. Where the capture missed "
     "packets, it may lack the ACKs of these messages: then a DREQ proves nothing, and is not reported.",
     "These messages are flushed with an error, and nobody knows which of them were carried out: a part of the data "
     "may have arrived.",
     "Check whether the program on that side was killed, crashed or closed the connection too early; the kernel "
     "sends the DREQ for a process that died. Let both sides agree that they are done before either disconnects."},

    {FindingId::kOpcodeOrder, "opcode_order", Severity::kError, FindingRole::kBreach, "packets",
     "packets of a message in a wrong order",
     "First, Middle, Last and Only of the messages of a queue pair do not follow each other as they must (IBTA "
     "9.7.4). Only packets with consecutive PSNs are compared: a packet that was not seen proves nothing.",
     "A responder answers this with NAK (invalid request), which ends the queue pair.",
     "Look for a defect in the sender's NIC or software."},
    {FindingId::kLengthMtu, "length_mtu", Severity::kError, FindingRole::kBreach, "packets",
     "payload does not fit the path MTU or the message",
     "A First or Middle packet is not exactly one path MTU long, a Last is empty, a Last or Only is longer than the "
     "path MTU, the payloads of a WRITE do not add up to the length in its RETH, or a packet has bytes where its "
     "opcode has no payload (IBTA 9.7.4). The path MTU comes from the handshake, else from the first full packet.",
     "A responder answers this with NAK (invalid request), which ends the queue pair.",
     "Check that both ends use the same path MTU; otherwise look for a defect in the sender."},
    {FindingId::kPad, "pad", Severity::kError, FindingRole::kBreach, "packets", "wrong padding",
     "Payload and pad are no multiple of four bytes, a First or Middle has a pad, or the pad is not zero (IBTA 9.2).",
     "A responder refuses the first two, or delivers a wrong length. Nobody reads the pad, but its bytes come from "
     "the sender, whose memory may leak.",
     "Look for a defect in the sender's NIC or software."},
    {FindingId::kTransportOperation, "transport_operation", Severity::kError, FindingRole::kBreach, "packets",
     "an operation that the transport does not have",
     "The opcode is reserved, or belongs to another transport service than the queue pair. Where no CM message names "
     "the transport, a packet counts only if the queue pair went on with its own transport afterwards.",
     "A responder drops it (another transport, IBTA 9.6) or answers with NAK (invalid request; a reserved opcode, "
     "IBTA 9.7.4).",
     "Look for a defect in the sender, or for a queue pair number that was used again with another type."},
    {FindingId::kTver, "tver", Severity::kError, FindingRole::kBreach, "packets", "unknown transport header version",
     "The version of the base transport header (TVer) is not 0.", "Receivers drop such packets silently (IBTA 9.6).",
     "Look for a defect in the sender, or for another protocol on UDP port 4791."},
    {FindingId::kReservedBits, "reserved_bits", Severity::kNote, FindingRole::kBreach, "packets",
     "reserved bits are set",
     "Reserved bits or values of BTH, AETH, DETH, XRCETH, FETH or CNP are not 0. The six bits beside FECN and BECN "
     "are outside the ICRC: a switch may have set them, and some vendors use them to mark packets that may take any "
     "path.",
     "Receivers ignore the bits today, but not a reserved NAK code; a later version of the specification may give "
     "them a meaning.",
     "Compare with the sender's documentation: most often it is a vendor's extension."},
    {FindingId::kPkeyMismatch, "pkey_mismatch", Severity::kError, FindingRole::kBreach, "packets",
     "partition keys differ",
     "Packets of one connection carry another P_Key than the first one did. The membership bit does not count.",
     "A receiver silently drops packets of a foreign partition and counts a P_Key violation (IBTA 9.6).",
     "Look at the P_Key tables of both ports; RoCE uses the default 0xffff nearly always."},
    {FindingId::kUsedPsn, "used_psn", Severity::kError, FindingRole::kBreach, "packets",
     "another request on a PSN that was used",
     "A requester used a PSN again for something else: another opcode, length, address or R_Key than the request that "
     "had the PSN before, or any request but the rest of a READ on the PSNs that the responses of the READ take (IBTA "
     "9.7.3). The ICRC of the packet is right, and its queue pair was not silent for long before it, as it is when it "
     "is "
     "connected anew. A retransmission may differ in nothing but SE, AckReq, P_Key and what the network changes.",
     "The responder takes it for a duplicate: it answers, and does not carry it out. What was to be sent is lost "
     "silently.",
     "Look for a defect in the sender's NIC or software: most often it counts one PSN for a READ, whatever its length, "
     "or goes by another path MTU than its peer."},

    {FindingId::kReadDepthExceeded, "read_depth_exceeded", Severity::kError, FindingRole::kBreach, "",
     "too many READs and atomics outstanding",
     "More READs and atomics were outstanding at once than the handshake agreed on: the initiator depth of one side, "
     "the responder resources of the other.",
     "The responder may refuse them (invalid request), which ends the queue pair.",
     "Set max_rd_atomic of the requester to the peer's max_dest_rd_atomic (initiator depth, responder resources)."},
    {FindingId::kSmallMessages, "small_messages", Severity::kNote, FindingRole::kOther, "messages",
     "very small messages",
     "A side sent 1,000 or more messages of less than 256 bytes, nine tenths of all its SENDs, WRITEs and READs, and "
     "10,000 or more a second: a slower side waits for something else.",
     "The headers of a packet take about 100 bytes of wire. The message rate is then the limit, not the bandwidth.",
     "Batch work requests, send several small pieces as one message with a gather list, use inline data."},
    {FindingId::kSmallMtu, "small_mtu", Severity::kNote, FindingRole::kOther, "", "a small path MTU for bulk data",
     "A side moved 1 MiB or more in messages of 4,096 bytes or more on average, with a path MTU of 1,024 or less.",
     "The same bytes take more packets: more headers, more work for NICs and switches.",
     "Set the Ethernet MTU to 4,200 or more on the whole path, so that a path MTU of 4,096 can be chosen."},
    {FindingId::kAckEveryPacket, "ack_every_packet", Severity::kNote, FindingRole::kOther, "",
     "nearly every packet is acknowledged",
     "There is an ACK for nine of ten request packets or more, among 1,000 or more, although a message has four "
     "packets or more on average: one ACK for each message would be enough.",
     "Acknowledgements take packet rate in the other direction.",
     "Look at the NICs' settings: AckReq of the requester, ACK coalescing of the responder."},
    {FindingId::kOnePortEntropy, "one_port_entropy", Severity::kNote, FindingRole::kOther, "",
     "all queue pairs use one UDP source port",
     "Four or more busy queue pairs between two hosts get packets from the same UDP source port, and from no other.",
     "Switches hash the port to choose a path: all of this traffic takes the same one.",
     "Let the NIC derive the port from the queue pairs (flow label, IPv6 flow label, rdma_set_option), or use more."},

    {FindingId::kRkeyPredictable, "rkey_predictable", Severity::kNote, FindingRole::kOther, "", "R_Keys can be guessed",
     "Of eight or more R_Keys of a host, half or more lie within 16 of the one before. The low 8 bits do not count: "
     "drivers and memory windows choose them.",
     "Anyone who can send packets to the host can guess the key of a region.",
     "Most NICs do this. Keep untrusted hosts out of the RDMA network; prefer memory windows of type 2 and "
     "short-lived keys."},
    {FindingId::kRkeyReused, "rkey_reused", Severity::kNote, FindingRole::kOther, "",
     "an R_Key came back for another region",
     "One R_Key of a host was used for memory far away from where it was used before, by another connection.",
     "A late or hostile request with the old key reaches the new region.",
     "Change the key part of the R_Key with each registration."},
    {FindingId::kQpnSequential, "qpn_sequential", Severity::kNote, FindingRole::kOther, "",
     "queue pair numbers can be guessed",
     "Of eight or more queue pair numbers of a host, half or more lie within 16 of the one before.",
     "An attacker who can send packets and knows the number needs only the PSN to inject some.",
     "Most NICs do this. Keep untrusted hosts out of the RDMA network."},
    {FindingId::kPsnStartPredictable, "psn_start_predictable", Severity::kNote, FindingRole::kOther, "",
     "starting PSNs can be guessed",
     "Of eight or more starting PSNs that a host sent, half or more are equal to the one before or lie within 16 of "
     "it.",
     "The PSN is all that protects a queue pair from injected packets.",
     "Choose random starting PSNs; the CM of Linux does."},
    {FindingId::kRkeyInClear, "rkey_in_clear", Severity::kNote, FindingRole::kOther, "", "an R_Key was sent in clear",
     "A key that later packets use was sent in clear before: in private data of the CM, in a message or over TCP.",
     "Everyone who can read the network can read the key. RoCE has no encryption of its own; this is the usual case.",
     "Where that matters, use IPsec or a network that nobody else can read."},
    {FindingId::kRkeyScan, "rkey_scan", Severity::kError, FindingRole::kOther, "", "a host tries many R_Keys",
     "One host sent requests with many R_Keys of another (8 or more); each was refused and never used otherwise.",
     "Anyone who finds a valid key can read or write the memory behind it.",
     "Find the program on the requesting host that sends them: an attack, or a program with stale keys that tries "
     "again."},
    {FindingId::kForeignRequester, "foreign_requester", Severity::kError, FindingRole::kOther, "packets",
     "requests from a foreign address",
     "Requests for a queue pair of a connection came from another address than its peer's, nothing answered them, "
     "and the connection went on afterwards.",
     "Somebody injects packets, or an address moved.",
     "Find the owner of the address; look at the PSNs and keys that the packets try."},
    {FindingId::kPayloadConflict, "payload_conflict", Severity::kError, FindingRole::kOther, "packets",
     "the same PSN with another payload",
     "A SEND or WRITE packet was sent again with another payload than its first copy; the ICRCs of both are good. "
     "Headers may differ. READ responses do not count: the responder reads the memory anew.",
     "The receiver keeps one of the two. A retransmission never changes the payload: memory was changed while it was "
     "being sent, or somebody injects packets.",
     "Check whether the application writes into buffers of outstanding work requests; compare the addresses and the "
     "TTL of both copies."},
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
