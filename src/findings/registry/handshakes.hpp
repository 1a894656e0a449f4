// Findings: how connections begin and end.
#pragma once

#include "rocescope/finding.hpp"

namespace rocescope::findings {

inline constexpr FindingInfo kHandshakeInfos[] = {
    {FindingId::kCmReject, "cm_reject", Severity::kError, FindingRole::kEnd, "", "a connection was rejected",
     "A peer answered a REQ or REP of the communication manager with REJ, or declined SMC-R over TCP.",
     R"(Exact: the rejection was seen, and the reason is the one it names. Why an application refuses stands at most in
        its private data.)",
     "The application could not connect, or not with RDMA.",
     R"(Look at the reason. Invalid service ID: nothing listens there. Consumer reject: the application refused. Stale
        connection: the peer still knows an old one. Of SRP, limit of channels reached: the target of Linux says so, too, where
        the initiator is not among those that it allows (ACL). Unable to associate the channel: id_ext and ioc_guid name
        another target. Of SMC-R, the connection goes on over TCP, as its peer diagnosis says why: no device for SMC-R means
        none in the same network (PNETID), or no GID that both know.)"},
    {FindingId::kCmProbe, "cm_probe", Severity::kNote, FindingRole::kOther, "",
     "a service that is not there was tried first",
     R"(A peer rejected a REQ since nobody listens at its service ID, and accepted the next one of the same host, to
        another service ID, within ten seconds.)",
     "Exact: both were seen. Wrong where the two REQs came from programs that have nothing to do with each other.",
     "None: setting up the connection took one more round trip. SMB Direct tries port 5445, then 445.",
     "Nothing, or let the client ask for the right port at once."},
    {FindingId::kCmTimeout, "cm_timeout", Severity::kError, FindingRole::kEnd, "", "no answer to a connection request",
     R"(A request to connect (REQ, SIDR_REQ) was repeated and never answered, or a side gave up for that reason (REJ,
        timeout).)",
     R"(A REJ that says timeout is exact; otherwise it is concluded, from two requests without an answer. Wrong where
        the answer took a way that was not captured, was missed by the capture, or came after its end.)",
     "The application waits, then fails with an unreachable error.",
     R"(Check that the peer is up, that UDP port 4791 passes firewalls both ways, and that the peer's GID table has this
        address.)"},
    {FindingId::kCmRetries, "cm_retries", Severity::kWarning, FindingRole::kOther, "", "CM messages were repeated",
     "A message of the communication manager was sent again before it was answered.",
     R"(Exact; at least so many where the capture missed packets, or where a program gives all its messages one PSN. A
        message that comes again with its PSN, or sooner than 250 us, is a copy of a mirror or the network, and not
        counted: devices give what they send again another PSN.)",
     "Setting up or closing the connection took longer by the CM's timeouts, which last seconds.",
     "Look for a lost datagram or a busy peer: see the times between the repetitions, and losses on the same path."},
    {FindingId::kCmIncomplete, "cm_incomplete", Severity::kNote, FindingRole::kCapture, "", "a handshake is incomplete",
     "The capture has only a part of a CM handshake.",
     R"(Exact for this capture. It says nothing of the connection: the rest may have been sent before the capture began
        or after it ended, on a way that it does not see, or have been missed.)",
     "Some queue pair numbers and parameters of the connection are unknown.",
     "Start the capture before the applications connect."},
    {FindingId::kStaleConnection, "stale_connection", Severity::kWarning, FindingRole::kOther, "packets",
     "packets for a connection that was closed",
     R"(A connection was rejected as stale, or requests came for a queue pair after both sides had closed its
        connection.)",
     R"(A rejection is exact. Packets count from 1 ms after both sides closed the connection, when none is on its way
        any more; at least so many where the capture missed packets. Wrong where the queue pairs were connected anew,
        nothing of that was captured, and the PSNs go on near the old ones.)",
     "The two ends disagree about the connection: one has restarted, or a queue pair number was used again too soon.",
     "Let the applications disconnect before they exit; wait in TIMEWAIT before a queue pair is used again."},
    {FindingId::kTornDownOutstanding, "torn_down_outstanding", Severity::kError, FindingRole::kEnd, "bytes",
     "a connection ended with messages outstanding",
     R"(A side tore the connection down (DREQ) while messages of a requester were outstanding. Or a side fell silent:
        the other side sent again twice or more, and nothing came back although the capture went on for as long as that had
        waited between its tries. A connection that
        an error ended before (a NAK, retries used up) has the finding of that error instead.)",
     R"(Exact as seen here: outstanding is what no ACK that passed has covered. Where the capture missed packets, it may
        lack the ACKs of these messages: then a DREQ proves nothing, and is not reported, and the numbers of a silent
        side are at least so many. Nor is a DREQ where a single ACK would have answered all of them: the capture may
        have missed just that (capture_loss has them). Of one message alone, other than a READ, nothing is said: a side
        may close without waiting for the ACK of its last message, as rsockets do. But if a NAK asked for it and it was not
        seen again, capture_loss has it, too. Wrong where the ACKs took a way that was not captured, or came later still.)",
     R"(These messages are flushed with an error, and nobody knows which of them were carried out: a part of the data
        may have arrived.)",
     R"(Check whether the program on that side was killed, crashed or closed the connection too early; the kernel sends
        the DREQ for a process that died. Let both sides agree that they are done before either disconnects.)"},
};

}  // namespace rocescope::findings
