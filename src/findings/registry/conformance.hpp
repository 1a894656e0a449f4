// Findings: rules of the specification.
#pragma once

#include "rocescope/finding.hpp"

namespace rocescope::findings {

inline constexpr FindingInfo kConformanceInfos[] = {
    {FindingId::kOpcodeOrder, "opcode_order", Severity::kError, FindingRole::kBreach, "packets",
     "packets of a message in a wrong order",
     R"(First, Middle, Last and Only of the messages of a queue pair do not follow each other as they must (IBTA 9.7.4).)",
     R"(Exact; at least so many where the capture missed packets. Only packets with consecutive PSNs are compared: a
        packet that was not seen proves nothing. Packets with a wrong ICRC are not judged; where the ICRC was cut off or
        not verified, damage may look like a breach.)",
     "A responder answers this with NAK (invalid request), which ends the queue pair.",
     "Look for a defect in the sender's NIC or software."},
    {FindingId::kLengthMtu, "length_mtu", Severity::kError, FindingRole::kBreach, "packets",
     "payload does not fit the path MTU or the message",
     R"(A First or Middle packet is not exactly one path MTU long, a Last is empty, a Last or Only is longer than the
        path MTU, the payloads of a WRITE do not add up to the length in its RETH, or a packet has bytes where its
        opcode has no payload (IBTA 9.7.4).)",
     R"(Exact; at least so many where the capture missed packets. The path MTU comes from the handshake, else from the
        first full packet: if that one is wrong, the right ones seem wrong. IP fragments and packets with a wrong ICRC
        are not judged; where the ICRC was cut off or not verified, damage may look like a breach.)",
     "A responder answers this with NAK (invalid request), which ends the queue pair.",
     "Check that both ends use the same path MTU; otherwise look for a defect in the sender."},
    {FindingId::kPad, "pad", Severity::kError, FindingRole::kBreach, "packets", "wrong padding",
     "Payload and pad are no multiple of four bytes, a First or Middle has a pad, or the pad is not zero (IBTA 9.2).",
     R"(Exact; at least so many where the capture missed packets. A pad that was cut off, IP fragments and packets with
        a wrong ICRC are not judged; where the ICRC was cut off or not verified, damage may look like a breach.)",
     R"(A responder refuses the first two, or delivers a wrong length. Nobody reads the pad, but its bytes come from the
        sender, whose memory may leak.)",
     "Look for a defect in the sender's NIC or software."},
    {FindingId::kTransportOperation, "transport_operation", Severity::kError, FindingRole::kBreach, "packets",
     "an operation that the transport does not have",
     "The opcode is reserved, or belongs to another transport service than the queue pair.",
     R"(A reserved opcode is exact, and so is another transport where a CM message names the right one. Else a packet
        counts only if the queue pair went on with its own transport afterwards. Wrong where two queue pairs had the
        number by turns. Packets with a wrong ICRC are not judged; where the ICRC was cut off or not verified, damage
        may look like a breach.)",
     R"(A responder drops it (another transport, IBTA 9.6) or answers with NAK (invalid request; a reserved opcode, IBTA
        9.7.4).)",
     "Look for a defect in the sender, or for a queue pair number that was used again with another type."},
    {FindingId::kTver, "tver", Severity::kError, FindingRole::kBreach, "packets", "unknown transport header version",
     "The version of the base transport header (TVer) is not 0.",
     R"(Exact; at least so many where the capture missed packets. Packets with a wrong ICRC are not judged; where the
        ICRC was cut off or not verified, damage may look like a breach.)",
     "Receivers drop such packets silently (IBTA 9.6).",
     "Look for a defect in the sender, or for another protocol on UDP port 4791."},
    {FindingId::kReservedBits, "reserved_bits", Severity::kNote, FindingRole::kBreach, "packets",
     "reserved bits are set",
     R"(Reserved bits or values of BTH, AETH, DETH, XRCETH, FETH or CNP are not 0. Some vendors use the six bits beside
        FECN and BECN to mark packets that may take any path.)",
     R"(Exact; at least so many where the capture missed packets. The six bits beside FECN and BECN are outside the
        ICRC: a switch may have set them. Packets with a wrong ICRC are not judged; where the ICRC was cut off or not
        verified, damage may look like a breach.)",
     R"(Receivers ignore the bits today, but not a reserved NAK code; a later version of the specification may give them
        a meaning.)",
     "Compare with the sender's documentation: most often it is a vendor's extension."},
    {FindingId::kPkeyMismatch, "pkey_mismatch", Severity::kError, FindingRole::kBreach, "packets",
     "partition keys differ",
     "Packets of one connection carry another P_Key than the first one did. The membership bit does not count.",
     R"(Exact; at least so many where the capture missed packets. Nothing here shows which of the two P_Keys is right.
        Wrong where the first packet was of a connection that had the queue pair before. Packets with a wrong ICRC are
        not judged; where the ICRC was cut off or not verified, damage may look like a breach.)",
     "A receiver silently drops packets of a foreign partition and counts a P_Key violation (IBTA 9.6).",
     "Look at the P_Key tables of both ports; RoCE uses the default 0xffff nearly always."},
    {FindingId::kUsedPsn, "used_psn", Severity::kError, FindingRole::kBreach, "packets",
     "another request on a PSN that was used",
     R"(A requester used a PSN again for something else: another opcode, length, address or R_Key than the request that
        had the PSN before, or any request but the rest of a READ on the PSNs that the responses of the READ take (IBTA
        9.7.3). A retransmission may differ in nothing but SE, AckReq, P_Key and what the network changes.)",
     R"(Exact as seen here: the ICRC of the packet is right, and its queue pair was not silent for 100 ms before it, as
        it is when it is connected anew. Wrong where a queue pair was connected anew sooner. A READ request of unknown
        length is not judged.)",
     R"(The responder takes it for a duplicate: it answers, and does not carry it out. What was to be sent is lost
        silently.)",
     R"(Look for a defect in the sender's NIC or software: most often it counts one PSN for a READ, whatever its length,
        or goes by another path MTU than its peer.)"},
};

}  // namespace rocescope::findings
