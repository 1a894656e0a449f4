// The registry of findings: what each means, why it matters, what to do.
#include <algorithm>
#include <iterator>

#include "rocescope/finding.hpp"

namespace rocescope {
namespace {

constexpr FindingInfo kInfos[] = {
    {FindingId::kIcrcBad, "icrc_bad", Severity::kError, FindingRole::kDamage, "packets", "packets were damaged",
     "The ICRC of packets does not match their bytes, while other packets of the same sender have a right ICRC: a "
     "device between the sender and the capture point changed them. Or the checksum of the IPv4 header is wrong in "
     "packets whose addresses no other packet has.",
     "At least: others may have been damaged beyond recognition, and in packets that were cut only damage of the "
     "addresses shows. Whose they are is most probable: what a damaged packet shows may be what is damaged, so it "
     "makes no host, flow or "
     "connection and counts as no loss of its own. Wrong where something behind the wire changed them, such as the "
     "capturing host; and if the network delivered another copy, as to a mirror port, its receiver may have got it "
     "whole.",
     "The receiver drops such a packet silently; the sender learns of it from a NAK or a timeout. A fabric that "
     "alters packets behind the Ethernet CRC contains a broken device.",
     "Find the path of these packets. The cause is a switch, a NIC or a cable with bit errors behind its CRC check, "
     "a device that rewrites headers which must not change, or a tool that edited or anonymized the capture."},
    {FindingId::kIcrcBadAllTx, "icrc_bad_all_tx", Severity::kNote, FindingRole::kCapture, "packets",
     "every invariant CRC of one sender is wrong",
     "No packet of this sender has a right ICRC. In a capture made on the sender itself, this means that its NIC "
     "writes the ICRC after the capture point.",
     "That the ICRCs are wrong is exact, why is concluded. Where the sender sent few packets, or the capture was not "
     "made on it, they may as well be damaged, or a device on the way rewrites the headers of all.",
     "The packets are most likely right on the wire, but this capture cannot show a corrupted one.",
     "Nothing, if the capture was made on the sending host. Otherwise capture at the receiver or on a switch, and "
     "compare."},
    {FindingId::kTruncatedCapture, "truncated_capture", Severity::kNote, FindingRole::kCapture, "packets",
     "the capture cut packets",
     "The capture holds fewer bytes of these packets than were on the wire (snap length). The report says how many "
     "lack "
     "CM messages, extended headers (RETH, AtomicETH and others), or only payload and the ICRC.",
     "Exact: the capture has of each packet how long it was on the wire. Wrong where the tool that cut the packets "
     "changed that length as well.",
     "Without CM messages, connections lack what was agreed when they were set up, and which two queue pairs belong "
     "together may stay unknown. Without a RETH, a READ has no size, and its responses cannot be told from missing "
     "ones. Without the ICRC, damage is not seen; a rule that only a few such packets break is not reported, for they "
     "may be damaged.",
     "Capture whole packets (tcpdump -s 0). 128 bytes hold the headers of RoCEv2 over IPv4 and IPv6, but no CM "
     "message, "
     "which takes 322 bytes over IPv4 and 342 over IPv6; VLAN tags and tunnels take more. SNAP LENGTH in the manual "
     "page of `rocescope live` has the sizes."},
    {FindingId::kCaptureLoss, "capture_loss", Severity::kWarning, FindingRole::kCapture, "packets",
     "the capture missed packets",
     "The receiver acknowledged packets that this capture does not have: they arrived, and the capture lost them. Or "
     "the capturing program counted packets that it dropped; packets that a connection lacks may be among them, "
     "unless the connection lacks more.",
     "Exact where the capturing program counted its drops. At least where ACKs, READ responses or a READ that goes on "
     "show it: what was missed together with its answer leaves no trace. About where a packet that was not seen may "
     "as well have been lost before the capture point. Wrong where packets took another path that was not captured: "
     "then nothing was dropped.",
     "Losses of the capture look like losses of the network. They are counted apart here, but every figure of these "
     "connections is a lower bound.",
     "Give the capture a larger buffer (-B), a shorter snap length or a filter (udp port 4791); check the drop "
     "counters of tcpdump, of the mirror port and of the collector."},
    {FindingId::kCaptureDuplicates, "capture_duplicates", Severity::kNote, FindingRole::kCapture, "packets",
     "the capture has packets twice",
     "The same packet with the same ICRC comes again sooner than any transport sends again: a mirror copies both the "
     "way in and the way out, or two interfaces were captured at once.",
     "Exact; at least so many where the capture missed packets. It rests on the ICRC and on a distance below 250 us, "
     "or on the IPv4 identification where the sender counts its packets in it. Where the capture has nothing of the "
     "receiver, the network may have duplicated them. Wrong where a requester sends again, unasked, within 250 us.",
     "The copies are left out of all transport figures; packet and byte counts of flows still have them.",
     "Mirror one direction of a port only, or capture on one interface."},
    {FindingId::kOneSided, "one_sided", Severity::kNote, FindingRole::kCapture, "packets",
     "only one direction was captured", "Packets of one direction of a connection are missing altogether.",
     "Exact for this capture, from 16 packets on; not reported for UC, where nothing needs to come back. Wrong where "
     "the other side sent nothing: its host is dead, or the capture ended before it answered. Wrong as well where its "
     "packets are here, and could not be paired with these.",
     "Acknowledgements, latency and losses cannot be judged without the other direction.",
     "Mirror both directions, and both links where traffic comes back on another path (LAG, ECMP)."},

    {FindingId::kPacketLossBefore, "packet_loss_before", Severity::kError, FindingRole::kLoss, "packets",
     "packets were lost before the capture point",
     "PSNs were skipped here and sent again later, after a NAK or a timeout: the first copies were lost between the "
     "sender and the capture point. Of UC, which sends nothing again, PSNs were skipped and did not come.",
     "At least: packets at the end of a burst leave no trace, since what is sent after a recovery looks new. Where "
     "the capture is known to miss packets, only those count that a NAK asked for, less what the capture may have "
     "missed; where nothing shows that, and no NAK asked for any, those that are more than it may have missed "
     "unnoticed "
     "of so many (capture_loss has the others); of UC, only where 1,000 packets of others were acknowledged "
     "and none was missed. Wrong where the "
     "capture missed these and does not show that: then they were lost behind it, or not at all. A late first copy is "
     "told from a retransmission by the IPv4 identification, else by time.",
     "After each lost packet, a go-back-N requester sends everything behind it again. RoCE is built for a network "
     "that does not drop.",
     "Look at drop counters on the way from the sender to the capture point: switch egress queues of the RoCE class, "
     "PFC and ECN settings, the sender's own NIC, cables (FCS errors)."},
    {FindingId::kPacketLossAfter, "packet_loss_after", Severity::kError, FindingRole::kLoss, "packets",
     "packets were lost after the capture point",
     "The receiver sent a NAK for packets that passed here: they were lost between the capture point and the "
     "receiver, or in the receiver.",
     "At least: a NAK names only the first packet of a hole. Not reported where packets are seen to be overtaken "
     "behind the capture point; wrong where one was overtaken there and nothing shows it. Where ICRCs were cut off or "
     "not verified, or other packets are damaged, these may have been damaged before the capture point.",
     "After each lost packet, a go-back-N requester sends everything behind it again.",
     "Look at drop counters on the way from the capture point to the receiver, and at the receiver's own: "
     "rx_discards_phy, out_of_buffer, PFC storms that its host causes."},
    {FindingId::kPacketLossBetween, "packet_loss_between", Severity::kError, FindingRole::kLoss, "packets",
     "packets were lost between two capture points",
     "The first of two capture points saw packets that never came to the second, while packets before and behind them "
     "did.",
     "Exact for what both points could see; at least so many where one of them began later or ended earlier. A packet "
     "is known again by its PSN, IPv4 identification and ICRC. Reported only where it is known which point comes "
     "first: in one file by its time stamps, else by the delays of both directions. Wrong where the capture at the "
     "second point dropped packets: these may be among them.",
     "It is the network between these two points that loses them, and neither host. After each lost packet, a "
     "go-back-N "
     "requester sends everything behind it again.",
     "Look at drop counters on the way between the two points, and at those of the capture at the second one."},
    {FindingId::kReadResponseLossBefore, "read_response_loss_before", Severity::kError, FindingRole::kLoss, "packets",
     "READ responses were lost before the capture point",
     "A responder sent responses to RDMA READs that did not come here, and the requester asked for them again, for "
     "what was missing or after a timeout: they were lost between the responder and the capture point. A responder "
     "answers each READ in full and one after the other, so later responses show that those before them were sent.",
     "At least: a READ of which no response came, and nothing later either, is not counted, since its request may be "
     "what was lost. What the capture may have missed is taken off. Where it cut READ Requests, only the responses "
     "count that the requester asked for first. Wrong where the capture missed responses and nothing shows that.",
     "The requester drops all responses behind a lost one and asks for them again. Where the last one is lost, or its "
     "request to repeat, it waits for a timeout first.",
     "Look at drop counters on the way from the responder to the capture point: egress queues of the switch port that "
     "leads to the requester (READs of many responders meet there: incast), the class that responses "
     "have, PFC and ECN settings, cables (FCS errors)."},
    {FindingId::kReadResponseLossAfter, "read_response_loss_after", Severity::kError, FindingRole::kLoss, "packets",
     "READ responses were lost after the capture point",
     "Responses to RDMA READs passed here, and the requester asked for them again all the same: the first of each "
     "such request was lost between the capture point and the requester, or in the requester.",
     "At least: what followed the first may be lost or dropped, and is not counted. None is counted where the capture "
     "missed packets; where responses were lost before the capture point as well, it may have missed some and "
     "nothing shows that, which is taken off. Wrong where packets were reordered behind the capture point: then it was "
     "only overtaken; and where the requester asked again for what it had.",
     "The requester drops all responses behind a lost one and asks for them again, or waits for a timeout first.",
     "Look at drop counters on the way from the capture point to the requester, and at the requester's own: "
     "rx_discards_phy, out_of_buffer, PFC storms that its host causes."},
    {FindingId::kAckLossBefore, "ack_loss_before", Severity::kError, FindingRole::kLoss, "ACKs",
     "ACKs were lost before the capture point",
     "After a timeout, requests were sent again, and the responder answered them as it answers duplicates, with "
     "several ACKs of its last request: it had carried them out. The ACKs that it sent then did not come here.",
     "At least: one for each timeout that shows it. Lost ACKs that a later ACK made up for cost nothing, and are not "
     "counted. None is counted where the capture missed packets. Wrong where the responder was slower than the "
     "requester's timer, so that the first ACK came late, and answered several requests with one ACK; and where the "
     "network duplicated a request that was sent again.",
     "The requester waits for its timer, and then sends again what had arrived: the data were there all the time.",
     "Look at drop counters on the way from the responder to the capture point: egress queues of the switch port that "
     "leads to the requester, the class that ACKs have (which may be another than that of requests), cables (FCS "
     "errors)."},
    {FindingId::kAckLossAfter, "ack_loss_after", Severity::kError, FindingRole::kLoss, "ACKs",
     "ACKs were lost after the capture point",
     "ACKs passed here, and half a timeout later or more, 10 ms where it is not known, the requester sent again what "
     "they acknowledge: they were lost between the capture point and the requester, or in the requester.",
     "At least: one for each time that packets were sent again. Lost ACKs that a later ACK made up for are not seen. "
     "Not reported where the capture has the two directions in another order. Wrong where the ACK was on its way from "
     "here to the requester all that time, and where the requester sends again what it knows to be acknowledged.",
     "The requester waits for its timer, and then sends again what had arrived: the data were there all the time.",
     "Look at drop counters on the way from the capture point to the requester, and at the requester's own: "
     "rx_discards_phy, out_of_buffer, PFC storms that its host causes."},
    {FindingId::kReordering, "reordering", Severity::kWarning, FindingRole::kReordering, "packets",
     "packets arrived out of order",
     "Packets came shortly after packets that were sent later, and nothing had asked for them again.",
     "At least: what is overtaken behind the capture point is not seen. It rests on the IPv4 identification where the "
     "sender counts its packets in it; else on that nothing asked for the packet, no NAK and no timeout. Wrong where "
     "the capture missed that NAK; and where a mirror or a capture with several queues changed the order: then it was "
     "right on the wire.",
     "A receiver without out-of-order support answers with a NAK, and the sender sends everything again: reordering "
     "costs as much as loss.",
     "Look for packets of one queue pair on several paths: adaptive routing, packet spraying, a LAG that hashes per "
     "packet. Enable them only where the NICs accept out-of-order packets."},
    {FindingId::kNetworkDuplicates, "network_duplicates", Severity::kWarning, FindingRole::kOther, "packets",
     "the network duplicated packets",
     "Packets came twice, unchanged, sooner than any transport sends again, and their receiver answered half of the "
     "copies or more as duplicate requests: it got both. A copy that the capture makes is never answered.",
     "Exact; at least so many where the capture missed packets. It rests on ACKs of the copies, other than those of "
     "the first copies. Wrong where the requester itself sent the packet twice at once, unchanged.",
     "A network must not duplicate packets. It costs bandwidth, and an answer to each; a UC or UD receiver may take "
     "the "
     "copy for another message.",
     "Look for a loop, for a LAG or a bridge that floods, for a device that forwards the same mirror twice."},

    {FindingId::kRetransmissions, "retransmissions", Severity::kWarning, FindingRole::kConsequence, "packets",
     "packets were sent again",
     "Requests were sent again. Their first copy was seen here, or was lost before the capture point.",
     "Exact where nothing was lost or overtaken before the capture point and the capture missed nothing. At least "
     "where packets were lost there, or after timeouts, since copies may have been lost as well. About where packets "
     "also came out of order: without an IPv4 identification that counts, a late first copy looks like a copy.",
     "Sent bytes are not delivered bytes, and every recovery stalls the queue pair.",
     "Look at the finding of the same connection that names the cause (NAK, RNR NAK, timeout)."},
    {FindingId::kGoBackNWaste, "go_back_n_waste", Severity::kWarning, FindingRole::kConsequence, "",
     "a large share of what was sent was sent again",
     "More than 5 % of the payload bytes that a requester sent repeat packets that were seen here before.",
     "As sure as retransmissions, and reported from 8 packets on. It does not show how the requester recovers: one "
     "with selective repeat that sends as much again is reported as well.",
     "A go-back-N requester sends everything after the first lost packet again: few losses cost much bandwidth, and "
     "more with a longer path and a deeper queue.",
     "Remove the loss. Selective repeat (if both NICs have it), a smaller window or smaller messages make a loss "
     "cheaper."},
    {FindingId::kTimeoutRecovery, "timeout_recovery", Severity::kError, FindingRole::kConsequence, "packets",
     "recovery by timeout",
     "Packets were sent again after a silence, without a NAK: the last packets of a message, an ACK or a NAK were "
     "lost, and the requester waited for its local ACK timeout.",
     "At least where a handshake named the local ACK timeout and 7/8 of it had passed. About otherwise: then a "
     "silence counts that is four times as long as any ACK took, and 500 us or longer; and where packets came out of "
     "order. Wrong where the capture missed the NAK. Where it has nothing of the receiver, a NAK may have come as "
     "well: then only the retransmissions are reported.",
     "A timeout lasts from milliseconds to seconds (4.096 us x 2^timeout, several times that in practice). The queue "
     "pair does nothing meanwhile. Of three or more in a row without any answer the report says how long that was: the "
     "link, the path or the peer was away, which is no matter of single losses.",
     "Remove the loss. Then look at the local ACK timeout of the queue pair (CM, ibv_modify_qp): 14 is 67 ms, 18 is "
     "1 s."},
    {FindingId::kSpuriousRetransmission, "spurious_retransmission", Severity::kWarning, FindingRole::kConsequence,
     "packets", "packets were sent again needlessly",
     "Requests were sent again although their acknowledgement had already passed here, or was on the way.",
     "That the ACK passed here is exact; at least so many where the capture missed packets. Whether the requester got "
     "it is not seen: if it was lost behind the capture point, the requester was right. Wrong where the capture has "
     "the two directions in another order.",
     "The requester's ACK timeout is shorter than the responder needs, or acknowledgements were lost behind the "
     "capture point.",
     "Look at the local ACK timeout of the queue pair, at what delays the responder, and at losses of ACKs "
     "(ack_loss_after)."},
    {FindingId::kRetryExhausted, "retry_exhausted", Severity::kError, FindingRole::kEnd, "", "the requester gave up",
     "Packets were sent again, or put off by RNR NAKs, as often as the retry counts allow, and nothing else came "
     "back: the queue pair went to the error state (completion status: transport or RNR retry counter exceeded).",
     "Concluded from silence, since a requester that gives up sends nothing. It rests on the retry counts of the "
     "handshake; without one, on 7 tries, and RNR NAKs are not judged. Wrong where the answers were not captured, or "
     "came after the end of the capture.",
     "The connection is dead; all its outstanding work requests are flushed with an error.",
     "Check that the peer is alive, that its queue pair exists, and that packets of this size reach it (MTU, ACL, "
     "firewall, PFC deadlock)."},

    {FindingId::kNakSequence, "nak_sequence", Severity::kWarning, FindingRole::kConsequence, "NAKs",
     "PSN sequence errors",
     "The receiver asked for packets with a NAK (PSN sequence error): a packet arrived whose PSN was not the next "
     "one.",
     "Exact; at least so many where the capture missed packets. Why the packet before did not arrive, a NAK does not "
     "say: lost, overtaken, damaged or dropped by the receiver.",
     "Packets were lost or overtaken on their way; each NAK makes the sender go back.",
     "Look at packet_loss_before and packet_loss_after: they show on which side of the capture point the packets "
     "were lost."},
    {FindingId::kNakInvalidRequest, "nak_invalid_request", Severity::kError, FindingRole::kEnd, "requests",
     "invalid request",
     "The responder refused a request as invalid: an opcode that it does not support or expect, a message longer "
     "than the posted receive buffer, too many outstanding READs.",
     "Exact; at least so many where the capture missed packets. Which of the reasons it was, the NAK does not say. "
     "The request that is shown is the one at the PSN of the NAK, as far as the capture has it.",
     "The queue pair is in the error state at both ends; the application sees a remote invalid request error.",
     "Compare the size of the SEND with the receive buffers posted by the peer, and the initiator depth with the "
     "peer's responder resources."},
    {FindingId::kNakRemoteAccess, "nak_remote_access", Severity::kError, FindingRole::kEnd, "requests",
     "remote access refused", "The responder refused an R_Key, an address range or a right (NAK remote access error).",
     "Exact; at least so many where the capture missed packets. Whether the key, the range or the right was wrong, "
     "the NAK does not say. The request that is shown is the one at the PSN of the NAK, as far as the capture has it.",
     "The queue pair is in the error state at both ends. Either the two applications disagree on a memory region, or "
     "it was deregistered too early, or somebody tries keys.",
     "Compare the R_Key and the range of the finding with the regions that the peer registered and announced, their "
     "access flags and their lifetime."},
    {FindingId::kNakRemoteOperational, "nak_remote_operational", Severity::kError, FindingRole::kEnd, "requests",
     "remote operational error",
     "The responder could not carry out a request that was right (NAK remote operational error).",
     "Exact; at least so many where the capture missed packets. What went wrong in the responder, the NAK does not "
     "say.",
     "The queue pair is in the error state at both ends; the cause is local to the responder.",
     "Look at the responder's host: its kernel log, its asynchronous events, its NIC's firmware."},
    {FindingId::kRnr, "rnr", Severity::kWarning, FindingRole::kNotReady, "RNR NAKs", "receiver not ready",
     "The responder had no receive posted for a SEND or a WRITE with immediate and answered with an RNR NAK.",
     "Exact; at least so many where the capture missed packets. That no receive was posted is the usual reason, not "
     "the only one: some NICs also send an RNR NAK while they fetch memory (on-demand paging).",
     "The sender waits for at least the time in the NAK (10 us to 655 ms) before it sends again, up to its RNR retry "
     "count; then the queue pair fails.",
     "Post more receives at the responder, post them before the peer may send, or add flow control to the "
     "application."},
    {FindingId::kRnrTimerNotHonoured, "rnr_timer_not_honoured", Severity::kWarning, FindingRole::kConsequence,
     "packets", "sent again before the RNR timer ended",
     "After an RNR NAK the requester sent again before the time in the NAK had passed.",
     "Sure: the way from here to the requester and back only adds to what is measured, and others may be early too. "
     "Wrong where the packet had left before the RNR NAK came to the requester, for another reason, or where the time "
     "stamps of the two directions differ by more than 1 us.",
     "The responder is still not ready, and the requester uses up its RNR retries for nothing.",
     "Update the firmware and the driver of the requester's NIC."},
    {FindingId::kCreditStall, "credit_stall", Severity::kWarning, FindingRole::kCredits, "stalls",
     "no end-to-end credits",
     "An acknowledgement carried a credit count of 0: the responder has posted no receive for the next message. The "
     "requester then sent nothing for 1 ms or longer until another gave credits, and sent at once after it: it had "
     "been waiting.",
     "Exact; at least so many where the capture missed packets. A requester that has nothing to send until then does "
     "not wait, and if it sends later nobody can tell: it is not counted. Wrong where it had nothing to send, and by "
     "chance began within an eighth of the wait after the credits came.",
     "The requester may send only one packet as a probe until it gets credits.",
     "Post more receives at the responder."},

    {FindingId::kEcnMarked, "ecn_marked", Severity::kNote, FindingRole::kCongestion, "packets",
     "packets were marked by a switch", "Packets carry the ECN mark Congestion Experienced.",
     "Exact; at least so many where the capture missed packets. Marks that packets get behind the capture point are "
     "not seen. Reported from 0.1 % of a sender's data on. The ICRC does not cover the mark: any device may set it, "
     "or clear it before it comes here.",
     "A switch queue on the way was above its marking threshold. DCQCN works that way; a large share of marked "
     "packets means lasting congestion.",
     "Find the flows that share the marked path; look at incast, at ECN thresholds, at the load of the links."},
    {FindingId::kCeWithoutCnp, "ce_without_cnp", Severity::kWarning, FindingRole::kCongestion, "packets",
     "marked packets, and no congestion notification",
     "A switch marked packets of this sender (CE). Packets of their receiver were seen, but no CNP.",
     "The marks are exact; at least so many where the capture missed packets. That no CNP was sent is concluded, from "
     "10 marks on and 1 ms after the first. Wrong where CNPs take another way than the acknowledgements, or the "
     "capture missed them.",
     "Congestion control does not answer: nothing tells the sender to slow down, so the queue grows until PFC stops it "
     "or "
     "packets are dropped.",
     "Check that DCQCN's notification point is enabled for this priority at the receiver (ecn/roce_np), and that no "
     "rule on the way drops CNPs or changes their class. Soft-RoCE never sends CNPs."},
    {FindingId::kCnpStorm, "cnp_storm", Severity::kWarning, FindingRole::kCongestion, "CNPs",
     "very many congestion notifications",
     "A sender got more than 100 CNPs for one connection in one window (1 ms, or that of --cnp-window).",
     "Exact; at least so many where the capture missed packets. Wrong where the capture has each CNP twice: their "
     "copies are not told apart.",
     "The sender cuts its rate again and again, and the rate stays low.",
     "Find the congested queue (incast?), compare the marking thresholds with the bandwidth-delay product, check "
     "that the receivers limit CNPs (min_time_between_cnps)."},
    {FindingId::kCnpWithoutReaction, "cnp_without_reaction", Severity::kWarning, FindingRole::kCongestion, "CNPs",
     "no reaction to congestion notifications", "A sender got CNPs and did not send more slowly after them.",
     "About: the bytes on the wire in the 1 ms before and after a CNP (--cnp-window) are compared, and less than a "
     "sixteenth less is no reaction; reported where that is so for more than half of 10 CNPs or more. Wrong where the "
     "CNPs were lost behind the capture point, or the sender was at its lowest rate, or had just begun to send.",
     "Congestion control does not work for this sender: it fills queues until PFC stops it or packets are dropped, "
     "and all other senders pay for it.",
     "Check that DCQCN's reaction point is enabled for this priority at the sender (ecn/roce_rp), and that CNPs "
     "reach it."},
    {FindingId::kNotEct, "not_ect", Severity::kNote, FindingRole::kOther, "packets", "RoCE traffic without ECN",
     "Packets with payload are sent as not ECN-capable (Not-ECT): switches cannot mark them.",
     "Exact; at least so many where the capture missed packets. Reported from 100 packets on. The ICRC does not cover "
     "these bits: a device before the capture point may have cleared them.",
     "Without marks there is no DCQCN: only PFC, or loss, limits congestion.",
     "Set the traffic class of the queue pairs (rdma_set_option, ToS of the CM, cma_roce_tos) with the ECN bits that "
     "your NIC sets, and enable ECN for the NIC's priority."},
    {FindingId::kPfcPause, "pfc_pause", Severity::kNote, FindingRole::kCongestion, "",
     "priority flow control stopped traffic",
     "PFC frames with a time above 0 were seen: a receiver asked its neighbour to stop one or more priorities.",
     "Exact; at least so many where the capture missed packets. Pause frames stay on one link, and most NICs and "
     "mirror ports do not pass them on: that none was seen on other links says nothing.",
     "A lossless class needs pauses, but every pause spreads backwards through the fabric.",
     "Find the senders of the pauses: a host means a slow receiver, a switch means congestion behind it."},
    {FindingId::kPfcStorm, "pfc_storm", Severity::kError, FindingRole::kCongestion, "", "a storm of pause frames",
     "One station kept a priority paused for 100 ms or longer.",
     "The frames were seen; that the pause went on between them is concluded. With --link-speed it goes on as long as "
     "each frame asks for; without, where the next comes within 5 ms. Wrong then if each asks for less: give "
     "--link-speed.",
     "A whole priority stands still, and with it everything that shares its queues, back to the senders.",
     "Find the station that sends the pauses (a dead or slow host?) and turn on the PFC watchdog of the switches."},
    {FindingId::kCnpClass, "cnp_class", Severity::kNote, FindingRole::kOther, "CNPs",
     "CNPs share the class of the data",
     "CNPs have the same DSCP and VLAN priority as the data that they are to slow down.",
     "Exact; at least so many where the capture missed packets. DSCP and priority are compared with those of the last "
     "data packet, as they are here. Wrong where a device behind the capture point changes them, or the switches "
     "classify by something else.",
     "They wait in the congested queues, and congestion control reacts late.",
     "Give CNPs a strict-priority class of their own (cnp_dscp; DSCP 48 is usual)."},

    {FindingId::kCmReject, "cm_reject", Severity::kError, FindingRole::kEnd, "", "a connection was rejected",
     "A peer answered a REQ or REP of the communication manager with REJ.",
     "Exact: the rejection was seen, and the reason is the one it names. Why an application refuses stands at most in "
     "its private data.",
     "The application could not connect.",
     "Look at the reason. Invalid service ID: nothing listens there. Consumer reject: the application refused. Stale "
     "connection: the peer still knows an old one."},
    {FindingId::kCmTimeout, "cm_timeout", Severity::kError, FindingRole::kEnd, "", "no answer to a connection request",
     "A request to connect (REQ, SIDR_REQ) was repeated and never answered, or a side gave up for that reason (REJ, "
     "timeout).",
     "A REJ that says timeout is exact; otherwise it is concluded, from two requests without an answer. Wrong where "
     "the answer took a way that was not captured, was missed by the capture, or came after its end.",
     "The application waits, then fails with an unreachable error.",
     "Check that the peer is up, that UDP port 4791 passes firewalls both ways, and that the peer's GID table has "
     "this address."},
    {FindingId::kCmRetries, "cm_retries", Severity::kWarning, FindingRole::kOther, "", "CM messages were repeated",
     "A message of the communication manager was sent again before it was answered.",
     "Exact; at least so many where the capture missed packets. Copies closer than 250 us are the capture's, and not "
     "counted. Wrong where a mirror or the network delivers a copy later than that.",
     "Setting up or closing the connection took longer by the CM's timeouts, which last seconds.",
     "Look for a lost datagram or a busy peer: see the times between the repetitions, and losses on the same path."},
    {FindingId::kCmIncomplete, "cm_incomplete", Severity::kNote, FindingRole::kCapture, "", "a handshake is incomplete",
     "The capture has only a part of a CM handshake.",
     "Exact for this capture. It says nothing of the connection: the rest may have been sent before the capture began "
     "or after it ended, on a way that it does not see, or have been missed.",
     "Some queue pair numbers and parameters of the connection are unknown.",
     "Start the capture before the applications connect."},
    {FindingId::kStaleConnection, "stale_connection", Severity::kWarning, FindingRole::kOther, "packets",
     "packets for a connection that was closed",
     "A connection was rejected as stale, or requests came for a queue pair after both sides had closed its "
     "connection.",
     "A rejection is exact. Packets count from 1 ms after both sides closed the connection, when none is on its way "
     "any more; at least so many where the capture missed packets. Wrong where the queue pairs were connected anew, "
     "nothing of that was captured, and the PSNs go on near the old ones.",
     "The two ends disagree about the connection: one has restarted, or a queue pair number was used again too soon.",
     "Let the applications disconnect before they exit; wait in TIMEWAIT before a queue pair is used again."},
    {FindingId::kTornDownOutstanding, "torn_down_outstanding", Severity::kError, FindingRole::kEnd, "bytes",
     "a connection ended with messages outstanding",
     "A side tore the connection down (DREQ) while messages of a requester were outstanding. Or a side fell silent: "
     "the other side sent again twice or more, and nothing came back up to the end of the capture. A connection that "
     "an error ended before (a NAK, retries used up) has the finding of that error instead.",
     "Exact as seen here: outstanding is what no ACK that passed has covered. Where the capture missed packets, it "
     "may lack the ACKs of these messages: then a DREQ proves nothing, and is not reported, and the numbers of a "
     "silent side are at least so many. Wrong where the ACKs took a way that was not captured, or came after the end "
     "of the capture.",
     "These messages are flushed with an error, and nobody knows which of them were carried out: a part of the data "
     "may have arrived.",
     "Check whether the program on that side was killed, crashed or closed the connection too early; the kernel "
     "sends the DREQ for a process that died. Let both sides agree that they are done before either disconnects."},

    {FindingId::kOpcodeOrder, "opcode_order", Severity::kError, FindingRole::kBreach, "packets",
     "packets of a message in a wrong order",
     "First, Middle, Last and Only of the messages of a queue pair do not follow each other as they must (IBTA 9.7.4).",
     "Exact; at least so many where the capture missed packets. Only packets with consecutive PSNs are compared: a "
     "packet that was not seen proves nothing. Packets with a wrong ICRC are not judged; where the ICRC was cut off "
     "or not verified, damage may look like a breach.",
     "A responder answers this with NAK (invalid request), which ends the queue pair.",
     "Look for a defect in the sender's NIC or software."},
    {FindingId::kLengthMtu, "length_mtu", Severity::kError, FindingRole::kBreach, "packets",
     "payload does not fit the path MTU or the message",
     "A First or Middle packet is not exactly one path MTU long, a Last is empty, a Last or Only is longer than the "
     "path MTU, the payloads of a WRITE do not add up to the length in its RETH, or a packet has bytes where its "
     "opcode has no payload (IBTA 9.7.4).",
     "Exact; at least so many where the capture missed packets. The path MTU comes from the handshake, else from the "
     "first full packet: if that one is wrong, the right ones seem wrong. IP fragments and packets with a wrong ICRC "
     "are not judged; where the ICRC was cut off or not verified, damage may look like a breach.",
     "A responder answers this with NAK (invalid request), which ends the queue pair.",
     "Check that both ends use the same path MTU; otherwise look for a defect in the sender."},
    {FindingId::kPad, "pad", Severity::kError, FindingRole::kBreach, "packets", "wrong padding",
     "Payload and pad are no multiple of four bytes, a First or Middle has a pad, or the pad is not zero (IBTA 9.2).",
     "Exact; at least so many where the capture missed packets. A pad that was cut off, IP fragments and packets with "
     "a wrong ICRC are not judged; where the ICRC was cut off or not verified, damage may look like a breach.",
     "A responder refuses the first two, or delivers a wrong length. Nobody reads the pad, but its bytes come from "
     "the sender, whose memory may leak.",
     "Look for a defect in the sender's NIC or software."},
    {FindingId::kTransportOperation, "transport_operation", Severity::kError, FindingRole::kBreach, "packets",
     "an operation that the transport does not have",
     "The opcode is reserved, or belongs to another transport service than the queue pair.",
     "A reserved opcode is exact, and so is another transport where a CM message names the right one. Else a packet "
     "counts only if the queue pair went on with its own transport afterwards. Wrong where two queue pairs had the "
     "number by turns. Packets with a wrong ICRC are not judged; where the ICRC was cut off or not verified, damage "
     "may look like a breach.",
     "A responder drops it (another transport, IBTA 9.6) or answers with NAK (invalid request; a reserved opcode, "
     "IBTA 9.7.4).",
     "Look for a defect in the sender, or for a queue pair number that was used again with another type."},
    {FindingId::kTver, "tver", Severity::kError, FindingRole::kBreach, "packets", "unknown transport header version",
     "The version of the base transport header (TVer) is not 0.",
     "Exact; at least so many where the capture missed packets. Packets with a wrong ICRC are not judged; where the "
     "ICRC was cut off or not verified, damage may look like a breach.",
     "Receivers drop such packets silently (IBTA 9.6).",
     "Look for a defect in the sender, or for another protocol on UDP port 4791."},
    {FindingId::kReservedBits, "reserved_bits", Severity::kNote, FindingRole::kBreach, "packets",
     "reserved bits are set",
     "Reserved bits or values of BTH, AETH, DETH, XRCETH, FETH or CNP are not 0. Some vendors use the six bits beside "
     "FECN and BECN to mark packets that may take any path.",
     "Exact; at least so many where the capture missed packets. The six bits beside FECN and BECN are outside the "
     "ICRC: a switch may have set them. Packets with a wrong ICRC are not judged; where the ICRC was cut off or not "
     "verified, damage may look like a breach.",
     "Receivers ignore the bits today, but not a reserved NAK code; a later version of the specification may give "
     "them a meaning.",
     "Compare with the sender's documentation: most often it is a vendor's extension."},
    {FindingId::kPkeyMismatch, "pkey_mismatch", Severity::kError, FindingRole::kBreach, "packets",
     "partition keys differ",
     "Packets of one connection carry another P_Key than the first one did. The membership bit does not count.",
     "Exact; at least so many where the capture missed packets. Which of the two P_Keys is right, nothing here shows. "
     "Wrong where the first packet was of a connection that had the queue pair before. Packets with a wrong ICRC are "
     "not judged; where the ICRC was cut off or not verified, damage may look like a breach.",
     "A receiver silently drops packets of a foreign partition and counts a P_Key violation (IBTA 9.6).",
     "Look at the P_Key tables of both ports; RoCE uses the default 0xffff nearly always."},
    {FindingId::kUsedPsn, "used_psn", Severity::kError, FindingRole::kBreach, "packets",
     "another request on a PSN that was used",
     "A requester used a PSN again for something else: another opcode, length, address or R_Key than the request that "
     "had the PSN before, or any request but the rest of a READ on the PSNs that the responses of the READ take (IBTA "
     "9.7.3). A retransmission may differ in nothing but SE, AckReq, P_Key and what the network changes.",
     "Exact as seen here: the ICRC of the packet is right, and its queue pair was not silent for 100 ms before it, as "
     "it is when it is connected anew. Wrong where a queue pair was connected anew sooner. A READ request of unknown "
     "length is not judged.",
     "The responder takes it for a duplicate: it answers, and does not carry it out. What was to be sent is lost "
     "silently.",
     "Look for a defect in the sender's NIC or software: most often it counts one PSN for a READ, whatever its length, "
     "or goes by another path MTU than its peer."},

    {FindingId::kReadDepthExceeded, "read_depth_exceeded", Severity::kError, FindingRole::kBreach, "",
     "too many READs and atomics outstanding",
     "More READs and atomics were outstanding at once than the responder has resources for, by its REQ or REP.",
     "Sure: a response that passes here is still on its way to the requester, so it had at least as many outstanding. "
     "Not reported where the capture lacks the responder's REQ or REP. Wrong where the capture missed responses, or "
     "has the two directions in another order.",
     "The responder may refuse them (invalid request), which ends the queue pair.",
     "Set max_rd_atomic of the requester to the peer's max_dest_rd_atomic (initiator depth, responder resources)."},
    {FindingId::kSmallMessages, "small_messages", Severity::kNote, FindingRole::kOther, "messages",
     "very small messages",
     "A side sent 1,000 or more messages of less than 256 bytes, nine tenths of all its SENDs, WRITEs and READs, and "
     "10,000 or more a second: a slower side waits for something else.",
     "The numbers are exact; at least so many where the capture missed packets. Whether the application could send "
     "fewer and larger messages, no packet shows.",
     "The headers of a packet take about 100 bytes of wire. The message rate is then the limit, not the bandwidth.",
     "Batch work requests, send several small pieces as one message with a gather list, use inline data."},
    {FindingId::kSmallMtu, "small_mtu", Severity::kNote, FindingRole::kOther, "", "a small path MTU for bulk data",
     "A side moved 1 MiB or more in messages of 4,096 bytes or more on average, with a path MTU of 1,024 or less.",
     "The numbers are exact; at least so many where the capture missed packets. The path MTU comes from the "
     "handshake, else from full packets. Whether the path can take more, no packet shows.",
     "The same bytes take more packets: more headers, more work for NICs and switches.",
     "Set the Ethernet MTU to 4,200 or more on the whole path, so that a path MTU of 4,096 can be chosen."},
    {FindingId::kAckEveryPacket, "ack_every_packet", Severity::kNote, FindingRole::kOther, "",
     "nearly every packet is acknowledged",
     "There is an ACK for nine of ten request packets or more, among 1,000 or more, although a message has four "
     "packets or more on average: one ACK for each message would be enough.",
     "Exact; at least so many where the capture missed packets. Packets that the capture missed make the share of "
     "ACKs look larger, ACKs that it missed smaller. Not judged where packets were left out of the report.",
     "Acknowledgements take packet rate in the other direction.",
     "Look at the NICs' settings: AckReq of the requester, ACK coalescing of the responder."},
    {FindingId::kOnePortEntropy, "one_port_entropy", Severity::kNote, FindingRole::kOther, "",
     "all queue pairs use one UDP source port",
     "Four or more busy queue pairs between two hosts get packets from the same UDP source port, and from no other.",
     "Exact for the flows of 16 packets or more that were captured; others between the hosts may have another port. "
     "Not reported where that port is 4791: some captures write it over the one that was sent. Wrong where a device "
     "on the way changes the ports.",
     "Switches hash the port to choose a path: all of this traffic takes the same one.",
     "Let the NIC derive the port from the queue pairs (flow label, IPv6 flow label, rdma_set_option), or use more."},

    {FindingId::kRkeyPredictable, "rkey_predictable", Severity::kNote, FindingRole::kOther, "", "R_Keys can be guessed",
     "Of eight or more R_Keys of a host, half or more lie within 16 of the one before. The low 8 bits do not count: "
     "drivers and memory windows choose them.",
     "The keys are exact. They are compared in the order of their first use here, which need not be the order in "
     "which they were given. Random ones lie so close once in half a million times.",
     "Anyone who can send packets to the host can guess the key of a region.",
     "Most NICs do this. Keep untrusted hosts out of the RDMA network; prefer memory windows of type 2 and "
     "short-lived keys."},
    {FindingId::kRkeyReused, "rkey_reused", Severity::kNote, FindingRole::kOther, "",
     "an R_Key came back for another region",
     "In two set-up exchanges a host gave one R_Key for ranges of memory that do not touch.",
     "Exact: only the set-up exchange names whole regions, so only these are compared; keys that come by the CM or by "
     "TCP may come back unnoticed. Wrong where one region consists of several ranges.",
     "A late or hostile request with the old key reaches the new region.",
     "Change the key part of the R_Key with each registration."},
    {FindingId::kQpnSequential, "qpn_sequential", Severity::kNote, FindingRole::kOther, "",
     "queue pair numbers can be guessed",
     "Of eight or more queue pair numbers of a host, half or more lie within 16 of the one before.",
     "The numbers are exact. They are compared in the order in which connections were first seen, and those that were "
     "not captured are missing in between. Random numbers lie so close once in half a million times.",
     "An attacker who can send packets and knows the number needs only the PSN to inject some.",
     "Most NICs do this. Keep untrusted hosts out of the RDMA network."},
    {FindingId::kPsnStartPredictable, "psn_start_predictable", Severity::kNote, FindingRole::kOther, "",
     "starting PSNs can be guessed",
     "Of eight or more starting PSNs that a host sent, half or more are equal to the one before or lie within 16 of "
     "it.",
     "Exact for the REQs and REPs that were captured; PSNs that are agreed on over TCP are not compared. Random "
     "numbers lie so close once in half a million times.",
     "The PSN is all that protects a queue pair from injected packets.",
     "Choose random starting PSNs; the CM of Linux does."},
    {FindingId::kRkeyInClear, "rkey_in_clear", Severity::kNote, FindingRole::kOther, "", "an R_Key was sent in clear",
     "A key that later packets use was sent in clear before: in private data of the CM, in a message or over TCP.",
     "Sure for the keys that are counted: requests used the same 32 bits later. Keys in a form that is not known, or "
     "that no request used, are not counted. Wrong only where other data had the same value by chance.",
     "Everyone who can read the network can read the key. RoCE has no encryption of its own; this is the usual case.",
     "Where that matters, use IPsec or a network that nobody else can read."},
    {FindingId::kRkeyScan, "rkey_scan", Severity::kError, FindingRole::kOther, "", "a host tries many R_Keys",
     "One host sent requests with many R_Keys of another (8 or more); each was refused and never used otherwise.",
     "That each key was refused is exact; at least so many where the capture missed packets. Whether it is an attack "
     "or a program with stale keys, no packet shows. Keys that were valid before the capture began look like guesses "
     "as well.",
     "Anyone who finds a valid key can read or write the memory behind it.",
     "Find the program on the requesting host that sends them: an attack, or a program with stale keys that tries "
     "again."},
    {FindingId::kForeignRequester, "foreign_requester", Severity::kError, FindingRole::kOther, "packets",
     "requests from a foreign address",
     "Requests for a queue pair of a connection came from another address than its peer's, nothing answered them, "
     "and the connection went on afterwards.",
     "The packets were seen; that they do not belong there is concluded. Wrong where the peer has several addresses, "
     "or the answers to this one were not captured.",
     "Somebody injects packets, or an address moved.",
     "Find the owner of the address; look at the PSNs and keys that the packets try."},
    {FindingId::kPayloadConflict, "payload_conflict", Severity::kError, FindingRole::kOther, "packets",
     "the same PSN with another payload",
     "A SEND or WRITE packet was sent again with another payload than its first copy. Headers may differ. READ "
     "responses do not count: the responder reads the memory anew.",
     "Exact; at least so many where the capture missed packets. The ICRCs of both are good, so both were sent as they "
     "are. Compared with the first copy only as long as that is remembered (65,536 packets). Wrong where a queue pair "
     "was connected anew with the same PSNs, and nothing shows that.",
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
