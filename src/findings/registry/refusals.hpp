// Findings: what responders refuse, or put off.
#pragma once

#include "rocescope/finding.hpp"

namespace rocescope::findings {

inline constexpr FindingInfo kRefusalInfos[] = {
    {FindingId::kNakSequence, "nak_sequence", Severity::kWarning, FindingRole::kConsequence, "NAKs",
     "PSN sequence errors",
     R"(The receiver asked for packets with a NAK (PSN sequence error): a packet arrived whose PSN was not the next one.)",
     R"(Exact; at least so many where the capture missed packets. About so many where it has packets twice, since a NAK
        that comes again may be a copy. Why the packet before did not arrive, a NAK does not say: lost, overtaken,
        damaged or dropped by the receiver.)",
     "Packets were lost or overtaken on their way; each NAK makes the sender go back.",
     R"(Look at packet_loss_before and packet_loss_after: they show on which side of the capture point the packets were
        lost.)"},
    {FindingId::kNakInvalidRequest, "nak_invalid_request", Severity::kError, FindingRole::kEnd, "requests",
     "invalid request",
     R"(The responder refused a request as invalid: an opcode that it does not support or expect, a message longer than
        the posted receive buffer, too many outstanding READs.)",
     R"(Exact; at least so many where the capture missed packets. The NAK does not say which of these was the reason. The
        request that is shown is the one at the PSN of the NAK, as far as the capture has it.)",
     "The queue pair is in the error state at both ends; the application sees a remote invalid request error.",
     R"(Compare the size of the SEND with the receive buffers posted by the peer, and the initiator depth with the
        peer's responder resources.)"},
    {FindingId::kNakRemoteAccess, "nak_remote_access", Severity::kError, FindingRole::kEnd, "requests",
     "remote access refused", "The responder refused an R_Key, an address range or a right (NAK remote access error).",
     R"(Exact; at least so many where the capture missed packets. The NAK does not say whether the key, the range or the
        right was wrong. The request that is shown is the one at the PSN of the NAK, as far as the capture has it.)",
     R"(The queue pair is in the error state at both ends. Either the two applications disagree on a memory region, or
        it was deregistered too early, or somebody tries keys.)",
     R"(Compare the R_Key and the range of the finding with the regions that the peer registered and announced, their
        access flags and their lifetime.)"},
    {FindingId::kNakRemoteOperational, "nak_remote_operational", Severity::kError, FindingRole::kEnd, "requests",
     "remote operational error",
     "The responder could not carry out a request that was right (NAK remote operational error).",
     R"(Exact; at least so many where the capture missed packets. The NAK does not say what went wrong in the
        responder.)",
     "The queue pair is in the error state at both ends; the cause is local to the responder.",
     "Look at the responder's host: its kernel log, its asynchronous events, its NIC's firmware."},
    {FindingId::kRnr, "rnr", Severity::kWarning, FindingRole::kNotReady, "RNR NAKs", "receiver not ready",
     "The responder had no receive posted for a SEND or a WRITE with immediate and answered with an RNR NAK.",
     R"(Exact; at least so many where the capture missed packets. About so many where it has packets twice, since a NAK
        that comes again may be a copy. A missing receive is the usual reason, but not the only one: some NICs also send
        an RNR NAK while they fetch memory (on-demand paging).)",
     R"(The sender waits for at least the time in the NAK (10 us to 655 ms) before it sends again, up to its RNR retry
        count; then the queue pair fails.)",
     R"(Post more receives at the responder, post them before the peer may send, or add flow control to the application.)"},
    {FindingId::kRnrTimerNotHonoured, "rnr_timer_not_honoured", Severity::kWarning, FindingRole::kConsequence,
     "packets", "sent again before the RNR timer ended",
     "After an RNR NAK the requester sent again before the time in the NAK had passed.",
     R"(Sure: the way from here to the requester and back only adds to what is measured, and others may be early too.
        Wrong where the packet had left before the RNR NAK came to the requester, for another reason, or where the time
        stamps of the two directions differ by more than 1 us.)",
     "The responder is still not ready, and the requester uses up its RNR retries for nothing.",
     "Update the firmware and the driver of the requester's NIC."},
    {FindingId::kCreditStall, "credit_stall", Severity::kWarning, FindingRole::kCredits, "stalls",
     "no end-to-end credits",
     R"(An acknowledgement carried a credit count of 0: the responder has posted no receive for the next message. The
        requester then sent nothing for 1 ms or longer until another gave credits, and sent at once after it: it had
        been waiting.)",
     R"(Exact; at least so many where the capture missed packets. A requester that has nothing to send until then does
        not wait, and if it sends later nobody can tell: it is not counted. Wrong where it had nothing to send, and by
        chance began within an eighth of the wait after the credits came.)",
     "The requester may send only one packet as a probe until it gets credits.",
     "Post more receives at the responder."},
};

}  // namespace rocescope::findings
