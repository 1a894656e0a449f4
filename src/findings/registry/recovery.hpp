// Findings: how requesters recover.
#pragma once

#include "rocescope/finding.hpp"

namespace rocescope::findings {

inline constexpr FindingInfo kRecoveryInfos[] = {
    {FindingId::kRetransmissions, "retransmissions", Severity::kWarning, FindingRole::kConsequence, "packets",
     "packets were sent again",
     "Requests were sent again. Their first copy was seen here, or was lost before the capture point.",
     R"(Exact where nothing was lost or overtaken before the capture point and the capture missed nothing. At least
        where packets were lost there, or after timeouts, since copies may have been lost as well. About where packets
        also came out of order: without an IPv4 identification that counts, a late first copy looks like a copy; and about
        where there is no such identification and the capture has packets twice, or nothing of the receiver.)",
     "Sent bytes are not delivered bytes, and every recovery stalls the queue pair.",
     "Look at the finding of the same connection that names the cause (NAK, RNR NAK, timeout)."},
    {FindingId::kGoBackNWaste, "go_back_n_waste", Severity::kWarning, FindingRole::kConsequence, "",
     "a large share of what was sent was sent again",
     "More than 5 % of the payload bytes that a requester sent repeat packets that were seen here before.",
     R"(As sure as retransmissions, and reported from 8 packets on. It does not show how the requester recovers: one
        with selective repeat that sends as much again is reported as well.)",
     R"(A go-back-N requester sends everything after the first lost packet again: few losses cost much bandwidth, and
        more with a longer path and a deeper queue.)",
     R"(Remove the loss. Selective repeat (if both NICs have it), a smaller window or smaller messages make a loss
        cheaper.)"},
    {FindingId::kTimeoutRecovery, "timeout_recovery", Severity::kError, FindingRole::kConsequence, "packets",
     "recovery by timeout",
     R"(Packets were sent again after a silence, without a NAK: the last packets of a message, an ACK or a NAK were
        lost, and the requester waited for its local ACK timeout.)",
     R"(At least where a handshake named the local ACK timeout and 7/8 of it had passed. About otherwise: then a silence
        counts that is four times as long as any ACK took, and 500 us or longer; and where packets came out of order.
        Wrong where the capture missed the NAK. Where it has nothing of the receiver, a NAK may have come as well: then
        only the retransmissions are reported.)",
     R"(A timeout lasts from milliseconds to seconds (4.096 us x 2^timeout, several times that in practice). The queue
        pair does nothing meanwhile. Of three or more in a row without any answer the report says how long that was: the
        link, the path or the peer was away, which is no matter of single losses. Where all commands of the connection
        are known, such as those of NVMe-oF, it also says how many were outstanding at the first timeout.)",
     R"(Remove the loss. Then look at the local ACK timeout of the queue pair (CM, ibv_modify_qp): 14 is 67 ms, 18 is 1
        s.)"},
    {FindingId::kSpuriousRetransmission, "spurious_retransmission", Severity::kWarning, FindingRole::kConsequence,
     "packets", "packets were sent again needlessly",
     R"(Requests were sent again although their acknowledgement had already passed here, or was on the way; or so soon that
        no ACK could be missed yet, and the receiver answered the original as well as the copy.)",
     R"(That the ACKs passed here is exact; at least so many where the capture missed packets. Whether the requester got
        it is not seen: if it was lost behind the capture point, the requester was right. Wrong where the capture has
        the two directions in another order.)",
     R"(The requester's ACK timeout is shorter than the responder needs, or acknowledgements were lost behind the
        capture point.)",
     R"(Look at the local ACK timeout of the queue pair, at what delays the responder, and at losses of ACKs
        (ack_loss_after).)"},
    {FindingId::kRetryExhausted, "retry_exhausted", Severity::kError, FindingRole::kEnd, "", "the requester gave up",
     R"(Packets were sent again, or put off by RNR NAKs, as often as the retry counts allow, and nothing else came back:
        the queue pair went to the error state (completion status: transport or RNR retry counter exceeded).)",
     R"(Concluded from silence, since a requester that gives up sends nothing. It rests on the retry counts of the
        handshake; without one, on 7 tries, and RNR NAKs are not judged. Wrong where the answers were not captured, or
        came after the end of the capture.)",
     "The connection is dead; all its outstanding work requests are flushed with an error.",
     R"(Check that the peer is alive, that its queue pair exists, and that packets of this size reach it (MTU, ACL,
        firewall, PFC deadlock).)"},
};

}  // namespace rocescope::findings
