// Findings: losses, reordering and copies in the network.
#pragma once

#include "rocescope/finding.hpp"

namespace rocescope::findings {

inline constexpr FindingInfo kNetworkInfos[] = {
    {FindingId::kPacketLossBefore, "packet_loss_before", Severity::kError, FindingRole::kLoss, "packets",
     "packets were lost before the capture point",
     R"(PSNs were skipped here and sent again later, after a NAK or a timeout: the first copies were lost between the
        sender and the capture point. UC sends nothing again: there the skipped PSNs did not come.)",
     R"(At least: packets at the end of a burst leave no trace, since what is sent after a recovery looks new. Where the
        capture is known to miss packets, only those count that a NAK asked for, less what the capture may have missed;
        where nothing shows that, those count as well that are more than it may have missed unnoticed of so many
        packets, and that not one hole alone explains (the others are named beside them, or in capture_loss); of UC, only where
        1,000 packets of others were acknowledged and none was missed; of RC, only where answers were captured. Wrong
        where the capture missed these and does not show that: then they were lost behind it, or not at all. The IPv4
        identification shows which packet is a late first copy and which a retransmission; without it, time does, and
        of those that a NAK asked for each copy in the capture may be one that only came late.)",
     R"(After each lost packet, a go-back-N requester sends everything behind it again. RoCE is built for a network that
        does not drop.)",
     R"(Look at drop counters on the way from the sender to the capture point: switch egress queues of the RoCE class,
        PFC and ECN settings, the sender's own NIC, cables (FCS errors).)"},
    {FindingId::kPacketLossAfter, "packet_loss_after", Severity::kError, FindingRole::kLoss, "packets",
     "packets were lost after the capture point",
     R"(The receiver sent a NAK for packets that passed here: they were lost between the capture point and the receiver,
        or in the receiver.)",
     R"(At least: a NAK names only the first packet of a hole. Not reported where packets are seen to be overtaken
        behind the capture point; wrong where one was overtaken there and nothing shows it. Where ICRCs were cut off or
        not verified, or other packets are damaged, these may have been damaged before the capture point.)",
     "After each lost packet, a go-back-N requester sends everything behind it again.",
     R"(Look at drop counters on the way from the capture point to the receiver, and at the receiver's own:
        rx_discards_phy, out_of_buffer, PFC storms that its host causes.)"},
    {FindingId::kPacketLossBetween, "packet_loss_between", Severity::kError, FindingRole::kLoss, "packets",
     "packets were lost between two capture points",
     R"(The first of two capture points saw packets that never came to the second, while packets before and behind them
        did.)",
     R"(Exact for what both points could see; at least so many where one of them began later or ended earlier. Where the
        capture at the second point is known to miss packets, only those count that its own connection shows to be lost
        before it, as in packet_loss_before; capture_loss has the others. The same goes for packets that are missing in a
        row which chance does not make of the other losses: a capture whose buffer is full drops so. Of lost answers it
        is always at least so many. A packet is known again by its PSN, IPv4 identification and ICRC. Reported only where
        it is known which point comes first: in one file by its time stamps, else by the delays of both directions. Where
        `merge` compares the messages of different results, it is at least so many requests or READ responses, and
        damaged ones count as lost; what it cannot
        tell from packets that a capture missed is left out. Wrong all the same where the capture at the second point
        dropped packets and nothing shows it.)",
     R"(It is the network between these two points that loses them, and neither host. After each lost packet, a
        go-back-N requester sends everything behind it again.)",
     "Look at drop counters on the way between the two points, and at those of the capture at the second one."},
    {FindingId::kReadResponseLossBefore, "read_response_loss_before", Severity::kError, FindingRole::kLoss, "packets",
     "READ responses were lost before the capture point",
     R"(A responder sent responses to RDMA READs that did not come here, and the requester asked for them again, for
        what was missing or after a timeout: they were lost between the responder and the capture point. A responder
        answers each READ in full and one after the other, so later responses show that those before them were sent.)",
     R"(At least those that the requester asked for first; about as many as were not seen, since it asks for those
        behind a lost one whatever became of them. A READ to which no response came, and nothing later either, is not
        counted, since its request may be what was lost. Packets that the capture may have missed do not count. Where it cut
        READ Requests, only the responses count that the requester asked for first.)",
     R"(The requester drops all responses behind a lost one and asks for them again. Where the last one is lost, or its
        request to repeat, it waits for a timeout first.)",
     R"(Look at drop counters on the way from the responder to the capture point: egress queues of the switch port that
        leads to the requester (READs of many responders meet there: incast), the class that responses have, PFC and ECN
        settings, cables (FCS errors).)"},
    {FindingId::kReadResponseLossAfter, "read_response_loss_after", Severity::kError, FindingRole::kLoss, "packets",
     "READ responses were lost after the capture point",
     R"(Responses to RDMA READs passed here, and the requester asked for them again all the same: the first of each such
        request was lost between the capture point and the requester, or in the requester.)",
     R"(At least: what followed the first may be lost or dropped, and is not counted. None is counted where the capture
        missed packets; where responses were lost before the capture point as well, it may have missed some and nothing
        shows that, which is taken off. Wrong where packets were reordered behind the capture point: then it was only
        overtaken; and where the requester asked again for what it had.)",
     "The requester drops all responses behind a lost one and asks for them again, or waits for a timeout first.",
     R"(Look at drop counters on the way from the capture point to the requester, and at the requester's own:
        rx_discards_phy, out_of_buffer, PFC storms that its host causes.)"},
    {FindingId::kAckLossBefore, "ack_loss_before", Severity::kError, FindingRole::kLoss, "ACKs",
     "ACKs were lost before the capture point",
     R"(After a timeout, requests were sent again, and the responder answered them as it answers duplicates, with
        several ACKs of its last request: it had carried them out. The ACKs that it sent then did not come here.)",
     R"(At least: one for each timeout that shows it. Lost ACKs that a later ACK made up for cost nothing, and are not
        counted. None is counted where the capture missed packets. Wrong where the responder was slower than the
        requester's timer, so that the first ACK came late, and answered several requests with one ACK; and where the
        network duplicated a request that was sent again.)",
     "The requester waits for its timer, and then sends again what had arrived: the data were there all the time.",
     R"(Look at drop counters on the way from the responder to the capture point: egress queues of the switch port that
        leads to the requester, the class that ACKs have (which may be another than that of requests), cables (FCS
        errors).)"},
    {FindingId::kAckLossAfter, "ack_loss_after", Severity::kError, FindingRole::kLoss, "ACKs",
     "ACKs were lost after the capture point",
     R"(ACKs passed here, and half a timeout later or more, 10 ms where it is not known, the requester sent again what
        they acknowledge: they were lost between the capture point and the requester, or in the requester.)",
     R"(At least: one for each time that packets were sent again. Lost ACKs that a later ACK made up for are not seen.
        Not reported where the capture has the two directions in another order. Wrong where the ACK was on its way from
        here to the requester all that time, and where the requester sends again what it knows to be acknowledged.)",
     "The requester waits for its timer, and then sends again what had arrived: the data were there all the time.",
     R"(Look at drop counters on the way from the capture point to the requester, and at the requester's own:
        rx_discards_phy, out_of_buffer, PFC storms that its host causes.)"},
    {FindingId::kReordering, "reordering", Severity::kWarning, FindingRole::kReordering, "packets",
     "packets arrived out of order",
     "Packets came shortly after packets that were sent later, and nothing had asked for them again.",
     R"(At least: what is overtaken behind the capture point is not seen. It rests on the IPv4 identification where the
        sender counts its packets in it; else on that nothing asked for the packet, no NAK and no timeout. As many as
        the capture is known to have missed are left out: copies of others that it missed look late. Wrong where it missed a
        NAK and nothing shows that; and where a mirror or a capture with several queues changed the order: then it was
        right on the wire.)",
     R"(A receiver without out-of-order support answers with a NAK, and the sender sends everything again: reordering
        costs as much as loss.)",
     R"(Look for packets of one queue pair on several paths: adaptive routing, packet spraying, a LAG that hashes per
        packet. Enable them only where the NICs accept out-of-order packets.)"},
    {FindingId::kNetworkDuplicates, "network_duplicates", Severity::kWarning, FindingRole::kOther, "packets",
     "the network duplicated packets",
     R"(Packets came twice, unchanged, sooner than any transport sends again, and their receiver answered half of the
        copies or more as duplicate requests: it got both. A copy that the capture makes is never answered.)",
     R"(Exact; at least so many where the capture missed packets. It rests on ACKs of the copies, other than those of
        the first copies. Wrong where the requester itself sent the packet twice at once, unchanged.)",
     R"(A network must not duplicate packets. It costs bandwidth, and an answer to each; a UC or UD receiver may take
        the copy for another message.)",
     "Look for a loop, for a LAG or a bridge that floods, for a device that forwards the same mirror twice."},
};

}  // namespace rocescope::findings
